import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { timeZoneName } from '../../../src/input/time-zone.js';
import { timestampProblem } from '../../../src/input/timestamp-text.js';
import { readTimestamp, type TimeNotation, type UnclearTime } from '../../../src/input/timestamps.js';

const BERLIN: TimeNotation = { dateOrder: null, timeZone: 'Europe/Berlin' };
const NO_ZONE: TimeNotation = { dateOrder: null, timeZone: null };

function inZone(timeZone: string, dateOrder: TimeNotation['dateOrder'] = null): TimeNotation {
  return { dateOrder, timeZone };
}

/** UNIX seconds, or why there are none. */
function read(text: string, notation: TimeNotation): number | string {
  const reading = readTimestamp(text, notation);
  return reading.ok ? reading.seconds : reading.fault.kind;
}

function problem(text: string, notation: TimeNotation): string {
  const reading = readTimestamp(text, notation);
  return reading.ok ? `read as ${reading.seconds}` : timestampProblem(text, reading.fault, notation);
}

const EIGHT_IN_BERLIN = 1_796_454_000;

describe('a local time', () => {
  it.each<[string, TimeNotation['dateOrder']]>([
    ['2026-12-05 08:00', null],
    ['2026-12-05T08:00', null],
    ['2026-12-05 08:00:00', null],
    ['2026-12-05T08:00:00.000', null],
    [' 2026-12-05 8:00 ', null],
    ['2026-12-05 08:00', 'dmy'],
    ['2026/12/5 08:00', 'ymd'],
    ['20261205 08:00', 'ymd'],
    ['05.12.2026 08:00', 'dmy'],
    ['5.12.26, 08:00:00', 'dmy'],
    ['5-Dez-2026 08:00', 'dmy'],
    ['12/05/2026 8:00 AM', 'mdy'],
    ['Dec 5, 2026 08:00', 'mdy'],
  ])('%j under %s is read', (text, order) => {
    expect(read(text, inZone('Europe/Berlin', order))).toBe(EIGHT_IN_BERLIN);
  });

  it.each<[string, number]>([
    ['12/05/2026 12:00 AM', -8],
    ['12/05/2026 12:30 PM', 4.5],
    ['12/05/2026 1:00 pm', 5],
  ])('%j has a half of the day', (text, hours) => {
    expect(read(text, inZone('Europe/Berlin', 'mdy'))).toBe(EIGHT_IN_BERLIN + hours * 3600);
  });

  it.each(['2026-12-05T08:00:00+01:00', '2026-12-05 07:00Z', '2026-12-05T12:30+05:30'])(
    'with an offset, %j needs no zone, and no zone changes it',
    (text) => {
      for (const notation of [NO_ZONE, BERLIN, inZone('America/New_York', 'dmy')])
        expect(read(text, notation)).toBe(EIGHT_IN_BERLIN);
    },
  );

  it.each(['05.12.2026 08:00 +0100', '5.12.2026 7:00 UTC', '2026-12-05T08:00:00 +01:00'])(
    'an offset may also be behind a date in the declared order: %j',
    (text) => {
      expect(read(text, { dateOrder: 'dmy', timeZone: null })).toBe(EIGHT_IN_BERLIN);
    },
  );

  it.each<[string, TimeNotation, string]>([
    ['2026-12-05 08:00', NO_ZONE, 'no zone'],
    ['05.12.2026 08:00', inZone('UTC', 'dmy'), ''],
    ['2026-12-05', BERLIN, 'only a date'],
    ['2026-12-05', NO_ZONE, 'only a date'],
    ['05.12.2026', inZone('UTC', 'dmy'), 'only a date'],
    ['05.12.2026', BERLIN, 'only a date'],
    ['20261205', inZone('UTC', 'ymd'), 'only a date'],
    ['20261205', BERLIN, 'no date'],
    ['2026-02-30 08:00', BERLIN, 'no such time'],
    ['2026-12-05 24:00', BERLIN, 'no such time'],
    ['2026-12-05 08:60', BERLIN, 'no such time'],
    ['12/05/2026 13:00 PM', inZone('UTC', 'mdy'), 'no such time'],
    ['2026-12-05 09:30 08:00', inZone('UTC', 'ymd'), 'two times'],
    ['2026-12-05T09:30:00 08:00', inZone('UTC', 'dmy'), 'two times'],
    ['05.12.2026 09:30 08:00', inZone('UTC', 'dmy'), 'two times'],
    ['12/05/2026, 09:30, 8:00 AM', inZone('UTC', 'mdy'), 'two times'],
    ['2026-12-05 09:30 08:00+01:00', { dateOrder: 'ymd', timeZone: null }, 'two times'],
    ['2026-12-05 09:30+01:00 08:00', inZone('UTC', 'ymd'), 'two times'],
    ['2026-12-05 09:30 08:00 07:00', inZone('UTC', 'ymd'), 'two times'],
    ['2026-12-05 09:30 08:00', BERLIN, 'two times'],
    ['2026-12-05 00:00 08:00', BERLIN, 'two times'],
    ['2026-12-05 08:00:00.5', BERLIN, 'fraction'],
    ['2026-12-05 08:00 +19:00', BERLIN, 'no such offset'],
    ['2026-12-05T08:00:00-23:59', NO_ZONE, 'no such offset'],
    ['05.12.2026 08:00', BERLIN, 'other order'],
    ['12/25/2026 08:00', inZone('UTC', 'dmy'), 'other order'],
    ['1796454000', BERLIN, 'no date'],
    ['soon', BERLIN, 'no date'],
    ['', BERLIN, 'no date'],
    [`2026-12-05 08:00${' '.repeat(5)}x`, BERLIN, 'no date'],
    ['2026-12-05 08:00'.padStart(100, '0'), BERLIN, 'no date'],
  ])('%j: %s', (text, notation, kind) => {
    const found = read(text, notation);
    if (kind === '') expect(found).toBeTypeOf('number');
    else expect(found).toBe(kind);
  });
});

describe('the clocks of a zone', () => {
  const path = new URL('../../vectors/local-times.json', import.meta.url);
  const known = JSON.parse(readFileSync(path, 'utf8')) as [zone: string, local: string, moments: number[]][];

  it('are those of an independent implementation', () => {
    for (const [zone, local, moments] of known) {
      const [only] = moments;
      const kind = only === undefined ? 'skipped' : 'twice';
      expect(read(local, inZone(zone)), `${local} in ${zone}`).toBe(moments.length === 1 ? only : kind);
    }
  });

  it('what is to be written instead is read as the moments that can be meant', () => {
    for (const [zone, local, moments] of known) {
      const reading = readTimestamp(local, inZone(zone));
      if (reading.ok) continue;
      const fault = reading.fault as UnclearTime;
      const written = fault.moments.map(({ text }) => read(text, NO_ZONE));
      if (fault.kind === 'twice') expect(written).toEqual(moments);
      // A skipped time is as far from both times as the clocks go forward.
      const clocks = fault.moments.map(({ text }) => Date.parse(`${text.slice(0, 19)}Z`) - Date.parse(`${local}Z`));
      const gap = Math.abs(Date.parse(`${fault.to}Z`) - Date.parse(`${fault.from}Z`));
      expect(clocks, `${local} in ${zone}`).toEqual(fault.kind === 'twice' ? [0, 0] : [-gap, gap]);
    }
  });

  it.each<[string, string, string]>([
    [
      'Europe/Berlin',
      '2026-03-29 02:30',
      '2026-03-29 02:30 does not exist in Europe/Berlin: the clocks go from 02:00 to 03:00. Write another time with its offset, +01:00 or +02:00: 2026-03-29T01:30:00+01:00 or 2026-03-29T03:30:00+02:00',
    ],
    [
      'Europe/Berlin',
      '2026-10-25 02:30:10',
      '2026-10-25 02:30:10 comes twice in Europe/Berlin: the clocks go back from 03:00 to 02:00. Write it with its offset, +01:00 or +02:00: 2026-10-25T02:30:10+02:00 is the first time, 2026-10-25T02:30:10+01:00 the second',
    ],
    [
      'America/New_York',
      '2026-11-01 01:00',
      '2026-11-01 01:00 comes twice in America/New_York: the clocks go back from 02:00 to 01:00. Write it with its offset, -05:00 or -04:00: 2026-11-01T01:00:00-04:00 is the first time, 2026-11-01T01:00:00-05:00 the second',
    ],
    [
      'Australia/Lord_Howe',
      '2026-10-04 02:15',
      '2026-10-04 02:15 does not exist in Australia/Lord_Howe: the clocks go from 02:00 to 02:30. Write another time with its offset, +10:30 or +11:00: 2026-10-04T01:45:00+10:30 or 2026-10-04T02:45:00+11:00',
    ],
    [
      'Pacific/Apia',
      '2011-12-30 08:00',
      '2011-12-30 08:00 does not exist in Pacific/Apia: the clocks go from 2011-12-30 00:00 to 2011-12-31 00:00. Write another time with its offset, -10:00 or +14:00: 2011-12-29T08:00:00-10:00 or 2011-12-31T08:00:00+14:00',
    ],
    // The sun's time, which has seconds, before there were zones.
    [
      'Europe/Berlin',
      '1893-04-01 00:03',
      '1893-04-01 00:03 does not exist in Europe/Berlin: the clocks go from 00:00 to 00:06:32. Write another time with its offset, Z or +01:00: 1893-03-31T23:03:00Z or 1893-04-01T00:09:32+01:00',
    ],
  ])('in %s, %s is not clear', (zone, text, words) => {
    expect(problem(text, inZone(zone))).toBe(words);
  });

  it.each<[string, number]>([
    ['0001-01-02 00:00', -62_135_513_608],
    ['9999-12-31 23:00', 253_402_293_600],
  ])('also long ago and far from now: %s', (text, seconds) => {
    expect(read(text, BERLIN)).toBe(seconds);
  });
});

describe('what a person hears', () => {
  it.each<[string, TimeNotation, string]>([
    [
      '2026-12-05 08:00',
      NO_ZONE,
      '"2026-12-05 08:00" has no offset from UTC. Name the time zone, such as --time-zone Europe/Berlin, or write each time with its offset, such as 2026-12-01T08:00:00+01:00',
    ],
    ['2026-12-05', NO_ZONE, '"2026-12-05" is a date without a time. Write both, such as 2026-12-01T08:00:00+01:00'],
    ['2026-12-05', BERLIN, '"2026-12-05" is a date without a time. Write both, such as 2026-12-01 08:00'],
    ['2026-02-30 08:00', BERLIN, '"2026-02-30 08:00" is not a day of the calendar with a time of day'],
    [
      '2026-12-05T08:00:00+23:59',
      NO_ZONE,
      '"2026-12-05T08:00:00+23:59" has the offset +23:59, and no clock is so far from UTC. Correct it, as in 2026-12-01T08:00:00+01:00',
    ],
    [
      '2026-12-05 09:30 08:00',
      BERLIN,
      '"2026-12-05 09:30 08:00" has more than one time of day. Write one date with one time, such as 2026-12-01 08:00',
    ],
    ['2026-12-05 08:00:00.5', BERLIN, '"2026-12-05 08:00:00.5" has a fraction of a second. Write whole seconds'],
    ['05.12.2026 08:00', BERLIN, '"05.12.2026 08:00" is not written as year-month-day, such as 2026-11-01'],
    [
      '05.12.2026 08:00',
      NO_ZONE,
      '"05.12.2026 08:00" is not written as year-month-day, such as 2026-11-01, and has no offset from UTC: it needs --time-zone too',
    ],
    ['x', BERLIN, '"x" is not a date with a time, such as 2026-12-01 08:00, nor a UNIX timestamp in seconds'],
  ])('%j', (text, notation, words) => {
    expect(problem(text, notation)).toBe(words);
  });
});

describe('the name of a zone', () => {
  it.each(['Europe/Berlin', 'europe/berlin', 'UTC', 'Asia/Kolkata', 'Asia/Calcutta', 'Etc/GMT-1'])('%s', (name) => {
    expect(timeZoneName('--time-zone', name)).toBe(name);
  });

  it.each([
    ['Berlin', 'Did you mean "Europe/Berlin"?'],
    ['new york', 'Did you mean "America/New_York"?'],
    ['Europe/Berln', 'Did you mean "Europe/Berlin"?'],
    ['Germany', 'found "Germany". The name has a region and its largest city, such as Europe/Berlin'],
    ['+01:00', 'An offset is not a time zone'],
    ['UTC+1', 'An offset is not a time zone'],
    ['', 'found ""'],
  ])('%j is none', (name, words) => {
    expect(() => timeZoneName('--time-zone', name)).toThrow(words);
  });
});

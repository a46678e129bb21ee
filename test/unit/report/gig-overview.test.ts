import { describe, expect, it } from 'vitest';
import { formatDecimal } from '../../../src/money/decimal.js';
import { gigFacts } from '../../../src/report/gig-facts.js';
import { type GigOverview, GigTally } from '../../../src/report/gig-overview.js';
import { textWidth } from '../../../src/report/table.js';

interface Given {
  readonly title?: string;
  readonly start?: number;
  readonly filter?: object;
  readonly mode?: string;
  readonly seats?: object;
  readonly prices?: readonly number[];
}

const NOON = 1_796_472_000;

function bodyOf({ title = 'Audit', start = NOON, filter = { city: 'Berlin' }, ...more }: Given): string {
  const { mode = 'manual', seats = {}, prices = [450] } = more;
  const tasks = prices.map((price) => ({ title: 'Photo', base_price: price }));
  return JSON.stringify({ title, start_at: start, filter_query: filter, invitation_mode: mode, ...seats, tasks });
}

function overviewOf(gigs: readonly Given[]): GigOverview {
  const tally = new GigTally();
  for (const gig of gigs) tally.add(bodyOf(gig));
  return tally.overview() as GigOverview;
}

/** The texts of a fact, and of those that continue it. */
function told(label: string, gigs: readonly Given[], width?: number): string[] {
  const facts = gigFacts(overviewOf(gigs), width);
  const first = facts.findIndex((fact) => fact.label === label);
  const next = facts.findIndex((fact, i) => i > first && fact.label !== '');
  return first < 0 ? [] : facts.slice(first, next < 0 ? undefined : next).map(({ text }) => text);
}

describe('an overview of gigs', () => {
  it('of none is null', () => {
    expect(new GigTally().overview()).toBeNull();
  });

  it.each<[string, object, string]>([
    ['total_seats', { total_seats: 4, seats_max: 9 }, '4'],
    ['seats_max, without total_seats', { seats_max: 3, seats_min: 2 }, '3'],
    ['1, without both', { seats_min: 2 }, '1'],
    ['a fraction as it is', { total_seats: 2.5 }, '2.5'],
  ])('takes as seats %s', (_name, seats, count) => {
    const { seats: found, cost } = overviewOf([{ seats, prices: [100, 10] }]);
    expect(formatDecimal(found)).toBe(count);
    expect(formatDecimal(cost)).toBe(String(Number(count) * 110));
  });

  it('adds up seats × prices exactly, and has the lowest and the highest price', () => {
    const gigs = [{ seats: { total_seats: 3 }, prices: [0.1] }, { prices: [0.2, 1000] }, { prices: [] }];
    const { cost, lowestPrice, highestPrice } = overviewOf(gigs);
    expect([cost, lowestPrice, highestPrice].map(formatDecimal)).toEqual(['1000.5', '0', '1000.2']);
  });

  it('knows the most frequent filters among any number of others, and counts these', () => {
    const rare: Given[] = Array.from({ length: 3000 }, (_, i) => ({ filter: { n: i } }));
    const often = ['a', 'b', 'c'].flatMap((city, i) => Array.from({ length: 4 - i }, () => ({ filter: { city } })));
    const mixed = rare.toSpliced(500, 0, ...often.slice(0, 5)).toSpliced(2500, 0, ...often.slice(5));
    const { filters, otherFilters, gigsOfOthers } = overviewOf(mixed);
    expect(filters.slice(0, 3)).toEqual([
      { text: '{"city":"a"}', gigs: 4 },
      { text: '{"city":"b"}', gigs: 3 },
      { text: '{"city":"c"}', gigs: 2 },
    ]);
    expect([filters.length, otherFilters, gigsOfOthers]).toEqual([5, 2998, 2998]);
  });
});

describe('the facts of gigs', () => {
  it('have the first and the last start, in local time and UTC', () => {
    const gigs = [{ start: NOON + 86_400 }, { start: NOON }];
    expect(told('First start', gigs)).toEqual([expect.stringMatching(/^2026-12-0\d .* \(2026-12-05 12:00 UTC\)$/)]);
    expect(told('Last start', gigs)).toEqual([expect.stringMatching(/^2026-12-0\d .* \(2026-12-06 12:00 UTC\)$/)]);
    expect(told('Start', [{}, {}])).toHaveLength(1);
    expect(told('Start', [{ start: 1e15 }])).toEqual(['1000000000000000, which is not a date of our time']);
  });

  it('show a start on the clocks of a zone that is named', () => {
    const tally = new GigTally('Asia/Kathmandu');
    tally.add(bodyOf({}));
    const [, start] = gigFacts(tally.overview() as GigOverview);
    expect(start?.text).toBe('2026-12-05 17:45 +05:45 Asia/Kathmandu (2026-12-05 12:00 UTC)');
  });

  it('have the five most frequent filters, and how many more there are', () => {
    const gigs = Array.from({ length: 9 }, (_, i) => ({ filter: { city: `C${Math.min(i, 6)}` } }));
    const lines = told('Filter', gigs);
    expect(lines[0]).toBe('3 gigs  {"city":"C6"}');
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toBe('and 2 other filters for 2 gigs');
  });

  it('show where long filters differ, on lines that fit', () => {
    const long = (city: string) => ({ filter: { $and: [{ qualification: { $in: 'x'.repeat(600) } }, { city }] } });
    const cities = ['Berlin', 'München', 'Köln', 'Ulm', 'Jena'];
    const lines = told('Filter', cities.map(long), 80);
    expect(lines.slice(0, 5)).toEqual(cities.map((city) => expect.stringContaining(`"${city}"`)));
    expect(lines.slice(5)).toEqual(['… stands for more: a dry run with --report x.html shows it']);
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80 - 'Seats × prices  '.length);
    expect(told('Filter', cities.map(long)).join('')).not.toContain('…');
  });

  it('show long filters whole where they are few', () => {
    const long = (city: string, length: number) => ({ filter: { skill: 'x'.repeat(length), city } });
    const shared = told('Filter', [long('Berlin', 320), long('Berlin', 320)], 80);
    expect(shared).toHaveLength(6);
    expect(shared.join('')).toBe(`{"skill":"${'x'.repeat(320)}","city":"Berlin"}`);
    const two = told('Filter', [long('Berlin', 120), long('Ulm', 120)], 80);
    expect(two).toHaveLength(6);
    expect(
      two
        .slice(0, 3)
        .map((line) => line.slice('1 gig  '.length))
        .join(''),
    ).toContain('xx","city":"Berlin"}');
    expect(two.slice(1, 3).every((line) => line.startsWith('       x') || line.startsWith('       "'))).toBe(true);
  });

  it('end on the narrowest terminal', () => {
    expect(told('Filter', [{}, {}], 1).join('')).toBe('{"city":"Berlin"}');
    expect(told('Filter', [{}, { filter: { city: 'x'.repeat(99) } }], 1)).toHaveLength(5);
  });

  it.each<[string, Given[], string, string[]]>([
    ['a query without a condition', [{ filter: {} }], 'Filter', ['{} (no condition)']],
    ['one filter without a count', [{}, {}], 'Filter', ['{"city":"Berlin"}']],
    ['invitation modes', [{ mode: 'auto' }, {}, {}], 'Invitation', ['auto 1, manual 2']],
    ['one mode', [{}, {}], 'Invitation', ['manual']],
    ['seats by field', [{ seats: { total_seats: 4 } }, {}, {}], 'Seats', ['6: total_seats (1 gig), else 1 (2 gigs)']],
    ['seats of no field', [{}, {}], 'Seats', ['2: 1 for each gig, since none has total_seats or seats_max']],
    ['prices', [{ prices: [450] }, { prices: [1000, 50] }], 'Prices', ['450 to 1,050 cents per seat']],
    ['titles', [{}, { title: 'B\u001b' }, {}, {}], 'Titles', ['Audit, B\\u001b, and 2 more gigs']],
  ])('have %s', (_name, gigs, label, texts) => {
    expect(told(label, gigs)).toEqual(texts);
  });
});

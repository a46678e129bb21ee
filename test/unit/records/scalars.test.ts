import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckContext } from '../../../src/records/doubts.js';
import type { Body, RecordType } from '../../../src/records/types.js';
import { COST_CENTER_DATA, check } from './checking.js';

describe('multipliers', () => {
  const sent = (multiplier: unknown, typed?: string): unknown => {
    const context = typed === undefined ? {} : { typed: new Map([['multiplier', typed]]) };
    const { body, found } = check('result', { multiplier }, context);
    return found.length === 0 ? body['multiplier'] : found.join();
  };

  it.each<[number, string | undefined, string]>([
    [1.5, undefined, '1.5'],
    [1.5, '1.50', '1.50'],
    [1, '1.0000', '1.0000'],
  ])('the JSON number %d, typed %s, is sent as the text %s', (value, typed, text) => {
    expect(sent(value, typed)).toBe(text);
  });

  it.each<[unknown, string]>([
    ['10', 'out-of-range'],
    ['9.99991', 'out-of-range'],
    ['-0.5', 'out-of-range'],
    [-0.5, 'out-of-range'],
    ['1.23456', 'bad-number'],
    ['1.00000', 'bad-number'],
    ['', 'bad-number'],
    ['01', 'bad-number'],
    ['1e0', 'bad-number'],
    [0.00001, 'bad-number'],
  ])('%j is %s', (value, code) => {
    expect(sent(value)).toBe(`error ${code} multiplier`);
  });

  it('from 0.0000 to 9.9999 all pass, in steps of a ten-thousandth', () => {
    fc.assert(
      fc.property(fc.integer({ min: -20_000, max: 120_000 }), (steps) => {
        const digits = String(Math.abs(steps)).padStart(5, '0');
        const text = `${steps < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
        const found = steps === 0 ? 'warning not-positive multiplier' : 'error out-of-range multiplier';
        expect(sent(text)).toBe(steps > 0 && steps <= 99_999 ? text : found);
      }),
    );
  });
});

describe('inhouse', () => {
  const sent = (inhouse: unknown): unknown => {
    const { body, found } = check('payout', { cost_center_data: { ...COST_CENTER_DATA, inhouse } });
    return found.length === 0 ? (body['cost_center_data'] as Body)['inhouse'] : found.join();
  };

  it.each([
    ['Yes', 'Yes'],
    ['yEs', 'Yes'],
    ['No', 'No'],
    ['NO', 'No'],
  ])('%s is sent as %s', (text, expected) => {
    expect(sent(text)).toBe(expected);
  });

  it.each(['Ja', 'y', 'true', '1', ' Yes', 'Yes '])('%j is not allowed', (text) => {
    expect(sent(text)).toBe('error not-allowed cost_center_data.inhouse');
  });
});

describe('what is not allowed', () => {
  it.each<[RecordType, Body, string]>([
    ['gig', { invitation_mode: 'automatic' }, 'error not-allowed invitation_mode'],
    ['gig', { invitation_mode: 'Manual' }, 'error not-allowed invitation_mode'],
    ['payout', { billing_date: '2026-02-30' }, 'error bad-date billing_date'],
    ['payout', { billing_date: '01.11.2026' }, 'error bad-date billing_date'],
    ['result', { delivery_date: '2026-11-01T00:00:00Z' }, 'error bad-date delivery_date'],
  ])('a %s with %j', (type, change, found) => {
    expect(check(type, change).found).toEqual([found]);
  });
});

const seconds = (time: string): number => Date.parse(time) / 1000;

describe('doubts', () => {
  const SPACE = 'warning surrounding-space';
  const BOTH = { ...COST_CENTER_DATA, company: 'C', partner_project_code: 'PP-7' };

  it.each<[string, RecordType, Body, string[]]>([
    ['the end is the start', 'gig', { end_at: 1_797_318_000 }, ['warning end-before-start end_at']],
    ['a timestamp in milliseconds', 'gig', { archive_at: 1_797_922_800_000 }, ['warning milliseconds archive_at']],
    ['a time beyond every calendar', 'gig', { archive_at: 1e300 }, ['warning distant-date archive_at']],
    ['the far future in seconds', 'gig', { archive_at: 32_503_680_000 }, ['warning distant-date archive_at']],
    ['a time a year ahead', 'gig', { archive_at: seconds('2027-11-15T00:00:00Z') }, []],
    [
      'a time a year and a second ahead',
      'gig',
      { archive_at: seconds('2027-11-15T00:00:01Z') },
      ['warning distant-date archive_at'],
    ],
    ['a start at this moment', 'gig', { start_at: seconds('2026-11-15T00:00:00Z') }, []],
    ['a start a second ago', 'gig', { start_at: seconds('2026-11-14T23:59:59Z') }, ['warning past-start start_at']],
    ['an end in the past', 'gig', { start_at: 1_790_000_000, end_at: 1_790_000_001 }, ['warning past-start start_at']],
    ['a start of zero', 'gig', { start_at: 0 }, ['warning distant-date start_at', 'warning past-start start_at']],
    [
      'a date of a spreadsheet',
      'gig',
      { start_at: 46361.25, end_at: 46361.75 },
      [
        ...['end_at', 'start_at'].flatMap((name) => [`warning distant-date ${name}`, `warning not-whole ${name}`]),
        'warning past-start start_at',
      ],
    ],
    ['a fraction of a second', 'gig', { start_at: 1_797_318_000.5 }, ['warning not-whole start_at']],
    ['a fraction of a seat', 'gig', { seats_max: 2.5 }, ['warning not-whole seats_max']],
    ['seats below zero', 'gig', { total_seats: -1 }, ['warning not-positive total_seats']],
    ['fewer seats in all than at most', 'gig', { total_seats: 3, seats_max: 4 }, ['warning seats-order total_seats']],
    ['as many seats in all as at most', 'gig', { total_seats: 4, seats_max: 4 }, []],
    ['the archive before the end', 'gig', { archive_at: 1_797_346_799 }, ['warning end-before-start archive_at']],
    ['the archive at the end', 'gig', { archive_at: 1_797_346_800 }, []],
    ['a script as URL', 'gig', { url: 'javascript:alert(1)' }, ['warning bad-url url']],
    ['a path as URL', 'gig', { url: '/gigs/1' }, ['warning bad-url url']],
    ['a host as URL', 'gig', { url: 'gigs.example/1' }, ['warning bad-url url']],
    ['a URL without a host', 'gig', { url: 'https://' }, ['warning bad-url url']],
    ['a URL of a file', 'gig', { url: 'ftp://gigs.example/1' }, ['warning bad-url url']],
    ['a URL in capitals', 'gig', { url: 'HTTP://GIGS.EXAMPLE/1' }, []],
    [
      'a price with decimals',
      'gig',
      { tasks: [12, 12.5].map((price) => ({ title: 'a', base_price: price })) },
      ['warning sub-cent tasks.1.base_price'],
    ],
    ['more seats at least than at most', 'gig', { seats_min: 5, seats_max: 2 }, ['warning seats-order seats_min']],
    [
      'more seats at least than the service allows by itself',
      'gig',
      { seats_min: 2 },
      ['warning seats-order seats_min'],
    ],
    ['no seats', 'gig', { seats_max: 0 }, ['warning not-positive seats_max', 'warning seats-order seats_max']],
    ['tasks of nothing', 'gig', { tasks: [{ title: 'a', base_price: 0 }] }, ['warning not-positive tasks']],
    [
      'tasks below zero in all',
      'gig',
      { tasks: [-2, 1].map((price) => ({ title: 'a', base_price: price })) },
      ['warning not-positive tasks'],
    ],
    ['a multiplier of zero', 'result', { multiplier: '0.0000' }, ['warning not-positive multiplier']],
    ['the smallest multiplier', 'result', { multiplier: '0.0001' }, []],
    ['an amount of zero', 'payout', { amount: 0 }, ['error not-positive amount']],
    ['an amount below zero', 'payout', { amount: -0.01 }, ['error not-positive amount']],
    ['the smallest amount', 'payout', { amount: 0.01 }, []],
    ['a quantity of zero', 'result', { quantity: 0 }, ['warning not-positive quantity']],
    ['a currency that is none', 'payout', { currency: 'EURO' }, ['warning unknown-currency currency']],
    ['a currency in small letters', 'payout', { currency: 'eur' }, ['warning unknown-currency currency']],
    ['a date a year and a day ahead', 'payout', { billing_date: '2027-11-16' }, ['warning distant-date billing_date']],
    ['a date a year ahead', 'payout', { billing_date: '2027-11-15' }, []],
    ['a date a year and a day ago', 'result', { delivery_date: '2025-11-14' }, ['warning distant-date delivery_date']],
    ['a date a year ago', 'result', { delivery_date: '2025-11-15' }, []],
    ['an ID with a space before it', 'payout', { user_id: ' u1' }, ['warning surrounding-space user_id']],
    ['an ID with a space behind it', 'result', { gig_task_id: 't1\u00a0' }, ['warning surrounding-space gig_task_id']],
    ['a reference of nothing but spaces', 'payout', { reference_id: '  ' }, ['warning surrounding-space reference_id']],
    [
      'a project of a space',
      'payout',
      { cost_center_data: { ...BOTH, customer_id: ' ' } },
      [`${SPACE} cost_center_data.customer_id`],
    ],
    ['an empty reference', 'payout', { reference_id: '' }, []],
    ['an ID with a space in it', 'payout', { user_id: 'u 1' }, []],
    ['a title with a space', 'payout', { title: ' Bonus ' }, []],
    ['an apostrophe before =', 'payout', { title: "'=SUM(A1)" }, ['warning leading-apostrophe title']],
    ['two apostrophes before =', 'payout', { title: "''=1" }, ['warning leading-apostrophe title']],
    ['an apostrophe before a word', 'payout', { title: "'t Hooft" }, []],
    ['a formula itself', 'payout', { title: '=SUM(A1)' }, []],
  ])('%s', (_name, type, change, found) => {
    const { body, found: all } = check(type, change);
    expect(all).toEqual(found);
    // A doubt does not change what is sent.
    for (const [name, value] of Object.entries(change)) expect(body[name]).toEqual(value);
  });
});

describe('a payout of zero or below', () => {
  const typed = new Map([['amount', '-24,57']]);
  const of = (sign: 'changed' | 'typed' | null, allowNegative = false) => ({ sign, allowNegative });

  it.each<[string, number, CheckContext['amounts'], RegExp]>([
    ['of a file', -24.57, of('typed'), /^error: .*\(-24,57\)\..* add --negate\..* --allow-negative$/],
    ['made of flags', -24.57, of(null), /^error: .*\(-24,57\)\.((?!--negate).)*--allow-negative$/],
    ['turned', -24.57, of('changed'), /^error: .*\(-24.57\), because --negate .* do not use --negate$/],
    ['of nothing', 0, of('typed'), /^error: amount is zero \(.*\)\.((?!--negate).)*--allow-negative$/],
    ['that is allowed', -24.57, of('changed', true), /^warning: amount is negative \(-24.57\)$/],
  ])('%s', (_name, amount, amounts, expected) => {
    const { findings } = check('payout', { amount }, { typed, ...(amounts === undefined ? {} : { amounts }) });
    expect(findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      expect.stringMatching(expected),
    ]);
  });
});

describe('what a gig’s warnings say', () => {
  const messageOf = (change: Body): string => check('gig', change).findings[0]?.message ?? '';

  it.each<[Body, string]>([
    [{ start_at: 46361.25, end_at: 46361.75 }, 'A spreadsheet writes 2026-12-05 18:00 as 46361.75'],
    [{ start_at: 0 }, 'start_at is 1970-01-01 00:00 UTC, more than a year away'],
    [{ start_at: 1_790_000_000 }, 'start_at is 2026-09-21 14:13 UTC, which is in the past'],
    [{ tasks: [{ title: 'a', base_price: 12.5 }] }, 'If you mean 12.5 euros, write 1250'],
    [{ tasks: [{ title: 'a', base_price: 0.333 }] }, 'Round it'],
    [{ seats_max: -1 }, 'seats_max is negative (-1)'],
  ])('%j', (change, words) => {
    expect(messageOf(change)).toContain(words);
  });
});

import { describe, expect, it } from 'vitest';
import { RecordTable } from '../../../src/prepare/record-table.js';
import { RecordValidator } from '../../../src/prepare/validator.js';
import { sha256 } from '../../../src/keys/key.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import type { Body, RecordType } from '../../../src/records/types.js';
import {
  type Circumstances,
  type Compared,
  comparedPayment,
  comparedRecord,
  hasSameDate,
  isAlikeElsewhere,
  isSameAmount,
  isSameSum,
  type Likeness,
  likenessAtHost,
  likenessOf,
} from '../../../src/review/resemblance.js';
import { PLAIN_STYLE } from '../../support/cell-style.js';
import { GOOD } from '../records/checking.js';
import { history } from './review-fixtures.js';

/** How a record comes in, other than as a row with these fields. */
interface Coming {
  /** Fields that `--set` gives to all rows. */
  readonly set?: readonly string[];
  /** All rows of its file have its reference. */
  readonly isShared?: boolean;
}

/** A row of a file: a good record with some fields changed, read and keyed as a run does it. */
function row(type: RecordType, changes: Body = {}, { set = [], isShared = false }: Coming = {}): Compared {
  const input = { ...GOOD[type], currency: 'EUR', ...changes };
  if (type === 'gig') delete (input as Body)['currency'];
  const intake = new RecordValidator({
    now: Date.parse('2026-11-20'),
    style: PLAIN_STYLE,
    allowTotalRow: false,
    allowNegative: false,
    keyColumns: [],
    setFields: new Set(set),
    prices: { priceOf: () => null },
  });
  const read = { record: 1, line: 2, read: () => ({ input, findings: [] }), source: input };
  const { content, findings } = intake.check(read, RECORD_SCHEMAS[type]);
  if (content === null) throw new Error(JSON.stringify(findings));
  const { amount, currency, costCenter, keySource } = content.parts;
  const key = content.keyOf('may', 1);
  const entries = new RecordTable();
  const bodyHash = sha256(content.bodyWithKey(key));
  const place = { file: 0, record: 1, line: 2 };
  entries.addValid(place, { type, currency, costCenter, amount, key, keySource, bodyHash });
  const fingerprint = content.fingerprint();
  entries.setFingerprint(0, fingerprint);
  return comparedRecord(entries, 0, isShared ? fingerprint.reference : null);
}

const NOWHERE: Circumstances = { isSamePlace: false, isMended: false, isSameLine: false };
const PLACE: Circumstances = { ...NOWHERE, isSamePlace: true };
const MENDED: Circumstances = { ...NOWHERE, isMended: true };
const LINE: Circumstances = { ...NOWHERE, isMended: true, isSameLine: true };

type Side = Compared;
type Case = readonly [differing: string, one: Side, other: Side, likeness: Likeness | null];

const pay = (changes: Body = {}, coming: Coming = {}): Compared => row('payout', changes, coming);
const work = (changes: Body = {}, coming: Coming = {}): Compared => row('result', changes, coming);
const gig = (changes: Body = {}): Compared => row('gig', changes);
const inv = (changes: Body = {}, coming: Coming = {}): Compared => pay({ reference_id: 'INV-7', ...changes }, coming);
const dated = (billing_date: string, changes: Body = {}): Compared => pay({ billing_date, ...changes });
const done = (changes: Body = {}, coming: Coming = {}): Compared =>
  work({ delivery_date: '2026-11-03', ...changes }, coming);

/** (a): the same user and title. */
const TITLE: readonly Case[] = [
  ['nothing', pay(), pay(), 'title'],
  ['the amount', pay(), pay({ amount: 1300 }), 'title'],
  ['the currency', pay(), pay({ currency: 'CHF' }), 'title'],
  ['the cost center', pay(), pay({ cost_center_key: 'PP-8' }), 'title'],
  ['the letter case and spaces of its title', pay({ title: 'Bonus Nov' }), pay({ title: ' BONUS  NOV' }), 'title'],
  ['the composition of its title', pay({ title: 'Pr\u00e4mie' }), pay({ title: 'Pra\u0308mie' }), 'title'],
  ['the width of its letters', pay(), pay({ title: 'Ｂｏｎｕｓ' }), 'title'],
  ['zeros before a user of digits', pay({ user_id: '00123' }), pay({ user_id: '123' }), 'title'],
  ['zeros before a user of letters', pay({ user_id: '0u1' }), pay({ user_id: 'u1' }), null],
  ['punctuation in its title', pay(), pay({ title: 'Bonus.' }), null],
  ['the title', pay(), pay({ title: 'Spesen' }), null],
  ['the user', pay(), pay({ user_id: 'u2' }), null],
  ['the quantity', work(), work({ quantity: 4 }), 'title'],
  ['the multiplier', work({ multiplier: '1.5' }), work({ multiplier: '2' }), 'title'],
  ['the task', work(), work({ gig_task_id: 't2' }), null],
  ['the end of a gig', gig(), gig({ end_at: 1_797_346_801 }), 'title'],
  ['the start of a gig', gig(), gig({ start_at: 1_797_318_001 }), null],
  ['the filter of a gig', gig(), gig({ filter_query: { 'address.city': 'Köln' } }), null],
];

/** References and dates tell two records apart where both have one from their files. */
const TOLD_APART: readonly Case[] = [
  ['the reference', inv(), inv({ reference_id: 'INV-8' }), null],
  ['a reference that one has', inv(), pay(), 'title'],
  ['the punctuation of its reference', inv(), inv({ reference_id: 'inv 7' }), 'title'],
  [
    'the punctuation between digits of its reference',
    inv({ reference_id: '2026-07' }),
    inv({ reference_id: '2026/07' }),
    'title',
  ],
  ['zeros before a reference of digits', inv({ reference_id: '007' }), inv({ reference_id: '7' }), 'title'],
  ['a reference that --set gives', inv(), inv({ reference_id: 'INV-8' }, { set: ['reference_id'] }), 'title'],
  ['references that all rows of their files share', inv({}, { isShared: true }), inv({ reference_id: 'INV-8' }), null],
  ['the date', dated('2026-11-25'), dated('2026-11-26'), null],
  ['the order of day and month', dated('2026-11-03'), dated('2026-03-11'), 'title'],
  ['the year', dated('2026-11-03'), dated('2025-11-03'), null],
  ['the year, and the order of day and month', dated('2026-11-03'), dated('2025-03-11'), null],
  ['a date that one has', dated('2026-11-25'), pay(), 'title'],
  [
    'a date that --set gives',
    dated('2026-11-25'),
    pay({ billing_date: '2026-11-26' }, { set: ['billing_date'] }),
    'title',
  ],
  ['the day of a result', done(), done({ delivery_date: '2026-11-24' }), null],
  ['a task that --set gives', work(), work({ gig_task_id: 't2' }, { set: ['gig_task_id'] }), 'title'],
];

const SPESEN = { title: 'Spesen' };
/** (b): the same work under another title. */
const WORK: readonly Case[] = [
  ['the title', inv(), inv(SPESEN), 'reference'],
  [
    'the title, with a reference that is punctuated otherwise',
    inv(),
    inv({ ...SPESEN, reference_id: 'INV 7' }),
    'reference',
  ],
  ['title and amount', inv(), inv({ ...SPESEN, amount: 1300 }), null],
  ['the title, with an amount of another form', inv({ amount: 12.5 }), inv({ ...SPESEN, amount: 12.5 }), 'reference'],
  ['title and currency', inv(), inv({ ...SPESEN, currency: 'CHF' }), null],
  ['the title, without currencies', inv({ currency: undefined }), inv({ ...SPESEN, currency: undefined }), 'reference'],
  ['title and user', inv(), inv({ ...SPESEN, user_id: 'u2' }), null],
  ['title and reference', inv(), inv({ ...SPESEN, reference_id: 'INV-8' }), null],
  ['the title, without references', pay(), pay(SPESEN), null],
  ['title and date', inv({ billing_date: '2026-11-25' }), inv({ ...SPESEN, billing_date: '2026-11-26' }), null],
  ['the title, with a user that --set gives', inv(), inv(SPESEN, { set: ['user_id'] }), null],
  ['the title, with an amount that --set gives', inv({}, { set: ['amount'] }), inv(SPESEN), null],
  ['the title, with a reference that --set gives', inv(), inv(SPESEN, { set: ['reference_id'] }), null],
  ['the title, that --set gives', inv(), inv(SPESEN, { set: ['title'] }), 'reference'],
  ['the title, with a reference that all rows of its file share', inv(), inv(SPESEN, { isShared: true }), null],
  ['the title, with a reference that all rows of the other file share', inv({}, { isShared: true }), inv(SPESEN), null],
  ['the title of a result', done(), done(SPESEN), 'reference'],
  [
    'the title of a result, with a task that all rows of its file share',
    done(),
    done(SPESEN, { isShared: true }),
    'reference',
  ],
  ['title and quantity of a result', done(), done({ ...SPESEN, quantity: 4 }), null],
  ['the title of a result without a date', work(), work(SPESEN), null],
  ['the title of a result, whose date one lacks', done(), work(SPESEN), null],
  [
    'the title, and the order of day and month, of a result',
    done(),
    done({ ...SPESEN, delivery_date: '2026-03-11' }),
    'reference',
  ],
  ['the title of a result, with a quantity that --set gives', done(), done(SPESEN, { set: ['quantity'] }), null],
];

/** Between two own keys. */
const own = (idempotency_key: string, changes: Body = {}): Compared => pay({ idempotency_key, ...changes });
const OWN_KEYS: readonly Case[] = [
  ['own keys', own('a'), own('b'), 'content'],
  ['own keys and amounts', own('a'), own('b', { amount: 1300 }), null],
  ['the letter case of own keys, and amounts', own('Pay A'), own('pay a', { amount: 1300 }), 'own-key'],
  ['zeros before own keys, and titles', own('0045'), own('45', SPESEN), 'own-key'],
  ['punctuation of own keys, and amounts', own('a-1'), own('A.1', { amount: 1300 }), 'own-key'],
  ['punctuation between digits of own keys', own('2026-11'), own('2026-1-1', { amount: 1300 }), null],
  ['the letter case of own keys, and users', own('A'), own('a', { user_id: 'u2' }), null],
  [
    'own keys that fold alike, and references',
    own('A', { reference_id: 'r1' }),
    own('a', { reference_id: 'r2' }),
    null,
  ],
  [
    'own keys that fold alike, and dates',
    own('A', { billing_date: '2026-11-25' }),
    own('a', { billing_date: '2026-11-26' }),
    null,
  ],
  ['own keys, of the same work', own('a', { reference_id: 'r' }), own('b', { reference_id: 'r', ...SPESEN }), null],
  ['an own key that one has, and amounts', own('a'), pay({ amount: 1300 }), 'title'],
];

describe('two records of one batch that differ in', () => {
  it.each([...TITLE, ...TOLD_APART, ...WORK, ...OWN_KEYS])('%s', (_, one, other, likeness) => {
    expect(likenessOf(one, other, NOWHERE)).toBe(likeness);
    expect(likenessOf(other, one, NOWHERE)).toBe(likeness);
  });
});

type Around = readonly [differing: string, one: Side, other: Side, around: Circumstances, likeness: Likeness | null];
const AROUND: readonly Around[] = [
  // (c): whatever they say.
  ['user, title and amount, at one place', pay(), pay({ user_id: 'u2', amount: 1, ...SPESEN }), PLACE, 'place'],
  ['the reference, at one place', inv(), inv({ reference_id: 'INV-8' }), PLACE, 'place'],
  ['the date, at one place', dated('2026-11-25'), dated('2026-11-26'), PLACE, 'place'],
  ['own keys and amounts, at one place', own('a'), own('b', { amount: 1300 }), PLACE, 'place'],
  ['the start of a gig, at one place', gig(), gig({ start_at: 1_797_318_001 }), PLACE, 'place'],
  // (d): the file was mended.
  ['the title, in a mended file', pay(), pay(SPESEN), MENDED, 'mended'],
  ['title and reference, in a mended file', inv(), inv({ ...SPESEN, reference_id: 'INV-8' }), MENDED, 'mended'],
  ['the reference, in a mended file', inv(), inv({ reference_id: 'INV-8' }), MENDED, 'mended'],
  ['title and amount, in a mended file', pay(), pay({ ...SPESEN, amount: 1300 }), MENDED, null],
  ['title and currency, in a mended file', pay(), pay({ ...SPESEN, currency: 'CHF' }), MENDED, null],
  ['title and amount, on one line of a mended file', pay(), pay({ ...SPESEN, amount: 1300 }), LINE, 'mended'],
  ['title and date, on one line', dated('2026-11-25'), dated('2026-11-26', SPESEN), LINE, null],
  ['title and user, on one line', pay(), pay({ ...SPESEN, user_id: 'u2' }), LINE, null],
  ['the amount, in a mended file', pay(), pay({ amount: 1300 }), MENDED, 'title'],
  ['the title of a result, in a mended file', work(), work(SPESEN), MENDED, 'mended'],
  ['title and task of a result, in a mended file', work(), work({ ...SPESEN, gig_task_id: 't2' }), MENDED, null],
  ['title and quantity of a result, in a mended file', work(), work({ ...SPESEN, quantity: 4 }), MENDED, null],
  ['title and quantity of a result, on one line', work(), work({ ...SPESEN, quantity: 4 }), LINE, 'mended'],
  ['the start of a gig, on one line', gig(), gig({ start_at: 1_797_318_001 }), LINE, null],
  ['own keys and titles, on one line', own('a'), own('b', SPESEN), LINE, null],
  ['one line, in a file that nobody mended', pay(), pay(SPESEN), { ...NOWHERE, isSameLine: true }, null],
];

describe('two records of one batch, with what is known of their files, that differ in', () => {
  it.each(AROUND)('%s', (_, one, other, around, likeness) => {
    expect(likenessOf(one, other, around)).toBe(likeness);
    expect(likenessOf(other, one, around)).toBe(likeness);
  });
});

const AT_HOST: readonly Around[] = [
  ['nothing', pay(), pay(), NOWHERE, 'content'],
  ['nothing but own keys', own('a'), own('b'), NOWHERE, 'content'],
  ['the amount', pay(), pay({ amount: 1300 }), NOWHERE, null],
  ['the title, of the same work', inv(), inv(SPESEN), NOWHERE, 'reference'],
  [
    'title and date, of the same work',
    inv({ billing_date: '2026-11-25' }),
    inv({ ...SPESEN, billing_date: '2026-11-26' }),
    NOWHERE,
    null,
  ],
  [
    'the title, of the same work with own keys',
    own('a', { reference_id: 'r' }),
    own('b', { reference_id: 'r', ...SPESEN }),
    NOWHERE,
    null,
  ],
  ['own keys that fold alike, and amounts', own('A'), own('a', { amount: 1300 }), NOWHERE, null],
  ['user and amount, at one place', pay(), pay({ user_id: 'u2', amount: 1300 }), PLACE, 'place'],
  ['the title, on one line of a mended file', pay(), pay(SPESEN), LINE, null],
  ['the end of a gig', gig(), gig({ end_at: 1_797_346_801 }), NOWHERE, null],
];

describe('two records at two targets on one host that differ in', () => {
  it.each(AT_HOST)('%s', (_, one, other, around, likeness) => {
    expect(likenessAtHost(one, other, around)).toBe(likeness);
    expect(likenessAtHost(other, one, around)).toBe(likeness);
  });
});

const ELSEWHERE: readonly (readonly [differing: string, one: Side, other: Side, isAlike: boolean])[] = [
  ['nothing', pay(), pay(), true],
  ['the currency', pay(), pay({ currency: 'CHF' }), true],
  ['the cost center', pay(), pay({ cost_center_key: 'PP-8' }), true],
  ['own keys', own('a'), own('b'), true],
  ['the amount', pay(), pay({ amount: 1300 }), false],
  ['the title', inv(), inv(SPESEN), false],
  ['the user', pay(), pay({ user_id: 'u2' }), false],
  ['the reference', inv(), inv({ reference_id: 'INV-8' }), false],
  ['a reference that one has', inv(), pay(), true],
  ['the date', dated('2026-11-25'), dated('2026-11-26'), false],
  ['the order of day and month', dated('2026-11-03'), dated('2026-03-11'), true],
  ['the day that one result has', done(), work(), true],
  ['the quantity', work(), work({ quantity: 4 }), false],
  ['the task', work(), work({ gig_task_id: 't2' }), false],
  ['the end of a gig', gig(), gig({ end_at: 1_797_346_801 }), true],
  ['the start of a gig', gig(), gig({ start_at: 1_797_318_001 }), false],
];

describe('two records of two batches that differ in', () => {
  it.each(ELSEWHERE)('%s', (_, one, other, isAlike) => {
    expect(isAlikeElsewhere(one, other)).toBe(isAlike);
    expect(isAlikeElsewhere(other, one)).toBe(isAlike);
  });
});

describe('amounts and dates', () => {
  it('are the same with the same currency, and the sum with any; one that is not known fits any sum', () => {
    const one = pay();
    const other = pay({ currency: 'CHF' });
    const unknown = { ...one, amount: null };
    expect([isSameAmount(one, one), isSameAmount(one, other), isSameAmount(unknown, unknown)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isSameSum(one, other), isSameSum(one, unknown), isSameSum(one, pay({ amount: 1 }))]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('of gigs are not compared as sums, and those of results not at all: only their task and quantity', () => {
    const tasks = [250, 300].map((base_price) => ({ ...gig(), amount: String(base_price) }));
    expect(isSameSum(tasks[0]!, tasks[1]!)).toBe(true);
    const one = work();
    const dearer = { ...work(), amount: '999' };
    expect([isSameAmount(one, dearer), isSameSum(one, dearer)]).toEqual([true, true]);
  });

  it('are the same only where both files have them', () => {
    const one = dated('2026-11-03');
    const none = pay();
    expect([hasSameDate(one, dated('2026-03-11')), hasSameDate(one, none), hasSameDate(none, none)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

it('a payment has its own key, and no reference of its own where the rows of its file share it', () => {
  const [payment] = history([{ key: 'k', reference: 7, shared: [8] }]);
  expect(comparedPayment(payment!)).toMatchObject({ ownKey: 'k', reference: 7, isReferenceItsOwn: true });
  const [shared] = history([{ key: 'k', reference: 7, shared: [7] }]);
  expect(comparedPayment(shared!)).toMatchObject({ reference: 7, isReferenceItsOwn: false });
  const [computed] = history([{ key: '4e353669-d28d-8c9e-99b3-1e2c9de495dd' }]);
  expect(comparedPayment(computed!)).toMatchObject({ ownKey: null, reference: null, isReferenceItsOwn: false });
});

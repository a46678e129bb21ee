/** What becomes of a payment by the service's list. CONTRACT: "Reconciling with the service's own list". */
import { describe, expect, it } from 'vitest';
import { NO_RUN, type StoredPayment } from '../../../src/journal/payment.js';
import { decimalOf } from '../../../src/money/decimal.js';
import type { ExportRow } from '../../../src/reconcile/export-rows.js';
import {
  type AbsenceRules,
  type MetPayment,
  verdictOfAbsent,
  verdictOfListed,
  type VerdictRules,
} from '../../../src/reconcile/verdict.js';

const AS_OF = Date.parse('2026-11-28T18:00:00Z');
const MINUTE = 60_000;

const PAYMENT: StoredPayment = {
  id: 1,
  type: 'payout',
  key: 'a',
  bodyHash: '',
  content: 0n,
  payee: 0,
  title: 0,
  reference: null,
  date: null,
  measure: null,
  isOfFile: true,
  amount: '12.5',
  currency: 'EUR',
  state: 'unknown',
  doubtSince: 0,
  isLive: false,
  claimWatermark: 0,
  at: AS_OF - 10 * MINUTE,
  replacedBy: null,
  hasBody: true,
  lifetimeMs: null,
  batchId: 'may',
  run: NO_RUN,
};

const ROW: ExportRow = {
  file: 0,
  record: 1,
  line: 2,
  key: 'a',
  id: null,
  status: null,
  userId: null,
  amount: null,
  currency: null,
  title: null,
  startAt: null,
};

const RULES: VerdictRules = {
  hasStatus: false,
  createdWords: new Set(['paid']),
  notCreatedWords: new Set(['failed']),
  asOf: AS_OF,
  requestMsOf: () => 30_000,
  now: AS_OF,
};

interface Case {
  readonly payment?: Partial<StoredPayment>;
  readonly row?: Partial<ExportRow>;
  readonly met?: Partial<MetPayment>;
  readonly rules?: Partial<VerdictRules>;
}

function listed({ payment = {}, row = {}, met = {}, rules = {} }: Case): string {
  const rows = [{ ...ROW, ...row }];
  const given = { payment: { ...PAYMENT, ...payment }, rows, userId: 'u1', isIdTaken: false, ...met };
  const { kind, why } = verdictOfListed(given, { ...RULES, ...rules });
  return `${kind} ${why}`;
}

const STATUS = { hasStatus: true };

describe('a payment that the list has', () => {
  it.each<[verdict: string, what: string, of: Case]>([
    ['created listed', 'in doubt, without statuses', {}],
    ['in_doubt live', 'that a live call has accepted', { payment: { isLive: true } }],
    ['in_doubt live', 'the same, open', { payment: { isLive: true, state: 'not_sent' } }],
    ['created status', 'with a status that means created', { row: { status: ' PAID ' }, rules: STATUS }],
    ['not_created status', 'with one that means not created', { row: { status: 'failed' }, rules: STATUS }],
    ['in_doubt other-status', 'with another one', { row: { status: 'pending' }, rules: STATUS }],
    ['in_doubt other-status', 'with an empty one', { rules: STATUS }],
    [
      'in_doubt too-late',
      'not created, but tried again since',
      { row: { status: 'failed' }, rules: STATUS, payment: { at: AS_OF + 2000 } },
    ],
    [
      'in_doubt too-late',
      'not created, while the service may still be at it',
      { row: { status: 'failed' }, rules: STATUS, payment: { at: AS_OF - 29_000 } },
    ],
    ['differs other-payee', 'of another payee', { row: { userId: 'U1' } }],
    ['created listed', 'of a payee that is not known', { row: { userId: 'u2' }, met: { userId: null } }],
    ['differs other-amount', 'of another amount', { row: { amount: decimalOf(12.51) } }],
    ['created listed', 'of the same amount, written in another way', { row: { amount: { units: 12_500n, scale: 3 } } }],
    ['created listed', 'whose amount is not known here', { payment: { amount: null }, row: { amount: decimalOf(1) } }],
    ['differs other-currency', 'in another currency', { row: { currency: 'USD' } }],
    ['created listed', 'in the same one', { row: { currency: 'eur' } }],
    ['created listed', 'that was sent without one', { row: { currency: 'EUR' }, payment: { currency: null } }],
    ['differs several-rows', 'with several rows', { met: { rows: [ROW, ROW] } }],
    ['differs id-of-another', 'with the id of another', { met: { isIdTaken: true } }],
    ['matched null', 'that is created', { payment: { state: 'created' } }],
    [
      'missing_there status',
      'that is created, and not there',
      { payment: { state: 'created' }, row: { status: 'failed' }, rules: STATUS },
    ],
    [
      'differs other-amount',
      'that is created with another amount',
      {
        payment: { state: 'created' },
        row: { amount: decimalOf(1) },
      },
    ],
    ['differs rejected-here', 'that was refused', { payment: { state: 'rejected' } }],
    [
      'matched null',
      'that was refused there too',
      {
        payment: { state: 'rejected' },
        row: { status: 'failed' },
        rules: STATUS,
      },
    ],
    ['differs rejected-here', 'that was corrected', { payment: { state: 'rejected', replacedBy: 7 } }],
    ['differs open-here', 'that is open', { payment: { state: 'not_sent' } }],
    [
      'matched null',
      'that is open, and not there',
      {
        payment: { state: 'not_sent' },
        row: { status: 'failed' },
        rules: STATUS,
      },
    ],
  ])('is %s: %s', (verdict, _what, of) => {
    expect(listed(of)).toBe(verdict);
  });
});

function absent(payment: Partial<StoredPayment> = {}, over: Partial<AbsenceRules> = {}): string {
  const rules: AbsenceRules = {
    ...RULES,
    isAbsenceTaken: true,
    hasKeysOf: () => true,
    isListCut: false,
    perhapsListed: new Set(),
    hasListedOf: () => true,
    severalFit: new Set(),
    isCovered: () => false,
    ...over,
  };
  const verdict = verdictOfAbsent({ ...PAYMENT, ...payment }, rules);
  return verdict === null ? 'nothing' : `${verdict.kind} ${verdict.why}`;
}

describe('a payment that the list does not have', () => {
  const FIVE_AND_A_HALF = 5.5 * MINUTE;
  it.each<[verdict: string, what: string, payment: Partial<StoredPayment>, rules: Partial<AbsenceRules>]>([
    ['not_created absent', 'in doubt', {}, {}],
    ['not_created absent', 'old enough to the second', { at: AS_OF - FIVE_AND_A_HALF }, {}],
    ['in_doubt too-late', 'a moment younger', { at: AS_OF - FIVE_AND_A_HALF + 1 }, {}],
    ['in_doubt absent', 'unless that is said', {}, { isAbsenceTaken: false }],
    ['in_doubt no-keys', 'where the list has no keys', {}, { hasKeysOf: () => false }],
    ['in_doubt list-not-whole', 'where others are missing', {}, { isListCut: true }],
    ['in_doubt perhaps-listed', 'where a row may be it', {}, { perhapsListed: new Set([1]) }],
    ['in_doubt none-listed', 'where none of its type is there', {}, { hasListedOf: () => false }],
    ['in_doubt several-fit', 'a gig that several fit', {}, { severalFit: new Set([1]) }],
    ['in_doubt live', 'that a live call has accepted', { isLive: true }, {}],
    ['missing_there absent', 'that is created', { state: 'created' }, {}],
    ['nothing', 'that was created later', { state: 'created', at: AS_OF + 1000 }, {}],
    ['nothing', 'a created gig for which there are rows enough', { state: 'created' }, { isCovered: () => true }],
    ['nothing', 'that is open', { state: 'not_sent' }, {}],
    ['nothing', 'that was refused', { state: 'rejected' }, {}],
  ])('is %s: %s', (verdict, _what, payment, rules) => {
    expect(absent(payment, rules)).toBe(verdict);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, compare, type Decimal, formatDecimal, parseDecimal, ZERO } from '../../../src/money/decimal.js';
import { type Payee, type PayeeDifference, PayeeSums } from '../../../src/review/payee-sums.js';
import { exactPayee } from '../../../src/prepare/valid-record.js';

const EUR = { type: 'payout', currency: 'EUR' };
const AMOUNTS = ['1', '0.1', '0.2', '0.30000', '9007199254740993', '0.000001', '-5', '1200.50'];

interface Payment {
  readonly payee: number;
  readonly currency: string | null;
  readonly amount: string | null;
}

const payments = fc.array(
  fc.record({
    // Many share the lower bits by which they are found.
    payee: fc.integer({ min: 0, max: 12 }).map((n) => (n % 4) * 2 ** 40 + (n % 3)),
    currency: fc.constantFrom('EUR', 'CHF', null),
    amount: fc.constantFrom(...AMOUNTS, null),
  }),
);

/** As text, by payee and currency. */
function sumsOf(all: readonly Payment[]): Map<number, Map<string | null, Decimal | null>> {
  const sums = new Map<number, Map<string | null, Decimal | null>>();
  for (const { payee, currency, amount } of all) {
    const own = sums.get(payee) ?? new Map<string | null, Decimal | null>();
    const before = own.has(currency) ? own.get(currency)! : ZERO;
    own.set(currency, before === null || amount === null ? null : add(before, parseDecimal(amount)));
    sums.set(payee, own);
  }
  return sums;
}

function textOf(amount: Decimal | null | undefined): string {
  if (amount === null) return 'not known';
  return amount === undefined ? 'none' : formatDecimal(amount);
}

function found(differences: readonly PayeeDifference[], before: readonly Payment[], now: readonly Payment[]) {
  return differences.map(({ kind, index, payment, money }) => ({
    kind,
    payee: index === null ? before[payment! - 1]!.payee : now[index]!.payee,
    money: money.map((each) => `${each.currency} ${textOf(each.before)} → ${textOf(each.now)}`).sort(),
  }));
}

/** What differs, computed without any table. */
function expected(before: readonly Payment[], now: readonly Payment[]) {
  const [old, present] = [sumsOf(before), sumsOf(now)];
  return [...new Set([...old.keys(), ...present.keys()])].flatMap((payee) => {
    const [then, today] = [old.get(payee), present.get(payee)];
    let kind = 'changed';
    if (then === undefined) kind = 'new';
    if (today === undefined) kind = 'gone';
    const money: string[] = [];
    for (const currency of ['EUR', 'CHF', null]) {
      const isThere = then?.has(currency) === true || today?.has(currency) === true;
      const [one, other] = [then?.get(currency), today?.get(currency)];
      const isSame = one === other || (one && other && compare(one, other) === 0);
      if (!isThere || isSame) continue;
      const [missing, empty] = [kind === 'new' ? undefined : ZERO, kind === 'gone' ? undefined : ZERO];
      money.push(
        `${currency} ${textOf(one === undefined ? missing : one)} → ${textOf(other === undefined ? empty : other)}`,
      );
    }
    return money.length === 0 ? [] : [{ kind, payee, money: money.sort() }];
  });
}

function amountOf(text: string | null): Decimal | null {
  return text === null ? null : parseDecimal(text);
}

/** An ID that is written as it folds. */
function of(payee: number, form: number | null = 0): Payee {
  return { payee, form };
}

describe('sums by payee', () => {
  it('tell who is new, gone or gets another amount, exactly', () => {
    fc.assert(
      fc.property(payments, payments, payments, (before, now, forgotten) => {
        const sums = new PayeeSums();
        for (const [i, { payee, currency, amount }] of before.entries())
          sums.addBefore(of(payee), { ...EUR, currency }, amountOf(amount), i + 1);
        for (const rows of [forgotten, now]) {
          sums.beginNow();
          for (const [i, { payee, currency, amount }] of rows.entries())
            sums.addRecord(of(payee), { ...EUR, currency }, amountOf(amount), i);
        }
        const byPayee = (one: { payee: number }, other: { payee: number }): number => one.payee - other.payee;
        expect(found(sums.differences(), before, now).sort(byPayee)).toEqual(expected(before, now).sort(byPayee));
        for (const { payee } of [...now, ...before])
          expect(sums.wasPaid(payee)).toBe(before.some((each) => each.payee === payee));
      }),
    );
  });

  it('find each of many payees', () => {
    const sums = new PayeeSums();
    for (let i = 1; i <= 5000; i++) sums.addBefore(of(i * 2 ** 20), EUR, parseDecimal(`${i}`), i);
    for (let i = 2; i <= 5001; i++) sums.addRecord(of(i * 2 ** 20), EUR, parseDecimal(`${i}`), i);
    expect(sums.differences().map(({ kind, index, payment }) => [kind, index, payment])).toEqual([
      ['gone', null, 1],
      ['new', 5001, null],
    ]);
  });

  it('count what another run of the present batch has paid', () => {
    const sums = new PayeeSums();
    sums.addBefore(of(1), EUR, parseDecimal('10'), 71);
    sums.addPaidNow(of(1), EUR, parseDecimal('10'), 81);
    sums.addPaidNow(of(2), EUR, parseDecimal('5'), 82);
    expect(sums.differences()).toMatchObject([{ kind: 'new', index: null, payment: 82 }]);
  });

  it('keep IDs apart that fold to one, and not where a payment has lost its ID', () => {
    const sums = new PayeeSums();
    sums.addBefore(of(1, 7), EUR, parseDecimal('10'), 71);
    sums.addBefore(of(2, null), EUR, parseDecimal('10'), 72);
    sums.beginNow();
    sums.addRecord(of(1, 0), EUR, parseDecimal('10'), 0);
    sums.addRecord(of(2, 7), EUR, parseDecimal('10'), 1);
    expect(sums.differences().map(({ kind, payee, index }) => [kind, payee, index])).toEqual([
      ['gone', 1, null],
      ['new', 1, 0],
    ]);
    expect([exactPayee(1, 7), exactPayee(1, 0)].map((payee) => sums.wasPaid(payee))).toEqual([true, false]);
  });
});

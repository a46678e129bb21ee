import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import {
  type ChangedMoney,
  type PayeeChangeList,
  payeeChangesLines,
  type PayeeChanges,
  sumChangedMoney,
} from '../../../src/report/payee-changes-text.js';

const NONE: PayeeChangeList = { count: 0, sums: [], first: [] };
const SINCE = { batchId: '2026-10', run: '20261005-ab12cd', startedAt: Date.UTC(2026, 9, 5, 12), runs: 1 };

function money(before: string | undefined, now: string | undefined, currency: string | null = 'EUR'): ChangedMoney {
  const amountOf = (text: string | undefined) => (text === undefined ? undefined : parseDecimal(text));
  return { type: 'payout', currency, before: amountOf(before), now: amountOf(now) };
}

/** Payees `u1`, `u2`, …: those in the list are named. */
function list(all: readonly ChangedMoney[], named: readonly (string | null)[], count = all.length): PayeeChangeList {
  const first = named.map((payee, i) => ({ payee, money: [all[i]!] }));
  return { count, sums: [...sumChangedMoney(all).values()], first };
}

function lines(change: Partial<PayeeChanges & { kind: 'since' }>, width = 80): string[] {
  const changes = {
    kind: 'since',
    since: SINCE,
    paidNow: 0,
    new: NONE,
    gone: NONE,
    changed: NONE,
    refused: NONE,
    rewritten: NONE,
    ...change,
  } as const;
  return payeeChangesLines(changes, width);
}

describe('the lines on what is new', () => {
  it('say it in one line when nothing is', () => {
    expect(lines({}, Infinity)).toEqual([
      'Since    batch 2026-10 (run 20261005-ab12cd, 2026-10-05): the same payees, with the same amounts',
    ]);
  });

  it('name payees and amounts, old and new', () => {
    const added = list([money(undefined, '1200'), money(undefined, '75', 'CHF')], ['u8', 'u9']);
    const changed = list([money('1200', '1250')], ['u1234']);
    expect(lines({ new: added, changed })).toEqual([
      'Since    batch 2026-10 (run 20261005-ab12cd, 2026-10-05), by payee:',
      'New      2 payees, 1,200.00 EUR, 75.00 CHF: u8 1,200.00 EUR, u9 75.00 CHF',
      'Gone     none',
      'Changed  1 payee: u1234 1,200.00 → 1,250.00 EUR',
    ]);
  });

  it('stay four lines of a terminal, with as many names as fit, at most three', () => {
    const many = Array.from({ length: 12 }, () => money('1234567.89', undefined));
    const names = ['payee-with-a-long-id-1', 'payee-with-a-long-id-2', 'u3', 'u4'];
    const gone = list(many, names);
    expect(lines({ gone })[2]).toBe('Gone     12 payees, 14,814,814.68 EUR');
    expect(lines({ gone: list(many, ['u1', 'u2', 'u3', 'u4']) })[2]).toBe(
      'Gone     12 payees, 14,814,814.68 EUR: u1 1,234,567.89 EUR, …',
    );
    expect(lines({ gone: list(many, ['u1', 'u2', 'u3', 'u4']) }, Infinity)[2]).toMatch(/u1 .*, u2 .*, u3 .* EUR, …$/);
    expect(lines({ gone }, 80)).toHaveLength(4);
  });

  it('say that names were pruned, and still the sum', () => {
    expect(lines({ gone: list([money('10', undefined), money('5', undefined)], [null, null]) })[2]).toBe(
      'Gone     2 payees, 15.00 EUR: names removed by batch prune',
    );
  });

  it('show no control character of an ID', () => {
    const added = list([money(undefined, '1')], ['u\u001b[31m']);
    expect(lines({ new: added }).join('\n')).not.toContain('\u001b');
  });

  it('tell what a correction replaces', () => {
    const corrected = {
      count: 2,
      sums: [money('30', '31')],
      first: [
        { payee: 'u1', newPayee: 'u7', money: [money('10', '10')] },
        { payee: 'u2', newPayee: null, money: [money('20', '21')] },
      ],
    };
    expect(payeeChangesLines({ kind: 'corrections', corrected }, 80)).toEqual([
      'Corrects 2 refused payments, 30.00 → 31.00 EUR: u1 → u7 10.00 EUR, u2 20.00 →',
      '    21.00 EUR',
    ]);
  });

  it('never show an amount that is not known as zero', () => {
    const changed = list([{ ...money('5', undefined), now: null }], ['u1']);
    expect(lines({ changed })[3]).toBe('Changed  1 payee: u1 5.00 EUR → not known');
  });
});

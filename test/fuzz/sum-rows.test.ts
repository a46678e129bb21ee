import fc from 'fast-check';
import { expect, test } from 'vitest';
import { workspace } from '../support/cli.js';

/** Ten-thousandths. */
type Amount = bigint;

/** As JSON has it; half of those with zeros at the end. */
function textOf(amount: Amount, zeros: boolean): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(5, '0');
  const text = `${amount < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
  return zeros ? text : text.replace(/\.?0+$/, '');
}

const steps = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 6 }).map((n) => BigInt(n) * 700n) },
  { weight: 2, arbitrary: fc.integer({ min: -60_000, max: 60_000 }).map((n) => BigInt(n === 0 ? 1 : n)) },
  { weight: 1, arbitrary: fc.bigInt({ min: 10n ** 13n, max: 10n ** 14n }) },
  // A sum; a sum that is wrong by the smallest part; the sum of the last two.
  { weight: 3, arbitrary: fc.constantFrom('sum' as const, 'nearly' as const, 'two' as const) },
);
const row = fc.record({
  step: steps,
  zeros: fc.boolean(),
  title: fc.constantFrom('Bonus', 'Bonus', 'Pay', ''),
  currency: fc.constantFrom('EUR', 'CHF', ''),
});

function amountsOf(rows: readonly (typeof row extends fc.Arbitrary<infer T> ? T : never)[]): Amount[] {
  const amounts: Amount[] = [];
  for (const { step } of rows) {
    const sum = amounts.reduce((a, b) => a + b, 0n);
    const two = amounts.slice(-2).reduce((a, b) => a + b, 0n);
    amounts.push(step === 'sum' ? sum : step === 'nearly' ? sum + 1n : step === 'two' ? two : step);
  }
  return amounts;
}

test('sums are doubted exactly where whole numbers say so, in each format, whatever else is wrong with a row', async () => {
  const files = fc.sample(fc.array(row, { minLength: 3, maxLength: 40 }), { numRuns: 25, seed: 1905 });
  let doubted = 0;
  for (const rows of files) {
    const amounts = amountsOf(rows);
    const expected = amounts.flatMap((amount, i) => {
      const above = amounts.slice(0, i);
      const isMoney = above.some((each) => each !== 0n);
      return i >= 3 && isMoney && above.reduce((a, b) => a + b, 0n) === amount ? [i + 1] : [];
    });
    doubted += expected.length;
    const members = rows.map(({ zeros, title, currency }, i) => ({
      user_id: `u${i}`,
      amount: textOf(amounts[i] as bigint, zeros),
      title,
      cost_center_key: 'PP-1',
      currency,
    }));
    const csv = members.map((each) => Object.values(each).join(','));
    const json = members.map(({ amount, currency, ...each }) => {
      const rest = JSON.stringify({ ...each, currency: currency === '' ? null : currency });
      return `${rest.slice(0, -1)},"amount":${amount}}`;
    });
    const space = workspace();
    for (const [name, text] of [
      ['p.csv', ['user_id,amount,title,cost_center_key,currency', ...csv, ''].join('\n')],
      ['p.ndjson', json.join('\n')],
    ] as const) {
      const flags = ['--dry-run', '--json', '--allow-negative', ...(name === 'p.csv' ? ['--decimal', 'point'] : [])];
      const { events } = await space.run(['payout', 'create', space.file(name, text), ...flags]);
      const found = events.filter(({ code }) => code === 'total-row');
      expect(found.map(({ record }) => record)).toEqual(expected);
      expect(found.every(({ severity }) => severity === 'warning')).toBe(true);
    }
  }
  expect(doubted).toBeGreaterThan(10);
});

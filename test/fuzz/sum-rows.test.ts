import fc from 'fast-check';
import { expect, test } from 'vitest';
import { workspace } from '../support/cli.js';

test('sums are doubted exactly where the cents say so', async () => {
  const files = fc.sample(
    fc.array(fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant('sum' as const)), { minLength: 3, maxLength: 40 }),
    { numRuns: 25, seed: 1905 },
  );
  for (const cells of files) {
    const cents: bigint[] = [];
    for (const cell of cells) cents.push(cell === 'sum' ? cents.reduce((a, b) => a + b, 0n) : BigInt(cell) * 7n);
    const rows = cents.map((each, i) => `u${i},${each / 100n}.${String(each % 100n).padStart(2, '0')},Bonus,PP-1`);
    const expected = cents.flatMap((each, i) => {
      const above = cents.slice(0, i).reduce((a, b) => a + b, 0n);
      return i >= 2 && above === each ? [i + 2] : [];
    });
    const space = workspace();
    const file = space.file('p.csv', `user_id,amount,title,cost_center_key\n${rows.join('\n')}\n`);
    const { events } = await space.run(['payout', 'create', file, '--dry-run', '--json']);
    const found = events.filter(({ code }) => code === 'total-row').map(({ line }) => line);
    expect(found).toEqual(expected);
  }
});

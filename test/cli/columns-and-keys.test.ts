import { expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { desk, expectDone, times } from '../support/desk.js';

// Most rows are read the short way, straight from their cells: what is not in a row alone must count all the same.

test('each file has columns of its own, whatever stands in those of the one before it', async () => {
  const { work, service, sendFiles } = await desk();
  const rows = payouts(3);
  const others = rows.slice(1);
  work.file('a.csv', csv(rows.slice(0, 1)));
  const swapped = csv(others)
    .split('\n')
    .map((line) => line.replace(/^([^,]*),([^,]*),([^,]*)/, '$3,$2,$1'));
  expect(swapped[0]).toMatch(/^title,amount,user_id,/);
  work.file('b.csv', swapped.join('\n'));
  expectDone(await sendFiles(['a.csv', 'b.csv']), { created: 3 });
  expect(rows.map((row) => times(service, row))).toEqual([1, 1, 1]);
});

import { expect, it } from 'vitest';
import { PLAIN_STYLE } from '../../../src/input/cells.js';
import type { Body } from '../../../src/records/field.js';
import { KINDS } from '../../../src/records/kinds.js';
import { read } from './reading.js';

const NEGATE = { ...PLAIN_STYLE, negate: true, currencySigns: true };

it.each<[string, number]>([
  ['-12.50', 12.5],
  ['12.50', -12.5],
  ['0', 0],
  ['-0', 0],
  ['0.00', 0],
  ['-0.1', 0.1],
  ['-£5', 5],
  ['£5', -5],
])('an amount changes its sign: %s', async (cell, amount) => {
  const { inputs, records } = await read(`amount;currency\n${cell};GBP\n`, { style: NEGATE });
  expect(records[0]?.findings).toEqual([]);
  expect((inputs[0] as Body | undefined)?.['amount']).toBe(amount);
});

it('in JSON too', async () => {
  const { inputs } = await read('[{"amount":-12.5},{"amount":0},{"amount":3}]', { style: NEGATE });
  expect(inputs).toEqual([{ amount: 12.5 }, { amount: 0 }, { amount: -3 }]);
});

it('but not an amount that is set, nor a number that is no amount', async () => {
  const assignments = [{ path: 'amount', text: '-5' }];
  expect((await read('amount;title\n-1;a\n', { style: NEGATE, assignments })).inputs).toEqual([
    { amount: -5, title: 'a' },
  ]);
  expect((await read('[{"amount":-1}]', { style: NEGATE, assignments })).inputs).toEqual([{ amount: -5 }]);
  const { inputs, records } = await read('quantity;base_price\n3;250\n', { style: NEGATE, shape: KINDS.result });
  expect([inputs[0], records[0]?.price]).toEqual([{ quantity: 3 }, '250']);
});

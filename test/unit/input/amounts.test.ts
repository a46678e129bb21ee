import { describe, expect, it } from 'vitest';
import { PLAIN_STYLE } from '../../support/cell-style.js';
import { splitSign } from '../../../src/input/numbers.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import type { Body } from '../../../src/records/types.js';
import { read } from './reading.js';

describe('an amount with a sign', () => {
  it.each<[string, string, string, string]>([
    ['£1,200.00', '£', 'GBP', '1,200.00'],
    ['£ 1,200.00', '£', 'GBP', '1,200.00'],
    ['1.200,00 EUR', 'EUR', 'EUR', '1.200,00'],
    ['1\u00a0200,50\u202f€', '€', 'EUR', '1\u00a0200,50'],
    ['$-5', '$', 'USD', '-5'],
    ['-5 €', '€', 'EUR', '-5'],
    ['€ -5,50', '€', 'EUR', '-5,50'],
    ['12,50 kr', 'kr', 'SEK', '12,50'],
    ["Fr. 1'234.50", 'Fr.', 'CHF', "1'234.50"],
    ['₹1,00,000', '₹', 'INR', '1,00,000'],
    // What else is wrong with the number is for its reader to say.
    ['5,00- €', '€', 'EUR', '5,00-'],
    ['€ 5 EUR', '€', 'EUR', '5 EUR'],
    ['($900.23)', '$', 'USD', '(900.23)'],
    ['$ (900.23)', '$', 'USD', '(900.23)'],
    ['(5,00 €)', '€', 'EUR', '(5,00)'],
    ['(5,00) EUR', 'EUR', 'EUR', '(5,00)'],
    ['−100,00 €', '€', 'EUR', '−100,00'],
    ['−€5', '€', 'EUR', '−5'],
    ['€ −5', '€', 'EUR', '−5'],
    ['€ 5,00-', '€', 'EUR', '5,00-'],
    ['5,00 €-', '€', 'EUR', '5,00-'],
    ['-$5-', '$', 'USD', '-5-'],
  ])('%j is %s (%s) and %j', (typed, sign, currency, number) => {
    const found = splitSign(typed);
    expect([found?.sign, found?.currencies[0], found?.number]).toEqual([sign, currency, number]);
  });

  const NONE = [
    '5',
    '-5',
    '1.234,56',
    '',
    '-',
    '€',
    'EUR',
    '(€5',
    '$ -',
    '- €5',
    '-€-5',
    '+€5',
    '5 Euro',
    '5 eur',
    '$ five',
  ];
  it.each(NONE)('%j is none', (typed) => {
    expect(splitSign(typed)).toBeNull();
  });

  it('is looked for in a huge cell at once', () => {
    expect(splitSign(`5${' '.repeat(2_000_000)}x`)).toBeNull();
  });
});

const SIGNS = { ...PLAIN_STYLE, currencySigns: true };
const NEGATE = { ...SIGNS, negate: true };

/** The amount of one payout, or what is said of it. */
async function amountOf(cell: string, currency: string, style = SIGNS, set?: string) {
  const text = `user_id;amount;title;cost_center_key;currency\nu1;"${cell}";a;PP;${currency}\n`;
  const assignments = set === undefined ? [] : [{ path: 'currency', text: set }];
  const { inputs, records } = await read(text, { style, assignments });
  const [found] = records[0]?.findings ?? [];
  return found === undefined ? (inputs[0] as Body | undefined)?.['amount'] : `${found.code} ${found.message}`;
}

describe('under --currency-signs', () => {
  it.each<[string, string, number]>([
    ['£5.50', 'GBP', 5.5],
    ['5.50', 'GBP', 5.5],
    ['5.50', '', 5.5],
    ['-£5.50', 'GBP', -5.5],
    ['5 EUR', 'EUR', 5],
    ['$5', 'USD', 5],
    ['$5', 'AUD', 5],
    ['A$5', 'AUD', 5],
    ['¥5', 'CNY', 5],
    ['kr 5', 'DKK', 5],
    ['5 XBT', 'XBT', 5],
  ])('%j of a record in %s is read', async (cell, currency, amount) => {
    expect(await amountOf(cell, currency)).toBe(amount);
  });

  it.each<[string, string, RegExp]>([
    ['£5', '', /^bad-number amount: "£5" carries £.*--set currency=GBP/],
    ['£5', 'EUR', /^bad-number .*is in EUR.*--set currency=GBP/],
    ['$5', '', /^bad-number .*--set currency=USD/],
    ['$5', 'MXN', /^bad-number /],
    ['€5', 'eur', /^bad-number /],
    ['(£5)', 'GBP', /^bad-number /],
    ['£1,200.00', 'GBP', /^bad-number .*--decimal point reads it as 1200.00/],
    ['£1.234', 'GBP', /^ambiguous-number /],
    ['£9007199254740993', 'GBP', /^inexact-number /],
  ])('%j of a record in %j is refused', async (cell, currency, words) => {
    expect(await amountOf(cell, currency)).toMatch(words);
  });

  it('the currency may be set on every record', async () => {
    expect(await amountOf('£5', '', SIGNS, 'GBP')).toBe(5);
    expect(await amountOf('£5', 'EUR', SIGNS, 'GBP')).toBe(5);
    expect(await amountOf('£5', 'GBP', SIGNS, '')).toMatch(/^bad-number/);
  });
});

describe('without it, a sign is refused with the flags that read it', () => {
  it.each<[string, string, string]>([
    ['£5', 'GBP', '"£5" is not a plain number; --currency-signs reads it as 5'],
    ['£1,200.00', 'GBP', '--currency-signs with --decimal point reads it as 1200.00'],
    ['1.200,00 EUR', 'EUR', '--currency-signs with --decimal comma reads it as 1200.00'],
    ['£5', '', '--currency-signs reads it as 5. But its record has no currency'],
    ['€ 5 pro Stück', 'EUR', 'it has a currency, and the rest is not a number either'],
  ])('%j', async (cell, currency, words) => {
    const found = await amountOf(cell, currency, PLAIN_STYLE);
    expect(found).toMatch(/^bad-number amount: /);
    expect(found).toContain(words);
  });
});

describe('under --negate', () => {
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
    const { inputs } = await read('quantity;base_price\n3;250\n', { style: NEGATE, shape: RECORD_SCHEMAS.result });
    expect(inputs).toEqual([{ quantity: 3, base_price: 250 }]);
  });
});

describe('a dash alone', () => {
  it.each(['-', '–', '—', '−', ' - '])('%j is an empty cell of money', async (cell) => {
    const { inputs, records } = await read(`amount;title\n${cell};- x\n`, { style: NEGATE });
    expect(records[0]?.findings).toEqual([]);
    expect(inputs[0]).toEqual({ title: '- x' });
  });

  it('is no price either, but not a number elsewhere', async () => {
    const { inputs, records } = await read('quantity;base_price\n1;-\n-;2\n', { shape: RECORD_SCHEMAS.result });
    expect(inputs).toEqual([{ quantity: 1 }, { base_price: 2 }]);
    expect(records.map(({ findings }) => findings.map(({ code }) => code))).toEqual([[], ['bad-number']]);
  });
});

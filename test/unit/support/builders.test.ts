import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts, prices, results, seededRandom } from '../../support/builders.js';

test('the same seed gives the same rows, another seed others', () => {
  expect(payouts(50, 7)).toEqual(payouts(50, 7));
  expect(payouts(50, 7)).not.toEqual(payouts(50, 8));
  expect(payouts(50, 7).slice(0, 10)).toEqual(payouts(10, 7));
});

test('the random numbers are those of mulberry32', () => {
  const random = seededRandom(1);
  expect([random(), random(), random()].map((number) => number * 2 ** 32)).toEqual([2693262067, 11749833, 2265367787]);
});

test('no two rows are identical', () => {
  for (const rows of [payouts(1_000), results(1_000), gigs(1_000)]) {
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(1_000);
  }
});

test('every result has a price', () => {
  const priced = new Set(prices().map((price) => price.gig_task_id));
  expect(results(100).every((row) => priced.has(row.gig_task_id))).toBe(true);
});

test('CSV is what a CSV reader reads back', () => {
  const rows = [
    { title: 'a;b', note: 'say "hi"\nthere', nested: { legal_entity: 'X', inhouse: 'Yes' } },
    { title: 'c', amount: 5, filter_query: { city: { $in: ['B'] } }, tasks: [{ title: 't' }], gone: null },
  ];
  const text = csv(rows, { delimiter: ';', lineEnd: '\r\n', bom: true, before: ['sep=;'], finalLineEnd: false });
  expect(text.startsWith('\uFEFFsep=;\r\ntitle;note;nested.legal_entity;')).toBe(true);
  expect(text.endsWith('\n')).toBe(false);
  const absent = { note: '', 'nested.legal_entity': '', 'nested.inhouse': '' };
  expect(parse(text, { delimiter: ';', bom: true, fromLine: 2, columns: true })).toEqual([
    {
      ...{ title: 'a;b', note: 'say "hi"\nthere', 'nested.legal_entity': 'X', 'nested.inhouse': 'Yes' },
      ...{ amount: '', filter_query: '', tasks: '' },
    },
    { title: 'c', ...absent, amount: '5', filter_query: '{"city":{"$in":["B"]}}', tasks: '[{"title":"t"}]' },
  ]);
});

test('CSV takes columns in the order asked for, and quotes all when asked', () => {
  expect(csv([{ a: 1, b: 2 }], { columns: ['b', 'c', 'a'], quoteAll: true })).toBe('"b","c","a"\n"2","","1"\n');
});

test('NDJSON is an object a line', () => {
  expect(ndjson([{ a: 1 }, { b: null }])).toBe('{"a":1}\n{"b":null}\n');
});

import { describe, expect, it } from 'vitest';
import { storedRun } from '../../../src/prepare/stored-run.js';
import { loadRecords } from '../../../src/journal/pages.js';
import { formatDecimal } from '../../../src/money/decimal.js';
import { benchOn, contentOf, manyDrafts, type Process } from '../journal/journal-fixtures.js';
import { STORES } from '../journal/stores.js';
import { look, run } from '../review/desk.js';
import { sha256 } from '../../../src/keys/key.js';
import { bodyOf, computed, own, type Row } from '../review/review-fixtures.js';

const ROWS: readonly Row[] = [
  { key: 'a', says: 'A', amount: '12.5', ...own },
  { key: 'x', says: 'no', valid: false },
  {
    key: 'b',
    says: 'B',
    amount: null,
    currency: null,
    type: 'gig',
    date: 20_000,
    reference: 7,
    measure: 9,
    isOfFile: false,
  },
];

async function stored(process: Process, rows: readonly Row[] = ROWS) {
  const { run: of, ids } = await run(process, { rows });
  return { of, ids, ...(await storedRun(of, process.journal)) };
}

describe.each(STORES)('a run as the journal has it, in $name', (store) => {
  it('has its records in their places, invalid ones too, with all that was stored of them', async () => {
    const { entries, ids, files } = await stored(await benchOn(store).process());
    const of = (index: number) => ({
      status: entries.status(index),
      key: entries.key(index),
      payment: entries.payment(index),
      hash: entries.bodyHash(index),
      place: entries.placeOf(index),
      amount: entries.amount(index),
      group: entries.groupOf(index),
      error: entries.error(index),
    });
    expect(entries.length).toBe(3);
    const amount = of(0).amount;
    expect([amount === null ? null : formatDecimal(amount), of(2).amount]).toEqual(['12.5', null]);
    expect(of(0)).toMatchObject({
      status: 'pending',
      key: 'a',
      payment: ids[0],
      hash: sha256(bodyOf(ROWS[0]!)),
      group: {
        type: 'payout',
        currency: 'EUR',
      },
      place: {
        file: 0,
        record: 1,
        line: 2,
      },
    });
    expect(of(1)).toMatchObject({ status: 'invalid', key: null, payment: 0, error: 'a fault' });
    expect(of(2)).toMatchObject({
      status: 'pending',
      key: 'b',
      payment: ids[1],
      group: {
        type: 'gig',
        currency: null,
      },
      place: {
        file: 0,
        record: 3,
        line: 4,
      },
    });
    expect(files).toMatchObject([{ path: 'pay.csv', records: 3 }]);
  });

  it('has left-out records under their own keys, which do not identify them any more', async () => {
    const process = await benchOn(store).process();
    await run(process, { rows: [{ key: 'q', says: 'Q' }] });
    const rows: readonly Row[] = [
      { key: computed('a'), says: 'A' },
      { key: computed('b'), says: 'B', like: 'M', ...own },
    ];
    const { run: of } = await run(process, { rows, decisions: { skipSimilar: true } });
    const { entries } = (await look(process, { resume: of })).prepared;
    expect([entries.key(0), entries.keySource(0), entries.fingerprint(0).content]).toEqual([
      computed('a'),
      'content',
      contentOf('A'),
    ]);
    expect([entries.key(1), entries.keySource(1)]).toEqual([computed('b'), 'own']);
    expect(entries.payment(0)).not.toBe(0);
  });

  it('is read page by page', async () => {
    const process = await benchOn(store).process();
    const { run: of } = await process.pass(manyDrafts(1100));
    const places: number[] = [];
    for await (const { index } of loadRecords(of, process.journal)) places.push(index);
    expect(places).toEqual(Array.from({ length: 1100 }, (_, index) => index));
    const { entries } = (await look(process, { resume: of })).prepared;
    expect([entries.length, entries.keyText(1099), entries.fingerprint(1050).content]).toEqual([
      1100,
      'k1099',
      contentOf('says k1050'),
    ]);
  });
});

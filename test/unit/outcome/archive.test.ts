import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.js';
import type { Run, StoredRecord } from '../../../src/ledger/payment.js';
import { formatDecimal } from '../../../src/money/decimal.js';
import {
  findRecords,
  findRun,
  moneyIn,
  type Named,
  runDocument,
  storedReport,
  storedRows,
  tally,
} from '../../../src/outcome/archive.js';
import { benchOn, claim, drafts, manyDrafts, outcome, pointers, type Process, START } from '../ledger/kit.js';
import { STORES } from '../ledger/stores.js';
import { run } from '../preflight/desk.js';
import { computed, type Row } from '../preflight/kit.js';

const OUTCOMES = { a: 'created', b: 'rejected', c: 'unknown', d: 'not_sent' } as const;
const ROWS: readonly Row[] = [
  { key: 'a', says: 'A', source: 'own', amount: '1' },
  { key: 'b', says: 'B', source: 'own', amount: '10' },
  { key: 'c', says: 'C', like: 'M', source: 'own', amount: '100' },
  { key: 'x', says: 'no', valid: false },
  { key: 'd', says: 'D', source: 'own', amount: null },
];

/** A run with one record in each state. */
async function mixed(process: Process): Promise<Run> {
  return (await run(process, { rows: ROWS }, ({ key }) => outcome(OUTCOMES[key as 'a']))).run;
}

async function statuses(process: Process, of: Run): Promise<string[]> {
  return (await process.records(of)).map((record) => storedReport(of, record, 'id').status);
}

describe.each(STORES)('the states of a stored run, in $name', (store) => {
  it('are those of its payments, one for each record, and add up with their money', async () => {
    const process = await benchOn(store).process();
    const of = await mixed(process);
    expect(await statuses(process, of)).toEqual(['created', 'rejected', 'unknown', 'invalid', 'not_sent']);
    const { records, totals } = await tally(of, process.ledger);
    expect(records).toEqual({
      ...{ read: 5, valid: 4, invalid: 1, created: 1, already_created: 0, skipped: 0 },
      ...{ rejected: 1, unknown: 1, not_sent: 1, planned: 0 },
    });
    expect(
      totals.map(({ status, count, amount, unpriced }) => `${status} ${count} ${formatDecimal(amount)} ${unpriced}`),
    ).toEqual(expect.arrayContaining(['created 1 1 0', 'rejected 1 10 0', 'unknown 1 100 0', 'not_sent 1 0 1']));
    expect(totals).toHaveLength(4);
  });

  it('are the same in every run that names a payment: created by one, already_created in the others', async () => {
    const process = await benchOn(store).process();
    const first = await mixed(process);
    const rows: readonly Row[] = [ROWS[0]!, { key: 'n', says: 'N', source: 'own' }];
    const second = (await run(process, { rows })).run;
    expect([await statuses(process, first), await statuses(process, second)]).toEqual([
      ['created', 'rejected', 'unknown', 'invalid', 'not_sent'],
      ['already_created', 'created'],
    ]);
    const { records } = await tally(second, process.ledger);
    expect(records).toMatchObject({ created: 1, already_created: 1, valid: 2 });
  });

  it('are skipped where a record was left out, and unknown as long as its payment is', async () => {
    const process = await benchOn(store).process();
    await mixed(process);
    const rows: readonly Row[] = [
      { key: computed('k'), says: 'A' },
      { key: computed('l'), says: 'C', like: 'M' },
    ];
    const of = (await run(process, { rows, decisions: { skipSimilar: true } })).run;
    expect(await statuses(process, of)).toEqual(['skipped', 'unknown']);
    expect((await tally(of, process.ledger)).records).toMatchObject({ skipped: 1, unknown: 1 });
  });

  it('are unknown while a process has them under way, or died with them', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const { run: of, delivery, ids } = await process.pass(drafts('a', 'b'));
    await claim(delivery, [ids[0]!]);
    const expectUnknown = async (reader: Process): Promise<void> => {
      expect(await statuses(reader, of)).toEqual(['unknown', 'not_sent']);
      expect((await tally(of, reader.ledger)).records).toMatchObject({ unknown: 1, not_sent: 1 });
    };
    const other = (await bench.reader())!;
    await expectUnknown(other);
    await process.die();
    await expectUnknown(other);
  });

  it('are counted of many pages', async () => {
    const process = await benchOn(store).process();
    const { run: of } = await process.pass(manyDrafts(5001));
    expect((await tally(of, process.ledger)).records).toMatchObject({ read: 5001, not_sent: 5001 });
  });

  it('name what replaced a payment', async () => {
    const process = await benchOn(store).process();
    const first = (await run(process, { rows: [ROWS[0]!] }, 'rejected')).run;
    const second = (await run(process, { rows: [{ key: 'm', says: 'corrected', source: 'replaces', corrects: 'a' }] }))
      .run;
    const [record] = await process.records(first);
    expect(storedReport(first, record!, 'id')).toMatchObject({
      status: 'rejected',
      error: `HTTP 422: no; replaced by a corrected record, in run ${second.name}`,
    });
  });
});

describe.each(STORES)('a stored record as it is reported, in $name', (store) => {
  it('has its place, its key, what was answered, and its id', async () => {
    const process = await benchOn(store).process();
    const of = await mixed(process);
    const rows = [];
    for await (const row of storedRows(of, process.ledger, 'id')) rows.push(row);
    expect(rows[0]).toMatchObject({
      ...{ file: 'pay.csv', record: 1, line: 2, type: 'payout', key: 'a', status: 'created', httpStatus: 201 },
      ...{ attempts: 1, response: '{"id":"p1"}', error: null, request: null, id: 'p1', amount: '1', currency: 'EUR' },
    });
    expect(rows[3]).toMatchObject({
      status: 'invalid',
      key: null,
      error: 'a fault',
      id: null,
      amount: null,
    });
    expect(rows[4]).toMatchObject({ record: 5, line: 6, status: 'not_sent' });
  });

  it.each([
    ['payout', '1234.5', '1,234.50 EUR'],
    ['result', '6750', '6,750 EUR cents'],
    ['payout', null, ''],
  ] as const)('shows money with its unit: %s %s', (type, amount, words) => {
    expect(moneyIn({ amount, currency: 'EUR', type } as StoredRecord)).toBe(words);
  });

  it('is part of a run’s document', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const of = await mixed(process);
    bench.clock.now = START + 1000;
    await process.ledger.end(of, { finishedAt: START + 1000, exitCode: 5, stopReason: 'unreachable' });
    const [ended] = await process.ledger.runs({ name: of.name });
    expect(runDocument(ended!, await tally(of, process.ledger), null)).toMatchObject({
      ...{ run: of.name, started_at: '2026-11-01T08:00:00.000Z', finished_at: '2026-11-01T08:00:01.000Z' },
      ...{ exit_code: 5, stop_reason: 'unreachable', files: [{ path: 'pay.csv', sha256: 'f1', records: 5 }] },
      ...{ records: { read: 5 }, closed: null, batch_id: 'may' },
    });
  });
});

describe.each(STORES)('the run that a person names, in $name', (store) => {
  it('is known by its name, or by a beginning that no other shares', async () => {
    const bench = benchOn(store);
    const process = await bench.process();
    const one = await mixed(process);
    bench.clock.now = START + 86_400_000;
    const other = (await process.pass(drafts('z'), { startedAt: bench.clock.now })).run;
    expect((await findRun(process.ledger, one.name)).number).toBe(one.number);
    expect((await findRun(process.ledger, '20261102')).number).toBe(other.number);
    await expect(findRun(process.ledger, '202611')).rejects.toThrow(/several runs begin with "202611"/);
    await expect(findRun(process.ledger, '1999')).rejects.toThrow(/there is no run "1999"/);
    await expect(findRun(process.ledger, '')).rejects.toThrow(UsageError);
  });
});

describe.each(STORES)('the records that a person names, in $name', (store) => {
  /** Six records, the last three of them in a second file. */
  async function twoFiles(process: Process): Promise<Run> {
    const preparation = await process.prepare(manyDrafts(6));
    const all = pointers(preparation.number, manyDrafts(6));
    const records = all.map((record, i) => (i < 3 ? record : { ...record, file: 1, record: i - 2, line: i - 1 }));
    return (await process.commit(await process.plan(preparation, [], { records, files: ['p.csv', 'q.csv'] }))).run;
  }

  const range = (first: number, last = first) => ({ first, last });
  const cases: readonly (readonly [says: string, named: Named, keys: readonly string[]])[] = [
    ['by their numbers in a file', { by: 'record', ranges: [range(2)], file: 'q.csv' }, ['k4']],
    ['by lines', { by: 'line', ranges: [range(2)], file: 'p.csv' }, ['k0']],
    [
      'several, in the order of the input',
      { by: 'record', ranges: [range(3), range(1, 2)], file: 'p.csv' },
      ['k0', 'k1', 'k2'],
    ],
    ['once, where ranges overlap', { by: 'record', ranges: [range(1, 2), range(2)], file: 'p.csv' }, ['k0', 'k1']],
  ];
  it.each(cases)('are found %s', async (_, named, keys) => {
    const process = await benchOn(store).process();
    const of = await twoFiles(process);
    expect((await findRecords(of, named, process.ledger)).map(({ key }) => key)).toEqual(keys);
  });

  const refused: readonly (readonly [says: string, named: Named, words: RegExp])[] = [
    [
      'a file that the run does not have',
      { by: 'record', ranges: [range(1)], file: 'r.csv' },
      /has no file r\.csv; it has p\.csv, q\.csv/,
    ],
    ['no file where there are several', { by: 'record', ranges: [range(1)], file: undefined }, /several files/],
    ['a record that is not there, all or none', { by: 'record', ranges: [range(1, 4)], file: 'p.csv' }, /no record 4/],
    ['a line that is not there', { by: 'line', ranges: [range(1)], file: 'p.csv' }, /no record on line 1/],
  ];
  it.each(refused)('are refused: %s', async (_, named, words) => {
    const process = await benchOn(store).process();
    const of = await twoFiles(process);
    await expect(findRecords(of, named, process.ledger)).rejects.toThrow(words);
  });
});

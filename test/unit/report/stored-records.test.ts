import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src/journal/payment.js';
import { formatDecimal } from '../../../src/money/decimal.js';
import type { RecordReport } from '../../../src/report/record-report.js';
import { storedReports, tallyRun } from '../../../src/report/stored-records.js';
import { benchOn, claim, drafts, manyDrafts, outcome, type Process } from '../journal/journal-fixtures.js';
import { SQLITE } from '../journal/stores.js';
import { run } from '../review/desk.js';
import { computed, type Row } from '../review/review-fixtures.js';

const OUTCOMES = { a: 'created', b: 'rejected', c: 'unknown', d: 'not_sent' } as const;
const ROWS: readonly Row[] = [
  { key: 'a', says: 'A', source: 'own', amount: '1' },
  { key: 'b', says: 'B', source: 'own', amount: '10' },
  { key: 'c', says: 'C', like: 'M', source: 'own', amount: '100' },
  { key: 'x', says: 'no', valid: false },
  { key: 'd', says: 'D', like: 'N', source: 'own', amount: null },
];

/** A run with one record in each state. */
async function mixed(process: Process): Promise<Run> {
  return (await run(process, { rows: ROWS }, ({ key }) => outcome(OUTCOMES[key as 'a']))).run;
}

async function reports({ journal }: Process, of: Run): Promise<RecordReport[]> {
  const told: RecordReport[] = [];
  for await (const { report } of storedReports(of, journal, 'id')) told.push(report);
  return told;
}

async function statuses(process: Process, of: Run): Promise<string[]> {
  return (await reports(process, of)).map(({ status }) => status);
}

describe('the states of a stored run', () => {
  it('are those of its payments, one for each record, and add up with their money', async () => {
    const process = await benchOn(SQLITE).process();
    const of = await mixed(process);
    expect(await statuses(process, of)).toEqual(['created', 'rejected', 'unknown', 'invalid', 'not_sent']);
    const { records, totals } = await tallyRun(of, process.journal);
    expect(records).toEqual({
      read: 5,
      valid: 4,
      invalid: 1,
      created: 1,
      already_created: 0,
      skipped: 0,
      rejected: 1,
      unknown: 1,
      not_sent: 1,
      planned: 0,
    });
    expect(
      totals.map(({ status, count, amount, unpriced }) => `${status} ${count} ${formatDecimal(amount)} ${unpriced}`),
    ).toEqual(expect.arrayContaining(['created 1 1 0', 'rejected 1 10 0', 'unknown 1 100 0', 'not_sent 1 0 1']));
    expect(totals).toHaveLength(4);
  });

  it('are the same in every run that names a payment: created by one, already_created in the others', async () => {
    const process = await benchOn(SQLITE).process();
    const first = await mixed(process);
    const rows: readonly Row[] = [ROWS[0]!, { key: 'n', says: 'N', source: 'own' }];
    const second = (await run(process, { rows })).run;
    expect([await statuses(process, first), await statuses(process, second)]).toEqual([
      ['created', 'rejected', 'unknown', 'invalid', 'not_sent'],
      ['already_created', 'created'],
    ]);
    const { records } = await tallyRun(second, process.journal);
    expect(records).toMatchObject({ created: 1, already_created: 1, valid: 2 });
  });

  it('are skipped where a record was left out, and unknown as long as its payment is', async () => {
    const process = await benchOn(SQLITE).process();
    await mixed(process);
    const rows: readonly Row[] = [
      { key: computed('k'), says: 'A' },
      { key: computed('l'), says: 'C', like: 'M' },
    ];
    const of = (await run(process, { rows, decisions: { skipSimilar: true } })).run;
    expect(await statuses(process, of)).toEqual(['skipped', 'unknown']);
    expect((await tallyRun(of, process.journal)).records).toMatchObject({ skipped: 1, unknown: 1 });
  });

  it('are unknown while a process has them under way, or died with them', async () => {
    const bench = benchOn(SQLITE);
    const process = await bench.process();
    const { run: of, delivery, ids } = await process.pass(drafts('a', 'b'));
    await claim(delivery, [ids[0]!]);
    const expectUnknown = async (reader: Process): Promise<void> => {
      expect(await statuses(reader, of)).toEqual(['unknown', 'not_sent']);
      expect((await tallyRun(of, reader.journal)).records).toMatchObject({ unknown: 1, not_sent: 1 });
    };
    const other = (await bench.reader())!;
    await expectUnknown(other);
    await process.die();
    await expectUnknown(other);
  });

  it('are counted of many pages', async () => {
    const process = await benchOn(SQLITE).process();
    const { run: of } = await process.pass(manyDrafts(1001));
    expect((await tallyRun(of, process.journal)).records).toMatchObject({ read: 1001, not_sent: 1001 });
  });
});

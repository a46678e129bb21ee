import { describe, expect, it } from 'vitest';
import { findRecords, type Named } from '../../../src/cli/batch-settle.js';
import type { Run } from '../../../src/journal/payment.js';
import { benchOn, manyDrafts, pointers, type Process } from '../journal/journal-fixtures.js';
import { SQLITE } from '../journal/stores.js';

describe('the records that a person names', () => {
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
    const process = await benchOn(SQLITE).process();
    const of = await twoFiles(process);
    expect((await findRecords(of, named, process.journal)).map(({ key }) => key)).toEqual(keys);
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
    const process = await benchOn(SQLITE).process();
    const of = await twoFiles(process);
    await expect(findRecords(of, named, process.journal)).rejects.toThrow(words);
  });
});

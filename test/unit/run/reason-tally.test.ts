import { describe, expect, it } from 'vitest';
import { RecordTable } from '../../../src/prepare/record-table.js';
import type { PreparedRecords } from '../../../src/prepare/prepared-records.js';
import { ZERO } from '../../../src/money/decimal.js';
import { createReasonTally } from '../../../src/run/reason-tally.js';

/** Records on the lines 2 to 9 of each file. */
function reasonsOf(...paths: string[]) {
  const entries = new RecordTable();
  const money = { type: 'payout', currency: null, costCenter: null, amount: ZERO };
  for (const file of paths.keys())
    for (let record = 1; record <= 8; record++) entries.addInvalid({ file, record, line: record + 1 }, money, 'x');
  return createReasonTally({ entries, files: paths.map((path) => ({ path })) } as unknown as PreparedRecords);
}

const refused = (count: number): string => `${count} refused`;

describe('why records were refused', () => {
  it('has the first places in the order of the file, whichever came first, and how many more', () => {
    const reasons = reasonsOf('p.csv');
    for (const index of [5, 0, 3]) reasons.add('rejected', 'no account', index);
    expect(reasons.sentences('rejected', refused, 3)).toEqual(['3 refused: no account (line 2; line 5; line 7)']);
    for (const index of [1, 2]) reasons.add('rejected', 'no account', index);
    expect(reasons.sentences('rejected', refused, 5)).toEqual([
      '5 refused: no account (line 2; line 5; line 7 and 2 more)',
    ]);
    expect(reasons.sentences('unknown', refused, 0)).toEqual([]);
  });

  it('is a whole sentence for each reason, the most frequent first, with the file where there are several', () => {
    const reasons = reasonsOf('a.csv', 'b.csv');
    reasons.add('unknown', 'once', 0);
    for (const index of [8, 9]) reasons.add('unknown', 'twice', index);
    expect(reasons.sentences('unknown', (count) => `${count} in doubt`, 4)).toEqual([
      '2 in doubt: twice (b.csv, line 2; b.csv, line 3)',
      '1 in doubt: once (a.csv, line 2)',
      '1 in doubt, for other reasons',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { concludeOrder, dateEvidence, seeDate } from '../../../../src/input/setup/date-orders.js';

function conclude(values: readonly string[], today = '2026-11-20') {
  const seen = dateEvidence();
  values.forEach((value, i) => seeDate(seen, value, i + 2));
  return concludeOrder('Datum', seen, today);
}

describe('the order of day and month in a column', () => {
  it.each<[values: string[], certainty: string, order: string | null]>([
    [[], 'nothing', null],
    [['2026-11-01', '2026-12-31'], 'nothing', null],
    [['2026-11-01T00:00:00', '2026-12-31'], 'nothing', null],
    [['25.12.2026'], 'proven', 'dmy'],
    [['25/12/2026', '1/2/2026'], 'proven', 'dmy'],
    [['12/25/2026', '01/02/2026'], 'proven', 'mdy'],
    [['05.12.2026'], 'likely', 'dmy'],
    [['05/12/2026'], 'open', null],
    [['05.05.2026'], 'likely', 'dmy'],
    [['05/05/2026'], 'open', null],
    [['25/12/2026', '12/25/2026'], 'conflict', null],
    // What a spreadsheet of another country has made of some of the dates.
    [['25/12/2026', '2026-01-12'], 'likely', 'dmy'],
    [['25.12.2026', '05/12/2026'], 'likely', 'dmy'],
    [['05/12/2026', '2026-01-12'], 'open', null],
    [['n/a', 'soon'], 'nothing', null],
  ])('%j: %s, %s', (values, certainty, order) => {
    expect(conclude(values)).toMatchObject({ certainty, value: order });
  });

  it('names the values', () => {
    expect(conclude(['05/12/2026', '25/12/2026']).because).toBe(
      'Datum, line 3: "25/12/2026" has one reading, with the day first',
    );
    expect(conclude(['05/12/2026']).because).toBe(
      'Datum, line 2: "05/12/2026" can be 2026-12-05 (day first) or 2026-05-12 (month first), and no other date of the column tells which',
    );
  });
});

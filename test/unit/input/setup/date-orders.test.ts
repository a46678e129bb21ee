import { describe, expect, it } from 'vitest';
import { concludeOrder, dateEvidence, monthOf, seeDate } from '../../../../src/input/setup/date-orders.js';

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
    // Names of months tell which part the month is.
    [['01-Jul-2026', '02-Aug-2026'], 'proven', 'dmy'],
    [['Jul-01-2026'], 'proven', 'mdy'],
    [['01-Jul-10'], 'proven', 'dmy'],
    // Two digits of a year may stand first, which no setting reads.
    [['05.12.25', '14.12.25', '23.12.25'], 'proven', 'dmy'],
    [['12/05/25', '12/14/25'], 'proven', 'mdy'],
    [['25-12-05', '25-12-14', '25-12-23'], 'likely', 'dmy'],
    [['31.12.26'], 'proven', 'dmy'],
    [['31/07/10'], 'proven', 'dmy'],
    [['13/11/19'], 'likely', 'dmy'],
    [['26.12.25'], 'likely', 'dmy'],
    [['05.12.25'], 'likely', 'dmy'],
  ])('%j: %s, %s', (values, certainty, order) => {
    expect(conclude(values)).toMatchObject({ certainty, value: order });
  });

  it.each<[values: string[], order: 'dmy' | 'mdy' | null, month: string | null]>([
    [['2026-11-01', '2026-11-30'], null, '2026-11'],
    [['01.11.2026', '30.11.2026'], 'dmy', '2026-11'],
    [['11/01/2026', '11/12/2026'], 'mdy', '2026-11'],
    [['11/01/2026', '11/12/2026'], 'dmy', null],
    [['2026-11-01', '2026-12-01'], null, null],
    [['soon'], null, null],
  ])('%j as %s lies in %s', (values, order, month) => {
    const seen = dateEvidence();
    for (const value of values) seeDate(seen, value, null);
    expect(monthOf(seen, order)).toBe(month);
  });
});

/** How dates are written in CSV cells. CONTRACT: `--date-format`. */

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

/**
 * The date as YYYY-MM-DD if the cell is one in the declared order. Everything else is given back as typed: an ISO date
 * is read under every order, and the check says what is wrong with the rest.
 */
export function readDate(cell: string, order: DateOrder): string {
  const match = order === 'ymd' ? null : NUMERIC.exec(cell.trim());
  if (match === null) return cell;
  const [, first = '', , second = '', year = ''] = match;
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

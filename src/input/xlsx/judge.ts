/** Whether a workbook's cell can be the value of a field: compares what a person sees with what the field expects. */
import { type FieldKind, isJsonKind } from '../../records/fields.js';
import { type Finding, error, excerpt } from '../../records/issue.js';
import { type DecimalMark, inNotation, unambiguous } from '../numbers.js';
import type { ExpectedValue } from '../rows.js';
import type { SheetCell, TypedCell } from './cell.js';
import type { ShownCurrency } from './format-currency.js';

/** Null for a cell that is then read like a CSV cell. @param address `C17` */
export function cellRefusal(
  cell: SheetCell,
  { kind, path, isAmount = false, isWithinText = false }: ExpectedValue,
  currency: string | null,
  address: string,
): Finding | null {
  if (typeof cell === 'string') return null;
  const refuse = (code: Finding['code'], words: string): Finding =>
    error(code, path, `${path}: ${address} ${words}`, cell.text);
  if (cell.is === 'broken') return refuse(cell.code, excerpt(cell.words));
  if (kind === null || (isWithinText && cell.is !== 'number')) return null;
  switch (cell.is) {
    case 'number':
      return numberRefusal(cell, kind, isAmount ? currency : null, refuse);
    case 'boolean':
      return kind === 'boolean' ? null : refuse('wrong-type', `holds ${cell.text}, and ${belongs(kind)}`);
    case 'date':
      if (kind !== 'date' && kind !== 'timestamp')
        return refuse('wrong-type', `holds the date ${cell.text}, and ${belongs(kind)}`);
      // The CSV reader explains a date with a time of day, and a timestamp without one or without a zone.
      return null;
    case 'time':
      if (kind === 'date' || kind === 'timestamp')
        return refuse('bad-date', `holds the time ${cell.text}, and no date`);
      return refuse('wrong-type', `holds the time ${cell.text}, and ${belongs(kind)}`);
  }
}

function numberRefusal(
  { text, shown }: TypedCell & { is: 'number' },
  kind: FieldKind,
  currency: string | null,
  refuse: (code: Finding['code'], words: string) => Finding,
): Finding | null {
  // The CSV reader explains numbers that are used as dates or as true and false.
  if (kind === 'date' || kind === 'boolean') return null;
  if (kind === 'number' || kind === 'timestamp' || kind === 'multiplier') {
    if (shown.problem === null) return currencyRefusal(shown.currency, currency, refuse);
    const { code, words } = shown.problem;
    const remedy =
      code === 'bad-number'
        ? 'format it as a plain number, and look at it again'
        : 'round it in the workbook (ROUND), or show all its decimals';
    return refuse(code, `${excerpt(words)}: ${remedy}`);
  }
  const isWhole = !text.includes('.');
  if (isWhole && Math.abs(Number(text)) >= FIRST_ROUNDED)
    return refuse('wrong-type', `holds the number ${text}. ${LOST_DIGITS}`);
  if (!isJsonKind(kind) && shown.isSame && isWhole) return null;
  const seen = shown.text === null || shown.text === text ? '' : `, shown as ${shown.text}`;
  return refuse('wrong-type', `holds the number ${text}${seen}, and ${belongs(kind)}`);
}

/** Spreadsheets keep 15 digits of a number, and put zeros in the place of all others. */
const FIRST_ROUNDED = 1e15;
const LOST_DIGITS =
  'A spreadsheet keeps only 15 digits of a number, so the last digits are lost for good in this file. Format the column as text, then import or type the IDs again from their source';

/** If the format shows another currency than the record has, the amount has two meanings. */
function currencyRefusal(
  shown: ShownCurrency | null,
  currency: string | null,
  refuse: (code: Finding['code'], words: string) => Finding,
): Finding | null {
  if (shown === null || currency === null || shown.codes.includes(currency)) return null;
  const found = `shows ${JSON.stringify(shown.sign)}, and its record's currency is ${excerpt(currency)}`;
  return refuse('bad-number', `${found}: correct one of the two`);
}

/** What is expected, and what to do. */
function belongs(kind: FieldKind): string {
  if (kind === 'number' || kind === 'timestamp' || kind === 'multiplier')
    return 'a number belongs here: format the cell as a number, and enter it again';
  if (kind === 'boolean') return 'TRUE or FALSE belongs here';
  return 'a text belongs here: format the column as text, and enter it again';
}

/**
 * Whether CSV would accept the text of a refused cell. Any text can be a title. The text of a number does not have the
 * currency that its cell shows.
 */
export function isAcceptedInCsv(cell: SheetCell, kind: FieldKind | null): boolean {
  if (kind === null || !['number', 'timestamp', 'multiplier', 'date', 'boolean'].includes(kind)) return true;
  const isNumber = typeof cell !== 'string' && cell.is === 'number' && cell.shown.problem === null;
  return isNumber && kind !== 'date' && kind !== 'boolean';
}

/**
 * The cell as CSV, so that the same flags read it as the same value.
 * @param mark as declared by `--decimal`
 * @param kind of the column's field, if it has one
 */
export function cellAsCsv(cell: TypedCell, mark: DecimalMark | null, kind: FieldKind | undefined): string {
  if (cell.is === 'date' && kind === 'timestamp' && cell.showsTime && !cell.text.includes('T'))
    return `${cell.text}T00:00:00`;
  if (cell.is !== 'number') return cell.text;
  const { problem, text } = cell.shown;
  // Not a number in CSV either: a person must decide.
  if (problem !== null) return text === null ? `${cell.text} (${problem.words})` : `${text} (stored: ${cell.text})`;
  // A multiplier has only one reading, and is sent as it is written.
  return kind === 'multiplier' ? inNotation(cell.text, mark) : unambiguous(cell.text, mark);
}

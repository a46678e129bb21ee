/**
 * The cells of an input's rows as a workbook has them: those of number and date fields as numbers and dates, all others
 * as typed. Read again with the same flags, they give the same records. CONTRACT: "Files it writes".
 */
import type { CellNotation } from '../input/cells.js';
import { readDateAndTime } from '../input/dates.js';
import { readNumber, splitSign, unambiguous } from '../input/numbers.js';
import type { RereadInfo } from '../input/read-options.js';
import type { NumberInCell, Row } from '../input/rows.js';
import { formatDecimal, parseDecimal } from '../money/decimal.js';
import { ownColumns } from './row-tables.js';
import { isKeptExactly, type WrittenCell, type WrittenKind } from './written-cell.js';

export interface CellTyper {
  /** @param index of the column in the input */
  readonly cell: (row: Row, index: number) => WrittenCell;
  /** Of the columns of the input that are not among the result columns, in order. */
  readonly kinds: (resultColumns: readonly string[]) => WrittenKind[];
}

/** @param first what the first reading has found */
export function createCellTyper({ info: { columns, currencyOf } }: RereadInfo, notation: CellNotation): CellTyper {
  const fields = new Map(columns?.fields.map(({ index, field }) => [index, field]));
  const isCompared = (index: number): boolean => columns?.compared.has(index) === true;
  const valueOf = (row: Row, index: number): Value | null => {
    const field = fields.get(index);
    const cell = row.cells[index] ?? '';
    if (field?.kind === 'date') return dateIn(cell, notation);
    if (field?.kind !== 'number') return null;
    const inWorkbook = row.shownNumber?.(index) ?? null;
    if (inWorkbook !== null) return numberIn(inWorkbook, notation);
    const currency = field.money === true ? (currencyOf?.(row.cells) ?? null) : null;
    return typedNumber(cell, currency, notation);
  };
  return {
    cell: (row, index) => {
      const text = row.cells[index] ?? '';
      const value = text === '' ? null : valueOf(row, index);
      if (value === null || (isCompared(index) && value.asRead !== text.trim())) return text;
      return value.cell;
    },
    kinds: (resultColumns) =>
      ownColumns(columns?.names ?? [], resultColumns).map((index) => {
        const kind = fields.get(index)?.kind;
        return kind === 'number' || kind === 'date' ? kind : 'text';
      }),
  };
}

interface Value {
  readonly cell: WrittenCell;
  /** As the reader of a workbook takes it, for columns that are compared with a text. */
  readonly asRead: string;
}

/** Null for a text that is not read as a number, as the sign of another currency than its record's is not. */
function typedNumber(cell: string, currency: string | null, notation: CellNotation): Value | null {
  const { decimal, currencySigns } = notation;
  const signed = currency !== null && currencySigns ? splitSign(cell.trim()) : null;
  const isSigned = signed !== null && currency !== null && signed.currencies.includes(currency);
  const reading = readNumber(isSigned ? signed.number : cell, decimal);
  return reading.ok ? numberIn({ text: reading.text, sign: isSigned ? signed.sign : null }, notation) : null;
}

/** In formats, some characters mean something else than themselves. */
const PLAIN_SIGN = /^[^\s"&<>[\]\\;-]{1,10}$/;

/** Null for a number with more digits than a workbook keeps. */
function numberIn({ text, sign }: NumberInCell, { decimal }: CellNotation): Value | null {
  const shortest = formatDecimal(parseDecimal(text));
  const kept = [text, shortest].find(isKeptExactly);
  if (kept === undefined || (sign !== null && !PLAIN_SIGN.test(sign))) return null;
  return { cell: { kind: 'number', text: kept, sign }, asRead: unambiguous(shortest, decimal) };
}

function dateIn(cell: string, { dateOrder }: CellNotation): Value | null {
  const text = readDateAndTime(cell, dateOrder);
  return text === null ? null : { cell: { kind: 'date', text }, asRead: text };
}

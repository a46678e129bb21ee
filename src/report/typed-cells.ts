/**
 * The cells of an input's rows as a workbook has them: those of number and date fields as numbers and dates, all others
 * as typed. Read again with the same flags, they give the same records. CONTRACT: "Files it writes".
 */
import type { CellNotation } from '../input/cells.js';
import { readDateAndTime } from '../input/dates.js';
import { readNumber, unambiguous } from '../input/numbers.js';
import type { TableColumns } from '../input/read-options.js';
import type { Row } from '../input/rows.js';
import { formatDecimal, parseDecimal } from '../money/decimal.js';
import { ownColumns } from './row-tables.js';
import { isKeptExactly, type WrittenCell, type WrittenKind } from './written-cell.js';

export interface CellTyper {
  /** @param index of the column in the input */
  readonly cell: (row: Row, index: number) => WrittenCell;
  /** Of the columns of the input that are not among the result columns, in order. */
  readonly kinds: (resultColumns: readonly string[]) => WrittenKind[];
}

export function createCellTyper(columns: TableColumns | undefined, notation: CellNotation): CellTyper {
  const kinds = new Map(columns?.fields.map(({ index, field }) => [index, field.kind]));
  const isCompared = (index: number): boolean => columns?.compared.has(index) === true;
  const valueOf = (row: Row, index: number): Value | null => {
    const kind = kinds.get(index);
    if (kind === 'number') return numberIn(row, index, notation);
    return kind === 'date' ? dateIn(row.cells[index] ?? '', notation) : null;
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
        const kind = kinds.get(index);
        return kind === 'number' || kind === 'date' ? kind : 'text';
      }),
  };
}

interface Value {
  readonly cell: WrittenCell;
  /** As the reader of a workbook takes it, for columns that are compared with a text. */
  readonly asRead: string;
}

/** Null for a text that is not read as a number, that has a currency, or more digits than a workbook keeps. */
function numberIn({ cells, shownNumber }: Row, index: number, { decimal }: CellNotation): Value | null {
  const reading = readNumber(cells[index] ?? '', decimal);
  if (!reading.ok) return null;
  const text = [shownNumber?.(index) ?? reading.text, reading.text].find(isKeptExactly);
  if (text === undefined) return null;
  return { cell: { kind: 'number', text }, asRead: unambiguous(formatDecimal(parseDecimal(text)), decimal) };
}

function dateIn(cell: string, { dateOrder }: CellNotation): Value | null {
  const text = readDateAndTime(cell, dateOrder);
  return text === null ? null : { cell: { kind: 'date', text }, asRead: text };
}

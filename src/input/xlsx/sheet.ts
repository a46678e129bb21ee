/** Streams a sheet's XML as rows. */
import { MOST_COLUMNS, MOST_ROWS, type CellPlace, parseAddress, parseRange } from './cell-address.js';
import { type CellContext, readCell, type SheetCell, strikeOf } from './cell.js';
import { damaged } from './package.js';
import { type Strike, TextCollector } from './shared-parts.js';
import { type Attributes, isTrue, type XmlHandlers, XmlReader } from './xml.js';

export interface SheetRow {
  /** From 1. */
  readonly row: number;
  readonly isHidden: boolean;
  /** Columns of the cells with content, from 0, ascending; and their values. */
  readonly indexes: readonly number[];
  readonly values: readonly SheetCell[];
  /** Cells that are struck out. */
  readonly struck: readonly StruckCell[];
}

export interface StruckCell {
  /** Of the column, from 0. */
  readonly index: number;
  readonly isPart: boolean;
}

export interface CellRange {
  readonly text: string;
  readonly from: CellPlace;
  readonly to: CellPlace;
}

/** All texts of the cells together: a text that is stored once may be used in a million cells. */
const MOST_CHARACTERS = 1_000_000_000;
const MOST_MERGES = 100_000;
/** Lower than any line of text, in points. */
const NO_HEIGHT = 1;
/** Narrower than any character. */
const NO_WIDTH = 0.1;

const NONE_STRUCK: readonly StruckCell[] = [];

export interface SheetContext extends CellContext {
  /** Numbers of the styles of conditions that strike out. */
  readonly strikingRules: ReadonlySet<number>;
}

/** Keeps the last cell in plain fields, so that a cell needs no object until its value is known. */
export class SheetReader implements XmlHandlers {
  /** Ranges of merged cells; complete after the last row. */
  readonly merges: CellRange[] = [];
  private readonly part: string;
  private readonly context: SheetContext;
  private readonly hiddenColumns = new Uint8Array(MOST_COLUMNS);
  /** Ranges that a condition may strike out; complete after the last row. */
  readonly struckByRules: CellRange[] = [];
  /** The cells to which the open list of conditions applies. */
  private ruleCells = '';
  /** The number of column definitions so far. */
  private widths = 0;
  private table: 'ahead' | 'open' | 'closed' = 'ahead';
  /** Rows without a height are hidden. */
  private hasNoHeight = false;
  private done: SheetRow[] = [];
  /** The last row, and its cells so far. */
  private isHidden = false;
  private indexes: number[] = [];
  private values: SheetCell[] = [];
  private struck: StruckCell[] | null = null;
  private readonly cell = {
    index: -1,
    row: 0,
    type: '',
    isFormula: false,
    style: null as number | null,
    value: null as string | null,
  };
  /** Collects a text that is stored in the cell itself; null outside of one. */
  private inline: TextCollector | null = null;
  /** How much of that text is struck out. */
  private strike: Strike = 'none';
  private characters = 0;

  constructor(part: string, context: SheetContext) {
    this.part = part;
    this.context = context;
  }

  /** Rows in order. @throws FileFault */
  async *rows(text: AsyncIterable<string>): AsyncIterable<SheetRow[]> {
    const reader = new XmlReader(this.part, 'worksheet', this);
    for await (const piece of text) {
      reader.write(piece);
      const { done } = this;
      this.done = [];
      if (done.length > 0) yield done;
    }
    reader.end();
  }

  /** Known with the first row. @param index from 0 */
  isColumnHidden(index: number): boolean {
    return this.hiddenColumns[index] === 1;
  }

  open(name: string, attributes: Attributes): void {
    if (this.inline !== null) this.inline.open(name, attributes);
    else if (name === 'sheetData') {
      if (this.table !== 'ahead') throw damaged(`${this.part} holds two tables`);
      this.table = 'open';
    } else if (this.table === 'open') this.openInTable(name, attributes);
    else if (name === 'col') this.hideColumns(attributes);
    else if (name === 'sheetFormatPr') this.hasNoHeight = isBelow(attributes['defaultRowHeight'], NO_HEIGHT);
    else if (name === 'mergeCell') this.merge(attributes);
    else if (name === 'conditionalFormatting') this.ruleCells = attributes['sqref'] ?? '';
    else if (name === 'cfRule') this.readRule(attributes);
  }

  private openInTable(name: string, attributes: Attributes): void {
    if (name === 'c') this.openCell(attributes);
    else if (name === 'f') this.cell.isFormula = true;
    else if (name === 'is') this.inline = new TextCollector();
    else if (name === 'row') this.openRow(attributes);
  }

  close(name: string, text: string): void {
    if (this.table !== 'open') return;
    if (name === 'is') {
      const { text: value = null, strike = 'none' } = this.inline?.take() ?? {};
      this.cell.value = value;
      this.strike = strike;
      this.inline = null;
    } else if (this.inline !== null) this.inline.close(name, text);
    else if (name === 'v') this.cell.value = text;
    else if (name === 'c') this.closeCell();
    else if (name === 'row') this.closeRow();
    else if (name === 'sheetData') this.table = 'closed';
  }

  private openRow({ r, hidden, ht }: Attributes): void {
    const last = this.cell.row;
    const row = r === undefined ? last + 1 : Number(r);
    if (!Number.isInteger(row) || row <= last) throw damaged(`row ${r} stands after row ${last}`);
    if (row > MOST_ROWS) throw damaged(`it has more than ${MOST_ROWS} rows`);
    this.cell.row = row;
    this.cell.index = -1;
    this.isHidden = isTrue(hidden) || (ht === undefined ? this.hasNoHeight : isBelow(ht, NO_HEIGHT));
    this.indexes = [];
    this.values = [];
    this.struck = null;
  }

  private closeRow(): void {
    const { cell, isHidden, indexes, values, struck } = this;
    if (indexes.length > 0) this.done.push({ row: cell.row, isHidden, indexes, values, struck: struck ?? NONE_STRUCK });
  }

  private openCell({ r, t = 'n', s }: Attributes): void {
    const { cell } = this;
    const place = r === undefined ? { index: cell.index + 1, row: cell.row } : parseAddress(r);
    if (place === null || place.row !== cell.row || place.index <= cell.index || place.index >= MOST_COLUMNS)
      throw damaged(`the cell ${r ?? ''} stands where it does not belong, in row ${cell.row}`);
    cell.index = place.index;
    cell.type = t;
    cell.style = s === undefined ? null : Number(s);
    cell.value = null;
    cell.isFormula = false;
    this.strike = 'none';
  }

  private closeCell(): void {
    const { index, value, isFormula } = this.cell;
    if (value === null && !isFormula) return;
    const cell = readCell(this.cell, this.context);
    if (cell === '') return;
    if (typeof cell === 'string') this.characters += cell.length;
    if (this.characters > MOST_CHARACTERS) throw damaged('its cells hold more text than a workbook has room for');
    this.indexes.push(index);
    this.values.push(cell);
    const strike = strikeOf(this.cell, this.strike, this.context);
    if (strike !== 'none' && (typeof cell !== 'string' || cell.trim() !== ''))
      (this.struck ??= []).push({ index, isPart: strike === 'part' });
  }

  private hideColumns({ min, max, hidden, width }: Attributes): void {
    if (++this.widths > MOST_COLUMNS) throw damaged(`${this.part} tells of more columns than there are`);
    if (isTrue(hidden) || isBelow(width, NO_WIDTH))
      this.hiddenColumns.fill(1, Math.max(0, Number(min) - 1), Number(max));
  }

  /** Nobody but a spreadsheet computes for which of the cells the condition holds. */
  private readRule({ dxfId }: Attributes): void {
    if (dxfId === undefined || !this.context.strikingRules.has(Number(dxfId))) return;
    const ranges = this.ruleCells.split(' ').filter((text) => text !== '');
    for (const text of ranges.slice(0, MOST_MERGES - this.struckByRules.length))
      this.struckByRules.push(cornersOf(text));
  }

  private merge({ ref = '' }: Attributes): void {
    const range = parseRange(ref);
    if (range === null || this.table === 'ahead') throw damaged(`it merges the cells ${JSON.stringify(ref)}`);
    if (this.merges.push({ text: ref, ...range }) > MOST_MERGES)
      throw damaged(`it merges cells at more than ${MOST_MERGES} places`);
  }
}

function cornersOf(text: string): CellRange {
  const whole = { from: { index: 0, row: 1 }, to: { index: MOST_COLUMNS - 1, row: MOST_ROWS } };
  return { text, ...(parseRange(text) ?? whole) };
}

function isBelow(text: string | undefined, bound: number): boolean {
  return text !== undefined && Number(text) < bound;
}

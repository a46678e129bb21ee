/** Streams a sheet's XML as rows. */
import { MOST_COLUMNS, MOST_ROWS, type CellPlace, parseAddress, parseRange } from './cell-address.js';
import { type CellContext, readCell, type SheetCell } from './cell.js';
import { damaged } from './package.js';
import { TextCollector } from './shared-parts.js';
import { type Attributes, isTrue, type XmlHandlers, XmlReader } from './xml.js';

export interface SheetRow {
  /** From 1. */
  readonly row: number;
  readonly isHidden: boolean;
  /** Columns of the cells with content, from 0, ascending; and their values. */
  readonly indexes: readonly number[];
  readonly values: readonly SheetCell[];
}

export interface Merge {
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

/** Keeps the last cell in plain fields, so that a cell needs no object until its value is known. */
export class SheetReader implements XmlHandlers {
  /** Ranges of merged cells; complete after the last row. */
  readonly merges: Merge[] = [];
  private readonly part: string;
  private readonly context: CellContext;
  private readonly hiddenColumns = new Uint8Array(MOST_COLUMNS);
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
  private characters = 0;

  constructor(part: string, context: CellContext) {
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
      this.cell.value = this.inline?.take() ?? null;
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
  }

  private closeRow(): void {
    const { cell, isHidden, indexes, values } = this;
    if (indexes.length > 0) this.done.push({ row: cell.row, isHidden, indexes, values });
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
  }

  private hideColumns({ min, max, hidden, width }: Attributes): void {
    if (++this.widths > MOST_COLUMNS) throw damaged(`${this.part} tells of more columns than there are`);
    if (isTrue(hidden) || isBelow(width, NO_WIDTH))
      this.hiddenColumns.fill(1, Math.max(0, Number(min) - 1), Number(max));
  }

  private merge({ ref = '' }: Attributes): void {
    const range = parseRange(ref);
    if (range === null || this.table === 'ahead') throw damaged(`it merges the cells ${JSON.stringify(ref)}`);
    if (this.merges.push({ text: ref, ...range }) > MOST_MERGES)
      throw damaged(`it merges cells at more than ${MOST_MERGES} places`);
  }
}

function isBelow(text: string | undefined, bound: number): boolean {
  return text !== undefined && Number(text) < bound;
}

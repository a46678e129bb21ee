/** A sheet's XML → its rows, as they come. */
import { MOST_COLUMNS, MOST_ROWS, type Place, placeOf, rangeOf } from './address.js';
import { type CellContext, readCell, type SheetCell } from './cell.js';
import { damaged } from './package.js';
import { textCollector } from './strings.js';
import { type Attributes, isTrue, xmlReader } from './xml.js';

/** A row with content. */
export interface SheetRow {
  /** From 1. */
  readonly row: number;
  readonly isHidden: boolean;
  /** Columns of the cells with content, from 0, ascending; and what they hold. */
  readonly indexes: readonly number[];
  readonly values: readonly SheetCell[];
}

export interface Merge {
  readonly text: string;
  readonly from: Place;
  readonly to: Place;
}

export interface SheetReading {
  /** Rows in order. @throws FileFault */
  readonly rows: AsyncIterable<SheetRow[]>;
  /** Known with the first row. @param index from 0 */
  readonly isColumnHidden: (index: number) => boolean;
}

/** All texts of the cells together: a text that is kept once may stand in a million cells. */
const MOST_CHARACTERS = 1_000_000_000;
/** Lower than any line of text, in points. */
const NO_HEIGHT = 1;
/** Narrower than any character. */
const NO_WIDTH = 0.1;

/** @param merged told of each range of merged cells, after the last row */
export function readSheet(
  part: string,
  text: AsyncIterable<string>,
  context: CellContext,
  merged: (merge: Merge) => void,
): SheetReading {
  const state: State = {
    ...{ part, context, merged, done: [], widths: 0, hiddenColumns: new Uint8Array(MOST_COLUMNS) },
    ...{ isInData: false, sawData: false, row: 0, isHidden: false, hasNoHeight: false, indexes: [], values: [] },
    ...{ index: -1, type: '', style: null, value: null, isInValue: false, isFormula: false, isInline: false },
    ...{ characters: 0, texts: textCollector() },
  };
  return { rows: rowsOf(part, text, state), isColumnHidden: (index) => state.hiddenColumns[index] === 1 };
}

async function* rowsOf(part: string, text: AsyncIterable<string>, state: State): AsyncIterable<SheetRow[]> {
  const reader = xmlReader(part, 'worksheet', {
    open: (name, attributes) => opened(name, attributes, state),
    close: (name) => closed(name, state),
    text: (found) => {
      if (state.isInValue) state.value = (state.value ?? '') + found;
      else if (state.isInline) state.texts.text?.(found);
    },
  });
  for await (const piece of text) {
    reader.write(piece);
    const { done } = state;
    state.done = [];
    if (done.length > 0) yield done;
  }
  reader.end();
}

/** One object for a sheet, so that a cell costs none until its value is known. */
interface State {
  readonly part: string;
  readonly context: CellContext;
  readonly merged: (merge: Merge) => void;
  done: SheetRow[];
  readonly hiddenColumns: Uint8Array;
  /** How often columns were told of. */
  widths: number;
  isInData: boolean;
  sawData: boolean;
  /** The last row, and what was found of it. */
  row: number;
  isHidden: boolean;
  /** Rows are as low as nothing, unless they say another height. */
  hasNoHeight: boolean;
  indexes: number[];
  values: SheetCell[];
  /** The last cell of the row. */
  index: number;
  type: string;
  style: number | null;
  value: string | null;
  isInValue: boolean;
  isFormula: boolean;
  isInline: boolean;
  characters: number;
  readonly texts: ReturnType<typeof textCollector>;
}

function opened(name: string, attributes: Attributes, state: State): void {
  if (state.isInline) return state.texts.open(name, attributes);
  if (state.isInData) {
    if (name === 'c') openCell(attributes, state);
    else if (name === 'v') {
      state.isInValue = true;
      state.value = '';
    } else if (name === 'f') state.isFormula = true;
    else if (name === 'is') state.isInline = true;
    else if (name === 'row') openRow(attributes, state);
    return;
  }
  if (name === 'sheetData') {
    if (state.sawData) throw damaged(`${state.part} holds two tables`);
    state.isInData = true;
    state.sawData = true;
  } else if (name === 'col') hideColumns(attributes, state);
  else if (name === 'sheetFormatPr') state.hasNoHeight = isBelow(attributes['defaultRowHeight'], NO_HEIGHT);
  else if (name === 'mergeCell') merge(attributes, state);
}

function closed(name: string, state: State): void {
  if (name === 'is') {
    state.isInline = false;
    state.value = state.texts.take();
  } else if (state.isInline) state.texts.close?.(name);
  else if (name === 'v') state.isInValue = false;
  else if (name === 'c' && state.isInData) closeCell(state);
  else if (name === 'row' && state.isInData) closeRow(state);
  else if (name === 'sheetData') state.isInData = false;
}

function openRow({ r, hidden, ht }: Attributes, state: State): void {
  const row = r === undefined ? state.row + 1 : Number(r);
  if (!Number.isInteger(row) || row <= state.row) throw damaged(`row ${r} stands after row ${state.row}`);
  if (row > MOST_ROWS) throw damaged(`it has more than ${MOST_ROWS} rows`);
  state.row = row;
  state.isHidden = isTrue(hidden) || (ht === undefined ? state.hasNoHeight : isBelow(ht, NO_HEIGHT));
  state.indexes = [];
  state.values = [];
  state.index = -1;
}

function closeRow(state: State): void {
  const { row, isHidden, indexes, values } = state;
  if (indexes.length > 0) state.done.push({ row, isHidden, indexes, values });
}

function openCell({ r, t = 'n', s }: Attributes, state: State): void {
  const place = r === undefined ? { index: state.index + 1, row: state.row } : placeOf(r);
  if (place === null || place.row !== state.row || place.index <= state.index || place.index >= MOST_COLUMNS)
    throw damaged(`the cell ${r ?? ''} stands where it does not belong, in row ${state.row}`);
  state.index = place.index;
  state.type = t;
  state.style = s === undefined ? null : Number(s);
  state.value = null;
  state.isFormula = false;
}

function closeCell(state: State): void {
  const { value, isFormula, index } = state;
  if (value === null && !isFormula) return;
  const cell = readCell(state, state.context);
  if (cell === '') return;
  if (typeof cell === 'string') state.characters += cell.length;
  if (state.characters > MOST_CHARACTERS) throw damaged('its cells hold more text than a workbook has room for');
  state.indexes.push(index);
  state.values.push(cell);
}

function hideColumns({ min, max, hidden, width }: Attributes, state: State): void {
  if (++state.widths > MOST_COLUMNS) throw damaged(`${state.part} tells of more columns than there are`);
  if (!isTrue(hidden) && !isBelow(width, NO_WIDTH)) return;
  state.hiddenColumns.fill(1, Math.max(0, Number(min) - 1), Number(max));
}

function isBelow(text: string | undefined, bound: number): boolean {
  return text !== undefined && Number(text) < bound;
}

function merge({ ref = '' }: Attributes, state: State): void {
  const range = rangeOf(ref);
  if (range === null || !state.sawData) throw damaged(`it merges the cells ${JSON.stringify(ref)}`);
  state.merged({ text: ref, ...range });
}

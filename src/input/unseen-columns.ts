/** Columns of a workbook that a person does not see, or sees struck out. CONTRACT: "hidden columns". */
import { excerpt } from '../records/issue.js';
import { shellQuote } from '../util/shell-quote.js';
import { columnPlace } from './column-places.js';
import { FileFault } from './raw-record.js';

/** A column that holds something. */
export interface SheetColumn {
  /** From 0. */
  readonly index: number;
  /** Empty if it has none. */
  readonly name: string;
  /** Of its name, or of its first cell with content. */
  readonly address: string;
  /** Of the address. */
  readonly row: number;
  readonly isHidden: boolean;
  readonly isStruckOut: boolean;
}

/** What is done with the columns, by index. */
interface ColumnUses {
  readonly isDropped: (index: number) => boolean;
  /** Nobody has named it: content there is an error. */
  readonly isNameless: (index: number) => boolean;
  /** It gives a field, so it cannot be ignored. */
  readonly isField: (index: number) => boolean;
}

/** The most columns that one message names. */
const MOST_COLUMNS_NAMED = 20;

/**
 * Names all columns at once, with one way out: the next run must not name the next column.
 * @throws FileFault if a column that is not dropped is hidden, or struck out
 */
export function refuseUnseen(
  columns: readonly SheetColumn[],
  { isDropped, isNameless, isField }: ColumnUses,
  platform: NodeJS.Platform,
): void {
  const kept = columns.filter(({ index }) => !isDropped(index));
  const hidden = kept.filter(({ isHidden }) => isHidden);
  const struckOut = kept.filter(({ isStruckOut }) => isStruckOut);
  const [first] = [...hidden, ...struckOut];
  if (first === undefined) return;
  const found: string[] = [];
  const remedies: string[] = [];
  if (hidden.length > 0) {
    found.push(`hidden columns hold something: ${columnList(hidden)}`);
    remedies.push('Show the hidden columns (in Excel: select all columns, right-click, Unhide)');
  }
  if (struckOut.length > 0) {
    found.push(`column names are struck out: ${columnList(struckOut)}`);
    remedies.push('Remove the strikethrough if the column counts');
  }
  const nameless = kept.filter(({ index, isHidden }) => isNameless(index) && !isHidden);
  if (nameless.length > 0) found.push(`columns without a name have content: ${columnList(nameless)}`);
  const all = [...new Set([...hidden, ...struckOut, ...nameless])].filter(({ index }) => !isField(index));
  if (all.length > 0) remedies.push(`If they do not change what a row means, add ${ignoreFlags(all, platform)}`);
  throw new FileFault('bad-csv', first.row, `${found.join('; ')}. ${remedies.join('. ')}`);
}

function columnList(columns: readonly SheetColumn[]): string {
  const shown = columns
    .slice(0, MOST_COLUMNS_NAMED)
    .map(({ address, name }) => (name === '' ? address : `${address} ${JSON.stringify(excerpt(name))}`));
  const rest = columns.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function ignoreFlags(columns: readonly SheetColumn[], platform: NodeJS.Platform): string {
  if (columns.length > MOST_COLUMNS_NAMED) return '--ignore-other-columns, which drops all columns that are not fields';
  const nameOf = ({ name, index }: SheetColumn): string => {
    const isAlone = columns.filter((other) => other.name === name).length === 1;
    return name !== '' && isAlone ? name : columnPlace(index);
  };
  return columns.map((column) => `--ignore-column ${shellQuote(nameOf(column), platform)}`).join(' ');
}

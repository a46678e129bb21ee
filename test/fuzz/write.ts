/** Records → files, by a writer of the tests' own. */
import type { Json } from './records.js';

export interface Layout {
  readonly delimiter: string;
  readonly lineEnd: string;
  /** The decimal mark of numbers in cells. */
  readonly comma: boolean;
  readonly quoteAll: boolean;
  /** Objects go over dot paths where they can, instead of as JSON text. */
  readonly spread: boolean;
}

const FREE = ['filter_query', 'sort_query', 'notification_payload'];

/** Fields that stand in one cell: free ones, and those that are empty somewhere, which no column below them could say. */
function wholeFields(records: readonly Json[]): ReadonlySet<string> {
  const isEmpty = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const empty = records.flatMap((record) => Object.keys(record).filter((name) => isEmpty(record[name])));
  return new Set([...FREE, ...empty]);
}

/** Cells by column. */
function cellsOf(record: Json, layout: Layout, whole: ReadonlySet<string>, prefix = ''): [string, string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] => {
    const path = `${prefix}${name}`;
    if (value === null || value === undefined) return [];
    if (typeof value === 'number') return [[path, layout.comma ? String(value).replace('.', ',') : String(value)]];
    if (typeof value === 'string') {
      return [[path, layout.comma && name === 'multiplier' ? value.replace('.', ',') : value]];
    }
    if (typeof value === 'boolean') return [[path, String(value)]];
    if (!layout.spread || whole.has(path)) return [[path, JSON.stringify(value)]];
    return cellsOf(value as Json, layout, whole, `${path}.`);
  });
}

export function csvText(records: readonly Json[], layout: Layout): string {
  const { delimiter, lineEnd, quoteAll } = layout;
  const whole = wholeFields(records);
  const rows = records.map((record) => new Map(cellsOf(record, layout, whole)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const quoted = (cell: string): string =>
    quoteAll || cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? ''))];
  return lines.map((cells) => cells.map(quoted).join(delimiter) + lineEnd).join('');
}

export function ndjsonText(records: readonly Json[], lineEnd = '\n'): string {
  return records.map((record) => JSON.stringify(record) + lineEnd).join('');
}

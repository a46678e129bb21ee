/** Values of a file that `--set` and settings replace by others: said, never silent. CONTRACT: `--set`, `set-over`. */
import { canonicalJson } from '../keys/canonical.js';
import { excerpt, positionText, type Finding, type RecordPlace, shownValue, warning } from '../records/issue.js';
import { type Body, isObject } from '../records/types.js';
import { CellConverter, type CellNotation } from './cells.js';
import type { BoundAssignments, SetValue } from './columns.js';
import { currenciesOf, isDash } from './numbers.js';
import type { ColumnBinding } from './raw-record.js';

/** A value for all records that replaces other values of a file. */
export interface Override extends SetValue {
  /** The number of records. */
  count: number;
  /** The first record, its value as typed, and the column or member with it. */
  readonly first: RecordPlace;
  readonly typed: string;
  readonly column: string;
}

/** The values of one file that are replaced, by the path of the value that replaces them. */
export class Overrides {
  private readonly byPath = new Map<string, Override>();

  add(set: SetValue, column: string, typed: unknown, place: RecordPlace): void {
    const known = this.byPath.get(set.path);
    if (known !== undefined) known.count++;
    else this.byPath.set(set.path, { ...set, column, typed: shownValue(typed) ?? '', first: place, count: 1 });
  }

  /** Those that decide who is paid how much, which are warnings; and the others. */
  list(isMoney: boolean): Override[] {
    return [...this.byPath.values()].filter(({ path }) => WARNED_FIELDS.includes(path) === isMoney);
  }
}

const WARNED_FIELDS: readonly string[] = ['amount', 'currency', 'user_id'];

/** A column whose cells are replaced, in whole or in part. */
interface ReplacedColumn {
  readonly column: ColumnBinding;
  readonly set: SetValue;
  /** Steps from the cell's value to the one that is compared. */
  readonly within: readonly string[];
  /** The value that is sent instead. */
  readonly sent: unknown;
  /** The last cells with the same and with another value: most rows repeat one of them. */
  same: string | null;
  other: string | null;
}

/** Finds the cells of a table that are replaced by other values. */
export class ReplacedCells {
  readonly overrides = new Overrides();
  private readonly columns: readonly ReplacedColumn[];
  private readonly style: CellNotation;

  constructor(columns: readonly ColumnBinding[], given: BoundAssignments, style: CellNotation) {
    this.columns = columns.flatMap((column) => given.values.flatMap((set) => replacedColumn(column, set) ?? []));
    this.style = style;
  }

  /** Whether no value replaces a cell. */
  get isEmpty(): boolean {
    return this.columns.length === 0;
  }

  /** Takes a record's cells; its place is made only where it is needed. */
  see(cells: readonly string[], record: number, line: number): void {
    for (const replaced of this.columns) {
      const cell = cells[replaced.column.index] ?? '';
      if (cell === replaced.same || cell.trim() === '') continue;
      if (replaced.column.field.money === true && isDash(cell)) continue;
      if (cell !== replaced.other && this.isSame(cell, replaced)) replaced.same = cell;
      else {
        replaced.other = cell;
        this.overrides.add(replaced.set, replaced.column.name, cell, { record, line });
      }
    }
  }

  private isSame(cell: string, { column: { field, path }, within, sent }: ReplacedColumn): boolean {
    const converter = new CellConverter(this.style);
    const value =
      field.money === true ? converter.convertAmount(cell, path, null) : converter.convert(field, cell, path);
    const found = valueWithin(value, within);
    // A cell without this part loses nothing.
    return (found === undefined && within.length > 0) || isSentAnyway(field.kind === 'currency', found, sent);
  }
}

/** Null if the value does not replace the column's. */
function replacedColumn(column: ColumnBinding, set: SetValue): ReplacedColumn | null {
  const one = column.path.split('.');
  const other = set.path.split('.');
  if (one.slice(0, other.length).join('.') !== other.slice(0, one.length).join('.')) return null;
  const within = other.slice(one.length);
  return { column, set, within, sent: valueWithin(set.value, one.slice(other.length)), same: null, other: null };
}

/**
 * Notes the members of an object that are replaced by other values.
 * @param input before they are
 * @param found also the texts that could not be read, and are not among the members
 */
export function seeReplaced(
  input: Body,
  given: BoundAssignments,
  place: RecordPlace,
  overrides: Overrides,
  found?: CellConverter,
): void {
  for (const set of given.values) {
    const value = valueWithin(input, set.path.split('.'));
    if (value === undefined || value === null || value === '') {
      const unread = found?.findings.slice(given.findings.length).find((finding) => isUnread(finding, set.path));
      if (unread !== undefined) overrides.add(set, unread.field ?? set.path, unread.value, place);
      continue;
    }
    if (!isSentAnyway(set.path === 'currency', value, set.value)) overrides.add(set, set.path, value, place);
  }
}

/** Whether a filled value of this field, or a part of it, could not be read. An empty one is none. */
function isUnread({ severity, field, value }: Finding, path: string): boolean {
  const isOfField = field === path || field?.startsWith(`${path}.`) === true;
  return severity === 'error' && isOfField && typeof value === 'string' && value.trim() !== '';
}

/** Whether the file has the value that is sent. */
function isSentAnyway(isCurrency: boolean, value: unknown, sent: unknown): boolean {
  if (value === sent) return true;
  // `eur` and `€` are no other currency than EUR.
  if (isCurrency && typeof value === 'string' && typeof sent === 'string')
    return value.trim().toUpperCase() === sent || (currenciesOf(value.trim()) ?? []).includes(sent);
  return canonicalJson(value ?? null) === canonicalJson(sent ?? null);
}

function valueWithin(value: unknown, steps: readonly string[]): unknown {
  let found = value;
  for (const step of steps) {
    if (Array.isArray(found)) found = (found as unknown[])[Number(step)];
    else found = isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found;
}

/** `--set title sends "Bonus" instead of other values in 3 records: line 2 has "Overtime" under "Zweck"` */
export function overrideText(override: Override): string {
  const { count, first, typed, column, value } = override;
  const sent = typeof value === 'string' ? quotedExcerpt(value) : (shownValue(value ?? undefined) ?? 'nothing');
  const others = count === 1 ? 'another value in 1 record' : `other values in ${count} records`;
  return `${assignmentName(override)} sends ${sent} instead of ${others}: ${positionText(first)} has ${quotedExcerpt(typed)} under ${quotedExcerpt(column)}`;
}

/** The warning about a value that decides who is paid how much. */
export function overrideFinding(override: Override): Finding {
  const { path, count, typed, source } = override;
  const remedy = source === null ? `leave out --set ${path}` : `remove that setting`;
  return {
    ...warning('set-over', path, `${overrideText(override)}. If the file is right, ${remedy}`, typed),
    count,
  };
}

function assignmentName({ path, source }: Override): string {
  return source === null ? `--set ${path}` : `set.${path} in ${source}`;
}

function quotedExcerpt(text: string): string {
  return JSON.stringify(excerpt(text));
}

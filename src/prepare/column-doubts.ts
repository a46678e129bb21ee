/**
 * A doubt that every filled cell of a column has is told once, with its count. So it is held until a cell without it
 * comes, or the file ends. This changes only how doubts are told: each record is judged by its own findings.
 */
import type { RawRecord } from '../input/raw-record.js';
import type { Finding } from '../records/issue.js';
import type { RecordSchema } from '../records/schema.js';
import { type FileColumn, fileColumns, isFilledValue, memberAt } from './file-columns.js';
import type { RecordPosition } from './paged-arrays.js';

/** More are told as one, whatever follows: a file may have a million of them. */
const MOST_HELD_DOUBTS = 1000;

interface FoundDoubt {
  readonly finding: Finding;
  readonly place: RecordPosition;
}

interface HeldDoubt {
  readonly isFilledIn: (raw: RawRecord) => boolean;
  readonly first: FoundDoubt;
  /** The first ones, in order. */
  readonly found: FoundDoubt[];
  count: number;
  /** The newest record that has it. */
  record: number;
}

export class ColumnDoubts {
  private readonly kind: RecordSchema;
  private readonly isSet: (path: string) => boolean;
  private readonly report: (finding: Finding, place: RecordPosition) => void;
  /** Columns without a filled cell so far; null before the first record that shows them. */
  private empty: FileColumn[] | null = null;
  private readonly columns = new Set<string>();
  /** By field, code and name. */
  private readonly held = new Map<string, HeldDoubt>();
  private isTable = false;

  /** @param report tells a finding at once */
  constructor(
    kind: RecordSchema,
    isSet: (path: string) => boolean,
    report: (finding: Finding, place: RecordPosition) => void,
  ) {
    this.kind = kind;
    this.isSet = isSet;
    this.report = report;
  }

  /** Tells the findings of a record, or holds them. To be called for each record of the file, in order. */
  add(raw: RawRecord, findings: readonly Finding[], place: RecordPosition): void {
    if (findings.length === 0 && this.empty?.length === 0 && this.held.size === 0) return;
    const isFirst = this.empty === null;
    if (isFirst) this.begin(raw);
    const begun = this.takeFilled(raw);
    if (this.held.size > 0) this.releaseClean(raw, findings);
    for (const finding of findings) this.addFinding({ finding, place }, raw, isFirst, begun);
  }

  /** Tells all that is held. To be called at the end of the file. */
  end(): void {
    const all = this.isTable ? 'filled cells of this column' : 'records that have this field';
    for (const { first, count } of this.held.values()) this.tellOnce(first, count, `All ${count} ${all}`);
    this.held.clear();
  }

  private begin(raw: RawRecord): void {
    this.empty = fileColumns(raw, this.kind, this.isSet);
    this.isTable = raw.cells !== undefined;
    for (const { path } of this.empty ?? []) this.columns.add(path);
  }

  /** The paths of columns whose first filled cell is in this record. */
  private takeFilled(raw: RawRecord): readonly string[] {
    const { empty } = this;
    if (empty === null || empty.length === 0) return NO_PATHS;
    const filled = empty.filter(({ valueIn }) => isFilledValue(valueIn(raw)));
    if (filled.length === 0) return NO_PATHS;
    this.empty = empty.filter((column) => !filled.includes(column));
    return filled.map(({ path }) => path);
  }

  private addFinding(found: FoundDoubt, raw: RawRecord, isFirst: boolean, begun: readonly string[]): void {
    const { finding, place } = found;
    const { field } = finding;
    const name = doubtName(finding);
    if (name === null || field === null) return this.report(finding, place);
    const held = this.held.get(name);
    if (held !== undefined && held.record !== raw.record) return addHeld(held, found);
    const isFilledIn = held === undefined ? this.cellOf(field, raw, isFirst, begun) : null;
    if (isFilledIn === null) this.report(finding, place);
    else this.held.set(name, { isFilledIn, first: found, found: [found], count: 1, record: raw.record });
  }

  /** How later records show whether they have a value there; null if an earlier one may have had one without doubt. */
  private cellOf(
    path: string,
    raw: RawRecord,
    isFirst: boolean,
    begun: readonly string[],
  ): HeldDoubt['isFilledIn'] | null {
    const steps = path.split('.');
    const valueIn = (each: RawRecord): unknown => memberAt(each.read().input, steps);
    if (this.columns.has(path)) {
      if (!begun.includes(path)) return null;
      const index = raw.columns?.find((column) => column.path === path)?.index;
      return (each) => isFilledValue(index === undefined ? valueIn(each) : each.cells?.[index]);
    }
    // Within a query or a list, or set by a flag.
    return isFirst && isFilledValue(valueIn(raw)) ? (each) => isFilledValue(valueIn(each)) : null;
  }

  /** Tells, one by one, the doubts of columns that have a filled cell without them in this record. */
  private releaseClean(raw: RawRecord, findings: readonly Finding[]): void {
    const names = findings.map(doubtName);
    for (const [name, { isFilledIn, first, found, count }] of this.held) {
      if (names.includes(name) || !isFilledIn(raw)) continue;
      this.held.delete(name);
      if (count > found.length) this.tellOnce(first, count, `The first ${count} filled cells of this column`);
      else for (const { finding, place } of found) this.report(finding, place);
    }
  }

  private tellOnce({ finding, place }: FoundDoubt, count: number, which: string): void {
    if (count === 1) return this.report(finding, place);
    this.report({ ...finding, message: `${finding.message}. ${which} are like this`, count }, place);
  }
}

/** Null if it is told at once. */
function doubtName({ field, code, columnDoubt }: Finding): string | null {
  return columnDoubt === undefined ? null : `${field} ${code} ${columnDoubt}`;
}

const NO_PATHS: readonly string[] = [];

function addHeld(held: HeldDoubt, found: FoundDoubt): void {
  held.count++;
  held.record = found.place.record;
  if (held.found.length < MOST_HELD_DOUBTS) held.found.push(found);
}

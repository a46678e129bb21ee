/**
 * Records of one input that are not the same, but that may be one payment twice. One warning for each file tells of
 * them. CONTRACT: `similar-rows`; the rules are (a) and (b) of `similar-record`.
 */
import { isComputedKey } from '../keys/key.js';
import { formatDecimal } from '../money/decimal.js';
import { unorderedDay } from '../records/calendar.js';
import { type Issue, positionText, warning } from '../records/issue.js';
import { groupBy } from '../util/group-by.js';
import type { RecordTable } from './record-table.js';

interface InputRows {
  readonly entries: RecordTable;
  readonly files: readonly { readonly path: string; readonly reference: number | null }[];
}

/** Payees are grouped in parts, one after the other: lists of all at once would take 25 MB for a million records. */
const PAYEE_PARTS = 8;

/** The entries of an input that are similar rows, in order. */
export function findSimilarRows(
  { entries, files }: InputRows,
  payees: RepeatedPayees,
  isIdentical: ReadonlySet<number>,
): number[] {
  const found = new Set<number>();
  const sharedBy = (index: number): number | null => files[entries.fileOf(index)]?.reference ?? null;
  for (let part = 0; part < PAYEE_PARTS; part++) {
    const candidates: number[] = [];
    for (let index = 0; index < entries.length; index++) {
      const payee = entries.payee(index);
      if ((payee & (PAYEE_PARTS - 1)) !== part || !payees.mayRepeat(payee)) continue;
      if (entries.isValid(index) && !isIdentical.has(index)) candidates.push(index);
    }
    for (const group of groupsBy(candidates, (index) => entries.payee(index))) {
      const rows = group.map((index) => comparedRow(entries, index, sharedBy(index)));
      for (const each of groupsBy(rows, ({ type, title }) => `${type} ${title}`)) addAlike(each, ['reference'], found);
      for (const each of groupsBy(rows, ({ work }) => work)) addAlike(each, [], found);
    }
  }
  return [...found].sort((one, other) => one - other);
}

/** One warning for each file. @param rows as {@link findSimilarRows} gives them */
export function* similarRowIssues({ entries, files }: InputRows, rows: readonly number[]): Iterable<Issue> {
  for (const [file, { path }] of files.entries()) {
    const here = rows.filter((index) => entries.fileOf(index) === file);
    const first = here.slice(0, 2).map((index) => entries.placeOf(index));
    const [place] = first;
    if (place === undefined) continue;
    const places = first.map(positionText).join(' and ');
    const look = here.length === 1 ? 'row looks' : 'rows look';
    const message = `${here.length} ${look} like another row (${places}): same person and purpose, or same person, amount and reference. Each counts as a separate one. Delete one if it is a mistake`;
    const finding = { ...warning('similar-rows', null, message), count: here.length };
    yield { ...finding, file: path, record: null, line: place.line };
  }
}

/** Those of a run that is resumed. Its rows were told when it began, so they are no errors now. */
export function similarRowsOf(prepared: InputRows): number[] {
  const { entries } = prepared;
  const payees = new RepeatedPayees();
  const contents = new Set<bigint>();
  const identical = new Set<number>();
  for (let index = 0; index < entries.length; index++) {
    if (!entries.isValid(index)) continue;
    const { payee, content } = entries.fingerprint(index);
    payees.add(payee);
    // Rows with their own keys are no copies: a person has set them apart.
    if (!isComputedKey(entries.keyText(index))) continue;
    if (contents.has(content)) identical.add(index);
    contents.add(content);
  }
  return findSimilarRows(prepared, payees, identical);
}

interface ComparedRow {
  readonly index: number;
  readonly type: string;
  readonly title: number;
  readonly reference: number | null;
  /** Day and month in any order. */
  readonly date: string | null;
  readonly hasOwnKey: boolean;
  /** Payouts: reference and amount. Results: task, quantity and date. Null if the files do not have all of these. */
  readonly work: string | null;
}

function comparedRow(entries: RecordTable, index: number, shared: number | null): ComparedRow {
  const { title, reference, date, measure, isOfFile } = entries.fingerprint(index);
  const { type, currency } = entries.groupOf(index);
  const amount = entries.amount(index);
  const day = date === null ? null : unorderedDay(date);
  let rest: string | null = null;
  if (type === 'result' && day !== null) rest = `${measure} ${day}`;
  if (type === 'payout' && amount !== null && reference !== shared) rest = `${formatDecimal(amount)} ${currency ?? ''}`;
  const work = !isOfFile || reference === null || rest === null ? null : `${type} ${reference} ${rest}`;
  return { index, type, title, reference, date: day, hasOwnKey: !isComputedKey(entries.keyText(index)), work };
}

/** Lists of two or more. @param keyOf null for an item that belongs to none */
function groupsBy<Item>(items: readonly Item[], keyOf: (item: Item) => string | number | null): Item[][] {
  return groupBy(items, keyOf).filter(({ length }) => length > 1);
}

/**
 * Adds the rows of a group that are not told apart from another one. Reference and date tell two rows apart if both
 * have one: so rows that have the same ones of these are compared by them, all at once.
 * @param names the date always tells rows apart; `reference` if it does here, too
 */
function addAlike(group: readonly ComparedRow[], names: readonly 'reference'[], found: Set<number>): void {
  const kinds = [...new Set(group.map((row) => presentParts(row, names)))];
  for (const one of kinds) {
    for (const other of kinds) {
      // A person has given each of these a key.
      if (one.startsWith('own') && other.startsWith('own')) continue;
      const both = (['reference', 'date'] as const).filter((name) => one.includes(name) && other.includes(name));
      const nameOf = (row: ComparedRow): string => both.map((name) => row[name]).join();
      const others = new Map<string, number>();
      for (const row of group)
        if (presentParts(row, names) === other) others.set(nameOf(row), (others.get(nameOf(row)) ?? 0) + 1);
      const fewest = one === other ? 2 : 1;
      for (const row of group)
        if (presentParts(row, names) === one && (others.get(nameOf(row)) ?? 0) >= fewest) found.add(row.index);
    }
  }
}

/** Which of these it has: `own reference date`. */
function presentParts({ hasOwnKey, reference, date }: ComparedRow, names: readonly 'reference'[]): string {
  const hasReference = names.length > 0 && reference !== null;
  return `${hasOwnKey ? 'own' : ''} ${hasReference ? 'reference' : ''} ${date === null ? '' : 'date'}`;
}

/** Bits of the filters: of a million payees, an eighth seems to come twice. */
const BITS = 2 ** 22;

/** Which payees may come twice. Most inputs have each payee once: a table of them would cost a tenth of a dry run. */
export class RepeatedPayees {
  private readonly once = new Uint32Array(BITS / 32);
  private readonly twice = new Uint32Array(BITS / 32);

  add(payee: number): void {
    const word = wordOf(payee);
    const mask = maskOf(payee);
    if (((this.once[word] as number) & mask) === 0) this.once[word] = (this.once[word] as number) | mask;
    else this.twice[word] = (this.twice[word] as number) | mask;
  }

  mayRepeat(payee: number): boolean {
    return ((this.twice[wordOf(payee)] as number) & maskOf(payee)) !== 0;
  }
}

function wordOf(payee: number): number {
  return (payee & (BITS - 1)) >>> 5;
}

function maskOf(payee: number): number {
  return 1 << (payee & 31);
}

/** Two records with one reference may well be the same payment twice. */
const FEWEST = 3;

/** The reference that all records of a file share, such as a project: it says nothing about a single record. */
export class SharedReference {
  private count = 0;
  private first: number | null = null;
  private isShared = true;

  /** To be called for each record of the file. @param reference hash, or null */
  add(reference: number | null): void {
    if (this.count++ === 0) this.first = reference;
    else if (reference !== this.first) this.isShared = false;
  }

  /** Null if there is none. */
  get shared(): number | null {
    return this.isShared && this.count >= FEWEST ? this.first : null;
  }
}

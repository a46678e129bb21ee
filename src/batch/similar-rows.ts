/**
 * Records of one input that are not the same, but that may be one payment twice. One warning for each file tells of
 * them. CONTRACT: `similar-rows`; the rules are (a) and (b) of `similar-record`.
 */
import { isComputedKey } from '../keys/key.js';
import { formatDecimal } from '../money/decimal.js';
import { unorderedDay } from '../records/calendar.js';
import { type Finding, placeWords, type RecordPlace, warning } from '../records/issue.js';
import type { Entries } from './entries.js';

/** @param sharedBy the reference that all rows of a file share: hash, or null */
export function findSimilarRows(
  entries: Entries,
  isIdentical: ReadonlySet<number>,
  sharedBy: (file: number) => number | null,
): number[] {
  const found = new Set<number>();
  const rows = (index: number): Row => rowOf(entries, index, sharedBy(entries.fileOf(index)));
  for (const group of samePayees(entries, isIdentical)) {
    const members = group.map(rows);
    for (const each of groupedBy(members, ({ type, title }) => `${type} ${title}`))
      addAlike(each, ['reference'], found);
    for (const each of groupedBy(members, workOf)) addAlike(each, [], found);
  }
  return [...found].sort((one, other) => one - other);
}

/** @param first the places of the first two, or of one if the others are in another file */
export function similarRows(count: number, first: readonly RecordPlace[]): Finding {
  const places = first.map(placeWords).join(' and ');
  const [rows, they] = count === 1 ? ['row looks', 'it is'] : ['rows look', 'all of them are'];
  const message = `${count} ${rows} like another row: the same person and purpose, or the same person, amount and reference (first: ${places}). If they are separate payments, ${they} right. Else delete the wrong ones`;
  return { ...warning('similar-rows', null, message), count };
}

interface Row {
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

function rowOf(entries: Entries, index: number, shared: number | null): Row {
  const { title, reference, date, measure, isOfFile } = entries.fingerprint(index);
  const { type, currency } = entries.groupOf(index);
  const amount = entries.amount(index);
  const day = date === null ? null : unorderedDay(date);
  const payout = amount === null || reference === shared ? null : `${formatDecimal(amount)} ${currency ?? ''}`;
  const rest = type === 'result' ? (day === null ? null : `${measure} ${day}`) : type === 'payout' ? payout : null;
  const work = !isOfFile || reference === null || rest === null ? null : `${type} ${reference} ${rest}`;
  return { index, type, title, reference, date: day, hasOwnKey: !isComputedKey(entries.keyText(index)), work };
}

function workOf({ work }: Row): string | null {
  return work;
}

/** Lists of two or more. @param nameOf null for a row that belongs to none */
function groupedBy(rows: readonly Row[], nameOf: (row: Row) => string | null): Row[][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = nameOf(row);
    if (name === null) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/**
 * Adds the rows of a group that are not told apart from another one. Reference and date tell two rows apart if both
 * have one: so rows that have the same ones of these are compared by them, all at once.
 * @param names the date always tells rows apart; `reference` if it does here, too
 */
function addAlike(group: readonly Row[], names: readonly 'reference'[], found: Set<number>): void {
  const kinds = [...new Set(group.map((row) => kindOf(row, names)))];
  for (const one of kinds) {
    for (const other of kinds) {
      // A person has given each of these a key.
      if (one.startsWith('own') && other.startsWith('own')) continue;
      const both = (['reference', 'date'] as const).filter((name) => one.includes(name) && other.includes(name));
      const nameOf = (row: Row): string => both.map((name) => row[name]).join();
      const others = new Map<string, number>();
      for (const row of group)
        if (kindOf(row, names) === other) others.set(nameOf(row), (others.get(nameOf(row)) ?? 0) + 1);
      const fewest = one === other ? 2 : 1;
      for (const row of group)
        if (kindOf(row, names) === one && (others.get(nameOf(row)) ?? 0) >= fewest) found.add(row.index);
    }
  }
}

/** Which of these it has: `own reference date`. */
function kindOf({ hasOwnKey, reference, date }: Row, names: readonly 'reference'[]): string {
  const hasReference = names.length > 0 && reference !== null;
  return `${hasOwnKey ? 'own' : ''} ${hasReference ? 'reference' : ''} ${date === null ? '' : 'date'}`;
}

/** Lists of entries that share a payee. An open-addressing table, since most inputs have each payee once. */
function samePayees(entries: Entries, isIdentical: ReadonlySet<number>): number[][] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, entries.length * 2)));
  const slots = new Int32Array(size);
  const groups = new Map<number, number[]>();
  for (let index = 0; index < entries.length; index++) {
    if (!entries.isValid(index) || isIdentical.has(index)) continue;
    const payee = entries.payee(index);
    let at = payee % size;
    while (slots[at] !== 0 && entries.payee((slots[at] as number) - 1) !== payee) at = (at + 1) % size;
    const first = slots[at] as number;
    if (first === 0) {
      slots[at] = index + 1;
      continue;
    }
    const group = groups.get(first);
    if (group === undefined) groups.set(first, [first - 1, index]);
    else group.push(index);
  }
  return [...groups.values()];
}

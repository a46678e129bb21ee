/** Kinds of rows in a file with known columns: rows that would stop a run, or be paid by mistake. */
import { normalizeName } from '../input/column-synonyms.js';
import { splitSign, type DecimalMark, readNumber } from '../input/numbers.js';
import { parseFilter, RowFilter } from '../input/row-filter.js';
import { parseDecimal } from '../money/decimal.js';
import { RunningSum } from '../money/running-sum.js';
import { isSumWord } from '../records/sum-words.js';
import type { ColumnProfile } from './column-profiles.js';
import type { SampleValue } from './inference.js';
import type { SampleRow } from './sample-source.js';

/** Rows that have something in common. */
export interface RowGroup {
  readonly count: number;
  /** Of their amounts, as typed. */
  readonly sum: RunningSum;
  readonly first: SampleValue;
}

/** Kinds of rows by their amount, and rows without a payee. */
type RowKind = 'negative' | 'positive' | 'zero' | 'empty' | 'unread' | 'unnamed';

export interface RowStatistics {
  /** Rows that are read, without the totals. */
  readonly count: number;
  readonly kinds: ReadonlyMap<RowKind, RowGroup>;
  /** Amounts that no setting reads, by their typed text; a few different ones. */
  readonly unread: ReadonlyMap<string, RowGroup>;
  /** By the column with the word, and the word. */
  readonly totals: readonly { readonly column: string; readonly word: string; readonly group: RowGroup }[];
  /** By column and word. */
  readonly words: ReadonlyMap<string, ReadonlyMap<string, RowGroup>>;
}

/** What must be known about a file to count its rows. */
export interface RowsLayout {
  readonly path: string;
  readonly names: readonly string[];
  /** Columns; null if not known. */
  readonly amount: string | null;
  readonly user: string | null;
  /** Columns whose words are counted. */
  readonly worded: readonly string[];
  readonly mark: DecimalMark;
  readonly only: readonly string[];
}

const MOST_ROW_GROUPS = 24;

/** Keeps only the first of many different keys. */
class RowGroups<Key extends string> extends Map<Key, RowGroup> {
  put(key: Key, sample: SampleValue, amount: string | null): void {
    const known = this.get(key);
    if (known === undefined && this.size === MOST_ROW_GROUPS) return;
    const group = known ?? { count: 0, sum: new RunningSum(), first: sample };
    if (amount !== null) group.sum.add(parseDecimal(amount));
    this.set(key, { ...group, count: group.count + 1 });
  }
}

/** @throws FileFault; UsageError for a condition on a column that the file lacks */
export async function countRows(rows: AsyncIterable<readonly SampleRow[]>, layout: RowsLayout): Promise<RowStatistics> {
  const { path, names, mark } = layout;
  const style = { decimal: mark, dateOrder: 'ymd', currencySigns: true, negate: false } as const;
  const rules = layout.only.map((written) => parseFilter('--only', written));
  const filter = new RowFilter(rules, names, path, [], style, () => null);
  const amountAt = layout.amount === null ? -1 : names.indexOf(layout.amount);
  const userAt = layout.user === null ? -1 : names.indexOf(layout.user);
  const kinds = new RowGroups<RowKind>();
  const unread = new RowGroups();
  const totals = new RowGroups();
  const words = new Map(layout.worded.map((name) => [name, new RowGroups()]));
  let count = 0;
  for await (const batch of rows) {
    for (const row of batch) {
      const cells = cellsInMark(row, mark);
      if (filter.judge({ ...row, cells }, false).rule !== null) continue;
      const cellAt = (index: number): string => (cells[index] ?? '').trim();
      const typed = cellAt(amountAt);
      const number = readAmount(typed, mark);
      const sample = { line: row.line, typed };
      const sumAt = cells.findIndex((cell) => isSumWord(cell));
      if (sumAt >= 0) {
        totals.put(JSON.stringify([names[sumAt], cellAt(sumAt)]), sample, number);
        continue;
      }
      count++;
      if (amountAt >= 0) kinds.put(rowKind(typed, number), sample, number);
      if (typed !== '' && number === null) unread.put(typed, sample, null);
      if (userAt >= 0 && cellAt(userAt) === '') kinds.put('unnamed', sample, number);
      for (const [name, groups] of words) {
        const word = cellAt(names.indexOf(name));
        groups.put(word, { line: row.line, typed: word }, number);
      }
    }
  }
  const totalGroups = [...totals].map(([key, group]) => {
    const [column = '', word = ''] = JSON.parse(key) as string[];
    return { column, word, group };
  });
  return { count, kinds, unread, totals: totalGroups, words };
}

/** The cells as a run reads them: a workbook's number has the decimal mark of the others. */
function cellsInMark({ cells, typed }: SampleRow, mark: DecimalMark): readonly string[] {
  if (typed === undefined || mark === 'point') return cells;
  return cells.map((cell, i) => (typed[i]?.is === 'number' ? cell.replace('.', ',') : cell));
}

/** In JSON's notation, without a currency sign; null if it is not a number. */
function readAmount(typed: string, mark: DecimalMark): string | null {
  const reading = readNumber(splitSign(typed)?.number ?? typed, mark);
  return reading.ok ? reading.text : null;
}

function rowKind(typed: string, number: string | null): RowKind {
  if (number === null) return typed === '' ? 'empty' : 'unread';
  if (!/[1-9]/.test(number)) return 'zero';
  return number.startsWith('-') ? 'negative' : 'positive';
}

/** A column that shows whether a row is to be paid at all: debit or credit, or a status. */
export interface StatusColumn {
  readonly column: string;
  /** What it shows: `a status`. */
  readonly shows: string;
}

interface StatusMark {
  readonly shows: string;
  /** Folded names of such columns, with any words. */
  readonly names: RegExp;
  /** Folded words of such columns, under any name. */
  readonly words: ReadonlySet<string>;
  /** Already one word shows what the column is. */
  readonly isClear: boolean;
}

const wordSet = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')));

const STATUS_MARKS: readonly StatusMark[] = [
  {
    shows: 'debit and credit',
    isClear: true,
    names:
      /^(?:sh|dc|crdr|drcr|vorzeichen|sign)$|sollhaben|habensoll|debitcredit|creditdebit|debetcredit|afbij|^sens$|^direction$/,
    words: wordSet(
      'haben soll cr dr ct dt credit debit debet kredit crdt dbit gutschrift lastschrift belastung ausgang eingang ausgabe',
      'einnahme in out af bij income expense deposit withdrawal receipt cargo abono accredito addebito dare avere uznanie',
      'obciazenie debe haber',
    ),
  },
  {
    shows: 'a status',
    isClear: true,
    names:
      /status|statut|zustand|^etat$|estado|^stato$|stav$|freigabe|freigegeben|genehmigt|approved|approval|cancel|storn|annul|void|^(?:is)?paid$|^bezahlt$|^gezahlt$|^ausgezahlt$|^paye$|^pagado$|^pagato$|^betaald$|^zaplacon[oey]$|^reversed$|^posted$|^booked$|^gebucht$|^gesperrt$/,
    words: wordSet(
      'paid unpaid open pending approved rejected declined cancelled canceled void voided draft failed returned reversed',
      'completed complete processed authorised authorized posted unposted booked hold onhold new closed queued reversal',
      'bezahlt unbezahlt offen genehmigt abgelehnt storniert storno entwurf ausgefuhrt ausgefuehrt fehlgeschlagen freigegeben',
      'gesperrt gebucht vorgemerkt paye payee annule annulee enattente valide validee rejete rejetee brouillon pagado',
      'pendiente anulado rechazado aprobado pagato annullato inattesa approvato betaald openstaand geannuleerd goedgekeurd',
      'zaplacono anulowano oczekuje',
    ),
  },
  {
    shows: 'payments and other rows',
    isClear: false,
    names: /^(?:transaction|payment)type$/,
    words: wordSet('payment payments payout refund refunds fee fees chargeback charge adjustment transfer rechnung'),
  },
];

/** Signs and letters mean something only in pairs. */
const PAIRS: ReadonlySet<string> = new Set(['h s', 'c d', 'd k', '+ -']);

/** Null for any other column. In one that marks rows, other words may stand as well: `DEBIT`, `CREDIT`, `FEE`. */
export function statusColumn(column: string, profile: ColumnProfile): StatusColumn | null {
  const { words, hasDecimals } = profile;
  if (words === null || words.size === 0 || profile.areDates) return null;
  const values = [...words.keys()].map((word) => word.toLowerCase());
  const letters = [...new Set(values)].filter((value) => value.length === 1).toSorted();
  const isPair = letters.some((one, i) => letters.slice(i + 1).some((other) => PAIRS.has(`${one} ${other}`)));
  const isNamed = ({ names }: StatusMark): boolean => names.test(normalizeName(column)) && !hasDecimals;
  const isWorded = (mark: StatusMark): boolean => {
    const known = values.filter((value) => hasWord(mark, value)).length;
    return known * 2 >= values.length && (known > 1 || (values.length === 1 && mark.isClear));
  };
  const mark = STATUS_MARKS.find(
    (each, i) => isNamed(each) || isWorded(each) || (i === 0 && isPair && values.length <= 3),
  );
  return mark === undefined ? null : { column, shows: mark.shows };
}

/** `Umsatz gebucht` has the word of a status. */
function hasWord({ words }: StatusMark, value: string): boolean {
  return words.has(normalizeName(value)) || value.split(/\s+/).some((part) => words.has(normalizeName(part)));
}

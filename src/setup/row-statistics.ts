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
  /** Of their amounts, as typed, by currency: a code, or a sign that several currencies use; '' for none. */
  readonly sums: ReadonlyMap<string, RunningSum>;
  readonly first: SampleValue;
}

/** Kinds of rows by their amount, and rows that have an amount but no payee. */
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
  readonly currencies: readonly CurrencyRows[];
}

/** Rows that have the same currencies. */
export interface CurrencyRows {
  /** The sign or code that their amounts show; '' for none. */
  readonly sign: string;
  /** As typed in the columns with currencies, in the order of these columns. */
  readonly codes: readonly string[];
  /** Its sum has no currency: it depends on which of them holds. */
  readonly group: RowGroup;
}

/** What must be known about a file to count its rows. */
export interface RowsLayout {
  readonly path: string;
  readonly names: readonly string[];
  /** Columns; null if not known. */
  readonly amount: string | null;
  readonly user: string | null;
  /** The column with each row's currency; null if no column has it, or if all rows have the same one. */
  readonly currency: string | null;
  /** The currency of all rows; null if each row may have another one. */
  readonly currencyForAll: string | null;
  /** Columns whose words are counted. */
  readonly worded: readonly string[];
  /** Columns with currencies. */
  readonly coded: readonly string[];
  readonly mark: DecimalMark;
  readonly only: readonly string[];
}

const MOST_ROW_GROUPS = 24;
const MOST_CURRENCY_GROUPS = 1000;

/** The amount of a row, in JSON's notation, and its currency, as {@link RowGroup.sums} has it. */
interface RowAmount {
  readonly number: string;
  readonly currency: string;
}

/** Keeps only the first of many different keys. */
class RowGroups<Key extends string> extends Map<Key, RowGroup> {
  private readonly most: number;

  constructor(most = MOST_ROW_GROUPS) {
    super();
    this.most = most;
  }

  put(key: Key, sample: SampleValue, amount: RowAmount | null): void {
    const known = this.get(key);
    if (known === undefined && this.size === this.most) return;
    const sums = new Map(known?.sums);
    if (amount !== null) {
      const sum = sums.get(amount.currency) ?? new RunningSum();
      sum.add(parseDecimal(amount.number));
      sums.set(amount.currency, sum);
    }
    this.set(key, { count: (known?.count ?? 0) + 1, sums, first: known?.first ?? sample });
  }
}

/** Groups the rows, one after another. */
class RowCounter {
  count = 0;
  readonly kinds = new RowGroups<RowKind>();
  readonly unread = new RowGroups();
  private readonly totals = new RowGroups();
  private readonly words: ReadonlyMap<string, RowGroups<string>>;
  private readonly currencies = new RowGroups(MOST_CURRENCY_GROUPS);
  private readonly layout: RowsLayout;
  private readonly amountAt: number;
  private readonly userAt: number;
  private readonly currencyAt: number;

  constructor(layout: RowsLayout) {
    const { names, amount, user, currency, worded } = layout;
    this.layout = layout;
    this.amountAt = amount === null ? -1 : names.indexOf(amount);
    this.userAt = user === null ? -1 : names.indexOf(user);
    this.currencyAt = currency === null ? -1 : names.indexOf(currency);
    this.words = new Map(worded.map((name) => [name, new RowGroups()]));
  }

  see(cells: readonly string[], line: number): void {
    const { names, mark, coded, currencyForAll } = this.layout;
    const cellAt = (index: number): string => (cells[index] ?? '').trim();
    const cellOf = (name: string): string => cellAt(names.indexOf(name));
    const typed = cellAt(this.amountAt);
    const number = readAmount(typed, mark);
    const currency = currencyForAll ?? (cellAt(this.currencyAt) || signIn(typed));
    const amount = number === null ? null : { number, currency };
    const sample = { line, typed };
    const sumAt = cells.findIndex((cell) => isSumWord(cell));
    if (sumAt >= 0) {
      this.totals.put(JSON.stringify([names[sumAt], cellAt(sumAt)]), sample, amount);
      return;
    }
    this.count++;
    if (this.amountAt >= 0) this.kinds.put(rowKind(typed, number), sample, amount);
    if (typed !== '' && number === null) this.unread.put(typed, sample, null);
    if (this.userAt >= 0 && cellAt(this.userAt) === '' && typed !== '') this.kinds.put('unnamed', sample, amount);
    for (const [name, groups] of this.words) groups.put(cellOf(name), { line, typed: cellOf(name) }, amount);
    if (coded.length === 0) return;
    const sign = splitSign(typed)?.sign ?? '';
    this.currencies.put(
      JSON.stringify([sign, ...coded.map(cellOf)]),
      sample,
      number === null ? null : { number, currency: '' },
    );
  }

  statistics(): RowStatistics {
    const { count, kinds, unread, words } = this;
    const totals = [...this.totals].map(([key, group]) => {
      const [column = '', word = ''] = JSON.parse(key) as string[];
      return { column, word, group };
    });
    const currencies = Array.from(this.currencies, ([key, group]) => {
      const [sign = '', ...codes] = JSON.parse(key) as string[];
      return { sign, codes, group };
    });
    return { count, kinds, unread, totals, words, currencies };
  }
}

/** @throws FileFault; UsageError for a condition on a column that the file lacks */
export async function countRows(rows: AsyncIterable<readonly SampleRow[]>, layout: RowsLayout): Promise<RowStatistics> {
  const { path, names, mark } = layout;
  const style = { decimal: mark, dateOrder: 'ymd', currencySigns: true, negate: false, trim: false } as const;
  const rules = layout.only.map((written) => parseFilter('--only', written));
  const filter = new RowFilter(rules, names, path, [], style, () => null);
  const counter = new RowCounter(layout);
  for await (const batch of rows) {
    for (const row of batch) {
      const cells = cellsInMark(row, mark);
      if (filter.judge({ ...row, cells }, false).rule === null) counter.see(cells, row.line);
    }
  }
  return counter.statistics();
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

/** The currency that an amount shows; the sign itself, if several currencies use it. */
function signIn(typed: string): string {
  const { sign = '', currencies = [] } = splitSign(typed) ?? {};
  const [code = sign, another] = currencies;
  return another === undefined ? code : sign;
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

/** Kinds of rows in a file with known columns: rows that would stop a run, or be paid by mistake. */
import { splitSign, type DecimalMark, readNumber } from '../input/numbers.js';
import { parseFilter, RowFilter } from '../input/row-filter.js';
import type { FilterRule } from '../input/filtered-rows.js';
import { compare, type Decimal, parseDecimal } from '../money/decimal.js';
import { RunningSum } from '../money/running-sum.js';
import { isSumWord } from '../records/sum-words.js';
import type { SampleValue } from './inference.js';
import type { SampleRow } from './sample-source.js';
import { SubtotalFinder, type Subtotals } from './subtotals.js';

/** Rows that have something in common. */
export interface RowGroup {
  readonly count: number;
  /** Of all their amounts, as typed. */
  readonly sums: CurrencySums;
  /** Those with an amount above 0, and below. */
  readonly positive: CountedSums;
  readonly negative: CountedSums;
  readonly first: SampleValue;
}

/** By currency: a code, or a sign that several currencies use; '' for none. */
export type CurrencySums = ReadonlyMap<string, RunningSum>;

export interface CountedSums {
  readonly count: number;
  readonly sums: CurrencySums;
}

const NO_SUMS: CountedSums = { count: 0, sums: new Map() };

function withAmount({ count, sums }: CountedSums, { number, currency }: RowAmount): CountedSums {
  const sum = sums.get(currency) ?? new RunningSum();
  sum.add(parseDecimal(number));
  return { count: count + 1, sums: new Map(sums).set(currency, sum) };
}

/** Kinds of rows by their amount, and rows that have an amount but no payee. */
type RowKind = 'negative' | 'positive' | 'zero' | 'empty' | 'unread' | 'unnamed';

export interface RowStatistics {
  /** Rows that are read, without the totals. */
  readonly count: number;
  readonly kinds: ReadonlyMap<RowKind, RowGroup>;
  /** Amounts that no setting reads, by their typed text; a few different ones. */
  readonly unread: ReadonlyMap<string, RowGroup>;
  /** Those of these amounts that are in a row with a payee: somebody may have to be paid. */
  readonly owed: ReadonlySet<string>;
  /** By the column with the word, and the word. */
  readonly totals: readonly { readonly column: string; readonly word: string; readonly group: RowGroup }[];
  /** By column and word. */
  readonly words: ReadonlyMap<string, ReadonlyMap<string, RowGroup>>;
  readonly currencies: readonly CurrencyRows[];
  /** The different values of each column with a condition, in all rows; null if there are too many for a list. */
  readonly conditioned: ReadonlyMap<string, readonly string[] | null>;
  readonly filtered: FilteredSamples;
  /** Null without any. */
  readonly subtotals: Subtotals | null;
  /** Other columns with amounts: the first row of each in which it differs from the amount. */
  readonly rivals: ReadonlyMap<string, RivalSample>;
  /** Words that only rows without a payee have, and all of them: those of a bank's fees. */
  readonly unnamedKinds: readonly { readonly column: string; readonly word: string }[];
}

/** A row with two amounts, as typed. */
export interface RivalSample {
  readonly line: number;
  readonly amount: string;
  readonly other: string;
}

/** Rows that a condition filters out. */
export interface FilteredSamples {
  readonly count: number;
  /** The first ones. */
  readonly rows: readonly FilteredSample[];
}

interface FilteredSample {
  readonly line: number;
  readonly user: string;
  /** As typed. */
  readonly amount: string;
  readonly rule: FilterRule;
  /** The cell that does not fulfil the condition. */
  readonly cell: string;
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
  readonly title: string | null;
  /** Other columns with amounts. */
  readonly rivals: readonly string[];
  /** Columns of a few words, which may say what kind of row it is. */
  readonly kinds: readonly string[];
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
/** CONTRACT: `known_values`. */
const MOST_KNOWN_VALUES = 20;
const MOST_FILTERED_SAMPLES = 8;

const NO_GROUP = { count: 0, sums: NO_SUMS.sums, positive: NO_SUMS, negative: NO_SUMS };

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
    const { count, first, sums, positive, negative } = known ?? { ...NO_GROUP, first: sample };
    const kind = amount === null ? 'empty' : rowKind(amount.number, amount.number);
    this.set(key, {
      count: count + 1,
      first,
      sums: amount === null ? sums : withAmount({ count, sums }, amount).sums,
      positive: amount !== null && kind === 'positive' ? withAmount(positive, amount) : positive,
      negative: amount !== null && kind === 'negative' ? withAmount(negative, amount) : negative,
    });
  }
}

/** Groups the rows, one after another. */
class RowCounter {
  count = 0;
  readonly kinds = new RowGroups<RowKind>();
  readonly unread = new RowGroups();
  /** Amounts that are no numbers, of rows that name a payee. */
  private readonly owed = new Set<string>();
  private readonly totals = new RowGroups();
  private readonly words: ReadonlyMap<string, RowGroups<string>>;
  private readonly currencies = new RowGroups(MOST_CURRENCY_GROUPS);
  private readonly conditioned = new Map<string, Set<string>>();
  private readonly rivals = new Map<string, RivalSample>();
  private readonly kindsOf = { named: new Map<string, Set<string>>(), unnamed: new Map<string, Set<string>>() };
  private readonly filteredRows: FilteredSample[] = [];
  private filteredCount = 0;
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

  /** To be called for every row, also for those that are filtered out. The cells of a total decide about nobody. */
  noteConditions(cells: readonly string[], rules: readonly FilterRule[]): void {
    if (rules.length === 0 || cells.some((cell) => isSumWord(cell.trim()))) return;
    for (const { column } of rules) {
      const values = this.conditioned.get(column) ?? new Set();
      this.conditioned.set(column, values);
      if (values.size <= MOST_KNOWN_VALUES) values.add(this.cellOf(cells, column));
    }
  }

  filter(cells: readonly string[], line: number, rule: FilterRule): void {
    this.filteredCount++;
    if (this.filteredRows.length === MOST_FILTERED_SAMPLES) return;
    const { amount, user } = this.layout;
    const textOf = (name: string | null): string => (name === null ? '' : this.cellOf(cells, name));
    this.filteredRows.push({
      line,
      user: textOf(user),
      amount: textOf(amount),
      rule,
      cell: this.cellOf(cells, rule.column),
    });
  }

  private cellOf(cells: readonly string[], name: string): string {
    return (cells[this.layout.names.indexOf(name)] ?? '').trim();
  }

  see(cells: readonly string[], line: number): void {
    const { names, mark, coded, currencyForAll } = this.layout;
    const cellAt = (index: number): string => (cells[index] ?? '').trim();
    const cellOf = (name: string): string => this.cellOf(cells, name);
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
    if (number !== null) this.noteRivals(cells, { line, typed }, size(number));
    if (this.amountAt >= 0) this.kinds.put(rowKind(typed, number), sample, amount);
    if (typed !== '' && number === null) {
      this.unread.put(typed, sample, null);
      if (this.userAt < 0 || cellAt(this.userAt) !== '') this.owed.add(typed);
    }
    if (this.userAt >= 0 && typed !== '') {
      const isNamed = cellAt(this.userAt) !== '';
      if (!isNamed) this.kinds.put('unnamed', sample, amount);
      const kindsOf = isNamed ? this.kindsOf.named : this.kindsOf.unnamed;
      for (const name of this.layout.kinds)
        kindsOf.set(name, (kindsOf.get(name) ?? new Set<string>()).add(cellOf(name)));
    }
    for (const [name, groups] of this.words) groups.put(cellOf(name), { line, typed: cellOf(name) }, amount);
    if (coded.length === 0) return;
    const sign = splitSign(typed)?.sign ?? '';
    this.currencies.put(
      JSON.stringify([sign, ...coded.map(cellOf)]),
      sample,
      number === null ? null : { number, currency: '' },
    );
  }

  private noteRivals(cells: readonly string[], { line, typed }: SampleValue, amount: Decimal): void {
    for (const name of this.layout.rivals) {
      const other = this.cellOf(cells, name);
      const number = readAmount(other, this.layout.mark);
      if (number === null || this.rivals.has(name) || compare(size(number), amount) === 0) continue;
      this.rivals.set(name, { line, amount: typed, other });
    }
  }

  statistics(subtotals: Subtotals | null): RowStatistics {
    const { count, kinds, unread, owed, rivals } = this;
    const totals = [...this.totals].map(([key, group]) => {
      const [column = '', word = ''] = JSON.parse(key) as string[];
      return { column, word, group };
    });
    const currencies = Array.from(this.currencies, ([key, group]) => {
      const [sign = '', ...codes] = JSON.parse(key) as string[];
      return { sign, codes, group };
    });
    const conditioned = Array.from(this.conditioned, ([column, values]) => {
      return [column, values.size > MOST_KNOWN_VALUES ? null : [...values]] as const;
    });
    const { named, unnamed } = this.kindsOf;
    const unnamedKinds = Array.from(unnamed, ([column, words]) => {
      const [word = '', another] = words;
      const isKind = word !== '' && another === undefined && named.get(column)?.has(word) === false;
      return isKind ? { column, word } : null;
    });
    return {
      count,
      kinds,
      unread,
      owed,
      totals,
      words: this.words,
      currencies,
      conditioned: new Map(conditioned),
      filtered: { count: this.filteredCount, rows: this.filteredRows },
      subtotals,
      rivals,
      unnamedKinds: unnamedKinds.filter((kind) => kind !== null),
    };
  }
}

/** @throws FileFault; UsageError for a condition on a column that the file lacks */
export async function countRows(rows: AsyncIterable<readonly SampleRow[]>, layout: RowsLayout): Promise<RowStatistics> {
  const { path, names, mark } = layout;
  const dates = { dateOrder: 'ymd', timeZone: null } as const;
  const style = { ...dates, decimal: mark, currencySigns: true, negate: false, trim: false };
  const rules = layout.only.map((written) => parseFilter('--only', written));
  const filter = new RowFilter(rules, names, path, [], style, () => null);
  const counter = new RowCounter(layout);
  const amountAt = names.indexOf(layout.amount ?? '');
  const finder = new SubtotalFinder(names, layout.user, layout.title);
  for await (const batch of rows) {
    for (const row of batch) {
      const cells = cellsInMark(row, mark);
      counter.noteConditions(cells, rules);
      const { rule } = filter.judge({ ...row, cells }, false);
      const number = layout.amount === null ? null : readAmount((cells[amountAt] ?? '').trim(), mark);
      if (number !== null) finder.see(cells, row.line, parseDecimal(number), rule === null);
      if (rule === null) counter.see(cells, row.line);
      else counter.filter(cells, row.line, rule);
    }
  }
  return counter.statistics(finder.subtotals());
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

/** Whatever its sign: a bank may write money going out as negative in one of two columns. */
function size(number: string): Decimal {
  return parseDecimal(number.replace(/^-/, ''));
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

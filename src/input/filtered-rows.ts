/** The rows of a table that `--only` filters out: they are no records, and are told by rule. CONTRACT: `--only`. */
import type { Decimal } from '../money/decimal.js';
import { startTotals, sumByCurrency, type TotalGroup, type TotalRow } from '../money/totals.js';
import { moneyText } from '../records/currencies.js';
import { excerpt, type Finding } from '../records/issue.js';
import type { RawRecord } from './raw-record.js';
import type { Row } from './rows.js';

/** One condition: rows that do not fulfil it are filtered out. */
export interface FilterRule {
  /** As a person wrote it, and where: for messages. */
  readonly written: string;
  readonly source: string;
  readonly column: string;
  readonly test: '=' | '!=' | '<' | '>';
  /** The text to compare the cell with; 0 for a number. */
  readonly text: string;
}

/** A row that a rule filters out. */
export interface FilteredRow {
  readonly rule: FilterRule;
  /** The row as the record that it would be. */
  readonly raw: RawRecord;
  /** Values that nobody has decided about. */
  readonly findings: readonly Finding[];
  /** The cell of its amount as typed, whatever its record needs; null if it is empty, or if there is no such column. */
  readonly typedAmount: () => TypedAmount | null;
}

export interface TypedAmount {
  /** Null if it cannot be read. */
  readonly amount: Decimal | null;
  readonly currency: string | null;
}

/** The filtered rows of a file: a few bytes each, and their sums. */
export class FilteredRows {
  /** Number of all rows below the header. */
  read = 0;
  count = 0;
  private readonly rules: readonly FilterRule[];
  /** By a row's place below the header: the number of the rule that filters it, from 1; 0 for a row that is read. */
  private ruleNumbers = new Uint32Array(0);
  private readonly counts: number[];
  private readonly totals = startTotals();
  /** By currency. */
  private readonly moneyGroups = new Map<string | null, TotalGroup>();

  constructor(rules: readonly FilterRule[]) {
    this.rules = rules;
    this.counts = rules.map(() => 0);
  }

  /** Takes note of the row that was read last. */
  add(rule: FilterRule): void {
    const number = this.rules.indexOf(rule);
    const place = this.read - 1;
    if (place >= this.ruleNumbers.length) {
      const longer = new Uint32Array(Math.max(1024, place * 2));
      longer.set(this.ruleNumbers);
      this.ruleNumbers = longer;
    }
    this.ruleNumbers[place] = number + 1;
    this.counts[number] = (this.counts[number] ?? 0) + 1;
    this.count++;
  }

  addAmount({ written }: FilterRule, type: string, { amount, currency }: TypedAmount): void {
    let group = this.moneyGroups.get(currency);
    // Totals keep each object that they are given.
    if (group?.type !== type) this.moneyGroups.set(currency, (group = { type, currency, costCenter: null }));
    this.totals.add(group, written, amount);
  }

  /** Null for a row that is read. @param place below the header, from 0 */
  ruleAt(place: number): FilterRule | null {
    return this.rules[(this.ruleNumbers[place] ?? 0) - 1] ?? null;
  }

  /** The rules that filter any row, in the order in which a person gave them. */
  groups(): FilteredGroup[] {
    const totals = this.totals.rows();
    return this.rules.flatMap(({ written }, i) => {
      const count = this.counts[i] ?? 0;
      return count === 0 ? [] : [filteredGroup(written, count, totals)];
    });
  }
}

/** The rows of an input that one rule filters out. */
export interface FilteredGroup {
  /** As a person wrote it: `Type=Hourly`. */
  readonly rule: string;
  readonly count: number;
  /** The sums of their amounts as typed, by type and currency. */
  readonly totals: readonly TotalRow[];
  /** The number of rows whose amount cannot be read. */
  readonly unreadable: number;
}

function filteredGroup(rule: string, count: number, totals: readonly TotalRow[]): FilteredGroup {
  const sums = sumByCurrency(totals.filter(({ status }) => status === rule));
  const unreadable = sums.reduce((sum, { unpriced }) => sum + unpriced, 0);
  return { rule, count, unreadable, totals: sums.filter((sum) => sum.count > sum.unpriced) };
}

/** The filtered rows of several files, by rule. */
export function joinFiltered(files: readonly { readonly filtered?: FilteredRows }[]): FilteredGroup[] {
  const joined = new Map<string, FilteredGroup>();
  for (const group of files.flatMap(({ filtered }) => filtered?.groups() ?? [])) {
    const { rule } = group;
    const { count, totals, unreadable } = joined.get(rule) ?? { count: 0, totals: [], unreadable: 0 };
    joined.set(rule, {
      rule,
      count: count + group.count,
      totals: sumByCurrency([...totals, ...group.totals]),
      unreadable: unreadable + group.unreadable,
    });
  }
  return [...joined.values()];
}

const MOST_SUMS = 5;

/** `4 rows, 330.95 EUR, 1 without a readable amount` */
export function filteredAmountsText(groups: readonly FilteredGroup[]): string {
  const sums = sumByCurrency(groups.flatMap(({ totals }) => totals));
  const unreadable = groups.reduce((sum, group) => sum + group.unreadable, 0);
  const amounts = sums.slice(0, MOST_SUMS).map(({ amount, currency, type }) => moneyText(amount, currency, type));
  const others = sums.length > MOST_SUMS ? [`${sums.length - MOST_SUMS} other currencies`] : [];
  const unknown = unreadable === 0 ? [] : [`${unreadable} without a readable amount`];
  return [...amounts, ...others, ...unknown].map((words) => `, ${words}`).join('');
}

/** `4 of 10 rows filtered out, 330.95 EUR, by --only "Betrag<0"` */
export function filteredText(filtered: FilteredRows, rules: readonly FilterRule[]): string {
  const said = rules.map(({ written }) => JSON.stringify(excerpt(written))).join(' and ');
  const amounts = filteredAmountsText(filtered.groups());
  return `${filtered.count} of ${filtered.read} rows filtered out${amounts}, by --only ${said}`;
}

/** Rows of a second reading, each with the rule that filtered it in the first. @param batches with the header first */
export async function* withFilterRules(batches: AsyncIterable<Row[]>, filtered: FilteredRows): AsyncIterable<Row[]> {
  let place = -2;
  for await (const batch of batches)
    yield batch.map((row) => {
      const rule = filtered.ruleAt(++place);
      return rule === null ? row : { ...row, filteredBy: rule.written };
    });
}

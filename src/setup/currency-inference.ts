/** In which currency a file's amounts are, and whether its names, signs and columns agree about it. CONTRACT: `--currency-signs`. */
import { currenciesOf, splitSign } from '../input/numbers.js';
import { CURRENCIES } from '../records/currencies.js';
import type { ColumnFields } from './field-inference.js';
import { type Inference, sampleText } from './inference.js';
import { meantCurrency, type MoneyTally } from './money-tally.js';
import type { CurrencyRows } from './row-statistics.js';

/**
 * The currency of every record, as far as the amounts show it.
 * @param money of the columns with amounts
 * @param hasColumn a column has each record's currency, or may have it
 */
export function inferCurrency(money: ReadonlyMap<string, MoneyTally>, hasColumn: boolean): Inference<string> {
  const tallies = [...money.values()];
  const [[sign, sample] = [], second] = new Map(tallies.flatMap(({ signs }) => [...signs]));
  if (sign === undefined || sample === undefined || hasColumn) {
    const named = currencyInName(money.keys());
    if (named === null) return { kind: 'default' };
    return { kind: 'certain', value: named.code, why: `the name of the column "${named.name}" says so` };
  }
  const open = (why: string): Inference<string> => ({ kind: 'open', candidates: [], why });
  if (second !== undefined)
    return open(`Amounts have different currencies, as in ${sampleText(sample)} and ${sampleText(second[1])}.`);
  const [code = '', another] = sample.currencies;
  if (another !== undefined)
    return open(`${sampleText(sample)} has ${sign}. Several currencies use this sign, and no column has the currency.`);
  if (!CURRENCIES.has(code)) return open(`${sampleText(sample)} has ${sign}, which is not a known currency.`);
  const unsigned = tallies.find((each) => each.unsigned !== null)?.unsigned ?? null;
  if (unsigned === null)
    return { kind: 'certain', value: code, why: `every amount has ${sign}, as in ${sampleText(sample)}` };
  const why = `${sampleText(sample)} has ${sign}, but ${sampleText(unsigned)} has no currency sign.`;
  return { kind: 'likely', value: code, why };
}

/** A currency in the name of a column, and that name. */
interface NamedCurrency {
  readonly code: string;
  readonly name: string;
}

/** `Amount (EUR)`, `Betrag in €` */
function currencyInName(names: Iterable<string>): NamedCurrency | null {
  for (const name of names) {
    const sign = /(?:\p{Sc}|(?<!\p{L})[A-Z]{3})(?=[)\]]?$)/u.exec(name)?.[0];
    const [code, another] = sign === undefined ? [] : (splitSign(`1 ${sign}`)?.currencies ?? []);
    if (code !== undefined && another === undefined && CURRENCIES.has(code)) return { code, name };
  }
  return null;
}

/** Names, signs and columns that disagree about the currency of the amounts. Only a person knows which one holds. */
export interface CurrencyConflict {
  readonly why: string;
  /** Columns with amounts. */
  readonly money: readonly string[];
  /** The amounts show or are named for another currency; else two columns differ. */
  readonly isAboutAmounts: boolean;
  /** That currency, if it is only one. */
  readonly codes: readonly string[];
  /** The columns with currencies, and their places in {@link CurrencyRows.codes}. */
  readonly columns: readonly { readonly name: string; readonly place: number }[];
}

/** Whether a column gives the currency. One that is empty in every row gives none. */
export function isCurrencyGiven(
  fields: ColumnFields,
  profiles: ReadonlyMap<string, { readonly filled: number }>,
): boolean {
  const column = currencyColumn(fields);
  return column !== null && profiles.get(column)?.filled !== 0;
}

/**
 * The columns with currencies, in the order of {@link CurrencyRows.codes}: the one that gives the field, those that may be
 * meant for it, and others.
 * @param hasCodes whether the values of a column are currencies
 */
export function currencyColumns(fields: ColumnFields, hasCodes: (name: string) => boolean): readonly string[] {
  const given = currencyColumn(fields);
  const meant = fields.suggestions.find(({ path }) => path === 'currency')?.names ?? [];
  return [...(given === null ? [] : [given]), ...meant, ...fields.others.filter(hasCodes)];
}

/** The column that gives the currency, whatever it has; null for none. */
export function currencyColumn({ columns }: ColumnFields): string | null {
  return columns.find(({ path }) => path === 'currency')?.name ?? null;
}

/** @param rows by the currencies that they have in these columns */
export function currencyConflict(
  names: readonly string[],
  money: ReadonlyMap<string, MoneyTally>,
  rows: readonly CurrencyRows[],
): CurrencyConflict | null {
  const named = currencyInName(money.keys());
  const amount = JSON.stringify([...money.keys()][0] ?? '');
  const found = (why: string, codes: readonly string[] | null): CurrencyConflict => {
    const places = names.map((name, place) => ({ name, place }));
    const used = places.filter(({ place }) => rows.some((row) => (row.codes[place] ?? '') !== ''));
    return { why, isAboutAmounts: codes !== null, codes: codes ?? [], money: [...money.keys()], columns: used };
  };
  for (const [place, name] of names.entries()) {
    for (const { sign, codes, group } of rows) {
      const code = codes[place] ?? '';
      const other = `the column "${name}" has another currency, as in ${sampleText({ typed: code, line: group.first.line })}`;
      if (code === '') continue;
      if (named !== null && !isCurrency(code, named.code))
        return found(`The column "${named.name}" has amounts in ${named.code}. But ${other}.`, [named.code]);
      const shown = currenciesOf(sign) ?? [];
      if (named === null && sign !== '' && !shown.some((each) => isCurrency(code, each)))
        return found(
          `The column ${amount} shows amounts with ${sign}, as in ${sampleText(group.first)}. But ${other}.`,
          shown.length === 1 ? shown : [],
        );
    }
  }
  return differentColumns(names, rows, found);
}

/** Two columns with different currencies in one row. */
function differentColumns(
  names: readonly string[],
  rows: readonly CurrencyRows[],
  found: (why: string, codes: null) => CurrencyConflict,
): CurrencyConflict | null {
  const [first] = names;
  if (first === undefined) return null;
  for (const [place, name] of names.entries())
    for (const { codes, group } of rows) {
      const code = codes[place] ?? '';
      const [usual = ''] = codes;
      if (code === '' || code.toUpperCase() === usual.toUpperCase()) continue;
      const has = usual === '' ? 'nothing' : usual;
      return found(
        `Two columns have currencies, and they differ: on line ${group.first.line}, "${first}" has ${has}, and "${name}" has ${code}.`,
        null,
      );
    }
  return null;
}

function isCurrency(typed: string, code: string): boolean {
  return meantCurrency(typed) === code || currenciesOf(typed)?.includes(code) === true;
}

/** What settles a conflict in favour of a column. */
export function settledCurrency(column: string, money: readonly string[]): string {
  return JSON.stringify(['currency', column, ...money]);
}

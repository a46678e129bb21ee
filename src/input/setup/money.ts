/** The currencies that a file's amounts show. */
import { CURRENCIES } from '../../records/currencies.js';
import { type SignedAmount, splitSign } from '../currency-signs.js';
import { type Conclusion, NOTHING_TO_SAY, type Seen, seenWords } from './conclusion.js';

/** For a column with amounts. */
export interface MoneyTally {
  /** By the sign or code of a currency: the first amount with it, and the currencies that use it. */
  readonly signs: Map<string, Seen & { readonly currencies: readonly string[] }>;
  /** The first amount without any. */
  unsigned: Seen | null;
}

export function moneyTally(): MoneyTally {
  return { signs: new Map(), unsigned: null };
}

/** @param signed null for an amount without a sign */
export function tallyAmount(tally: MoneyTally, seen: Seen, signed: SignedAmount | null): void {
  const number = signed?.number ?? seen.typed;
  if (!/[1-9]/.test(number)) return;
  if (signed === null) tally.unsigned ??= seen;
  else if (!tally.signs.has(signed.sign)) tally.signs.set(signed.sign, { ...seen, currencies: signed.currencies });
}

/** The currency of every record, from the amounts' signs or the name of their column. */
export function concludeCurrency(money: ReadonlyMap<string, MoneyTally>): Conclusion<string> {
  const all = [...money.values()];
  const [[sign, seen] = [], second] = new Map(all.flatMap(({ signs }) => [...signs]));
  if (sign === undefined || seen === undefined) {
    const found = currencyInName(money.keys());
    return found === null ? NOTHING_TO_SAY : proven(found.code, `the column ${found.name} says so`);
  }
  if (second !== undefined)
    return open(`amounts carry several currencies, as in ${seenWords(seen)} and ${seenWords(second[1])}`);
  const [code = '', another] = seen.currencies;
  if (another !== undefined)
    return open(`${seenWords(seen)} carries ${sign}, which several currencies share, and no column gives the currency`);
  if (!CURRENCIES.has(code)) return open(`${seenWords(seen)} carries ${sign}, which is no currency that is known`);
  const unsigned = all.find((each) => each.unsigned !== null)?.unsigned ?? null;
  if (unsigned !== null)
    return open(`${seenWords(seen)} carries ${sign}, and ${seenWords(unsigned)} carries none`, code);
  return proven(code, `every amount carries ${sign}, as in ${seenWords(seen)}`);
}

function proven(code: string, because: string): Conclusion<string> {
  return { isProven: true, value: code, because, say: [`--set currency=${code}`] };
}

function open(because: string, likely: string | null = null): Conclusion<string> {
  return {
    isProven: false,
    value: likely,
    because,
    say: [`--set currency=${likely ?? 'CODE'}`, "--map 'COLUMN=currency'"],
  };
}

/** `Amount (EUR)`, `Betrag in €`: the currency in the name of an amount column, and that name. */
function currencyInName(names: Iterable<string>): { readonly code: string; readonly name: string } | null {
  for (const name of names) {
    const sign = /(?:\p{Sc}|(?<!\p{L})[A-Z]{3})(?=[)\]]?$)/u.exec(name)?.[0];
    const [code, another] = sign === undefined ? [] : (splitSign(`1 ${sign}`)?.currencies ?? []);
    if (code !== undefined && another === undefined && CURRENCIES.has(code)) return { code, name };
  }
  return null;
}

/**
 * Amounts in one currency next to a column of others: a converted amount would count in its original currency.
 * @param column the one with the record's currency, and its values
 */
export function concludeContradiction(
  money: ReadonlyMap<string, MoneyTally>,
  column: string,
  values: ReadonlyMap<string, Seen> | null,
): Conclusion<string> {
  const found = currencyInName(money.keys());
  const other = [...(values ?? [])].find(([value]) => value !== found?.code)?.[1];
  if (found === null || other === undefined) return NOTHING_TO_SAY;
  const because = `the column ${found.name} says ${found.code}, and the column ${column} says otherwise, as in ${seenWords(other)}`;
  return open(because, found.code);
}

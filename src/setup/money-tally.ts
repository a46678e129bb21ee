/** Which currencies texts and amounts of a file show. */
import { currenciesOf, splitSign } from '../input/numbers.js';
import { CURRENCIES } from '../records/currencies.js';
import type { SampleValue } from './inference.js';

/** The first amount with a sign or code of a currency, and the currencies that use it. */
interface SignedSample extends SampleValue {
  readonly currencies: readonly string[];
}

/** The currencies that a column's amounts show. */
export interface MoneyTally {
  /** By the sign or code. */
  readonly signs: ReadonlyMap<string, SignedSample>;
  /** The first amount without any. */
  readonly unsigned: SampleValue | null;
}

/** An amount of 0 may have no sign where others have one. */
export function moneyTally(amounts: readonly SampleValue[]): MoneyTally {
  const signs = new Map<string, SignedSample>();
  let unsigned: SampleValue | null = null;
  for (const sample of amounts) {
    const signed = splitSign(sample.typed);
    if (!/[1-9]/.test(signed?.number ?? sample.typed)) continue;
    if (signed === null) unsigned ??= sample;
    else if (!signs.has(signed.sign)) signs.set(signed.sign, { ...sample, currencies: signed.currencies });
  }
  return { signs, unsigned };
}

/** `eur`, `Euro` and `€` are EUR; null for a text that means no currency, or one of several. */
export function meantCurrency(typed: string): string | null {
  const code = typed.toUpperCase();
  if (CURRENCIES.has(code)) return code;
  if (/^euros?$/i.test(typed)) return 'EUR';
  const [only = null, another] = currenciesOf(typed) ?? [];
  return another === undefined && only !== null && CURRENCIES.has(only) ? only : null;
}

/** Money in words, with the digits that its currency has. */
import { type Decimal, decimalsOf, groupThousands } from '../money/decimal.js';
import { currencyDigits } from './currencies.js';
import type { RecordType } from './kind.js';
import { KINDS } from './kinds.js';

/** One decimal alone looks like a digit that was lost. */
const LEAST = 2;

/**
 * How many decimals an amount is shown with at least: those of its currency. Null where nothing tells them: then amounts
 * of one kind have as many as the others. Amounts in cents have no decimals by their nature.
 */
export function leastDigits(type: string, currency: string | null): number | null {
  return KINDS[type as RecordType].unit === null ? currencyDigits(currency) : null;
}

/** What amounts without known digits have at least, where one of them needs so many. */
export function commonDigits(most: number): number {
  return Math.min(most, 1) * LEAST;
}

/** `1,234.50 EUR`, `900 JPY`, `6,750 EUR cents`: without its unit, the last would be read as 6,750 EUR. */
export function moneyText(amount: Decimal, currency: string | null, type: string): string {
  const digits = leastDigits(type, currency) ?? commonDigits(decimalsOf(amount));
  const { unit } = KINDS[type as RecordType];
  return [groupThousands(amount, digits), currency, unit].filter((word) => word !== null).join(' ');
}

/** Totals as people type them. */
import { type Decimal, formatDecimal, groupThousands } from '../money/decimal.js';

/** People write the currency before the amount, or after it. */
function withoutCurrency(typed: string, currency: string | null): string {
  if (currency === null) return typed;
  const [text, name] = [typed.toUpperCase(), currency.toUpperCase()];
  const number = text.startsWith(name)
    ? typed.slice(name.length)
    : text.endsWith(name)
      ? typed.slice(0, -name.length)
      : typed;
  return number.trim();
}

const GROUP_MARK = "[.,'’ \u00a0\u202f]?";

/** Whether the text is the amount, however the person groups its thousands and marks its decimals. */
export function isTotal(typed: string, amount: Decimal, currency: string | null): boolean {
  const [whole = '', fraction = ''] = formatDecimal(amount).split('.');
  const groups = groupThousands(amount).split('.')[0] ?? whole;
  const digits = groups.replaceAll(',', GROUP_MARK);
  const decimals = fraction === '' ? '(?:[.,]0+)?' : `[.,]${fraction}0*`;
  return new RegExp(`^${digits}${decimals}$`).test(withoutCurrency(typed.trim(), currency));
}

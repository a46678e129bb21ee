/** Amounts of money in CSV cells: their currency's sign, and which way they count. CONTRACT: `--currency-signs`, `--negate`. */
import type { Body } from '../records/field.js';
import { excerpt } from '../records/issue.js';
import type { Shape } from '../records/kind.js';
import { type CellSink, type CellStyle, exactNumber, keepTyped, refuse } from './cells.js';
import { splitSign, type WaitingAmount } from './currency-signs.js';
import { otherWays, readNumber } from './numbers.js';

/**
 * An amount of a file. What people write on the command line counts as it is, so it does not come here.
 * @returns undefined for a text that is no number, the reason being in the sink; and for one with a sign, which
 *   {@link settleSigns} reads
 */
export function convertAmount(cell: string, path: string, style: CellStyle, sink: CellSink): number | undefined {
  const signed = splitSign(cell.trim());
  if (signed !== null) {
    (sink.signed ??= []).push({ ...signed, path, cell });
    return undefined;
  }
  const value = inDirection(exactNumber(readNumber(cell, style.decimal), cell, path, sink), style);
  if (value !== undefined && String(value) !== cell) keepTyped(path, cell, sink);
  return value;
}

/** The amount as it counts; 0 has no direction. */
function inDirection(value: number | undefined, { negate }: CellStyle): number | undefined {
  return !negate || value === undefined ? value : value === 0 ? 0 : -value;
}

/** The same for the amounts of an object. */
export function turnAmounts(input: Body, { fields }: Shape, style: CellStyle): void {
  if (!style.negate) return;
  for (const { name, money } of fields) {
    const value = input[name];
    if (money === true && typeof value === 'number') input[name] = inDirection(value, style);
  }
}

/** Reads a record's amounts with a sign, once everything else of it is there. */
export function settleSigns(input: Body, style: CellStyle, sink: CellSink): void {
  for (const waiting of sink.signed ?? []) {
    const { path, cell } = waiting;
    const value = inDirection(settled(waiting, currencyOf(input), style, sink), style);
    if (value === undefined) continue;
    input[path] = value;
    keepTyped(path, cell, sink);
  }
}

function currencyOf({ currency }: Body): string | null {
  return typeof currency === 'string' && currency !== '' ? currency : null;
}

function settled(
  waiting: WaitingAmount,
  currency: string | null,
  style: CellStyle,
  sink: CellSink,
): number | undefined {
  const { path, cell, number, currencies } = waiting;
  const refused = (problem: string): undefined =>
    refuse('bad-number', `${path}: ${JSON.stringify(excerpt(cell.trim()))} ${problem}`, cell, path, sink);
  const reading = readNumber(number, style.decimal);
  if (!style.currencySigns) return refused(withoutFlag(waiting, currency, style));
  if (!reading.ok) return refuse(reading.code, `${path}: ${reading.message}`, cell, path, sink);
  if (currency !== null && currencies.includes(currency)) return exactNumber(reading, cell, path, sink);
  return refused(`carries ${signWords(waiting)}, ${disagreement(waiting, currency)}`);
}

/** `the sign of GBP`, `the code EUR`, `$, the sign of a dollar` */
function signWords({ sign, currencies }: WaitingAmount): string {
  const [first = ''] = currencies;
  if (sign === first) return `the code ${sign}`;
  return currencies.length === 1 ? `${sign}, the sign of ${first}` : `${sign}, a sign of ${someOf(currencies)}`;
}

const FEW = 4;

function someOf(currencies: readonly string[]): string {
  if (currencies.length > FEW) return `${currencies.slice(0, FEW - 1).join(', ')} and others`;
  return `${currencies.slice(0, -1).join(', ')} or ${currencies.at(-1)}`;
}

function disagreement({ currencies }: WaitingAmount, currency: string | null): string {
  const [first = ''] = currencies;
  const which = currencies.length === 1 ? '' : ', or the one that it is';
  const set = `--set currency=${first}${which}`;
  return currency === null
    ? `and its record has no currency; a sign gives none: say ${set}, where all records are in it`
    : `and its record's currency is ${excerpt(currency)}: correct one of the two, or say ${set}, where all records are in it`;
}

/** Without the flag, a sign is not read: what would read it is said, where anything would. */
function withoutFlag(waiting: WaitingAmount, currency: string | null, { decimal }: CellStyle): string {
  const { number, currencies } = waiting;
  const reading = readNumber(number, decimal);
  const ways = reading.ok
    ? [`--currency-signs reads it as ${excerpt(reading.text)}`]
    : otherWays(number, decimal).map((way) => `--currency-signs with ${way}`);
  const found = `is not a plain number`;
  if (ways.length === 0) {
    // What else is wrong with it comes first: without that, no flag reads it.
    const message = reading.ok ? '' : reading.message;
    return `${found}; it holds ${signWords(waiting)}: remove it. Without it, ${message}`;
  }
  const agrees = currency !== null && currencies.includes(currency);
  return `${found}; ${ways.join('; ')}${agrees ? '' : `. It carries ${signWords(waiting)}, ${disagreement(waiting, currency)}`}`;
}

/** What is new since the last batch of the profile, for people: who is new, gone, or gets another amount. */
import { type Decimal, ZERO, add } from '../money/decimal.js';
import { localDay } from '../util/local-time.js';
import { printable } from './printable.js';
import { ellipsize, pluralize, textWidth, wrapText } from './table.js';
import { amountText } from './totals-table.js';

/** The money of one type and currency. Undefined without a payment; null if not known. */
export interface ChangedMoney {
  readonly type: string;
  readonly currency: string | null;
  readonly before: Decimal | null | undefined;
  readonly now: Decimal | null | undefined;
}

export interface PayeeChange {
  /** Null if not known, because the body was pruned. */
  readonly payee: string | null;
  /** Of a correction, if it is another one. */
  readonly newPayee?: string | null;
  readonly money: readonly ChangedMoney[];
}

/** All payees of one kind: their sums by type and currency, and the first of them. */
export interface PayeeChangeList {
  readonly count: number;
  readonly sums: readonly ChangedMoney[];
  /** In the order of the input; those that are gone, in the order of their payments. */
  readonly first: readonly PayeeChange[];
}

/** The batch that a call is compared with. */
export interface ComparedBatch {
  readonly batchId: string;
  /** Name of the newest finished run with the profile. */
  readonly run: string;
  /** When it began, milliseconds since 1970. */
  readonly startedAt: number;
  /** How many runs with the profile the batch has. */
  readonly runs: number;
}

export type PayeeChanges =
  | {
      readonly kind: 'since';
      readonly since: ComparedBatch;
      /** Payments of other runs in the present batch, which count like records. */
      readonly paidNow: number;
      readonly new: PayeeChangeList;
      readonly gone: PayeeChangeList;
      readonly changed: PayeeChangeList;
      /** Payments that the compared batch refused, and that nothing in it has made since. */
      readonly refused: PayeeChangeList;
      /** New payees whose IDs are like those of payees who are gone: `45` for `0045`. `payee` is the one who is gone. */
      readonly rewritten: PayeeChangeList;
    }
  /** The input corrects refused payments: each with what takes its place. */
  | { readonly kind: 'corrections'; readonly corrected: PayeeChangeList };

/** Adds up the money of changes, by type and currency. */
export function sumChangedMoney(all: Iterable<ChangedMoney>, sums = new Map<string, ChangedMoney>()) {
  for (const { type, currency, before, now } of all) {
    const name = JSON.stringify([type, currency]);
    const sum = sums.get(name);
    sums.set(name, { type, currency, before: plus(sum?.before, before), now: plus(sum?.now, now) });
  }
  return sums;
}

/** Amounts that are not known count as nothing, unless none is known. */
function plus(one: Decimal | null | undefined, other: Decimal | null | undefined): Decimal | null | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one === null && other === null) return null;
  return add(one ?? ZERO, other ?? ZERO);
}

/** `batch 2026-10 (run 20261005-ab12cd, 2026-10-05)` */
export function comparedText({ batchId, run, startedAt, runs }: ComparedBatch): string {
  const named = runs === 1 ? `run ${run}` : `${runs} runs, the newest ${run}`;
  return `batch ${batchId} (${named}, ${localDay(startedAt)})`;
}

/** What counts, though the input does not have it; empty for nothing. */
export function paidNowText(paidNow: number): string {
  return paidNow === 0 ? '' : `with ${pluralize(paidNow, 'payment')} that other runs of the present batch have made`;
}

/** The page and the terminal say so of payees whose names are gone. */
export const PRUNED_NAMES = 'names removed by batch prune';
/** Of the labels in a review. */
export const LABEL_WIDTH = 'SHA-256  '.length;
const MOST_PAYEES_NAMED = 3;
/** In characters. */
const LONGEST_PAYEE = 24;

/** At most five lines, if the terminal is not narrow. @param width its columns */
export function payeeChangesLines(changes: PayeeChanges, width: number): string[] {
  if (changes.kind === 'corrections')
    return changeLines('Corrects', ['refused payment'], changes.corrected, Infinity).flatMap((line) =>
      wrapText(line, width),
    );
  const { since, new: added, gone, changed, refused } = changes;
  const paid = paidNowText(changes.paidNow);
  const head = `Since    ${comparedText(since)}${paid === '' ? '' : `, ${paid}`}`;
  const isSame = [added, gone, changed].every(({ count }) => count === 0);
  const lines = isSame
    ? wrapText(printable(`${head}: the same payees, with the same amounts`), width)
    : [
        ...wrapText(printable(`${head}, by payee:`), width),
        ...changeLines('New', ['payee'], added, width),
        ...changeLines('Gone', ['payee'], gone, width),
        ...changeLines('Changed', ['payee'], changed, width),
      ];
  if (refused.count > 0)
    lines.push(
      ...changeLines('Unpaid', ['refused payment, not made since', 'refused payments, not made since'], refused, width),
    );
  return lines;
}

/** Null if there are none. */
export function rewrittenText(changes: PayeeChanges | null): string | null {
  if (changes?.kind !== 'since' || changes.rewritten.count === 0) return null;
  const { since, rewritten } = changes;
  const { count, sums, first } = rewritten;
  const may = pluralize(count, 'payee may be another person', 'payees may be other people');
  const pairs = first
    .slice(0, MOST_PAYEES_NAMED)
    .filter(({ payee, newPayee = null }) => payee !== null && newPayee !== null)
    .map(
      ({ payee, newPayee }) => `${ellipsize(payee ?? '', LONGEST_PAYEE)} → ${ellipsize(newPayee ?? '', LONGEST_PAYEE)}`,
    );
  const more = pairs.length < count ? ', …' : '';
  const named = pairs.length === 0 ? '' : ` ${pairs.join(', ')}${more}.`;
  return `Careful: ${may} than in batch ${since.batchId} (${sums.map(changedMoneyText).join(', ')}), as the IDs differ in zeros, capitals or spaces:${named} Spreadsheets remove zeros. Compare the IDs with your list of people`;
}

/** One line, with as many names as fit. */
function changeLines(
  label: string,
  [one, many = `${one}s`]: readonly [one: string, many?: string],
  list: PayeeChangeList,
  width: number,
): string[] {
  const { count, sums, first } = list;
  const counted = pluralize(count, one, many);
  const head = label.padEnd(LABEL_WIDTH);
  if (count === 0) return [`${head}none`];
  const known = first.slice(0, MOST_PAYEES_NAMED).filter(({ payee }) => payee !== null);
  const total = `${counted}, ${sums.map(changedMoneyText).join(', ')}`;
  if (known.length === 0) return wrapText(printable(`${head}${total}: ${PRUNED_NAMES}`), width);
  // A single payee's amount is the sum.
  if (count === 1) return wrapText(printable(`${head}${counted}: ${changeText(known[0])}`), width);
  for (let named = known.length; named > 0; named--) {
    const more = named < count ? ', …' : '';
    const line = printable(`${head}${total}: ${known.slice(0, named).map(changeText).join(', ')}${more}`);
    if (textWidth(line) <= width) return [line];
  }
  return wrapText(printable(head + total), width);
}

/** `u1234 1,200.00 → 1,250.00 EUR` */
function changeText(change: PayeeChange | undefined): string {
  if (change === undefined) return '';
  const { payee, newPayee = null, money } = change;
  const amounts = money.map(changedMoneyText).join(', ');
  const name = ellipsize(payee ?? '', LONGEST_PAYEE);
  return newPayee === null ? `${name} ${amounts}` : `${name} → ${ellipsize(newPayee, LONGEST_PAYEE)} ${amounts}`;
}

/** `1,200.00 → 1,250.00 EUR`; one amount, if there is no other or both are equal. */
export function changedMoneyText({ type, currency, before, now }: ChangedMoney): string {
  const textOf = (amount: Decimal | null): string => amountText({ type, currency, amount });
  if (before === undefined || now === undefined) return textOf(before ?? now ?? null);
  const old = textOf(before);
  const present = textOf(now);
  if (old === present) return present;
  return before === null || now === null ? `${old} → ${present}` : `${old.split(' ')[0] ?? ''} → ${present}`;
}

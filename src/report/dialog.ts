/** Questions at a terminal. A question without an answer counts as answered with no. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { compare, type Decimal, formatDecimal, groupThousands, ZERO } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { moneyText } from '../records/money-text.js';
import type { Output } from '../util/output.js';
import { printable } from './printable.js';
import type { Decisions } from '../ledger/payment.js';
import { aboutRepeats, type Prompt } from './repeats-dialog.js';
import type { Part, ReviewReport } from './reporter.js';
import { sumText } from './review-lines.js';
import { countText, widthOf, wrapped } from './table.js';

/** What a person is asked before anything is sent. */
export interface Dialog {
  /** Whether there is a person to ask: a terminal on standard input and on standard error. */
  readonly present: boolean;
  /** What to do with repeats; null to stop. `signal` ends the question. */
  aboutRepeats(review: ReviewReport, signal: AbortSignal): Promise<Decisions | null>;
  /** Whether to send; for money the person types the totals. */
  confirm(review: ReviewReport, signal: AbortSignal): Promise<boolean>;
}

/** A dialog on a terminal. Unless standard input and standard error are terminals, nobody is there to ask. */
export function terminalDialog(stdin: Terminal, stderr: Output): Dialog {
  const promptOf = (signal: AbortSignal): Prompt => promptAt(stdin, stderr, signal);
  return {
    present: isPresent(stdin, stderr),
    aboutRepeats: (review, signal) => aboutRepeats(review, promptOf(signal)),
    confirm: (review, signal) => confirm(review, promptOf(signal)),
  };
}

type Terminal = Readable & { isTTY?: boolean };

function isPresent(stdin: Terminal, stderr: Output): boolean {
  return stdin.isTTY === true && stderr.isTTY;
}

function promptAt(stdin: Terminal, stderr: Output, signal: AbortSignal): Prompt {
  // The terminal may have another width at each question.
  const fitted = (text: string): string => wrapped(text, widthOf(stderr)).join('\n');
  return {
    ask: (question) => askLine(stdin, stderr, withRoom(question, widthOf(stderr)), signal),
    tell: (text) => stderr.write(`${fitted(text)}\n`),
    show: (lines) => lines.forEach((line) => stderr.write(`${line}\n`)),
    get width() {
      return widthOf(stderr);
    },
  };
}

/** Shows the facts and asks for a yes. Where nobody is there to ask, the command line is the answer. */
export async function agreed(
  facts: readonly string[],
  question: string,
  { stdin, stderr }: { readonly stdin: Terminal; readonly stderr: Output },
): Promise<boolean> {
  if (!isPresent(stdin, stderr)) return true;
  const prompt = promptAt(stdin, stderr, new AbortController().signal);
  for (const fact of facts) prompt.tell(printable(fact));
  return isYes(await prompt.ask(`${question} [y/N] `));
}

function isYes(answer: string | null): boolean {
  return answer !== null && /^y(es)?$/i.test(answer.trim());
}

/** Columns for the answer, which is typed behind the question. */
const ROOM = 20;

/** The question, broken so that an answer has room on its last line. */
function withRoom(question: string, width: number): string {
  const room = '\0'.repeat(Math.min(ROOM, Math.floor(width / 2)));
  const lines = wrapped(question.trimEnd() + room, width).join('\n');
  return `${lines.replaceAll('\0', '').trimEnd()} `;
}

function askLine(stdin: Readable, stderr: Output, question: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    // After its end, standard input gives no line, and not even a close event.
    if (signal.aborted || stdin.readableEnded || stdin.destroyed) return resolve(null);
    // Not as a terminal: Ctrl-C stays a signal, and the line is edited by the terminal itself.
    const lines = createInterface({ input: stdin, terminal: false });
    let isAnswered = false;
    const cancel = (): void => end(null);
    const end = (answer: string | null): void => {
      if (isAnswered) return;
      isAnswered = true;
      signal.removeEventListener('abort', cancel);
      stdin.removeListener('end', cancel);
      // The message that follows gets a line of its own.
      if (answer === null) stderr.write('\n');
      resolve(answer);
      lines.close();
    };
    // Text without an Enter behind it is no answer. Heard before the interface hears it, which would take it for a line.
    stdin.prependOnceListener('end', cancel);
    lines.once('line', end);
    lines.once('close', cancel);
    signal.addEventListener('abort', cancel, { once: true });
    stderr.write(question);
  });
}

async function confirm(review: ReviewReport, prompt: Prompt): Promise<boolean> {
  const sums = sumByCurrency(review.toSend.totals);
  for (const sum of sums) {
    const byCount = sum.type === 'gig' || sum.count === sum.unpriced;
    if (!(await (byCount ? confirmCount(sum, review, prompt) : confirmTotal(sum, review, prompt)))) return false;
  }
  return sums.length > 0;
}

/** What is sent where: the question itself says it, since the review may have left the screen. */
function whatWhere(sum: TotalRow, { target, batchId, approves, zero, negative }: ReviewReport): string {
  const [url = '', account] = (target ?? '').split('#');
  const where = printable(account === undefined ? url : `${url}, account ${account}`);
  const signs = [signText(sum, zero, 'of zero'), signText(sum, negative, 'below zero')].filter((text) => text !== '');
  const doubtful = signs.length === 0 ? '' : ` (${signs.join(', ')})`;
  return `${sumText(sum)}${sum.count > 1 && sum.count > sum.unpriced ? ' in all' : ''}${doubtful}, ${approves ? 'for' : 'to'} ${where}, batch ${printable(batchId)}`;
}

/** `2 below zero: -20.00 EUR` */
function signText({ type, currency }: TotalRow, { totals }: Part, words: string): string {
  const sum = sumByCurrency(totals).find((row) => row.type === type && row.currency === currency);
  if (sum === undefined) return '';
  const money = compare(sum.amount, ZERO) === 0 ? '' : `: ${printable(moneyText(sum.amount, currency, type))}`;
  return `${countText(sum.count)} ${words}${money}`;
}

async function confirmCount(sum: TotalRow, review: ReviewReport, prompt: Prompt): Promise<boolean> {
  return isYes(await prompt.ask(`${review.approves ? 'Approve' : 'Send'} ${whatWhere(sum, review)}? [y/N] `));
}

/** A typing error is no decision. */
const TRIES = 3;

/** The person types the total from the review, or better from their own sheet, and so has looked at it. */
async function confirmTotal(sum: TotalRow, review: ReviewReport, prompt: Prompt): Promise<boolean> {
  const { type, amount, currency, count } = sum;
  const cents = KINDS[type as RecordType].unit === 'cents' ? ' in cents' : '';
  let question = `To ${review.approves ? 'approve' : 'send'} ${whatWhere(sum, review)}, type ${count === 1 ? 'its amount' : 'their total'}${cents} (Enter stops): `;
  for (let left = TRIES; left > 0; left--) {
    const typed = (await prompt.ask(question))?.trim() ?? '';
    if (typed === '') return false;
    if (isTotal(typed, amount, currency)) return true;
    question = left > 1 ? 'That is not the total. Type it again (Enter stops): ' : '';
  }
  prompt.tell('That is not the total either.');
  return false;
}

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

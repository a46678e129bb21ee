/** Questions at a terminal: what to do with repeats, whether to send, and a yes to a fact. No answer counts as no. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { compare, type Decimal, decimalOf, ZERO } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { totalReadings } from '../money/typed-total.js';
import type { Decisions } from '../journal/payment.js';
import { RECORD_INFO, type RecordType } from '../records/types.js';
import type { Output } from '../util/output.js';
import { printable } from './printable.js';
import { toSendText } from './gig-facts.js';
import { leaveOutText, type UndecidedRepeats } from './history-text.js';
import type { ReviewGroup, ReviewReport } from './reporter.js';
import { wordingFor } from './status-text.js';
import { pluralize, formatCount, widthOf, wrapText } from './table.js';
import { amountText, countRecords, sumText } from './totals-table.js';

export interface Dialog {
  /** Whether there is anybody to ask. */
  readonly present: boolean;
  /** Whether a rehearsal at the sandbox needs a confirmation, too. */
  readonly asksInSandbox: boolean;
  /** The sentence for a confirmation that was asked for and not given. */
  readonly refusal: string;
  /** What to do with repeats; null to stop. `signal` ends the question. */
  aboutRepeats(review: ReviewReport, signal: AbortSignal): Promise<Decisions | null>;
  /** Whether to send; for money the person types the totals, for gigs their number. */
  confirm(review: ReviewReport, signal: AbortSignal): Promise<boolean>;
}

/** A dialog on a terminal. Unless standard input and standard error are terminals, nobody is there to ask. */
export function terminalDialog(stdin: Terminal, stderr: Output): Dialog {
  return {
    present: isAttended(stdin, stderr),
    asksInSandbox: false,
    refusal: 'not confirmed',
    aboutRepeats: (review, signal) => aboutRepeats(review, promptAt(stdin, stderr, signal)),
    confirm: (review, signal) => confirm(review, promptAt(stdin, stderr, signal)),
  };
}

// Words, not letters or numbers: those stand on the screen with other meanings.
const SKIP = 'skip';
const SEND = 'send';
const ENTER = 'Enter';

/** A possible answer, and its effect. */
interface AnswerChoice {
  readonly key: string;
  readonly text: string;
}

/** Null stops. Asks about one kind at a time: the figures of the next question include this answer. */
async function aboutRepeats(review: ReviewReport, prompt: Prompt): Promise<Decisions | null> {
  const { undecided } = review;
  if (undecided === null) return null;
  const { blocked, sent, similar, taken } = undecided;
  if (blocked > 0) {
    prompt.tell(`${pluralize(blocked, 'record needs', 'records need')} something else first.`);
    return null;
  }
  const isSame = sent > 0;
  const { noun } = wordingFor(undecided.totals);
  if (!isSame && taken > 0)
    prompt.tell(
      `${pluralize(taken, 'record looks', 'records look')} like a ${noun} that another record here repeats too. If some of them are the same ${noun}, stop, and move the others to a separate file.`,
    );
  const answer = await choose(repeatChoices(undecided, countRecords(review.toSend)), prompt);
  if (answer === null) return null;
  return {
    skipCreated: isSame,
    skipSimilar: !isSame && answer === SKIP,
    sendSimilar: answer === SKIP ? null : similar,
  };
}

/** @param others the number of records that are sent in any case */
function repeatChoices(undecided: UndecidedRepeats, others: number): AnswerChoice[] {
  const { sent, inDoubt, similar, taken, totals, isElsewhere } = undecided;
  const wording = wordingFor(totals);
  const { noun, paid } = wording;
  const isOne = (sent > 0 ? sent : similar) === 1;
  const it = isOne ? 'it' : 'them';
  const rest =
    others === 0
      ? 'nothing else is left to send'
      : `send the other ${others === 1 ? 'record' : pluralize(others, 'record')}`;
  const stop = { key: ENTER, text: `not sure${isElsewhere ? '' : ', or for another period'}: stop, nothing is sent` };
  if (sent > 0) {
    const were = `${isOne ? 'it was' : 'they were'} ${paid} already${inDoubt > 0 ? `, or may have been ${paid}` : ''}`;
    const next =
      similar > 0 ? `; ${pluralize(similar, 'similar record is', 'similar records are')} asked about next` : '';
    return [{ key: SKIP, text: `${were}: ${leaveOutText(sent, inDoubt, wording)}; ${rest}${next}` }, stop];
  }
  const same = isOne ? `it is the same ${noun}` : `they are the same ${noun}s`;
  const separate = isOne ? `it is a separate ${noun}` : `they are separate ${noun}s`;
  const send = { key: SEND, text: `${separate}: send ${it} too, ${sumByCurrency(totals).map(sumText).join('; ')}` };
  // A payment stands for one record: leaving out the others too would leave somebody unpaid.
  return taken > 0 ? [send, stop] : [{ key: SKIP, text: `${same}: leave ${it} out; ${rest}` }, send, stop];
}

/** The key of the choice; null for Enter. */
async function choose(choices: readonly AnswerChoice[], prompt: Prompt): Promise<string | null> {
  const room = Math.max(...choices.map(({ key }) => key.length));
  for (const { key, text } of choices) prompt.tell(`  ${key.padEnd(room)}  ${text}`);
  const keys = choices.map(({ key }) => key);
  const named = `${keys.slice(0, -1).join(', ')} or ${keys.at(-1) ?? ''}`;
  // Enter is pressed, not typed as a word.
  const typeable = keys.filter((key) => key !== ENTER);
  return askFor(
    prompt,
    { question: `${named}: `, again: `Please answer ${named}: ` },
    (typed) => typeable.find((key) => key === typed.toLowerCase()) ?? null,
  );
}

async function confirm(review: ReviewReport, prompt: Prompt): Promise<boolean> {
  const sums = sumByCurrency(review.toSend);
  for (const sum of sums) if (!(await confirmSum(sum, review, prompt))) return false;
  return sums.length > 0;
}

/** The person types the total from the review, or better from their own sheet, and so has checked it. */
async function confirmSum(sum: TotalRow, review: ReviewReport, prompt: Prompt): Promise<boolean> {
  const { type, amount, currency, count, unpriced } = sum;
  const isGig = type === 'gig';
  // Of results without a price there is no total to type.
  if (!isGig && count === unpriced)
    return isYes(await prompt.ask(`${review.approves ? 'Approve' : 'Send'} ${sendingText(sum, review)}? [y/N] `));
  const wanted = isGig ? decimalOf(count) : amount;
  const name = isGig ? 'number' : 'total';
  const texts = {
    question: `To ${review.approves ? 'approve' : 'send'} ${sendingText(sum, review)}, type ${typedText(sum)} (Enter stops): `,
    again: `That is not the ${name}. Type it again (Enter stops): `,
    failed: `That is not the ${name} either.`,
  };
  return (await askFor(prompt, texts, (typed) => (isTotal(typed, wanted, currency) ? true : null))) !== null;
}

/** What the person is to type. */
function typedText({ type, count }: TotalRow): string {
  if (type === 'gig') return count === 1 ? 'the number of gigs' : 'their number';
  const cents = RECORD_INFO[type as RecordType].unit === 'cents' ? ' in cents' : '';
  return `${count === 1 ? 'its amount' : 'their total'}${cents}`;
}

/** Amount and target: the question itself names them, since the review may have left the screen. */
function sendingText(sum: TotalRow, { target, batchId, approves, zero, negative, gigs }: ReviewReport): string {
  const [url = '', account] = (target ?? '').split('#');
  const where = printable(account === undefined ? url : `${url}, account ${account}`);
  const signs =
    sum.type === 'gig'
      ? []
      : [signText(sum, zero, 'of zero'), signText(sum, negative, 'below zero')].filter((text) => text !== '');
  const unusual = signs.length === 0 ? '' : ` (${signs.join(', ')})`;
  const inAll = sum.type !== 'gig' && sum.count > 1 && sum.count > sum.unpriced ? ' in all' : '';
  return `${toSendText(sum, gigs)}${inAll}${unusual}, ${approves ? 'for' : 'to'} ${where}, batch ${printable(batchId)}`;
}

/** `2 below zero: -20.00 EUR` */
function signText({ type, currency }: TotalRow, group: ReviewGroup, sign: string): string {
  const sum = sumByCurrency(group).find((row) => row.type === type && row.currency === currency);
  if (sum === undefined) return '';
  const money = compare(sum.amount, ZERO) === 0 ? '' : `: ${amountText(sum)}`;
  return `${formatCount(sum.count)} ${sign}${money}`;
}

/** Whether the text is the amount, however the person separates thousands and decimals. */
export function isTotal(typed: string, amount: Decimal, currency: string | null): boolean {
  return totalReadings(withoutCurrency(typed.trim(), currency)).some((total) => compare(total, amount) === 0);
}

/** People write the currency before the amount, or after it. */
function withoutCurrency(typed: string, currency: string | null): string {
  if (currency === null) return typed;
  const text = typed.toUpperCase();
  const name = currency.toUpperCase();
  if (text.startsWith(name)) return typed.slice(name.length).trim();
  return text.endsWith(name) ? typed.slice(0, -name.length).trim() : typed;
}

/** A terminal with a person at it. */
interface Prompt {
  /** The answer as typed. Null when the input ends or the signal comes. */
  ask(question: string): Promise<string | null>;
  tell(text: string): void;
}

type Terminal = Readable & { isTTY?: boolean };

/** Whether there is a person to ask: a terminal on standard input and on standard error. */
export function isAttended(stdin: Terminal, stderr: Output): boolean {
  return stdin.isTTY === true && stderr.isTTY;
}

/** @param signal ends an open question */
function promptAt(stdin: Terminal, stderr: Output, signal: AbortSignal): Prompt {
  return {
    ask: (question) => askLine(stdin, stderr, wrapText(question, widthOf(stderr)).join('\n'), signal),
    tell: (text) => stderr.write(`${wrapText(text, widthOf(stderr)).join('\n')}\n`),
  };
}

/** An unexpected answer is a typing error, not a decision. */
const TRIES = 3;

/** The answer; null for Enter, no answer, and only typing errors. @param read null for a typing error */
async function askFor<T>(
  prompt: Prompt,
  { question, again, failed }: { readonly question: string; readonly again: string; readonly failed?: string },
  read: (typed: string) => T | null,
): Promise<T | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const typed = ((await prompt.ask(tries === 0 ? question : again)) ?? '').trim();
    if (typed === '') return null;
    const answer = read(typed);
    if (answer !== null) return answer;
  }
  if (failed !== undefined) prompt.tell(failed);
  return null;
}

/** Shows the facts and asks for a yes. If nobody is there to ask, the command line is the answer. */
export async function confirmFacts(
  facts: readonly string[],
  question: string,
  { stdin, stderr }: { readonly stdin: Terminal; readonly stderr: Output },
): Promise<boolean> {
  if (!isAttended(stdin, stderr)) return true;
  const prompt = promptAt(stdin, stderr, new AbortController().signal);
  for (const fact of facts) prompt.tell(printable(fact));
  return isYes(await prompt.ask(`${question} [y/N] `));
}

function isYes(answer: string | null): boolean {
  return answer !== null && /^y(es)?$/i.test(answer.trim());
}

function askLine(stdin: Readable, stderr: Output, question: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    // After its end, standard input gives no line, and not even a close event.
    if (signal.aborted || stdin.readableEnded || stdin.destroyed) return resolve(null);
    // Not as a terminal: Ctrl-C stays a signal, and the terminal itself edits the line.
    const lines = createInterface({ input: stdin, terminal: false });
    let isAnswered = false;
    const cancel = (): void => end(null);
    const end = (answer: string | null): void => {
      if (isAnswered) return;
      isAnswered = true;
      signal.removeEventListener('abort', cancel);
      stdin.removeListener('end', cancel);
      // The message that follows gets a separate line.
      if (answer === null) stderr.write('\n');
      resolve(answer);
      lines.close();
    };
    // Text without an Enter is not an answer. This listener comes first: the interface would read it as a line.
    stdin.prependOnceListener('end', cancel);
    lines.once('line', end);
    lines.once('close', cancel);
    signal.addEventListener('abort', cancel, { once: true });
    stderr.write(question);
  });
}

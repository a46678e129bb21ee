/** Questions at a terminal. A question without an answer counts as answered with no. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type Decimal, formatDecimal, groupThousands } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import type { Decisions } from '../ledger/payment.js';
import type { TerminalStream } from '../world.js';
import type { ReviewReport } from './reporter.js';
import { kindOf } from './review.js';
import { counted, countText, widthOf, wrapped } from './table.js';

interface Person {
  /** Null when the input ends or the signal comes. */
  ask(question: string): Promise<string | null>;
  tell(text: string): void;
}

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
export function terminalDialog(stdin: Readable & { isTTY?: boolean }, stderr: TerminalStream): Dialog {
  const fitted = (text: string): string => wrapped(text, widthOf(stderr)).join('\n');
  const person = (signal: AbortSignal): Person => ({
    ask: (question) => askLine(stdin, stderr, fitted(question), signal),
    tell: (text) => void stderr.write(`${fitted(text)}\n`),
  });
  return {
    present: stdin.isTTY === true && stderr.isTTY === true,
    aboutRepeats: (review, signal) => aboutRepeats(review, person(signal)),
    confirm: (review, signal) => confirm(review, person(signal)),
  };
}

function askLine(stdin: Readable, stderr: Writable, question: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    // After its end, standard input gives no line, and not even a close event.
    if (signal.aborted || stdin.readableEnded || stdin.destroyed) return resolve(null);
    // Not as a terminal: Ctrl-C stays a signal, and the line is edited by the terminal itself.
    const lines = createInterface({ input: stdin, terminal: false });
    const end = (answer: string | null): void => {
      signal.removeEventListener('abort', cancel);
      // Before the interface closes, since its close event resolves with null.
      resolve(answer);
      lines.close();
    };
    const cancel = (): void => {
      // The message that follows gets a line of its own.
      stderr.write('\n');
      end(null);
    };
    lines.once('line', (line) => end(line.trim()));
    lines.once('close', () => end(null));
    signal.addEventListener('abort', cancel, { once: true });
    stderr.write(question);
  });
}

/** Leave out, send similar ones, or stop. Null stops: only `--batch-id` makes payments of another period. */
async function aboutRepeats({ repeats, toSend, batchId }: ReviewReport, person: Person): Promise<Decisions | null> {
  const same = (repeats['created-before'] ?? 0) + (repeats['open-before'] ?? 0) + (repeats['same-content'] ?? 0);
  const similar = repeats['similar-record'] ?? 0;
  // While nobody has decided about records that were sent before, `toSend` does not count them.
  const others = toSend.count - similar;
  if (same > 0 && !(await wereAllPaid({ same, similar, others, batchId }, person))) return null;
  if (similar === 0) return { skipCreated: same > 0, skipSimilar: false, sendSimilar: null };
  const answer = await aboutSimilar(similar, others, person);
  if (answer === null) return null;
  return { skipCreated: same > 0, skipSimilar: answer === 'skip', sendSimilar: answer === 'send' ? similar : null };
}

interface Numbers {
  readonly same: number;
  /** Similar records are asked about afterwards. */
  readonly similar: number;
  readonly others: number;
  readonly batchId: string;
}

async function wereAllPaid({ same, similar, others, batchId }: Numbers, person: Person): Promise<boolean> {
  const next = similar === 0 ? '' : ` (${counted(similar, 'similar one is', 'similar ones are')} asked about next)`;
  const rest = others === 0 ? 'nothing else is left to send' : `send the other ${countText(others)}`;
  person.tell(`${counted(same, 'record was', 'records were')} sent before. Which is it?`);
  person.tell(`  s  they were paid already: leave ${same === 1 ? 'it' : 'them'} out, ${rest}${next}`);
  person.tell(
    `  Enter stops, and nothing is sent. For another period or purpose, run the same command with a batch of its own, --batch-id NAME (this one is ${batchId})`,
  );
  const answer = (await person.ask('s or Enter: '))?.toLowerCase() ?? '';
  return /^(s|skip)$/.test(answer);
}

async function aboutSimilar(similar: number, others: number, person: Person): Promise<'skip' | 'send' | null> {
  const [are, them] = similar === 1 ? ['is', 'it'] : ['are', 'them'];
  const rest = others === 0 ? '' : `, and send the other ${countText(others)}`;
  person.tell(
    `${counted(similar, 'record is similar to an earlier one', 'records are similar to earlier ones')}: same user and title, another amount or text. What was paid before stays as it is.`,
  );
  person.tell(`  s  ${similar === 1 ? 'it was' : 'they were'} paid already: leave ${them} out${rest}`);
  person.tell(
    `  ${similar}  ${similar === 1 ? 'it is a payment' : 'they are payments'} of their own: ${are} sent in addition`,
  );
  person.tell('  Enter stops, and nothing is sent');
  const answer = (await person.ask(`s, the number ${countText(similar)}, or Enter: `))?.toLowerCase() ?? '';
  if (/^(s|skip)$/.test(answer)) return 'skip';
  return answer === String(similar) || answer === countText(similar) ? 'send' : null;
}

async function confirm({ toSend }: ReviewReport, person: Person): Promise<boolean> {
  const sums = sumByCurrency(toSend.totals);
  for (const sum of sums) {
    const byCount = sum.type === 'gig' || sum.count === sum.unpriced;
    if (!(await (byCount ? confirmCount(sum, person) : confirmTotal(sum, person)))) return false;
  }
  return sums.length > 0;
}

async function confirmCount(sum: TotalRow, person: Person): Promise<boolean> {
  const unpriced = sum.unpriced === 0 ? '' : ' without a known price';
  const answer = await person.ask(`Send ${countText(sum.count)} ${kindOf(sum, sum.count)}${unpriced}? [y/N] `);
  return answer !== null && /^y(es)?$/i.test(answer);
}

/** A typing error is no decision. */
const TRIES = 3;

/** The person types the total from the review, or better from their own sheet, and so has looked at it. */
async function confirmTotal(sum: TotalRow, person: Person): Promise<boolean> {
  const { type, amount, currency, count, unpriced } = sum;
  const without = unpriced === 0 ? '' : ` (${countText(unpriced)} of them without a known price, not in the total)`;
  const { unit } = KINDS[type as RecordType];
  let question = `To send ${countText(count)} ${kindOf(sum, count)}${without}, type ${count === 1 ? 'its amount' : 'their total'}${unit === 'cents' ? ' in cents' : ''}: `;
  for (let left = TRIES; left > 0; left--) {
    const typed = await person.ask(question);
    if (typed === null || typed === '') return false;
    if (isTotal(typed, amount, currency)) return true;
    question = left > 1 ? 'That is not the total. Type it again, or Enter to stop: ' : '';
  }
  person.tell('That is not the total either.');
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

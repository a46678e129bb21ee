/** Questions at a terminal. A question without an answer counts as answered with no. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type Decimal, formatDecimal, groupThousands } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import type { TerminalStream } from '../world.js';
import type { ReviewReport } from './reporter.js';
import { kindOf } from './review.js';
import { counted, countText, widthOf, wrapped } from './table.js';

interface Person {
  /** Null when the input ends or the signal comes. */
  ask(question: string): Promise<string | null>;
  tell(text: string): void;
}

/** What the person wants done with repeats. */
export interface RepeatWish {
  readonly skipCreated: boolean;
  /** How many repeats are to be sent again; null when none may be. */
  readonly payAgain: number | null;
}

/** What a person is asked before anything is sent. */
export interface Dialog {
  /** Whether there is a person to ask: a terminal on standard input and on standard error. */
  readonly present: boolean;
  /** What to do with repeats; null to stop. `signal` ends the question. */
  aboutRepeats(review: ReviewReport, signal: AbortSignal): Promise<RepeatWish | null>;
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

/** Skip, pay again, or stop. Null stops. */
async function aboutRepeats({ repeats, toSend }: ReviewReport, person: Person): Promise<RepeatWish | null> {
  const before = (repeats['created-before'] ?? 0) + (repeats['same-content'] ?? 0);
  const similar = repeats['similar-record'] ?? 0;
  // While nobody has decided about records that were sent before, `toSend` does not count them.
  const others = toSend.count - similar;
  let skipCreated = false;
  if (before > 0) {
    const answer = await choose({ before, similar, others }, person);
    if (answer === null) return null;
    skipCreated = answer === 'skip';
  }
  const again = similar + (skipCreated ? 0 : before);
  if (again === 0) return { skipCreated, payAgain: null };
  const similarOnly = skipCreated || before === 0;
  const them = again === 1 ? 'it' : 'them';
  // Skipping is not offered: similar records may be corrections of what was paid, so a person decides one by one.
  const stop = others > 0 ? `Enter stops; to send the others, remove ${them} from the file. ` : 'Enter stops. ';
  const question = similarOnly
    ? `${counted(again, 'record is similar to an earlier one', 'records are similar to earlier ones')}, which ${again === 1 ? 'stays as it is' : 'stay as they are'}. ${stop}To send ${them} in addition, type the number ${again}: `
    : `${counted(again, 'record repeats an earlier one', 'records repeat earlier ones')}. To send ${them} all the same, type the number ${again}: `;
  const typed = await person.ask(question);
  return typed === String(again) || typed === countText(again) ? { skipCreated, payAgain: again } : null;
}

interface Numbers {
  readonly before: number;
  /** Similar records are asked about afterwards. */
  readonly similar: number;
  readonly others: number;
}

async function choose({ before, similar, others }: Numbers, person: Person): Promise<'skip' | 'again' | null> {
  const next = similar === 0 ? '' : ` (${counted(similar, 'similar one is', 'similar ones are')} asked about next)`;
  const rest = `${others === 0 ? 'nothing else is left to send' : `send the other ${countText(others)}`}${next}`;
  person.tell(
    `${counted(before, 'record was', 'records were')} sent before. What shall become of ${before === 1 ? 'it' : 'them'}?`,
  );
  person.tell(`  s  skip: leave ${before === 1 ? 'it' : 'them'} out, ${rest}`);
  person.tell(`  p  pay again: send ${before === 1 ? 'it' : 'them'} a second time`);
  person.tell('  anything else stops: nothing is sent');
  const answer = (await person.ask('s, p or Enter: '))?.toLowerCase() ?? '';
  return /^(s|skip)$/.test(answer) ? 'skip' : /^(p|pay again)$/.test(answer) ? 'again' : null;
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

/** Questions at a terminal. A question without an answer counts as answered with no. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Decimal, formatDecimal, groupThousands } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import type { Decisions } from '../ledger/payment.js';
import type { Output } from '../util/output.js';
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
export function terminalDialog(stdin: Readable & { isTTY?: boolean }, stderr: Output): Dialog {
  const fitted = (text: string): string => wrapped(text, widthOf(stderr)).join('\n');
  const person = (signal: AbortSignal): Person => ({
    ask: (question) => askLine(stdin, stderr, fitted(question), signal),
    tell: (text) => stderr.write(`${fitted(text)}\n`),
  });
  return {
    present: stdin.isTTY === true && stderr.isTTY,
    aboutRepeats: (review, signal) => aboutRepeats(review, person(signal)),
    confirm: (review, signal) => confirm(review, person(signal)),
  };
}

function askLine(stdin: Readable, stderr: Output, question: string, signal: AbortSignal): Promise<string | null> {
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
async function aboutRepeats(
  { repeats, toSend, batchId, goesOn }: ReviewReport,
  person: Person,
): Promise<Decisions | null> {
  const sent = (repeats['created-before'] ?? 0) + (repeats['same-content'] ?? 0);
  const open = repeats['open-before'] ?? 0;
  const similar = repeats['similar-record'] ?? 0;
  // While nobody has decided about records that were sent before, `toSend` does not count them.
  const numbers = { sent, open, similar, others: toSend.count - open - similar, batchId, goesOn };
  const isSame = sent + open > 0;
  if (isSame && !(await wereAllPaid(numbers, person))) return null;
  if (similar === 0) return { skipCreated: isSame, skipSimilar: false, sendSimilar: null };
  const answer = await aboutSimilar(numbers, person);
  if (answer === null) return null;
  return { skipCreated: isSame, skipSimilar: answer === 'skip', sendSimilar: answer === 'send' ? similar : null };
}

interface Numbers {
  /** Created before, or in doubt. */
  readonly sent: number;
  /** Open in another run. */
  readonly open: number;
  /** Similar records are asked about afterwards. */
  readonly similar: number;
  readonly others: number;
  readonly batchId: string;
  readonly goesOn: boolean;
}

async function wereAllPaid(numbers: Numbers, person: Person): Promise<boolean> {
  const { sent, open, similar, others } = numbers;
  const found = [
    ...(sent === 0 ? [] : [`${counted(sent, 'record was', 'records were')} sent before`]),
    ...(open === 0 ? [] : [`${counted(open, 'record is', 'records are')} still open in another run`]),
  ];
  const done = [
    ...(sent === 0
      ? []
      : [`${sent === 1 ? 'it was' : 'they were'} paid already: leave ${sent === 1 ? 'it' : 'them'} out`]),
    ...(open === 0
      ? []
      : [
          `send ${sent === 0 ? (open === 1 ? 'it' : 'them') : `the ${countText(open)} of the other run`} with this run, ${open === 1 ? 'once' : 'each once'}`,
        ]),
    others === 0 ? 'nothing else is to be sent' : sendOthers(others),
    ...(similar === 0 ? [] : [`${counted(similar, 'similar record is', 'similar records are')} asked about next`]),
  ];
  person.tell(`${found.join(', ')}.`);
  person.tell(`  s      ${done.join('; ')}`);
  person.tell('  Enter  none of that, or not sure: stop, nothing is sent');
  person.tell(otherPurpose(numbers));
  const answer = (await person.ask('s or Enter: '))?.toLowerCase() ?? '';
  return /^(s|skip)$/.test(answer);
}

function sendOthers(count: number): string {
  return count === 1 ? 'send the other one' : `send the other ${countText(count)}`;
}

/** In a run that goes on, another batch would pay once more what this run has created, too. */
function otherPurpose({ batchId, goesOn }: Numbers): string {
  return goesOn
    ? 'If they are for another period or purpose: stop, put these records alone into a file of their own, and import it with a name for that, --batch-id NAME.'
    : `If they are for another period or purpose: stop, and run the same command with a name for that, --batch-id NAME (now it is ${batchId}).`;
}

async function aboutSimilar(numbers: Numbers, person: Person): Promise<'skip' | 'send' | null> {
  const { similar, others, sent, open } = numbers;
  const [they, were, them] = similar === 1 ? ['it', 'it was', 'it'] : ['they', 'they were', 'them'];
  const rest = others + open === 0 ? '' : `; ${sendOthers(others + open)}`;
  const number = countText(similar);
  const column = Math.max('Enter'.length, number.length);
  const choice = (key: string, words: string): void => person.tell(`  ${key.padEnd(column)}  ${words}`);
  person.tell(
    `${counted(similar, 'record is similar to an earlier one', 'records are similar to earlier ones')}: same user and title (gigs: title and start), and something else differs. What was paid before stays as it is.`,
  );
  choice('s', `${were} paid already: leave ${them} out${rest}`);
  choice(
    number,
    `${similar === 1 ? 'it is a payment of its own' : `${they} are payments of their own`}: send ${them} in addition`,
  );
  choice('Enter', 'none of that, or not sure: stop, nothing is sent');
  if (sent + open === 0) person.tell(otherPurpose(numbers));
  const answer = (await person.ask(`s, the number ${number}, or Enter: `))?.toLowerCase() ?? '';
  if (/^(s|skip)$/.test(answer)) return 'skip';
  return answer === String(similar) || answer === number ? 'send' : null;
}

async function confirm({ toSend, approves }: ReviewReport, person: Person): Promise<boolean> {
  const sums = sumByCurrency(toSend.totals);
  const verb = approves ? 'approve' : 'send';
  for (const sum of sums) {
    const byCount = sum.type === 'gig' || sum.count === sum.unpriced;
    if (!(await (byCount ? confirmCount(sum, verb, person) : confirmTotal(sum, verb, person)))) return false;
  }
  return sums.length > 0;
}

async function confirmCount(sum: TotalRow, verb: string, person: Person): Promise<boolean> {
  const unpriced = sum.unpriced === 0 ? '' : ' without a known price';
  const answer = await person.ask(
    `${verb === 'send' ? 'Send' : 'Approve'} ${countText(sum.count)} ${kindOf(sum, sum.count)}${unpriced}? [y/N] `,
  );
  return answer !== null && /^y(es)?$/i.test(answer);
}

/** A typing error is no decision. */
const TRIES = 3;

/** The person types the total from the review, or better from their own sheet, and so has looked at it. */
async function confirmTotal(sum: TotalRow, verb: string, person: Person): Promise<boolean> {
  const { type, amount, currency, count, unpriced } = sum;
  const without = unpriced === 0 ? '' : ` (${countText(unpriced)} of them without a known price, not in the total)`;
  const { unit } = KINDS[type as RecordType];
  let question = `To ${verb} ${countText(count)} ${kindOf(sum, count)}${without}, type ${count === 1 ? 'its amount' : 'their total'}${unit === 'cents' ? ' in cents' : ''}: `;
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

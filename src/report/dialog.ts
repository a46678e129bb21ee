/** The questions to a person before anything is sent: what to do with repeats, and whether to send. */
import { compare, type Decimal, formatDecimal, groupThousands, ZERO } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import type { Decisions } from '../journal/payment.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import type { Output } from '../util/output.js';
import { printable } from './printable.js';
import { askFor, isPresent, isYes, type Prompt, promptAt, type Terminal } from './prompt.js';
import type { ReviewGroup, ReviewReport } from './reporter.js';
import { pluralize, formatCount } from './table.js';
import { amountText, countIn, sumText } from './totals-table.js';

export interface Dialog {
  /** Whether there is a person to ask. */
  readonly present: boolean;
  /** What to do with repeats; null to stop. `signal` ends the question. */
  aboutRepeats(review: ReviewReport, signal: AbortSignal): Promise<Decisions | null>;
  /** Whether to send; for money the person types the totals. */
  confirm(review: ReviewReport, signal: AbortSignal): Promise<boolean>;
}

/** A dialog on a terminal. Unless standard input and standard error are terminals, nobody is there to ask. */
export function terminalDialog(stdin: Terminal, stderr: Output): Dialog {
  return {
    present: isPresent(stdin, stderr),
    aboutRepeats: (review, signal) => aboutRepeats(review, promptAt(stdin, stderr, signal)),
    confirm: (review, signal) => confirm(review, promptAt(stdin, stderr, signal)),
  };
}

// Words, not letters or numbers: those stand on the screen with other meanings.
const SKIP = 'skip';
const SEND = 'send';
const ENTER = 'Enter';

/** A possible answer, and its effect. */
interface Choice {
  readonly key: string;
  readonly words: string;
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
  if (!isSame && taken > 0)
    prompt.tell(
      `${pluralize(taken, 'record looks', 'records look')} like a payment that another record here repeats too. If some of them are the same payment, stop, and move the others to a separate file.`,
    );
  const [paid, payment] = undecided.totals[0]?.type === 'gig' ? ['created', 'gig'] : ['paid', 'payment'];
  const isOne = (isSame ? sent : similar) === 1;
  const [they, it, same, separate] = isOne
    ? ['it was', 'it', `it is the same ${payment}`, `it is a separate ${payment}`]
    : ['they were', 'them', `they are the same ${payment}s`, `they are separate ${payment}s`];
  const other = countIn(review.toSend);
  const others = other === 0 ? 'nothing else is left to send' : `send the other ${pluralize(other, 'record')}`;
  const next =
    similar > 0 ? `; ${pluralize(similar, 'similar record is', 'similar records are')} asked about next` : '';
  const period = undecided.isElsewhere ? '' : ', or for another period';
  const stop = { key: ENTER, words: `not sure${period}: stop, nothing is sent` };
  const sums = sumByCurrency(undecided.totals).map(sumText).join('; ');
  const choices: Choice[] = isSame
    ? [{ key: SKIP, words: `${they} ${paid} already: leave ${it} out; ${others}${next}` }, stop]
    : [
        // A payment stands for one record: leaving out the others too would leave somebody unpaid.
        ...(taken === 0 ? [{ key: SKIP, words: `${same}: leave ${it} out; ${others}` }] : []),
        { key: SEND, words: `${separate}: send ${it} too, ${sums}` },
        stop,
      ];
  const answer = await choose(choices, prompt);
  if (answer === null) return null;
  return {
    skipCreated: isSame,
    skipSimilar: !isSame && answer === SKIP,
    sendSimilar: answer === SKIP ? null : similar,
  };
}

/** The key of the choice; null for Enter. */
async function choose(choices: readonly Choice[], prompt: Prompt): Promise<string | null> {
  const room = Math.max(...choices.map(({ key }) => key.length));
  for (const { key, words } of choices) prompt.tell(`  ${key.padEnd(room)}  ${words}`);
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
  for (const sum of sums) {
    const byCount = sum.type === 'gig' || sum.count === sum.unpriced;
    if (!(await (byCount ? confirmCount(sum, review, prompt) : confirmTotal(sum, review, prompt)))) return false;
  }
  return sums.length > 0;
}

/** Amount and target: the question itself names them, since the review may have left the screen. */
function whatWhere(sum: TotalRow, { target, batchId, approves, zero, negative }: ReviewReport): string {
  const [url = '', account] = (target ?? '').split('#');
  const where = printable(account === undefined ? url : `${url}, account ${account}`);
  const signs = [signText(sum, zero, 'of zero'), signText(sum, negative, 'below zero')].filter((text) => text !== '');
  const doubtful = signs.length === 0 ? '' : ` (${signs.join(', ')})`;
  return `${sumText(sum)}${sum.count > 1 && sum.count > sum.unpriced ? ' in all' : ''}${doubtful}, ${approves ? 'for' : 'to'} ${where}, batch ${printable(batchId)}`;
}

/** `2 below zero: -20.00 EUR` */
function signText({ type, currency }: TotalRow, part: ReviewGroup, words: string): string {
  const sum = sumByCurrency(part).find((row) => row.type === type && row.currency === currency);
  if (sum === undefined) return '';
  const money = compare(sum.amount, ZERO) === 0 ? '' : `: ${amountText(sum)}`;
  return `${formatCount(sum.count)} ${words}${money}`;
}

async function confirmCount(sum: TotalRow, review: ReviewReport, prompt: Prompt): Promise<boolean> {
  return isYes(await prompt.ask(`${review.approves ? 'Approve' : 'Send'} ${whatWhere(sum, review)}? [y/N] `));
}

/** The person types the total from the review, or better from their own sheet, and so has checked it. */
async function confirmTotal(sum: TotalRow, review: ReviewReport, prompt: Prompt): Promise<boolean> {
  const { type, amount, currency, count } = sum;
  const cents = KINDS[type as RecordType].unit === 'cents' ? ' in cents' : '';
  const words = {
    question: `To ${review.approves ? 'approve' : 'send'} ${whatWhere(sum, review)}, type ${count === 1 ? 'its amount' : 'their total'}${cents} (Enter stops): `,
    again: 'That is not the total. Type it again (Enter stops): ',
    failed: 'That is not the total either.',
  };
  return (await askFor(prompt, words, (typed) => (isTotal(typed, amount, currency) ? true : null))) !== null;
}

/** People write the currency before the amount, or after it. */
function withoutCurrency(typed: string, currency: string | null): string {
  if (currency === null) return typed;
  const text = typed.toUpperCase();
  const name = currency.toUpperCase();
  const number = text.startsWith(name)
    ? typed.slice(name.length)
    : text.endsWith(name)
      ? typed.slice(0, -name.length)
      : typed;
  return number.trim();
}

const GROUP_MARK = "[.,'’ \u00a0\u202f]?";

/** Whether the text is the amount, however the person separates thousands and decimals. */
export function isTotal(typed: string, amount: Decimal, currency: string | null): boolean {
  const [whole = '', fraction = ''] = formatDecimal(amount).split('.');
  const groups = groupThousands(amount).split('.')[0] ?? whole;
  const digits = groups.replaceAll(',', GROUP_MARK);
  const decimals = fraction === '' ? '(?:[.,]0+)?' : `[.,]${fraction}0*`;
  return new RegExp(`^${digits}${decimals}$`).test(withoutCurrency(typed.trim(), currency));
}

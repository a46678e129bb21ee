/** What a person is asked before anything is sent: what to do with repeats, and whether to send. */
import { compare, type Decimal, formatDecimal, groupThousands, ZERO } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import type { Decisions } from '../ledger/payment.js';
import { placeWords } from '../records/issue.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { moneyText } from '../records/money-text.js';
import type { Output } from '../util/output.js';
import { printable } from './printable.js';
import { askFor, isPresent, isYes, type Prompt, promptAt, type Terminal } from './prompt.js';
import type { Alike, Part, ReviewReport, UndecidedRepeats } from './reporter.js';
import { counted, countText, shortened, type TableColumn, tableLines } from './table.js';
import { figuresOf, type Money, sumText, unitText } from './totals-table.js';

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

const ENTER = 'Enter';

/** What a person may answer, and what that does. */
interface Choice {
  readonly key: string;
  readonly words: string;
}

/** Null stops. One kind is asked about at a time: the figures of the next question are those after this answer. */
async function aboutRepeats(review: ReviewReport, prompt: Prompt): Promise<Decisions | null> {
  const { undecided } = review;
  if (undecided === null) return null;
  const isSame = undecided.sent > 0;
  if (undecided.blocked > 0) {
    const them = counted(undecided.blocked, 'record needs', 'records need');
    prompt.tell(`${them} something else first.`);
    return null;
  }
  if (isSame) sayWhatWasPaid(undecided, prompt);
  else saySimilar(review, undecided, prompt);
  const number = countText(undecided.similar);
  const choices: Choice[] = [
    { key: 's', words: isSame ? sameWords(undecided, review) : similarWords(undecided, review) },
    ...(isSame ? [] : [{ key: number, words: inAdditionWords(undecided) }]),
    { key: ENTER, words: 'not sure, or for another period: stop, nothing is sent' },
  ];
  const answer = await choose(choices, prompt);
  if (answer === null) return null;
  const isInAddition = answer !== 's';
  return {
    skipCreated: isSame,
    skipSimilar: !isSame && !isInAddition,
    sendSimilar: isInAddition ? undecided.similar : null,
  };
}

/** `2 records were paid before, the last on 2026-11-20 in run 20261120-a1b2c3 (payroll.csv).` */
function sayWhatWasPaid({ sent, last }: UndecidedRepeats, prompt: Prompt): void {
  const file = last === null || last.file === null ? '' : ` (${last.file})`;
  const where = last === null ? '' : `, ${sent === 1 ? '' : 'the last '}on ${last.day} in run ${last.run}${file}`;
  prompt.tell(printable(`${counted(sent, 'record was', 'records were')} paid before${where}.`));
}

function sameWords({ sent, similar }: UndecidedRepeats, { toSend }: ReviewReport): string {
  const [were, them] = sent === 1 ? ['it was', 'it'] : ['they were', 'them'];
  return [
    `${were} paid already: leave ${them} out`,
    othersWords(toSend.count),
    ...(similar === 0 ? [] : [`${counted(similar, 'similar record is', 'similar records are')} asked about next`]),
  ].join('; ');
}

function othersWords(count: number): string {
  if (count === 0) return 'nothing else is to be sent';
  return count === 1 ? 'send the other one' : `send the other ${countText(count)}`;
}

function similarWords({ similar }: UndecidedRepeats, { toSend }: ReviewReport): string {
  const them = similar === 1 ? 'it is the same payment: leave it out' : 'they are the same payments: leave them out';
  return `${them}; ${othersWords(toSend.count)}`;
}

function inAdditionWords({ similar }: UndecidedRepeats): string {
  return similar === 1 ? 'it is a separate payment: send it as well' : 'they are separate payments: send them as well';
}

/** The key of the choice; null for Enter. */
async function choose(choices: readonly Choice[], prompt: Prompt): Promise<string | null> {
  const room = Math.max(...choices.map(({ key }) => key.length));
  for (const { key, words } of choices) prompt.tell(`  ${key.padEnd(room)}  ${words}`);
  const keys = choices.map(({ key }) => key);
  const named = `${keys.slice(0, -1).join(', ')} or ${keys.at(-1) ?? ''}`;
  // Enter is pressed: typed as a word, it is none of the others.
  const typeable = keys.filter((key) => key !== ENTER);
  const plain = (text: string): string => text.toLowerCase().replaceAll(',', '');
  return askFor(
    prompt,
    { question: `${named}: `, again: `Please answer ${named}: ` },
    (typed) => typeable.find((key) => plain(key) === plain(typed)) ?? null,
  );
}

/** In characters. */
const LONGEST_SUBJECT = 24;
const UNKNOWN = 'not known';

/** What it is compared with stands beside it: nobody should have to look it up. */
function saySimilar({ files, batchId }: ReviewReport, { similar, alike }: UndecidedRepeats, prompt: Prompt): void {
  prompt.tell(
    `${counted(similar, 'record looks like an earlier payment', 'records look like earlier payments')}: same person and purpose (gigs: title and start).`,
  );
  const [before, now] = [figuresOf(alike.map(earlierOf)), figuresOf(alike)];
  const difference = figuresOf(alike.map(differenceOf));
  const columns: TableColumn<Alike>[] = [
    {
      title: alike.every(({ type }) => type === 'gig') ? 'gig' : 'payee',
      cell: ({ subject }) => printable(shortened(subject, LONGEST_SUBJECT)),
    },
    {
      title: 'place',
      cell: ({ file, record, line }) =>
        printable([...(files.length > 1 ? [file] : []), placeWords({ record, line })].join(', ')),
    },
    { title: 'before', align: 'point', cell: (each) => beforeText(each, before) },
    { title: 'now', align: 'point', cell: (each) => now(each) || UNKNOWN },
    {
      title: 'difference',
      align: 'point',
      cell: (each) => `${isAbove(each.difference) ? '+' : ''}${difference(differenceOf(each))}`,
    },
    { title: '', cell: ({ type, currency }) => unitText(type, currency) },
    { title: 'paid before', cell: (each) => earlierPlace(each, batchId) },
  ];
  prompt.show(tableLines(columns, alike, prompt.width));
  const more = similar - alike.length;
  if (more > 0) prompt.tell(`and ${countText(more)} more, which differ less; --report FILE names them all`);
}

/** A batch is named where it is another one: the table has little room. */
function earlierPlace({ earlier: { day, batchId: batch, place } }: Alike, batchId: string): string {
  const where = place === null ? [] : [placeWords({ record: place.record, line: place.line })];
  return printable([day, ...(batch === batchId ? [] : [`batch ${batch}`]), ...where].join(', '));
}

function earlierOf({ type, earlier: { currency, amount } }: Alike): Money {
  return { type, currency, amount };
}

function differenceOf({ type, currency, difference }: Alike): Money {
  return { type, currency, amount: difference };
}

function beforeText(alike: Alike, figure: (money: Money) => string): string {
  const { earlier, type, currency } = alike;
  if (earlier.amount === null) return UNKNOWN;
  const unit = earlier.currency === currency ? '' : ` ${unitText(type, earlier.currency) || 'without a currency'}`;
  return `${figure(earlierOf(alike))}${unit}`;
}

function isAbove(difference: Decimal | null): boolean {
  return difference !== null && compare(difference, ZERO) > 0;
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

/** The person types the total from the review, or better from their own sheet, and so has looked at it. */
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

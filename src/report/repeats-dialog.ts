/** Questions about repeats: were they paid already, and are similar ones separate payments? */
import { compare, type Decimal, ZERO } from '../money/decimal.js';
import { placeWords, type RecordPlace } from '../records/issue.js';
import type { RecordType } from '../records/kind.js';
import { columnOf, type Money, unitText } from './amount-columns.js';
import type { Decisions } from '../ledger/payment.js';
import { printable } from './printable.js';
import type { Alike, ReviewReport, UndecidedRepeats } from './reporter.js';
import { counted, countText, shortened, tableLines, textWidth } from './table.js';

/** A terminal with a person at it. */
export interface Prompt {
  /** What is typed, as it is typed. Null when the input ends or the signal comes. */
  ask(question: string): Promise<string | null>;
  tell(text: string): void;
  /** Lines that fit already. */
  show(lines: readonly string[]): void;
  /** Columns of the terminal. */
  readonly width: number;
}

/** What a person may answer, and what that does. */
interface Choice {
  readonly key: string;
  readonly words: string;
}

/** Null stops. One kind is asked about at a time: the figures of the next question are those after this answer. */
export async function aboutRepeats(review: ReviewReport, prompt: Prompt): Promise<Decisions | null> {
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
  const choices = [
    { key: 's', words: isSame ? sameWords(undecided, review) : similarWords(undecided, review) },
    ...(isSame ? [] : [{ key: number, words: inAdditionWords(undecided) }]),
    { key: 'Enter', words: 'not sure, or for another period: stop, nothing is sent' },
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

/** An answer that is none of these is a typing error. */
const TRIES = 3;

/** The key of the choice; null for Enter. */
async function choose(choices: readonly Choice[], prompt: Prompt): Promise<string | null> {
  const room = Math.max(...choices.map(({ key }) => key.length));
  for (const { key, words } of choices) prompt.tell(`  ${key.padEnd(room)}  ${words}`);
  const keys = choices.map(({ key }) => key);
  const named = `${keys.slice(0, -1).join(', ')} or ${keys.at(-1) ?? ''}`;
  let question = `${named}: `;
  for (let left = TRIES; left > 0; left--) {
    const typed = ((await prompt.ask(question)) ?? '').trim().toLowerCase();
    if (typed === '') return null;
    const found = keys.find((key) => key.replaceAll(',', '') === typed.replaceAll(',', ''));
    if (found !== undefined) return found;
    question = `Please answer ${named}: `;
  }
  return null;
}

/** In characters. */
const LONGEST_SUBJECT = 24;

/** What it is compared with stands beside it: nobody should have to look it up. */
function saySimilar({ files, batchId }: ReviewReport, { similar, alike }: UndecidedRepeats, prompt: Prompt): void {
  prompt.tell(
    `${counted(similar, 'record looks like an earlier payment', 'records look like earlier payments')}: same person and purpose (gigs: title and start).`,
  );
  const columns = [
    { title: alike.every(({ type }) => type === 'gig') ? 'gig' : 'payee' },
    { title: 'line' },
    { title: 'before', align: 'point' as const },
    { title: 'now', align: 'point' as const },
    { title: 'difference', align: 'point' as const },
    { title: '' },
    { title: 'paid before' },
  ];
  // A title says that it is a line only in a table that fits.
  const short = tableLines(
    columns,
    similarRows(alike, batchId, ({ record, line }) => `${line ?? `record ${record}`}`),
  );
  const isShort = files.length === 1 && short.every((line) => textWidth(line) <= prompt.width);
  const place = (each: Alike): string =>
    printable(files.length > 1 ? `${each.file}, ${placeText(each)}` : placeText(each));
  prompt.show(isShort ? short : tableLines(columns, similarRows(alike, batchId, place), prompt.width));
  const more = similar - alike.length;
  if (more > 0) prompt.tell(`and ${countText(more)} more, which differ less; --report FILE names them all`);
}

function similarRows(alike: readonly Alike[], batchId: string, place: (each: Alike) => string): string[][] {
  const [before, now] = [columnOf(alike.map(earlierOf)).figure, columnOf(alike).figure];
  const difference = columnOf(alike.map(differenceOf)).figure;
  return alike.map((each) => [
    printable(shortened(each.subject, LONGEST_SUBJECT)),
    place(each),
    beforeText(each, before),
    now(each) || UNKNOWN,
    `${isAbove(each.difference) ? '+' : ''}${difference(differenceOf(each))}`,
    unitText(each.type as RecordType, each.currency),
    earlierPlace(each, batchId),
  ]);
}

/** A batch is named where it is another one: the table has little room. */
function earlierPlace({ earlier: { day, batchId: batch, place } }: Alike, batchId: string): string {
  const words = [day, ...(batch === batchId ? [] : [`batch ${batch}`]), ...(place === null ? [] : [placeText(place)])];
  return printable(words.join(', '));
}

const UNKNOWN = 'not known';

function earlierOf({ type, earlier: { currency, amount } }: Alike): Money {
  return { type, currency, amount };
}

function differenceOf({ type, currency, difference }: Alike): Money {
  return { type, currency, amount: difference };
}

function beforeText(alike: Alike, figure: (money: Money) => string): string {
  const { earlier, type, currency } = alike;
  if (earlier.amount === null) return UNKNOWN;
  const unit =
    earlier.currency === currency ? '' : ` ${unitText(type as RecordType, earlier.currency) || 'without a currency'}`;
  return `${figure(earlierOf(alike))}${unit}`;
}

function isAbove(difference: Decimal | null): boolean {
  return difference !== null && compare(difference, ZERO) > 0;
}

/** The line alone: a table has no room for more. */
function placeText({ record, line }: RecordPlace): string {
  return placeWords({ record, line });
}

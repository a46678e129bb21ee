/** Questions about repeats: were they paid already, are they for another period, are similar ones payments of their own? */
import { compare, type Decimal, ZERO } from '../money/decimal.js';
import { placeWords, type RecordPlace } from '../records/issue.js';
import { nameFault } from '../records/hidden.js';
import type { RecordType } from '../records/kind.js';
import { amountColumn, type Money } from './amounts.js';
import type { Decisions } from '../ledger/payment.js';
import { printable } from './printable.js';
import type { Alike, ReviewReport, UndecidedRepeats } from './reporter.js';
import { unitText } from './kind-words.js';
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

/** What is to be done with repeats: a decision about them, or the name of the batch that the whole input is for. */
export type RepeatsAnswer = { readonly decisions: Decisions } | { readonly batchId: string };

/** What a person may answer, and what that does. */
interface Choice {
  readonly key: string;
  readonly words: string;
}

/** Null stops. One kind is asked about at a time: the figures of the next question are those after this answer. */
export async function aboutRepeats(review: ReviewReport, prompt: Prompt): Promise<RepeatsAnswer | null> {
  const { undecided } = review;
  if (undecided === null) return null;
  const isSame = undecided.sent + undecided.open > 0;
  if (isSame) sayWhatWasSent(undecided, prompt);
  else saySimilar(review, undecided, prompt);
  for (const words of undecided.unfinished) prompt.tell(printable(`${words.charAt(0).toUpperCase()}${words.slice(1)}`));
  const number = countText(undecided.similar);
  const choices = [
    { key: 's', words: isSame ? sameWords(undecided, review) : similarWords(undecided, review) },
    ...(isSame ? [] : [{ key: number, words: ownWords(undecided) }]),
    ...(undecided.otherPurpose === 'name' ? [{ key: 'b', words: batchWords(review) }] : []),
    { key: 'Enter', words: 'not sure: stop, nothing is sent' },
  ];
  const answer = await choose(choices, otherwise(undecided, review), prompt);
  if (answer === 'b') return nameBatch(review.batchId, undecided, prompt);
  if (answer === null) return null;
  const isOwn = answer !== 's';
  return {
    decisions: {
      skipCreated: isSame,
      skipSimilar: !isSame && !isOwn,
      sendSimilar: isOwn ? undecided.similar : null,
    },
  };
}

/** `2 records were sent before, the last on 2026-11-20 in run 20261120-a1b2c3 (payroll.csv).` */
function sayWhatWasSent({ sent, open, last }: UndecidedRepeats, prompt: Prompt): void {
  const found = [
    ...(sent === 0 ? [] : [`${counted(sent, 'record was', 'records were')} sent before`]),
    ...(open === 0 ? [] : [`${counted(open, 'record is', 'records are')} still open in another run`]),
  ].join(', ');
  const file = last === null || last.file === null ? '' : ` (${last.file})`;
  const where =
    last === null ? '' : `, ${sent + open === 1 ? '' : 'the last '}on ${last.day} in run ${last.run}${file}`;
  prompt.tell(printable(`${found}${where}.`));
}

function sameWords({ sent, open, similar }: UndecidedRepeats, { toSend }: ReviewReport): string {
  const [were, them] = sent === 1 ? ['it was', 'it'] : ['they were', 'them'];
  const elsewhere = open === 1 ? 'the one of the other run' : `the ${countText(open)} of the other run`;
  return [
    ...(sent === 0 ? [] : [`${were} paid already: leave ${them} out`]),
    ...(open === 0 ? [] : [`send ${sent === 0 ? (open === 1 ? 'it' : 'them') : elsewhere} with this run, once`]),
    ...othersWords(toSend.count),
    ...(similar === 0 ? [] : [`${counted(similar, 'similar record is', 'similar records are')} asked about next`]),
  ].join('; ');
}

function othersWords(count: number): string[] {
  return [
    count === 0
      ? 'nothing else is to be sent'
      : count === 1
        ? 'send the other one'
        : `send the other ${countText(count)}`,
  ];
}

function similarWords({ similar }: UndecidedRepeats, { toSend }: ReviewReport): string {
  const [were, them] = similar === 1 ? ['it was', 'it'] : ['they were', 'them'];
  return [`${were} paid already: leave ${them} out`, ...othersWords(toSend.count)].join('; ');
}

function ownWords({ similar }: UndecidedRepeats): string {
  const [are, them] = similar === 1 ? ['it is a payment of its own', 'it'] : ['they are payments of their own', 'them'];
  return `${are}: send ${them} in addition to what was sent before`;
}

function batchWords({ inFile, batchId }: ReviewReport): string {
  const several = inFile.count === 2 ? 'both records are' : `all ${countText(inFile.count)} records are`;
  const all = inFile.count === 1 ? 'it is' : several;
  return `${all} for another period or purpose: name its batch (now it is ${printable(batchId)}), and go on in that`;
}

/** The way for another period or purpose, where it leads out of this call. */
function otherwise({ otherPurpose }: UndecidedRepeats, { batchId }: ReviewReport): string | null {
  if (otherPurpose === null || otherPurpose === 'name') return null;
  const how =
    otherPurpose === 'apart'
      ? 'put these records alone into a file of their own, and import it with a name for that, --batch-id NAME'
      : `run the same command with a name for that, --batch-id NAME (now it is ${printable(batchId)})`;
  return `If they are for another period or purpose: stop, and ${how}.`;
}

/** An answer that is none of these is a typing error. */
const TRIES = 3;

/** The key of the choice; null for Enter. */
async function choose(choices: readonly Choice[], aside: string | null, prompt: Prompt): Promise<string | null> {
  const room = Math.max(...choices.map(({ key }) => key.length));
  for (const { key, words } of choices) prompt.tell(`  ${key.padEnd(room)}  ${words}`);
  if (aside !== null) prompt.tell(aside);
  const keys = choices.map(({ key }) => key);
  const named = `${keys.slice(0, -1).join(', ')} or ${keys.at(-1) ?? ''}`;
  let question = `${named}: `;
  for (let left = TRIES; left > 0; left--) {
    const typed = ((await prompt.ask(question)) ?? '').trim().toLowerCase();
    if (typed === '') return null;
    const found = keys.find((key) => key.replaceAll(',', '') === typed.replaceAll(',', ''));
    if (found !== undefined) return found;
    question = `That is none of them. ${named}: `;
  }
  return null;
}

/** Enter stops. A name that cannot be is asked for again. */
async function nameBatch(
  batchId: string,
  { exampleName }: UndecidedRepeats,
  prompt: Prompt,
): Promise<RepeatsAnswer | null> {
  let question = `Name of the batch, such as ${exampleName} (Enter stops): `;
  for (;;) {
    const typed = await prompt.ask(question);
    if (typed === null || typed === '') return null;
    const name = typed.trim();
    const fault = name === batchId ? 'is the batch that it is in now' : nameFault(name);
    if (fault === null) return { batchId: name };
    question = `${name === '' ? 'A blank name says nothing' : `That name ${fault}`}. Another one (Enter stops): `;
  }
}

/** In characters. */
const LONGEST_SUBJECT = 24;

/** What it is compared with stands beside it: nobody should have to look it up. */
function saySimilar({ files }: ReviewReport, { similar, alike }: UndecidedRepeats, prompt: Prompt): void {
  prompt.tell(
    `${counted(similar, 'record is similar to an earlier payment', 'records are similar to earlier payments')}: same user and title (gigs: title and start), and something else differs.`,
  );
  const columns = [
    { title: alike.every(({ type }) => type === 'gig') ? 'gig' : 'payee' },
    { title: 'line' },
    { title: 'before', align: 'point' as const },
    { title: 'now', align: 'point' as const },
    { title: 'difference', align: 'point' as const },
    { title: '' },
    { title: 'sent before' },
  ];
  // A title says that it is a line only in a table that fits.
  const short = tableLines(
    columns,
    similarRows(alike, ({ record, line }) => `${line ?? `record ${record}`}`),
  );
  const isShort = files.length === 1 && short.every((line) => textWidth(line) <= prompt.width);
  const place = (each: Alike): string =>
    printable(files.length > 1 ? `${each.file}, ${placeText(each)}` : placeText(each));
  prompt.show(isShort ? short : tableLines(columns, similarRows(alike, place), prompt.width));
  const more = similar - alike.length;
  if (more > 0) prompt.tell(`and ${countText(more)} more, which differ less; --report FILE names them all`);
}

function similarRows(alike: readonly Alike[], place: (each: Alike) => string): string[][] {
  const [before, now] = [amountColumn(alike.map(earlierOf)), amountColumn(alike)];
  const difference = amountColumn(alike.map(differenceOf));
  return alike.map((each) => [
    printable(shortened(each.subject, LONGEST_SUBJECT)),
    place(each),
    beforeText(each, before),
    now(each) || UNKNOWN,
    `${isAbove(each.difference) ? '+' : ''}${difference(differenceOf(each))}`,
    unitText(each.type as RecordType, each.currency),
    [each.earlier.day, ...(each.earlier.place === null ? [] : [placeText(each.earlier.place)])].join(', '),
  ]);
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

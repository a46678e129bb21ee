/** Rows that a run would refuse, or pay by mistake: each kind is a question with its ways out. */
import { type Answers, withDropped, withOnly, withSettled } from '../../input/setup/answers.js';
import { seenWords } from '../../input/setup/conclusion.js';
import type { RowGroup } from '../../input/setup/rows-found.js';
import { onlyRule } from '../../input/only-rows.js';
import { moneyText } from '../../records/currencies.js';
import { excerpt } from '../../records/issue.js';
import { counted } from '../../report/table.js';
import { shellWord } from '../../util/shell-word.js';
import { type Choice, type Question, type Step, STOP } from './dialogue.js';
import type { KnownFile } from './way-questions.js';

/** In the order of asking: questions that leave rows out come before those that count them. */
export function* rowQuestions(known: KnownFile): Iterable<Question> {
  const { survey } = known;
  for (const { column, what } of survey.markings) {
    const words = survey.found.words.get(column) ?? new Map<string, RowGroup>();
    if (words.size > 1) yield markingQuestion(column, what, words, known);
  }
  if (!survey.answers.allowTotalRow) for (const total of survey.found.totals) yield totalQuestion(total, known);
  const amount = survey.fields.columns.find(({ field }) => field.money === true)?.name;
  if (amount === undefined) return;
  yield signsQuestion(amount, known);
  const { empty, unread, unnamed } = survey.found;
  if (empty !== null) yield emptyQuestion(amount, empty, known);
  const user = survey.fields.columns.find(({ path }) => path === 'user_id')?.name;
  if (unnamed !== null && user !== undefined) yield emptyQuestion(user, unnamed, known);
  for (const [text, group] of [...unread].slice(0, MOST_TEXTS)) yield unreadQuestion(amount, text, group, known);
}

const MOST_TEXTS = 4;

/** A choice that leaves rows out; empty if a column's name cannot be written in a condition. */
function onlyChoice(
  column: string,
  test: string,
  label: string,
  answers: Answers,
  more: Partial<Answers> = {},
): Choice<Step>[] {
  const written = `${column}${test}`;
  const rule = onlyRule('--only', written);
  if (rule.column !== column || rule.test + rule.text !== test) return [];
  return [{ value: { ...withOnly(answers, written), ...more }, label }];
}

function onlyFlag(column: string, test: string, platform: NodeJS.Platform): string {
  return `--only ${shellWord(`${column}${test}`, platform)}`;
}

function markingQuestion(
  column: string,
  what: string,
  words: ReadonlyMap<string, RowGroup>,
  known: KnownFile,
): Question {
  const { survey, platform } = known;
  const { answers } = survey;
  const found = [...words].map(([word, { count }]) => `"${excerpt(word)}" ${counted(count, 'row')}`).join(', ');
  const keep = [...words].flatMap(([word, group]) =>
    onlyChoice(column, `=${word}`, `Only the rows with "${word}": ${groupWords(group, known)}`, answers),
  );
  // Of several kinds of rows, more than one may be meant.
  const leave =
    words.size < 3
      ? []
      : [...words].flatMap(([word, group]) =>
          onlyChoice(column, `!=${word}`, `All but the rows with "${word}": ${groupWords(group, known)}`, answers),
        );
  const all = what === 'a status' ? 'all rows, whatever their status' : 'all rows, debit and credit';
  return {
    open: {
      text: `which rows are to be paid: the column ${column} marks ${what} (${found})`,
      say: [
        ...[...words.keys()].map((word) => onlyFlag(column, `=${word}`, platform)),
        `--ignore-column ${shellWord(column, platform)}`,
      ],
    },
    asked: {
      because: `The column "${column}" marks ${what}: ${found}.`,
      question: 'Which rows do you want to pay?',
      choices: [
        ...keep,
        ...leave,
        { value: withDropped(answers, column), label: `Ignore this column and send ${all}` },
      ],
    },
  };
}

function totalQuestion(
  { column, word, group }: KnownFile['survey']['found']['totals'][number],
  known: KnownFile,
): Question {
  const { survey, platform } = known;
  const { answers } = survey;
  const found = `line ${group.first.line} is a total, not a payment: "${column}" is ${JSON.stringify(excerpt(word))}`;
  return {
    open: {
      text: `what to do with totals: ${found}`,
      say: [onlyFlag(column, `!=${word}`, platform), '--allow-total-row'],
    },
    asked: {
      because: `${found.charAt(0).toUpperCase()}${found.slice(1)} (${groupWords(group, known)}).`,
      question: group.count === 1 ? 'Leave this row out?' : 'Leave these rows out?',
      choices: [
        ...onlyChoice(column, `!=${word}`, 'Yes, it is not paid', answers),
        { value: { ...answers, allowTotalRow: true }, label: 'No, it is a payment' },
      ],
      first: 0,
    },
  };
}

/** About amounts that are negative or 0: which of them are the payments. */
function signsQuestion(column: string, known: KnownFile): Question {
  const { survey, platform } = known;
  const { answers, found } = survey;
  const { negative, positive, zero, count } = found;
  const nothing: Question = { open: null, asked: null };
  if (answers.allowNegative || (negative === null && zero === null)) return nothing;
  const isTurned = answers.negate === true;
  const [meant, other] = isTurned ? [negative, positive] : [positive, negative];
  if (answers.negate !== null && other === null && zero === null) return nothing;
  if (negative !== null && positive === null && zero === null && answers.negate === null)
    return turnQuestion(column, negative, known);
  const payNegative = (label: string): Choice<Step>[] => onlyChoice(column, '<0', label, answers, { negate: true });
  const payPositive = (label: string): Choice<Step>[] => onlyChoice(column, '>0', label, answers);
  const all: Choice<Step> = {
    value: { ...answers, allowNegative: true },
    label: 'Send all rows as they are, also these',
  };
  const isBank = isTurned || (answers.negate === null && (negative?.count ?? 0) > (positive?.count ?? 0));
  const left = isBank ? (positive ?? zero) : (negative ?? zero);
  const kind =
    left === zero
      ? left?.count === 1
        ? 'has the amount 0'
        : 'have the amount 0'
      : isBank
        ? left?.count === 1
          ? 'is money received'
          : 'are money received'
        : left?.count === 1
          ? 'is negative'
          : 'are negative';
  if (left === null) return nothing;
  const money = left === zero ? '' : `, ${sumWords(left, known)}`;
  const text = `${left.count} of ${counted(count, 'row')} ${kind}${money}`;
  const positiveFlag = onlyFlag(column, '>0', platform);
  const negativeFlag = `${onlyFlag(column, '<0', platform)} --negate`;
  return {
    open: {
      text: `${text}, as in ${seenWords(left.first)}: which rows are to be paid`,
      say: [
        ...(isTurned || positive === null ? [] : [positiveFlag]),
        ...(negative === null ? [] : [negativeFlag]),
        '--allow-negative',
      ],
    },
    asked: {
      because: `The first is ${seenWords(left.first)}.`,
      question: `${text}: leave ${left.count === 1 ? 'it' : 'them'} out?`,
      choices: [
        ...(isBank
          ? payNegative(`Yes, pay only the negative amounts: ${groupWords(negative, known)}`)
          : payPositive(`Yes, pay only the positive amounts: ${groupWords(meant, known)}`)),
        ...(isTurned || left === zero
          ? []
          : isBank
            ? payPositive(`No, pay these and leave the negative ones out: ${groupWords(positive, known)}`)
            : payNegative(
                `No, pay these (as positive amounts) and leave the others out: ${groupWords(negative, known)}`,
              )),
        all,
      ],
    },
  };
}

function turnQuestion(_column: string, negative: RowGroup, { survey }: KnownFile): Question {
  const { answers } = survey;
  const { typed } = negative.first;
  const because = `every amount is negative, as in ${seenWords(negative.first)}`;
  return {
    open: { text: `whether negative amounts are the payments: ${because}`, say: ['--negate'] },
    asked: {
      because: `${because.charAt(0).toUpperCase()}${because.slice(1)}. Banks show money going out as negative.`,
      question: `Should ${typed} be paid out as ${typed.replace('-', '')}?`,
      choices: [
        { value: { ...answers, negate: true }, label: 'Yes, negative amounts are the payments' },
        { value: { ...answers, allowNegative: true }, label: 'No, send the amounts as they are, negative' },
        STOP,
      ],
      first: 0,
    },
  };
}

/** About rows without an amount, or without a payee. `--yes` leaves them to the dry run, which names each. */
function emptyQuestion(column: string, group: RowGroup, { survey }: KnownFile): Question {
  const id = `empty ${column}`;
  const { answers, found } = survey;
  if (answers.settled.has(id)) return { open: null, asked: null };
  return {
    open: null,
    asked: {
      because: `In ${group.count} of ${counted(found.count, 'row')}, the cell under "${column}" is empty. The first is on line ${group.first.line}.`,
      question: group.count === 1 ? 'Leave this row out?' : 'Leave these rows out?',
      choices: [
        ...onlyChoice(column, '!=', 'Yes, nothing is paid for them', answers),
        { value: withSettled(answers, id), label: 'No, I will fill these cells: until then, nothing is sent' },
      ],
    },
  };
}

function unreadQuestion(column: string, text: string, group: RowGroup, { survey }: KnownFile): Question {
  const id = `unread ${text}`;
  const { answers } = survey;
  if (answers.settled.has(id)) return { open: null, asked: null };
  return {
    open: null,
    asked: {
      because: `${counted(group.count, 'row')}: "${column}" is not a number, as in ${seenWords(group.first)}.`,
      question: group.count === 1 ? 'Leave this row out?' : 'Leave these rows out?',
      choices: [
        ...onlyChoice(column, `!=${text}`, `Yes, leave out rows with ${JSON.stringify(excerpt(text))}`, answers),
        { value: withSettled(answers, id), label: 'No, I will correct them: until then, nothing is sent' },
      ],
    },
  };
}

/** `12 rows, 1,290.40 EUR` */
function groupWords(group: RowGroup | null, known: KnownFile): string {
  return group === null ? 'none' : `${counted(group.count, 'row')}, ${sumWords(group, known)}`;
}

function sumWords({ sum }: RowGroup, { survey }: KnownFile): string {
  const { ways, answers, fields, evidence } = survey;
  const column = fields.columns.find(({ path }) => path === 'currency');
  const [code, another] = (column === undefined ? null : evidence.columns.get(column.name)?.words)?.keys() ?? [];
  const currency = answers.set.get('currency') ?? ways.currency.value ?? (another === undefined ? code : null);
  return moneyText(sum.value(), typeof currency === 'string' ? currency : null, 'payout');
}

/** Rows that a run would refuse, or pay by mistake: each kind is a question with its ways out. */
import { type Answers, withDropped, withOnly, withSettled } from '../../input/setup/answers.js';
import { seenWords } from '../../input/setup/conclusion.js';
import type { Marking } from '../../input/setup/marking-columns.js';
import type { RowGroup } from '../../input/setup/rows-found.js';
import type { Survey } from '../../input/setup/survey.js';
import { onlyRule } from '../../input/only-rows.js';
import { moneyText } from '../../records/currencies.js';
import { excerpt } from '../../records/issue.js';
import { counted } from '../../report/table.js';
import { shellWord } from '../../util/shell-word.js';
import { type Choice, type Question, type Step, STOP } from './dialogue.js';
import { dropFlag, type KnownFile } from './way-questions.js';

/** In the order of asking: questions that leave rows out come before those that count them. */
export function* rowQuestions(known: KnownFile): Iterable<Question> {
  const { survey } = known;
  for (const marking of survey.markings) {
    const words = wordsOf(marking, survey);
    if (words.size > 1) yield markingQuestion(marking, words, known);
  }
  yield { ...NO_QUESTION, told: sameInAllRows(survey).map(keptWords).join(' ') };
  if (!survey.answers.allowTotalRow) for (const total of survey.found.totals) yield totalQuestion(total, known);
  const amount = survey.fields.columns.find(({ field }) => field.money === true)?.name;
  if (amount === undefined) return;
  yield signsQuestion(amount, known);
  const { empty, unread, unnamed } = survey.found;
  if (empty !== null) yield unfilledQuestion(amount, '', empty, known);
  const user = survey.fields.columns.find(({ path }) => path === 'user_id')?.name;
  if (unnamed !== null && user !== undefined) yield unfilledQuestion(user, '', unnamed, known);
  for (const [text, group] of [...unread].slice(0, MOST_TEXTS)) yield unfilledQuestion(amount, text, group, known);
}

const MOST_TEXTS = 4;

const NO_QUESTION: Question = { open: null, asked: null };

function wordsOf({ column }: Marking, { found }: Survey): ReadonlyMap<string, RowGroup> {
  return found.words.get(column) ?? new Map<string, RowGroup>();
}

/** Conditions that all rows fulfil now: another month may have rows that are not to be paid. */
export function sameInAllRows(survey: Survey): string[] {
  const used = survey.answers.only.map((written) => onlyRule('--only', written).column);
  return survey.markings.flatMap((marking) => {
    const [word, another] = wordsOf(marking, survey).keys();
    if (word === undefined || another !== undefined || used.includes(marking.column)) return [];
    return condition(marking.column, `=${word}`) ?? [];
  });
}

function keptWords(written: string): string {
  const { column, text } = onlyRule('--only', written);
  return `All rows have ${wordText(text)} under "${column}": also in later months, only such rows are read.`;
}

/** Null where a column's name cannot be written in a condition. */
function condition(column: string, test: string): string | null {
  const rule = onlyRule('--only', `${column}${test}`);
  return rule.column === column && rule.test + rule.text === test ? rule.written : null;
}

/** A choice that leaves rows out. */
function onlyChoice(
  column: string,
  test: string,
  label: string,
  answers: Answers,
  more: Partial<Answers> = {},
): Choice<Step>[] {
  const written = condition(column, test);
  return written === null ? [] : [{ value: { ...withOnly(answers, written), ...more }, label }];
}

function onlyFlags(column: string, tests: readonly string[], platform: NodeJS.Platform): string[] {
  return tests.flatMap((test) => {
    const written = condition(column, test);
    return written === null ? [] : [`--only ${shellWord(written, platform)}`];
  });
}

function wordText(word: string): string {
  return word === '' ? 'nothing' : `"${excerpt(word)}"`;
}

function markingQuestion({ column, what }: Marking, words: ReadonlyMap<string, RowGroup>, known: KnownFile): Question {
  const { survey, platform } = known;
  const { answers } = survey;
  const found = [...words].map(([word, { count }]) => `${wordText(word)} ${counted(count, 'row')}`).join(', ');
  const choicesOf = (test: string, label: string): Choice<Step>[] =>
    [...words].flatMap(([word, group]) =>
      onlyChoice(column, `${test}${word}`, `${label} ${wordText(word)}: ${groupWords(group, known)}`, answers),
    );
  return {
    open: {
      text: `which rows are to be paid: the column ${column} marks ${what} (${found})`,
      say: [
        ...onlyFlags(
          column,
          [...words.keys()].map((word) => `=${word}`),
          platform,
        ),
        dropFlag(column, platform),
      ],
    },
    asked: {
      because: `The column "${column}" marks ${what}: ${found}.`,
      question: 'Which rows do you want to pay?',
      choices: [
        ...choicesOf('=', 'Only'),
        // Of several kinds of rows, more than one may be meant.
        ...(words.size < 3 ? [] : choicesOf('!=', 'All but')),
        { value: withDropped(answers, column), label: 'Ignore this column and send all rows' },
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
      say: [...onlyFlags(column, [`!=${word}`], platform), '--allow-total-row'],
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
  const { answers, found } = known.survey;
  const { negative, positive, zero } = found;
  if (answers.allowNegative) return NO_QUESTION;
  const areTurned = answers.negate ?? (negative?.count ?? 0) > (positive?.count ?? 0);
  const [meant, other] = areTurned ? [negative, positive] : [positive, negative];
  if (areTurned && answers.negate === null && other === null && zero === null && negative !== null)
    return turnQuestion(negative, known);
  if (other !== null) return leaveQuestion(column, { areTurned, meant, other, left: other }, known);
  return zero === null ? NO_QUESTION : leaveQuestion(column, { areTurned, meant, other, left: zero }, known);
}

interface Signs {
  /** Negative amounts are the payments. */
  readonly areTurned: boolean;
  readonly meant: RowGroup | null;
  /** Of the other sign. */
  readonly other: RowGroup | null;
  readonly left: RowGroup;
}

/** About rows that are no payments, as far as their signs tell. */
function leaveQuestion(column: string, { areTurned, meant, other, left }: Signs, known: KnownFile): Question {
  const { platform, survey } = known;
  const { answers, found } = survey;
  const isOne = left.count === 1;
  const be = isOne ? 'is' : 'are';
  const kind =
    other === null ? `${isOne ? 'has' : 'have'} the amount 0` : `${be} ${areTurned ? 'money received' : 'negative'}`;
  const text = `${left.count} of ${counted(found.count, 'row')} ${kind}${other === null ? '' : `, ${sumWords(left, known)}`}`;
  // The other way round, where nobody has said yet which sign payments have.
  const ways = [
    { areNegative: areTurned, group: meant, label: 'Yes, pay only the' },
    { areNegative: !areTurned, group: answers.negate === null ? other : null, label: 'No, pay only the' },
  ].filter(({ group }) => group !== null);
  return {
    open: {
      text: `${text}, as in ${seenWords(left.first)}: which rows are to be paid`,
      say: [
        ...ways.flatMap(({ areNegative }) =>
          onlyFlags(column, [areNegative ? '<0' : '>0'], platform).map(
            (flag) => flag + (areNegative ? ' --negate' : ''),
          ),
        ),
        '--allow-negative',
      ],
    },
    asked: {
      because: `The first is ${seenWords(left.first)}.`,
      question: `${text}: leave ${isOne ? 'it' : 'them'} out?`,
      choices: [
        ...ways.flatMap(({ areNegative, group, label }) => {
          const words = `${label} ${areNegative ? 'negative' : 'positive'} amounts: ${groupWords(group, known)}`;
          return onlyChoice(column, areNegative ? '<0' : '>0', words, answers, areNegative ? { negate: true } : {});
        }),
        { value: { ...answers, allowNegative: true }, label: 'Send all rows as they are, also these' },
      ],
    },
  };
}

function turnQuestion(negative: RowGroup, { survey }: KnownFile): Question {
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

/** About rows that a run refuses: without an amount or a payee, or with a text in place of an amount. */
function unfilledQuestion(column: string, text: string, group: RowGroup, { survey, platform }: KnownFile): Question {
  const { answers, found } = survey;
  const id = JSON.stringify([column, text]);
  if (answers.settled.has(id)) return NO_QUESTION;
  const rows = `${group.count} of ${counted(found.count, 'row')}`;
  const what = text === '' ? 'nothing' : `${JSON.stringify(excerpt(text))}, which is no number,`;
  const because = `${rows} ${group.count === 1 ? 'has' : 'have'} ${what} under "${column}", the first on line ${group.first.line}`;
  return {
    open: {
      text: `${because}: fill the cells in the file, or leave the rows out`,
      say: onlyFlags(column, [`!=${text}`], platform),
    },
    asked: {
      because: `${because}.`,
      question: group.count === 1 ? 'Leave this row out?' : 'Leave these rows out?',
      choices: [
        ...onlyChoice(column, `!=${text}`, 'Yes, nothing is paid for them', answers),
        { value: withSettled(answers, id), label: 'No, I will fill these cells: until then, nothing is sent' },
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

/**
 * What is not known of a file, as a list of questions in order. At a terminal they are asked, with the likeliest answer
 * first; `--yes` names those that the file does not prove. An answer is what is known with it: the questions are then made
 * again, and those that it has settled are no more.
 */
import { isLikeData } from '../../input/csv-header.js';
import { splitSign } from '../../input/currency-signs.js';
import type { ColumnField, Suggestion } from '../../input/setup/named-columns.js';
import { isSure } from '../../input/setup/conclusion.js';
import { readingsOf } from '../../input/setup/number-marks.js';
import {
  type Answers,
  type Survey,
  type SurveyedFile,
  withColumn,
  withDropped,
  withValue,
} from '../../input/setup/survey.js';
import { fieldAt } from '../../records/field.js';
import type { Kind, RecordType } from '../../records/kind.js';
import { KINDS, RECORD_TYPES } from '../../records/kinds.js';
import { counted, shortened } from '../../report/table.js';
import { shellWord } from '../../util/shell-word.js';
import { AGREED, type Asked, pointOf, type Question } from './dialogue.js';
import { wayQuestions } from './way-questions.js';

/**
 * @param platform for whose shells flags are quoted
 * @throws FileFault, UsageError
 */
export async function* questionsOf(
  file: SurveyedFile,
  answers: Answers,
  platform: NodeJS.Platform,
): AsyncGenerator<Question> {
  const survey = await file.look(answers);
  yield headerQuestion(survey, answers);
  // What a line that may be no header seems to say is of no use.
  if (!isSure(survey.header)) return;
  yield typeQuestion(survey, answers);
  if (survey.type.value === null) return;
  const kind = KINDS[survey.type.value];
  yield* columnQuestions(survey, answers, kind, platform);
  yield* wayQuestions(await file.ways(survey, answers), survey, answers, kind, platform);
}

const LONGEST_LIST = 12;

/** Names in one line; of very many, the first. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, LONGEST_LIST).map((name) => shortened(name, 40));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

const SHOWN_LINES = 8;

function headerQuestion({ lines, header, source }: Survey, answers: Answers): Question {
  const wide = (cells: readonly string[]): string => cells.filter((cell) => cell !== '').join(' | ');
  const usual = lines.find(({ line }) => line >= source.usualLine)?.line ?? 1;
  const likely = header.value ?? usual;
  const take = (line: number): Answers =>
    line === usual && header.value === null ? answers : { ...answers, headerLine: line };
  const choices = lines.map(({ line, cells }) => ({
    value: take(line),
    label: `line ${line}: ${wide(cells)}`,
    hint: line === likely && header.because !== '' ? header.because : undefined,
  }));
  const asked: Asked = {
    shown: {
      title: 'The file begins like this:',
      lines: lines.slice(0, SHOWN_LINES).map(({ line, cells }) => `${String(line).padStart(3)}  ${wide(cells)}`),
    },
    question: 'On which line do the column names stand?',
    choices: [...choices, { value: take(0), label: 'on none: the first line is a record already' }],
    first: likely === 0 ? lines.length : lines.findIndex(({ line }) => line === likely),
  };
  return {
    id: 'header',
    open: isSure(header) ? null : pointOf('where the column names stand', header),
    asked: answers.headerLine === null && source.isText ? asked : null,
  };
}

const TYPE_WORDS: Readonly<Record<RecordType, string>> = {
  payout: 'payouts: an amount for each person',
  result: 'gig results: how many tasks each person has done',
  gig: 'gigs: work that is offered',
};

function typeQuestion({ type }: Survey, answers: Answers): Question {
  const choices = RECORD_TYPES.map((each) => ({ value: { ...answers, type: each }, label: TYPE_WORDS[each] }));
  return {
    id: 'type',
    // Where it is only likely, the column that makes it so is asked about.
    open: type.value === null ? pointOf('what the records are', type) : null,
    asked: isSure(type)
      ? null
      : { question: 'What are the rows?', choices, first: RECORD_TYPES.indexOf(type.value ?? 'payout') },
  };
}

function* columnQuestions(
  survey: Survey,
  answers: Answers,
  kind: Kind,
  platform: NodeJS.Platform,
): Generator<Question> {
  const { suggestions, missing, twice, others } = survey.fields;
  for (const name of twice)
    yield {
      id: 'twice',
      open: {
        text: `which column is meant: several are named ${JSON.stringify(name)}; rename all but one in the file`,
        say: [],
      },
      asked: {
        because: `Several columns are named ${nameList(twice)}: rename all but one in the file.`,
        ...{ question: '', choices: [] },
      },
    };
  for (const suggestion of suggestions) yield suggestedQuestion(suggestion, survey, answers, kind, platform);
  for (const path of missing) {
    const [field = ''] = path.split(' or ');
    const rest = others.length === 0 ? '' : `; columns that give nothing: ${nameList(others)}`;
    yield {
      id: 'field',
      open: {
        text: `what gives ${path}, which every ${kind.type} needs${rest}`,
        say: [`--map 'COLUMN=${field}'`, `--set ${field}=VALUE`],
      },
      asked: askField(field, survey, answers, kind),
    };
  }
  yield { id: AGREED, open: null, asked: askAgreement(survey, answers, kind) };
}

function suggestedQuestion(
  { path, names, isSure: isMeant }: Suggestion,
  survey: Survey,
  answers: Answers,
  kind: Kind,
  platform: NodeJS.Platform,
): Question {
  const quoted = names.map((name) => JSON.stringify(name)).join(' or ');
  const isOne = names.length === 1 && !isMeant;
  const word = (text: string): string => shellWord(text, platform);
  return {
    id: 'suggestion',
    open: {
      text: isOne ? `whether the column ${quoted} gives ${path}` : `which column gives ${path}: ${quoted}`,
      say: [
        ...names.map((name) => `--map ${word(`${name}=${path}`)}`),
        ...(isNeeded(path, kind) ? [] : names.map((name) => `--ignore-column ${word(name)}`)),
      ],
    },
    asked: {
      question: `Is this the column with ${helpOf(kind, path)}?`,
      choices: [
        ...names.map((name) => ({
          ...{ value: withColumn(answers, name, path), label: shownColumn(name, survey), hint: 'by its name' },
        })),
        {
          value: names.reduce(withDropped, answers),
          label: names.length === 1 ? 'no, it gives nothing' : 'no, they give nothing',
        },
      ],
    },
  };
}

/** Without it there is no record, so that dropping the column is no answer. */
function isNeeded(path: string, { fields, rules }: Kind): boolean {
  const isPart = rules.some((rule) => rule.given === null && rule.needs.includes(path));
  return isPart || fields.some(({ name, required }) => name === path && required);
}

/** A column for a field, or a value for every record. */
function askField(path: string, survey: Survey, answers: Answers, kind: Kind): Asked {
  const free = survey.fields.others;
  const value: Asked = {
    ...{ question: `Which ${path} do all records get?`, choices: [] },
    text: {
      initial: '',
      check: (typed) => (typed === '' ? 'This cannot be empty.' : null),
      take: (typed) => withValue(answers, path, typed),
    },
  };
  return {
    question: `Which column gives ${helpOf(kind, path)}?`,
    choices: [
      ...free.map((name) => ({ value: withColumn(answers, name, path), label: shownColumn(name, survey) })),
      { value, label: 'no column: the same for every record' },
    ],
    first: likeliestColumn(fieldAt(kind.fields, path)?.kind, free, survey),
  };
}

function askAgreement(survey: Survey, answers: Answers, kind: Kind): Asked {
  const { columns, others } = survey.fields;
  const set = [...answers.set];
  const width = Math.max(
    ...[...columns.map(({ path }) => path), ...set.map(([path]) => path)].map((path) => path.length),
    0,
  );
  const another: Asked = {
    question: 'Which field?',
    choices: kind.fields.map(({ name, help }) => ({
      ...{ value: askField(name, survey, answers, kind), label: name, hint: help },
    })),
  };
  const drop: Asked = {
    question: 'Which one?',
    choices: columns.map(({ name }) => ({ value: withDropped(answers, name), label: shownColumn(name, survey) })),
  };
  return {
    shown: {
      title: 'This is what the columns give:',
      lines: [
        ...inOrder(kind, columns).map(({ name, path }) => `${path.padEnd(width)}  ${shownColumn(name, survey)}`),
        ...set.map(([path, value]) => `${path.padEnd(width)}  ${String(value)}, on every record`),
      ],
    },
    ...(others.length > 0
      ? { because: `${counted(others.length, 'other column is', 'other columns are')} not sent: ${nameList(others)}` }
      : {}),
    question: 'Is this right?',
    choices: [
      { value: answers, label: 'yes' },
      { value: another, label: 'no: another column gives a field' },
      { value: drop, label: 'no: a column is not to be sent' },
    ],
  };
}

/** `user_id (ID of the associated user)` */
function helpOf(kind: Kind, path: string): string {
  const field = kind.fields.find(({ name }) => name === path);
  return field === undefined ? path : `${path} (${field.help.replace(/;.*/, '')})`;
}

/** As the documentation of a record has its fields. */
function inOrder(kind: Kind, columns: readonly ColumnField[]): ColumnField[] {
  const place = ({ path }: ColumnField): number => kind.fields.findIndex(({ name }) => name === path.split('.')[0]);
  return columns.toSorted((a, b) => place(a) - place(b));
}

/** The first rows' cells with content in a column. */
function valuesOf(column: string, { names, rows }: Survey): string[] {
  const at = names.indexOf(column);
  return rows.map((cells) => (cells[at] ?? '').trim()).filter((cell) => cell !== '');
}

const SAMPLES = 3;

/** `Betrag (2.150,00; 89,90; …)` */
function shownColumn(name: string, survey: Survey): string {
  const values = [...new Set(valuesOf(name, survey))];
  const shown = values.slice(0, SAMPLES).join('; ');
  return values.length === 0 ? `${name} (empty)` : `${name} (${shown}${values.length > SAMPLES ? '; …' : ''})`;
}

const CENTS = /[.,]\d\d(?!\d)/;

/**
 * The place of the column that is offered first for a field of which no name tells: a guess, by what the columns hold.
 * @param free names of the columns that give nothing so far
 */
function likeliestColumn(kind: string | undefined, free: readonly string[], survey: Survey): number {
  const columns = free.map((name) => valuesOf(name, survey));
  const place = (test: (values: readonly string[]) => boolean): number =>
    columns.findIndex((values) => values.length > 0 && test(values));
  const areNumbers = (values: readonly string[]): boolean => values.every(isNumber);
  const tests: readonly ((values: readonly string[]) => boolean)[] =
    kind === 'number'
      ? [(values) => areNumbers(values) && values.some((value) => CENTS.test(value)), areNumbers]
      : kind === 'date'
        ? [(values) => values.every((value) => isLikeData(value) && !isNumber(value))]
        : [(values) => !values.some((value) => isNumber(value) || isLikeData(value))];
  return Math.max(tests.map(place).find((at) => at >= 0) ?? 0, 0);
}

function isNumber(value: string): boolean {
  const { point, comma } = readingsOf(splitSign(value)?.number ?? value, false);
  return point !== null || comma !== null;
}

/**
 * The open points of a file, as a list of questions in order. At a terminal they are asked; `--yes` names those that
 * the file does not prove. An answer adds to the known facts. The questions are then made again, without those that are
 * settled.
 */
import { withColumn, withDropped, withSettled, withValue } from '../../input/setup/answers.js';
import { fieldOf, type Suggestion } from '../../input/setup/named-columns.js';
import type { Survey } from '../../input/setup/survey.js';
import type { Kind, RecordType } from '../../records/kind.js';
import { KINDS, RECORD_TYPES } from '../../records/kinds.js';
import { counted, shortened } from '../../report/table.js';
import { type Asked, pointOf, type Question, STOP } from './dialogue.js';
import { previewLines } from './preview.js';
import { rowQuestions } from './row-questions.js';
import { doubtQuestion, dropFlag, type KnownFile, mapFlag, WAYS } from './way-questions.js';

/** @param platform for whose shells flags are quoted. @param room columns of the terminal */
export function* questionsOf(survey: Survey, platform: NodeJS.Platform, room: number): Iterable<Question> {
  const { header, type, fields, ways } = survey;
  yield headerQuestion(survey, room);
  // The apparent names on a line that may not be a header are of no use.
  if (!header.isProven) return;
  yield shortRowsQuestion(survey);
  yield typeQuestion(survey);
  if (type.value === null) return;
  const known = { survey, kind: KINDS[type.value], platform };
  const place = ({ path }: Suggestion): number => known.kind.fields.findIndex(({ name }) => name === path);
  for (const suggestion of fields.suggestions.toSorted((a, b) => place(a) - place(b)))
    yield suggestedQuestion(suggestion, known);
  for (const path of fields.missing) yield fieldQuestion(path, known);
  yield agreement(known);
  for (const doubt of ways.doubts) yield doubtQuestion(doubt, known);
  for (const { what, concluded, ask, told } of WAYS)
    yield { open: pointOf(what, concluded(ways)), asked: ask(known), ...told(known) };
  yield* rowQuestions(known);
}

const LONGEST_LIST = 12;

/** Names on one line; of very many, the first ones. */
function nameList(names: readonly string[]): string {
  const shown = names.slice(0, LONGEST_LIST).map((name) => shortened(name, 40));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

const SHOWN_LINES = 8;

function headerQuestion(survey: Survey, room: number): Question {
  const { header, names, answers, source } = survey;
  const { lines, usualLine } = source;
  const usual = lines.find(({ line }) => line >= usualLine)?.line ?? 1;
  const line = header.value ?? usual;
  const place = line === 0 ? 'The file has no column names' : `The column names are on line ${line}`;
  const told = `${place}: ${nameList(names.filter((name) => name !== ''))}. To change this: --header-line N`;
  if (header.isProven) return { open: null, asked: null, told };
  const first = lines.slice(0, SHOWN_LINES);
  const rows = previewLines(
    first.map((each) => [String(each.line), ...each.cells]),
    room,
  );
  const choices = lines.map(({ line: number, cells }) => ({
    value: { ...answers, headerLine: number },
    label: `line ${number}: ${cells.filter((cell) => cell !== '').join(' | ')}`,
    hint: number === header.value ? header.because : undefined,
  }));
  const none = {
    ...{ value: { ...answers, headerLine: 0 }, label: 'There are no column names: line 1 is a record' },
    hint: header.value === 0 ? 'it looks like data' : undefined,
  };
  const at = header.value === 0 ? lines.length : lines.findIndex((each) => each.line === header.value);
  return {
    open: pointOf('where the column names are', header),
    asked: {
      shown: { title: 'The file begins like this:', lines: rows },
      question: 'Which line has the column names?',
      choices: [...choices, none],
      first: at < 0 ? undefined : at,
    },
  };
}

/** Spreadsheets drop empty cells at the end of a row. A run refuses such rows. */
function shortRowsQuestion({ answers, evidence, names }: Survey): Question {
  const { count, first } = evidence.short;
  if (answers.padShortRows || count === 0 || first === null) return { open: null, asked: null };
  const found = `${counted(count, 'row')} ${count === 1 ? 'has' : 'have'} fewer cells than the ${names.length} columns`;
  return {
    open: {
      text: `${found}, the first on line ${first.line}: whether only empty cells are missing`,
      say: ['--pad-short-rows'],
    },
    asked: {
      because: `${found}. The first is on line ${first.line}: ${first.cells.join(' | ')}`,
      question: 'Are only empty cells missing at the end of these rows?',
      choices: [
        { value: { ...answers, padShortRows: true }, label: 'Yes, read the missing cells as empty' },
        { ...STOP, label: 'No, stop: I will correct the file' },
      ],
    },
  };
}

const TYPE_WORDS: Readonly<Record<RecordType, string>> = {
  payout: 'payouts: an amount for each person',
  result: 'gig results: how many tasks each person has done',
  gig: 'gigs: work that is offered',
};

function typeQuestion({ type, answers }: Survey): Question {
  const choices = RECORD_TYPES.map((each) => ({
    value: { ...answers, type: each },
    label: TYPE_WORDS[each],
    hint: each === type.value ? type.because : undefined,
  }));
  const first = type.value === null ? undefined : RECORD_TYPES.indexOf(type.value);
  return {
    // If it is only likely, there is a question about the column that makes it so.
    open: type.value === null ? pointOf('what the records are', type) : null,
    asked: type.isProven ? null : { question: 'What are the rows?', choices, first },
  };
}

/** About columns that may be meant for a field. */
function suggestedQuestion({ path, names, isSure }: Suggestion, { survey, kind, platform }: KnownFile): Question {
  const { answers } = survey;
  const isOne = names.length === 1;
  const quoted = names.map((name) => JSON.stringify(name)).join(' or ');
  // Without it there is no record, so dropping the column is not an answer.
  const drop = isNeeded(path, kind) ? [] : names.map((name) => dropFlag(name, platform));
  const none = isOne ? 'No, do not use this column' : 'None of these columns';
  return {
    open: {
      text: isOne && !isSure ? `whether the column ${quoted} gives ${path}` : `which column gives ${path}: ${quoted}`,
      say: [...names.map((name) => mapFlag(name, path, platform)), ...drop],
    },
    asked: {
      question: isOne ? `Is this the column with ${helpOf(kind, path)}?` : `Which column has ${helpOf(kind, path)}?`,
      choices: [
        ...names.map((name) => ({
          ...{ value: withColumn(answers, name, path), label: shownColumn(name, survey), hint: 'by its name' },
        })),
        { value: names.reduce(withDropped, answers), label: none },
      ],
      first: isOne ? 0 : undefined,
    },
  };
}

function isNeeded(path: string, { fields, rules }: Kind): boolean {
  const isPart = rules.some((rule) => rule.given === null && rule.needs.includes(path));
  return isPart || fields.some(({ name, required }) => name === path && required);
}

/** About a required field without a column or value. */
function fieldQuestion(path: string, known: KnownFile): Question {
  const { others } = known.survey.fields;
  const [field = ''] = path.split(' or ');
  const rest = others.length === 0 ? '' : `; unused columns: ${nameList(others)}`;
  const text = `what gives ${path}, which every ${known.kind.type} needs${rest}`;
  const say = [`--map 'COLUMN=${field}'`, `--set ${field}=VALUE`];
  return { open: { text, say }, asked: askField(field, known) };
}

/** Asks for a column for a field, or a value for every record. No column is likely, so Enter alone takes none. */
function askField(path: string, { survey, kind }: KnownFile): Asked {
  const { answers, fields, names, suits, markings } = survey;
  const field = fieldOf(kind, path);
  const value: Asked = {
    ...{ question: `${helpOf(kind, path)} for all records:`, choices: [] },
    text: {
      initial: '',
      check: (typed) => (typed === '' ? 'This cannot be empty.' : null),
      take: (typed) => withValue(answers, path, typed),
    },
  };
  // Also columns that were rejected for another field, or that map to an optional field.
  const used = fields.columns.filter((column) => isNeeded(column.path, kind));
  const free = names.filter((name) => name !== '' && !used.some((column) => column.name === name));
  const marking = markings.map(({ column }) => column);
  const suited = free.filter((name) => !marking.includes(name) && (field === null || suits(name, field)));
  if (suited.length === 0) return value;
  // The values favour this column if no other has amounts.
  const [only = '', another] = suited;
  const isAmount = survey.evidence.columns.get(only)?.hasDecimals === true;
  const isOnly = field?.money === true && another === undefined && isAmount;
  return {
    question: `Which column has ${helpOf(kind, path)}?`,
    choices: [
      ...suited.map((name) => ({
        ...{ value: withColumn(answers, name, path), label: shownColumn(name, survey) },
        hint: isOnly ? 'the only column with amounts' : undefined,
      })),
      { value, label: 'No column: the same for every record' },
    ],
    first: isOnly ? 0 : undefined,
  };
}

const PREVIEWED = 5;

/** Whether all columns are right: asked again if other columns map to fields. */
function agreement(known: KnownFile): Question {
  const { survey, kind } = known;
  const { answers, fields } = survey;
  const id = JSON.stringify(fields.columns.map(({ name, path }) => [name, path]));
  const another: Asked = {
    question: 'Which field?',
    choices: kind.fields.map(({ name, help }) => ({ value: askField(name, known), label: name, hint: help })),
  };
  const drop: Asked = {
    question: 'Which column?',
    choices: fields.columns.map(({ name }) => ({
      value: withDropped(answers, name),
      label: shownColumn(name, survey),
    })),
  };
  const asked: Asked = {
    shown: { title: 'The columns are used like this:', lines: givenLines(survey, kind) },
    question: 'Is this right?',
    choices: [
      { value: withSettled(answers, id), label: 'Yes' },
      { value: another, label: 'No, use another column for a field' },
      { value: drop, label: 'No, do not use one of these columns' },
    ],
    first: 0,
  };
  return { open: null, asked: answers.settled.has(id) ? null : asked };
}

/** The source of each field, in the order of a record's documentation; and the columns that are not sent. */
export function givenLines(survey: Survey, kind: Kind): string[] {
  const { columns, others } = survey.fields;
  const place = (path: string): number => kind.fields.findIndex(({ name }) => name === path.split('.')[0]);
  const given = [
    ...columns.map(({ name, path }) => ({ path, words: shownColumn(name, survey) })),
    ...[...survey.answers.set].map(([path, value]) => ({ path, words: `${String(value)}, on every record` })),
  ].toSorted((a, b) => place(a.path) - place(b.path));
  const width = Math.max(...given.map(({ path }) => path.length), 0);
  return [
    ...given.map(({ path, words }) => `${path.padEnd(width)}  ${words}`),
    ...(others.length === 0 ? [] : [`not sent: ${nameList(others)}`]),
  ];
}

/** The first rows, aligned, with their column names. */
export function previewOf({ names, rows }: Survey, room: number): string[] {
  return previewLines([names, ...rows.slice(0, PREVIEWED)], room);
}

/** `user_id (ID of the associated user)` */
function helpOf(kind: Kind, path: string): string {
  const field = kind.fields.find(({ name }) => name === path);
  return field === undefined ? path : `${path} (${field.help.replace(/;.*/, '')})`;
}

const SAMPLES = 3;

/** `Betrag (2.150,00; 89,90; …)` */
function shownColumn(name: string, { names, rows }: Survey): string {
  const at = names.indexOf(name);
  const values = [...new Set(rows.map((cells) => (cells[at] ?? '').trim()).filter((cell) => cell !== ''))];
  const shown = values.slice(0, SAMPLES).join('; ');
  return values.length === 0 ? `${name} (empty)` : `${name} (${shown}${values.length > SAMPLES ? '; …' : ''})`;
}

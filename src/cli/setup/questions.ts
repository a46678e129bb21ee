/**
 * What is not known of a file, as a list of questions in order. At a terminal they are asked, with the likeliest answer
 * first; `--yes` names those that the file does not prove. An answer is what is known with it: the questions are then made
 * again, and those that it has settled are no more.
 */
import { withColumn, withDropped, withValue } from '../../input/setup/answers.js';
import type { Suggestion } from '../../input/setup/named-columns.js';
import { refuseTwins, type Survey } from '../../input/setup/survey.js';
import type { Kind, RecordType } from '../../records/kind.js';
import { KINDS, RECORD_TYPES } from '../../records/kinds.js';
import { shortened } from '../../report/table.js';
import { type Asked, pointOf, type Question } from './dialogue.js';
import { doubtQuestion, dropFlag, type KnownFile, mapFlag, WAYS } from './way-questions.js';

/** @param platform for whose shells flags are quoted. @throws FileFault */
export function* questionsOf(survey: Survey, platform: NodeJS.Platform): Iterable<Question> {
  const { header, type, fields, ways } = survey;
  yield headerQuestion(survey);
  // What a line that may be no header seems to say is of no use.
  if (!header.isProven) return;
  refuseTwins(survey);
  yield typeQuestion(survey);
  if (type.value === null) return;
  const known = { survey, kind: KINDS[type.value], platform };
  for (const suggestion of fields.suggestions) yield suggestedQuestion(suggestion, known);
  for (const path of fields.missing) yield fieldQuestion(path, known);
  yield agreement(known);
  for (const doubt of ways.doubts) yield doubtQuestion(doubt, known);
  for (const { id, what, concluded, ask } of WAYS)
    yield { id, open: pointOf(what, concluded(ways)), asked: ask(known) };
}

const LONGEST_LIST = 12;

/** Names in one line; of very many, the first. */
function nameList(names: readonly string[]): string {
  const shown = names.slice(0, LONGEST_LIST).map((name) => shortened(name, 40));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

const SHOWN_LINES = 8;

function headerQuestion({ header, answers, source: { lines, usualLine } }: Survey): Question {
  const wide = (cells: readonly string[]): string => cells.filter((cell) => cell !== '').join(' | ');
  const usual = lines.find(({ line }) => line >= usualLine)?.line ?? 1;
  const likely = header.value ?? usual;
  const take = (line: number): typeof answers =>
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
    open: pointOf('where the column names stand', header),
    asked: answers.headerLine === null ? asked : null,
  };
}

const TYPE_WORDS: Readonly<Record<RecordType, string>> = {
  payout: 'payouts: an amount for each person',
  result: 'gig results: how many tasks each person has done',
  gig: 'gigs: work that is offered',
};

function typeQuestion({ type, answers }: Survey): Question {
  const choices = RECORD_TYPES.map((each) => ({ value: { ...answers, type: each }, label: TYPE_WORDS[each] }));
  return {
    id: 'type',
    // Where it is only likely, the column that makes it so is asked about.
    open: type.value === null ? pointOf('what the records are', type) : null,
    asked: type.isProven
      ? null
      : { question: 'What are the rows?', choices, first: RECORD_TYPES.indexOf(type.value ?? 'payout') },
  };
}

/** About columns that may be meant for a field. */
function suggestedQuestion({ path, names, isSure }: Suggestion, { survey, kind, platform }: KnownFile): Question {
  const { answers } = survey;
  const isOne = names.length === 1;
  const quoted = names.map((name) => JSON.stringify(name)).join(' or ');
  // Without it there is no record, so that dropping the column is no answer.
  const drop = isNeeded(path, kind) ? [] : names.map((name) => dropFlag(name, platform));
  return {
    id: 'suggestion',
    open: {
      text: isOne && !isSure ? `whether the column ${quoted} gives ${path}` : `which column gives ${path}: ${quoted}`,
      say: [...names.map((name) => mapFlag(name, path, platform)), ...drop],
    },
    asked: {
      question: `Is this the column with ${helpOf(kind, path)}?`,
      choices: [
        ...names.map((name) => ({
          ...{ value: withColumn(answers, name, path), label: shownColumn(name, survey), hint: 'by its name' },
        })),
        {
          value: names.reduce(withDropped, answers),
          label: isOne ? 'no, it gives nothing' : 'no, they give nothing',
        },
      ],
    },
  };
}

function isNeeded(path: string, { fields, rules }: Kind): boolean {
  const isPart = rules.some((rule) => rule.given === null && rule.needs.includes(path));
  return isPart || fields.some(({ name, required }) => name === path && required);
}

/** About a field that a record needs and nothing gives. */
function fieldQuestion(path: string, known: KnownFile): Question {
  const { others } = known.survey.fields;
  const [field = ''] = path.split(' or ');
  const rest = others.length === 0 ? '' : `; columns that give nothing: ${nameList(others)}`;
  const text = `what gives ${path}, which every ${known.kind.type} needs${rest}`;
  const say = [`--map 'COLUMN=${field}'`, `--set ${field}=VALUE`];
  return { id: 'field', open: { text, say }, asked: askField(field, known) };
}

/** A column for a field, or a value for every record. Nothing speaks for a column: Enter alone takes none. */
function askField(path: string, { survey, kind }: KnownFile): Asked {
  const { answers, fields } = survey;
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
      ...fields.others.map((name) => ({ value: withColumn(answers, name, path), label: shownColumn(name, survey) })),
      { value, label: 'no column: the same for every record' },
    ],
    first: fields.others.length,
  };
}

/** Whether all columns are right: asked again where others give something. */
function agreement(known: KnownFile): Question {
  const { survey, kind } = known;
  const { answers, fields } = survey;
  const another: Asked = {
    question: 'Which field?',
    choices: kind.fields.map(({ name, help }) => ({ value: askField(name, known), label: name, hint: help })),
  };
  const drop: Asked = {
    question: 'Which one?',
    choices: fields.columns.map(({ name }) => ({
      value: withDropped(answers, name),
      label: shownColumn(name, survey),
    })),
  };
  const asked: Asked = {
    shown: { title: 'This is what the columns give:', lines: givenLines(survey, kind) },
    question: 'Is this right?',
    choices: [
      { value: answers, label: 'yes' },
      { value: another, label: 'no: another column gives a field' },
      { value: drop, label: 'no: a column is not to be sent' },
    ],
  };
  return { id: JSON.stringify(fields.columns.map(({ name, path }) => [name, path])), open: null, asked };
}

/** What gives each field, as the documentation of a record has its fields; and what is not sent. */
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

/** The dialogue of setup: what the file does not prove is asked, the likeliest answer first, with the reason for it. */
import { isLikeData } from '../../input/csv-header.js';
import { splitSign } from '../../input/currency-signs.js';
import type { ColumnField, ColumnFields } from '../../input/setup/column-fields.js';
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
import type { Ways } from '../../input/setup/ways.js';
import { type Field, fieldAt } from '../../records/field.js';
import type { Kind, RecordType } from '../../records/kind.js';
import { KINDS, RECORD_TYPES } from '../../records/kinds.js';
import { counted } from '../../report/table.js';
import type { Known } from './call.js';
import { type Choice, type Prompts, Stopped } from './prompts.js';
import { askDoubt, askWays } from './ask-ways.js';
import { nameList } from './words.js';

/** @throws Stopped, FileFault */
export async function askAll(first: Answers, file: SurveyedFile, prompts: Prompts): Promise<Known> {
  let answers = first;
  let survey = await file.look(answers);
  const next = async (changed: Answers): Promise<void> => {
    answers = changed;
    survey = await file.look(answers);
  };
  if (answers.headerLine === null && survey.source.isText)
    await next({ ...answers, headerLine: await askHeader(survey, prompts) });
  if (!isSure(survey.type)) await next({ ...answers, type: await askType(survey, prompts) });
  const kind = KINDS[survey.type.value ?? 'payout'];
  const waysNow = (): Promise<Ways> => file.ways(survey, survey.fields ?? NO_COLUMNS, answers);
  for (let isAgreed = false; ; isAgreed = true) {
    await askColumns(kind, isAgreed, () => ({ survey, answers }), next, prompts);
    const [doubt] = (await waysNow()).doubts;
    if (doubt === undefined) break;
    await next(await askDoubt(doubt, answers, prompts));
  }
  await next(await askWays({ survey, ways: await waysNow(), answers, kind }, prompts));
  return { survey, ways: await waysNow(), answers, kind };
}

const NO_COLUMNS: ColumnFields = { columns: [], suggestions: [], twice: [], others: [], missing: [] };

const NONE = 0;

async function askHeader({ lines, header, source }: Survey, prompts: Prompts): Promise<number | null> {
  const wide = (cells: readonly string[]): string => cells.filter((cell) => cell !== '').join(' | ');
  prompts.show(
    'The file begins like this:',
    lines.slice(0, SHOWN_LINES).map(({ line, cells }) => `${String(line).padStart(3)}  ${wide(cells)}`),
  );
  const usual = lines.find(({ line }) => line >= source.usualLine)?.line ?? 1;
  const likely = header.value ?? usual;
  const choices: Choice<number>[] = [
    ...lines.map(({ line, cells }) => ({
      value: line,
      label: `line ${line}: ${wide(cells)}`,
      hint: line === likely && header.because !== '' ? header.because : undefined,
    })),
    { value: NONE, label: 'on none: the first line is a record already' },
  ];
  const line = await prompts.choose('On which line do the column names stand?', choices, likely);
  return line === usual ? null : line;
}

const SHOWN_LINES = 8;

async function askType({ type }: Survey, prompts: Prompts): Promise<RecordType> {
  const words: Readonly<Record<RecordType, string>> = {
    payout: 'payouts: an amount for each person',
    result: 'gig results: how many tasks each person has done',
    gig: 'gigs: work that is offered',
  };
  const choices = RECORD_TYPES.map((each) => ({ value: each, label: words[each] }));
  return prompts.choose('What are the rows?', choices, type.value ?? 'payout');
}

interface State {
  readonly survey: Survey;
  readonly answers: Answers;
}

/** Until every field that a record needs has its column or value, and the person agrees. */
async function askColumns(
  kind: Kind,
  wasAgreed: boolean,
  state: () => State,
  next: (changed: Answers) => Promise<void>,
  prompts: Prompts,
): Promise<void> {
  for (let isAgreed = wasAgreed; ; isAgreed = false) {
    const changed = await askOpen(kind, state(), prompts);
    if (changed !== null) {
      await next(changed);
      continue;
    }
    if (isAgreed) return;
    showColumns(kind, state(), prompts);
    const other = await askWhetherRight(kind, state(), prompts);
    if (other === null) return;
    await next(other);
  }
}

/** The first thing about columns that is not known; null where all is. */
async function askOpen(kind: Kind, { survey, answers }: State, prompts: Prompts): Promise<Answers | null> {
  const { suggestions = [], missing = [], twice = [] } = survey.fields ?? {};
  if (twice.length > 0) {
    prompts.say(`Several columns are named ${nameList(twice)}: rename all but one in the file.`);
    throw new Stopped();
  }
  const [suggestion] = suggestions;
  if (suggestion !== undefined) {
    const { path, names } = suggestion;
    const choices: Choice<string | null>[] = [
      ...names.map((name) => ({ ...columnChoice(name, survey), hint: 'by its name' })),
      { value: null, label: names.length === 1 ? 'no, it gives nothing' : 'no, they give nothing' },
    ];
    const question = `Is this the column with ${helpOf(kind, path)}?`;
    const name = await prompts.choose<string | null>(question, choices, names[0] ?? null);
    return name === null ? names.reduce(withDropped, answers) : withColumn(answers, name, path);
  }
  const [path] = missing;
  return path === undefined ? null : askField(kind, path.split(' or ')[0] ?? '', { survey, answers }, prompts);
}

/** A column for a field, or a value for every record. */
async function askField(kind: Kind, path: string, { survey, answers }: State, prompts: Prompts): Promise<Answers> {
  const free = survey.fields?.others ?? [];
  const choices: Choice<string | null>[] = [
    ...free.map((name) => columnChoice(name, survey)),
    { value: null, label: 'no column: the same for every record' },
  ];
  const question = `Which column gives ${helpOf(kind, path)}?`;
  const name = await prompts.choose<string | null>(
    question,
    choices,
    likeliestColumn(fieldAt(kind.fields, path), free, survey),
  );
  if (name !== null) return withColumn(answers, name, path);
  const text = await prompts.type(`Which ${path} do all records get?`, '', (typed) =>
    typed === '' ? 'This cannot be empty.' : null,
  );
  return withValue(answers, path, text);
}

function columnChoice(name: string, survey: Survey): Choice<string> {
  return { value: name, label: shownColumn(name, survey) };
}

const SAMPLES = 3;

/** `Betrag (2.150,00; 89,90; …)` */
function shownColumn(name: string, { names, rows }: Survey): string {
  const at = names.indexOf(name);
  const values = [...new Set(rows.map((cells) => (cells[at] ?? '').trim()))].filter((cell) => cell !== '');
  const shown = values.slice(0, SAMPLES).join('; ');
  return values.length === 0 ? `${name} (empty)` : `${name} (${shown}${values.length > SAMPLES ? '; …' : ''})`;
}

/** `user_id, the ID of the associated user` */
function helpOf(kind: Kind, path: string): string {
  const field = kind.fields.find(({ name }) => name === path);
  return field === undefined ? path : `${path} (${field.help.replace(/;.*/, '')})`;
}

/** As the documentation of a record has its fields. */
function inOrder(kind: Kind, columns: readonly ColumnField[]): ColumnField[] {
  const place = ({ path }: ColumnField): number => kind.fields.findIndex(({ name }) => name === path.split('.')[0]);
  return columns.toSorted((a, b) => place(a) - place(b));
}

function showColumns(kind: Kind, { survey, answers }: State, prompts: Prompts): void {
  const { columns = [], others = [] } = survey.fields ?? {};
  const width = Math.max(...[...columns.map(({ path }) => path), ...answers.columns.set].map((path) => path.length), 0);
  prompts.show('This is what the columns give:', [
    ...inOrder(kind, columns).map(({ name, path }) => `${path.padEnd(width)}  ${shownColumn(name, survey)}`),
    ...[...answers.set].map(([path, value]) => `${path.padEnd(width)}  ${String(value)}, on every record`),
  ]);
  if (others.length > 0)
    prompts.say(`${counted(others.length, 'other column is', 'other columns are')} not sent: ${nameList(others)}`);
}

/** Null where it is. */
async function askWhetherRight(kind: Kind, { survey, answers }: State, prompts: Prompts): Promise<Answers | null> {
  const choices: Choice<'yes' | 'field' | 'drop'>[] = [
    { value: 'yes', label: 'yes' },
    { value: 'field', label: 'no: another column gives a field' },
    { value: 'drop', label: 'no: a column is not to be sent' },
  ];
  const answer = await prompts.choose('Is this right?', choices, 'yes');
  if (answer === 'yes') return null;
  const { columns = [] } = survey.fields ?? {};
  if (answer === 'drop') {
    const name = await prompts.choose(
      'Which one?',
      columns.map((column) => columnChoice(column.name, survey)),
      '',
    );
    return withDropped(answers, name);
  }
  const fields = kind.fields.map(({ name, help }) => ({ value: name, label: name, hint: help }));
  const path = await prompts.choose('Which field?', fields, '');
  return askField(kind, path, { survey, answers }, prompts);
}

/**
 * Which column is offered first for a field of which no name tells: a guess, by what the columns hold.
 * @param free names of the columns that give nothing so far
 * @returns null where no column is left
 */
function likeliestColumn(field: Field | null, free: readonly string[], { names, rows }: Survey): string | null {
  const columns = free.map((name) => {
    const at = names.indexOf(name);
    return { name, values: rows.map((cells) => (cells[at] ?? '').trim()).filter((cell) => cell !== '') };
  });
  const first = (test: (values: readonly string[]) => boolean): string | undefined =>
    columns.find(({ values }) => values.length > 0 && test(values))?.name;
  const isText = (values: readonly string[]): boolean => !values.some((value) => isNumber(value) || isLikeData(value));
  const isMoney = (values: readonly string[]): boolean =>
    values.every(isNumber) && values.some((value) => CENTS.test(value));
  switch (field?.kind) {
    case 'number':
      return first(isMoney) ?? first((values) => values.every(isNumber)) ?? free[0] ?? null;
    case 'date':
      return first((values) => values.every((value) => isLikeData(value) && !isNumber(value))) ?? free[0] ?? null;
    default:
      return first(isText) ?? free[0] ?? null;
  }
}

const CENTS = /[.,]\d\d(?!\d)/;

function isNumber(value: string): boolean {
  const { point, comma } = readingsOf(splitSign(value)?.number ?? value, false);
  return point !== null || comma !== null;
}

/** Which column gives which field. */
import { isTrimmable } from '../input/cells.js';
import { fieldBySynonym } from '../input/column-synonyms.js';
import { wrapText } from '../report/table.js';
import { excerpt } from '../records/issue.js';
import type { RecordSchema } from '../records/schema.js';
import type { LayoutAnalysis } from './analyze.js';
import {
  type ColumnField,
  fieldOf,
  isAmountColumn,
  isDate,
  isMoney,
  isNumber,
  type Suggestion,
  suits,
} from './field-inference.js';
import { nameList } from './file-questions.js';
import { sampleText } from './inference.js';
import { oddNotation } from './notation-inference.js';
import { type ChoicePrompt, type SetupPrompt, type SetupStep, STOP } from './setup-question.js';

/** Columns that may be meant for a field, in the order of the fields. That of a currency depends on the other columns. */
export function* suggestedColumnSteps(analysis: LayoutAnalysis): Iterable<SetupStep> {
  const { fields, schema } = analysis;
  const place = ({ path }: Suggestion): number => schema.fields.findIndex(({ name }) => name === path);
  for (const suggestion of fields.suggestions.toSorted((a, b) => place(a) - place(b)))
    if (suggestion.path !== 'currency') yield suggestionPrompt(suggestion, analysis);
}

/** Columns that may be meant for one field. Of several, none is likely. */
export function suggestionPrompt({ path, names, field }: Suggestion, analysis: LayoutAnalysis): ChoicePrompt {
  const { schema } = analysis;
  const others = isMoney(field) ? otherAmounts(names, analysis) : [];
  const offered = [...names, ...others];
  const isOne = offered.length === 1;
  const uses = offered.map((name) => ({
    value: { map: [name, path] as const },
    label: columnText(name, analysis),
    hint: 'by its name',
  }));
  const drop = { value: { drop: names }, label: isOne ? 'No, do not use this column' : 'None of these columns' };
  const help = fieldText(schema, path);
  return {
    ask: isOne ? `Is ${JSON.stringify(names[0])} the column with ${help}?` : `Which column has ${help}?`,
    choices: [...uses, { ...drop, isOnlyAsked: isNeeded(path, schema) }],
    first: isOne ? 0 : undefined,
  };
}

/** Further columns that could be money: no name is enough to prefer one of several. */
function otherAmounts(names: readonly string[], analysis: LayoutAnalysis): string[] {
  const { fields, profiles } = analysis;
  return fields.others.filter((name) => !names.includes(name) && isAmountColumn(profiles.columns.get(name)));
}

/** The name of a column proves that it is the amount; but where another one has other amounts, a person may mean that. */
export function* rivalAmountSteps(analysis: LayoutAnalysis): Iterable<SetupStep> {
  const { answers, fields, rows, schema } = analysis;
  const chosen = fields.columns.find(({ field, why }) => isMoney(field) && why !== 'said');
  const [rival, found] = [...rows.rivals][0] ?? [];
  if (chosen === undefined || rival === undefined || found === undefined || answers.ignoreOthers) return;
  const { name, path } = chosen;
  const names = [name, ...rows.rivals.keys()];
  // Also without a person: then the name decides.
  yield `Both "${name}" and "${rival}" have amounts, and they differ: on line ${found.line}, "${name}" has ${excerpt(found.amount)}, and "${rival}" has ${excerpt(found.other)}.`;
  yield {
    ask: `Which column has ${fieldText(schema, path)}?`,
    choices: names.map((each) => ({
      value: { map: [each, path], drop: each === name ? [] : [name] },
      label: columnText(each, analysis),
    })),
    isOptional: true,
  };
}

function isNeeded(path: string, { fields, rules }: RecordSchema): boolean {
  const isPart = rules.some((rule) => rule.given === null && rule.needs.includes(path));
  return isPart || fields.some(({ name, required }) => name === path && required);
}

/** Required fields without a column or value. */
export function* missingFieldSteps(analysis: LayoutAnalysis): Iterable<SetupStep> {
  const { fields, schema } = analysis;
  for (const path of fields.missing) {
    const [field = ''] = path.split(' or ');
    yield {
      ...sourcePrompt(field, analysis),
      fact: `Every ${schema.type} needs ${path}.`,
      flags: [`--map 'COLUMN=${field}'`, `--set ${field}=VALUE`],
    };
  }
}

/** Asks for a column for a field, or a value for every record. No column is likely, so Enter alone takes none. */
function sourcePrompt(path: string, analysis: LayoutAnalysis): SetupPrompt {
  const { fields, names, profiles, statusColumns, schema } = analysis;
  const field = fieldOf(schema, path);
  const value: SetupPrompt = {
    ask: `${fieldText(schema, path)} for all rows:`,
    initial: '',
    check: (typed) => (typed === '' ? 'This cannot be empty.' : null),
    answerOf: (typed) => ({ set: [path, typed] }),
  };
  // Also columns that were rejected for another field, or that map to an optional field.
  const used = fields.columns.filter((column) => isNeeded(column.path, schema)).map(({ name }) => name);
  const taken = new Set(['', ...used, ...statusColumns.map(({ column }) => column)]);
  const suited = names.filter((name) => !taken.has(name) && (field === null || suits(name, field, profiles)));
  if (suited.length === 0) return value;
  // The values favour this column if no other has amounts.
  const [only = '', another] = suited;
  const isOnly = field?.money === true && another === undefined && profiles.columns.get(only)?.hasDecimals === true;
  const hint = isOnly ? 'the only column with amounts' : undefined;
  return {
    ask: `Which column has ${fieldText(schema, path)}?`,
    first: isOnly ? 0 : undefined,
    choices: [
      ...suited.map((name) => ({ value: { map: [name, path] as const }, label: columnText(name, analysis), hint })),
      { value, label: 'No column: the same value for all rows' },
    ],
  };
}

/** Whether all columns are right: asked again if other columns map to fields. That of the currency has its own question. */
export function* agreementSteps(analysis: LayoutAnalysis): Iterable<SetupStep> {
  const { answers, fields, schema } = analysis;
  const agreed = fields.columns.filter(({ path }) => path !== 'currency');
  const settled = JSON.stringify(agreed.map(({ name, path }) => `${name}=${path}`).toSorted());
  if (answers.settled.has(settled)) return;
  const another: SetupPrompt = {
    ask: 'Which field?',
    choices: schema.fields.map(({ name, help }) => ({
      value: sourcePrompt(name, analysis),
      label: name,
      hint: help,
    })),
  };
  const drop: SetupPrompt = {
    ask: 'Which column?',
    choices: fields.columns.map(({ name }) => ({ value: { drop: [name] }, label: columnText(name, analysis) })),
  };
  yield {
    ask: 'Is this right?',
    isOptional: true,
    first: 0,
    shown: { title: 'The columns are used like this:', lines: (room) => sourceLines(analysis, room) },
    choices: [
      { value: { settled }, label: 'Yes' },
      { value: another, label: 'No, use another column for a field' },
      { value: drop, label: 'No, do not use one of these columns' },
    ],
  };
}

/**
 * The source of each field, in the order of a record's documentation; and the columns that are not sent: all of them
 * are shown, since one may say that a row was paid.
 * @param room columns of the terminal
 */
function sourceLines(analysis: LayoutAnalysis, room: number): string[] {
  const { fields, answers, schema } = analysis;
  const place = (path: string): number => schema.fields.findIndex(({ name }) => name === path.split('.')[0]);
  const sources = [
    ...fields.columns.map(({ name, path }) => ({ path, text: columnText(name, analysis) })),
    ...[...answers.set].map(([path, value]) => ({ path, text: `${String(value)}, in all rows` })),
  ].toSorted((a, b) => place(a.path) - place(b.path));
  const width = Math.max(...sources.map(({ path }) => path.length), 0);
  const lines = sources.map(({ path, text }) => `${path.padEnd(width)}  ${text}`);
  return fields.others.length === 0 ? lines : [...lines, ...wrapText(`not sent: ${nameList(fields.others)}`, room)];
}

/** Columns without a single readable value. */
export function* unreadColumnSteps({ fields, profiles }: LayoutAnalysis): Iterable<SetupStep> {
  for (const column of fields.columns) {
    const isDay = isDate(column.field);
    const { first = null, hasDate, hasNumber } = profiles.columns.get(column.name) ?? {};
    const isRead = isDay ? hasDate : !isNumber(column.field) || hasNumber;
    if (first === null || isRead === true) continue;
    const wrong = oddNotation(first.typed);
    const fact = `${columnNames(column)} has no ${isDay ? 'date' : 'number'} that gigwork can read`;
    yield {
      fact: `${fact}, as in ${sampleText(first)}${wrong === null ? '' : `: ${wrong}`}.`,
      ask: 'Do you want to ignore this column? If not, correct the file first.',
      // Every record needs its value, so dropping it is not enough.
      choices: [
        { value: { drop: [column.name] }, label: 'Yes, do not use this column', isOnlyAsked: column.field.required },
        { ...STOP, label: 'No, stop: I will correct the file' },
      ],
    };
  }
}

/** Dates of a workbook of which some are text: a spreadsheet may have exchanged day and month of the others. */
export function* mixedDateSteps({ fields, profiles, answers }: LayoutAnalysis): Iterable<SetupStep> {
  for (const { name, field } of fields.columns) {
    const mixed = profiles.columns.get(name)?.mixedDates ?? null;
    const settled = JSON.stringify(['mixed dates', name]);
    if (mixed === null || !isDate(field) || answers.settled.has(settled)) continue;
    const found = `The column "${name}" has real dates, as in ${sampleText(mixed.real)}, and dates that are text, as in ${sampleText(mixed.text)}`;
    yield {
      fact: `${found}. A spreadsheet in another country makes 11 March of 3 November, and leaves 13 November as text.`,
      ask: 'Have you compared the real dates with the original, and are they right?',
      choices: [
        { value: { settled }, label: 'Yes, they are right', isOnlyAsked: true },
        { value: { drop: [name] }, label: 'No, do not send these dates' },
        { ...STOP, label: 'I do not know. Stop, and write nothing' },
      ],
    };
  }
}

/** Spaces around IDs and codes: the service takes `u1` and `u1 ` for two people. */
export function* paddedCellSteps({ fields, profiles, answers }: LayoutAnalysis): Iterable<SetupStep> {
  if (answers.trim !== null) return;
  const columns = fields.columns.filter(({ field }) => isTrimmable(field.kind));
  for (const column of columns) {
    const padded = profiles.columns.get(column.name)?.padded ?? null;
    if (padded === null) continue;
    yield {
      fact: `${columnNames(column)} has spaces around a value: ${sampleText(padded)}. They would be sent with it.`,
      ask: 'Leave out the spaces around IDs and codes?',
      choices: [
        { value: { trim: true }, label: 'Yes, leave them out' },
        { value: { trim: false }, label: 'No, the spaces are part of the value' },
      ],
      first: 0,
    };
    return;
  }
}

function columnNames({ name, path }: ColumnField): string {
  return name === path ? `The column "${name}"` : `The column "${name}" (${path})`;
}

/** Columns that distinguish payments but are not sent: reported before the profile is written. */
export function* unsentLines({ fields, profiles, schema }: LayoutAnalysis): Iterable<string> {
  const sent = new Map(fields.columns.map(({ name, path }) => [path, name]));
  const used = new Set(['', ...sent.values()]);
  const unsent = [...profiles.columns].filter(([name, { filled }]) => filled > 0 && !used.has(name));
  const dates = unsent.filter(([, { areAnyDates }]) => areAnyDates);
  const references = unsent.filter(
    ([name, { areAnyDates }]) => !areAnyDates && fieldBySynonym(name, schema.type)?.field === 'reference_id',
  );
  const list = (columns: typeof unsent): string => columns.map(([name]) => JSON.stringify(name)).join(', ');
  const date = schema.fields.find(({ kind }) => kind === 'date')?.name;
  if (date !== undefined && dates.length > 0) {
    const then = sent.has(date) ? '' : ' Without a date, the service takes the time of creation.';
    yield `Not sent: the dates under ${list(dates)}.${then}`;
  }
  if (schema.reference !== null && references.length > 0) {
    const then = sent.has(schema.reference) ? '' : ' Then two payments to one person for one purpose look alike.';
    yield `Not sent: the references under ${list(references)}.${then}`;
  }
}

/** What a person calls the fields that nearly every file has. */
const PLAIN_HELP: Readonly<Record<string, string>> = {
  user_id: 'who is paid',
  title: 'what it is for',
  amount: 'how much is paid',
  quantity: 'how many were done',
  gig_task_id: 'which task was done',
  cost_center_key: 'the cost center',
  billing_date: 'the day of the work',
  delivery_date: 'the day of the work',
};

/** `user_id (who is paid)` */
function fieldText(schema: RecordSchema, path: string): string {
  const field = schema.fields.find(({ name }) => name === path);
  return field === undefined ? path : `${path} (${PLAIN_HELP[path] ?? field.help.replace(/;.*/, '')})`;
}

const MOST_VALUES = 3;

/** `Betrag (2.150,00; 89,90; …)` */
function columnText(name: string, { names, profiles }: LayoutAnalysis): string {
  const index = names.indexOf(name);
  const cells = profiles.cells.map((row) => (row[index] ?? '').trim()).filter((cell) => cell !== '');
  const values = [...new Set(cells)];
  const shown = values.slice(0, MOST_VALUES).join('; ');
  return values.length === 0 ? `${name} (empty)` : `${name} (${shown}${values.length > MOST_VALUES ? '; …' : ''})`;
}

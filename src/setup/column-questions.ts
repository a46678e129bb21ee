/** What the rows are, and which column gives which field. */
import { oddNotation } from './amounts.js';
import { setPaths } from './answers.js';
import { sampleText } from './inference.js';
import {
  areCurrencies,
  type ColumnField,
  fieldOf,
  mostlyAnyDates,
  type Suggestion,
  suitsBy,
} from './field-inference.js';
import { isDate, isNumber, type LayoutAnalysis } from './analyze.js';
import { fieldBySynonym } from '../input/column-synonyms.js';
import type { RecordSchema, RecordType } from '../records/kind.js';
import { RECORD_TYPES } from '../records/kinds.js';
import { type Choice, type SetupStep, type Question, type ChoiceEffect, STOP } from './wizard.js';
import { nameList } from './file-questions.js';

const TYPE_WORDS: Readonly<Record<RecordType, string>> = {
  payout: 'payouts: an amount for each person',
  result: 'gig results: how many tasks each person has done',
  gig: 'gigs: work that is offered',
};

export function typePoint({ type: { isProven, value, because } }: LayoutAnalysis): SetupStep {
  if (isProven) return '';
  return {
    fact: because,
    ask: 'What are the rows?',
    choices: RECORD_TYPES.map((type) => ({ value: { type }, label: TYPE_WORDS[type] })),
    first: value === null ? undefined : RECORD_TYPES.indexOf(value),
    // There is a question about the column that makes a type likely.
    isOptional: value !== null,
  };
}

/** About columns that may be meant for a field, in the order of the fields. */
export function suggestedPoints(analysis: LayoutAnalysis): SetupStep[] {
  const { fields, kind } = analysis;
  const place = ({ path }: Suggestion): number => kind.fields.findIndex(({ name }) => name === path);
  return fields.suggestions
    .toSorted((a, b) => place(a) - place(b))
    .map(({ path, names: [name = '', ...others] }) => {
      const names = [name, ...others];
      const isOne = others.length === 0;
      const uses: Choice<ChoiceEffect>[] = names.map((each) => ({
        value: { map: [each, path] },
        label: shownColumn(each, analysis),
        hint: 'by its name',
      }));
      const drop = { value: { drop: names }, label: isOne ? 'No, do not use this column' : 'None of these columns' };
      const help = helpOf(kind, path);
      return {
        ask: isOne ? `Is ${JSON.stringify(name)} the column with ${help}?` : `Which column has ${help}?`,
        choices: [...uses, { ...drop, isOnlyAsked: isNeeded(path, kind) }],
        first: isOne ? 0 : undefined,
      };
    });
}

function isNeeded(path: string, { fields, rules }: RecordSchema): boolean {
  const isPart = rules.some((rule) => rule.given === null && rule.needs.includes(path));
  return isPart || fields.some(({ name, required }) => name === path && required);
}

/** About required fields without a column or value. */
export function missingPoints(analysis: LayoutAnalysis): SetupStep[] {
  const { fields, kind } = analysis;
  return fields.missing.map((path) => {
    const [field = ''] = path.split(' or ');
    return {
      ...sourceQuestion(field, analysis),
      fact: `Every ${kind.type} needs ${path}.`,
      options: [`--map 'COLUMN=${field}'`, `--set ${field}=VALUE`],
    };
  });
}

/** Asks for a column for a field, or a value for every record. No column is likely, so Enter alone takes none. */
function sourceQuestion(path: string, analysis: LayoutAnalysis): Question {
  const { fields, names, profiles, markings, kind } = analysis;
  const field = fieldOf(kind, path);
  const value: Question = {
    ask: `${helpOf(kind, path)} for all rows:`,
    choices: [],
    text: {
      initial: '',
      check: (typed) => (typed === '' ? 'This cannot be empty.' : null),
      take: (typed) => ({ set: [path, typed] }),
    },
  };
  // Also columns that were rejected for another field, or that map to an optional field.
  const used = fields.columns.filter((column) => isNeeded(column.path, kind)).map(({ name }) => name);
  const taken = new Set(['', ...used, ...markings.map(({ column }) => column)]);
  const suits = suitsBy(profiles);
  const suited = names.filter((name) => !taken.has(name) && (field === null || suits(name, field)));
  if (suited.length === 0) return value;
  // The values favour this column if no other has amounts.
  const [only = '', another] = suited;
  const isOnly = field?.money === true && another === undefined && profiles.columns.get(only)?.hasDecimals === true;
  const hint = isOnly ? 'the only column with amounts' : undefined;
  return {
    ask: `Which column has ${helpOf(kind, path)}?`,
    first: isOnly ? 0 : undefined,
    choices: [
      ...suited.map((name) => ({ value: { map: [name, path] as const }, label: shownColumn(name, analysis), hint })),
      { value, label: 'No column: the same value for all rows' },
    ],
  };
}

/** Whether all columns are right: asked again if other columns map to fields. */
export function agreementPoint(analysis: LayoutAnalysis): SetupStep {
  const { answers, fields, kind } = analysis;
  const settled = JSON.stringify(fields.columns.map(({ name, path }) => `${name}=${path}`).toSorted());
  if (answers.settled.has(settled)) return '';
  const another: Question = {
    ask: 'Which field?',
    choices: kind.fields.map(({ name, help }) => ({ value: sourceQuestion(name, analysis), label: name, hint: help })),
  };
  const drop: Question = {
    ask: 'Which column?',
    choices: fields.columns.map(({ name }) => ({ value: { drop: [name] }, label: shownColumn(name, analysis) })),
  };
  return {
    ask: 'Is this right?',
    isOptional: true,
    first: 0,
    shown: { title: 'The columns are used like this:', lines: () => givenLines(analysis) },
    choices: [
      { value: { settled }, label: 'Yes' },
      { value: another, label: 'No, use another column for a field' },
      { value: drop, label: 'No, do not use one of these columns' },
    ],
  };
}

/** The source of each field, in the order of a record's documentation; and the columns that are not sent. */
function givenLines(analysis: LayoutAnalysis): string[] {
  const { fields, answers, kind } = analysis;
  const place = (path: string): number => kind.fields.findIndex(({ name }) => name === path.split('.')[0]);
  const given = [
    ...fields.columns.map(({ name, path }) => ({ path, words: shownColumn(name, analysis) })),
    ...[...answers.set].map(([path, value]) => ({ path, words: `${String(value)}, in all rows` })),
  ].toSorted((a, b) => place(a.path) - place(b.path));
  const width = Math.max(...given.map(({ path }) => path.length), 0);
  return [
    ...given.map(({ path, words }) => `${path.padEnd(width)}  ${words}`),
    ...(fields.others.length === 0 ? [] : [`not sent: ${nameList(fields.others)}`]),
  ];
}

/** Columns without a single readable value, and columns that change the meaning of amounts. */
export function doubtPoints(analysis: LayoutAnalysis): SetupStep[] {
  const { fields, answers, profiles } = analysis;
  const isGiven = [...fields.columns, ...fields.suggestions].some(({ path }) => path === 'currency');
  const others = isGiven || setPaths(answers).includes('currency') ? [] : fields.others;
  return [
    ...fields.columns.map((column) => unreadPoint(column, analysis)),
    ...others.map((column): SetupStep => {
      const found = profiles.columns.get(column);
      const [first, second] = found?.words?.values() ?? [];
      // If all rows have the same currency, dropping it with the other columns loses nothing.
      const isLost = second !== undefined || !answers.ignoreOthers;
      if (found === undefined || first === undefined || !areCurrencies(found) || !isLost) return '';
      return {
        fact: `The column "${column}" has currencies, as in ${sampleText(first)}.`,
        ask: 'Do you want to use it as the currency of each row?',
        choices: [
          { value: { map: [column, 'currency'] }, label: 'Yes, use it as the currency' },
          { value: { drop: [column] }, label: 'No, do not use this column' },
        ],
        first: 0,
      };
    }),
  ];
}

function unreadPoint({ name, path, field }: ColumnField, { profiles }: LayoutAnalysis): SetupStep {
  const found = profiles.columns.get(name);
  if (found === undefined) return '';
  const isUnread = isDate(field) ? found.areDates === 0 : isNumber(field) && found.areNumbers === 0;
  const unread = found.first;
  if (!isUnread || unread === null) return '';
  const isTimed = /\d:\d/.test(unread.typed) && /\d[-./]\d/.test(unread.typed);
  const wrong = isTimed ? 'gigwork does not read a time of day next to a date' : oddNotation(unread.typed);
  const what = isDate(field) ? 'date' : 'number';
  const column = name === path ? `"${name}"` : `"${name}" (${path})`;
  const fact = `The column ${column} has no ${what} that gigwork can read, as in ${sampleText(unread)}`;
  return {
    fact: `${fact}${wrong === null ? '' : `: ${wrong}`}.`,
    ask: 'Do you want to ignore this column? If not, correct the file first.',
    // Every record needs its value, so dropping it is not enough.
    choices: [
      { value: { drop: [name] }, label: 'Yes, do not use this column', isOnlyAsked: field.required },
      { ...STOP, label: 'No, stop: I will correct the file' },
    ],
  };
}

/** Columns that distinguish payments but are not sent: reported before the profile is written. */
export function unsentLines({ names, fields, profiles, kind }: LayoutAnalysis): string[] {
  const sent = new Map(fields.columns.map(({ name, path }) => [path, name]));
  const used = new Set(['', ...sent.values()]);
  const unsent = names.flatMap((name) => {
    const column = profiles.columns.get(name);
    return used.has(name) || column === undefined || column.filled === 0 ? [] : [{ name, column }];
  });
  const areDates = unsent.filter(({ column }) => mostlyAnyDates(column));
  const references = unsent.filter(
    (each) => fieldBySynonym(each.name, kind.type)?.field === 'reference_id' && !areDates.includes(each),
  );
  const line = (path: string | null | undefined, what: string, then: string, found: typeof unsent): string[] => {
    if (path === undefined || path === null || found.length === 0) return [];
    const listed = found.map(({ name }) => JSON.stringify(name)).join(', ');
    return [`Not sent: the ${what} under ${listed}.${sent.has(path) ? '' : ` ${then}`}`];
  };
  const date = kind.fields.find((field) => field.kind === 'date')?.name;
  return [
    ...line(date, 'dates', 'Without a date, the service takes the time of creation.', areDates),
    ...line(kind.reference, 'references', 'Then two payments to one person for one purpose look alike.', references),
  ];
}

/** What a person calls the fields that nearly every file has. */
const PLAIN: Readonly<Record<string, string>> = {
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
function helpOf(kind: RecordSchema, path: string): string {
  const field = kind.fields.find(({ name }) => name === path);
  return field === undefined ? path : `${path} (${PLAIN[path] ?? field.help.replace(/;.*/, '')})`;
}

const SAMPLES = 3;

/** `Betrag (2.150,00; 89,90; …)` */
function shownColumn(name: string, { names, profiles }: LayoutAnalysis): string {
  const at = names.indexOf(name);
  const values = [...new Set(profiles.cells.map((cells) => (cells[at] ?? '').trim()).filter((cell) => cell !== ''))];
  const shown = values.slice(0, SAMPLES).join('; ');
  return values.length === 0 ? `${name} (empty)` : `${name} (${shown}${values.length > SAMPLES ? '; …' : ''})`;
}

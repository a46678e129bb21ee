/** A file to fill in and import, and the rules for filling it in. Both come from the record's definition. */
import {
  type Body,
  columnPaths,
  type Field,
  type FieldKind,
  fieldAt,
  isJsonKind,
  type Rule,
} from '../records/field.js';
import { exampleRecord } from '../records/example.js';
import { inputFields, type Kind } from '../records/kind.js';
import { csvCell } from './printable.js';
import { type TableColumn, tableLines, wrapped } from './table.js';

export type TemplateFormat = 'csv' | 'json' | 'ndjson';

export const TEMPLATE_FORMATS: readonly TemplateFormat[] = ['csv', 'json', 'ndjson'];

/** The file: one record with an example in every field. @param today YYYY-MM-DD; the examples' dates are near it */
export function templateText(kind: Kind, format: TemplateFormat, today: string): string {
  const fields = inputFields(kind);
  const record = exampleRecord(fields, today);
  switch (format) {
    case 'csv':
      return csvText(fields, record);
    case 'json':
      return `${JSON.stringify([record], null, 2)}\n`;
    case 'ndjson':
      return `${JSON.stringify(record)}\n`;
  }
}

function csvText(fields: readonly Field[], record: Body): string {
  const paths = columnPaths(fields);
  const cells = paths.map((path) => csvCell(cellText(fieldAt(fields, path), valueAt(record, path)), ','));
  return `${paths.join(',')}\n${cells.join(',')}\n`;
}

function valueAt(record: Body, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => (value as Body)[step], record);
}

function cellText(field: Field | null, value: unknown): string {
  if (field === null || value === null) return '';
  if (isJsonKind(field.kind)) return JSON.stringify(value);
  // Nobody types UNIX seconds into a table.
  if (field.kind === 'timestamp') return new Date((value as number) * 1000).toISOString().replace('.000Z', 'Z');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The rules, as lines for people. @param width columns of the terminal */
export function templateRules(kind: Kind, format: TemplateFormat, width = Infinity): string[] {
  const fields = inputFields(kind);
  const columns: TableColumn<RuleRow>[] = [
    { title: format === 'csv' ? 'column' : 'field', cell: ({ path }) => path },
    { title: 'needed', cell: ({ needed }) => needed },
    { title: 'takes', cell: ({ field }) => takes(field, format) },
    { title: 'meaning', cell: ({ field }) => field.help },
  ];
  const lines = [
    `One ${kind.type} ${UNIT[format]}. Replace the examples; what is not needed may be left out.`,
    '',
    ...tableLines(columns, ruleRows(fields, format, '', true), width),
    '',
    ...conditions(fields, kind.rules, ''),
    ...NOTES[format],
    ...(format === 'csv' && fields.some((field) => field.kind === 'list') ? [MORE_ELEMENTS] : []),
    `To check the file without sending anything: gigwork ${kind.type} create FILE --dry-run`,
  ];
  return lines.flatMap((line) => wrapped(line, width));
}

const UNIT: Readonly<Record<TemplateFormat, string>> = {
  csv: 'a row',
  json: 'an object of the list',
  ndjson: 'a line',
};

const NOTES: Readonly<Record<TemplateFormat, readonly string[]>> = {
  csv: [
    'Columns may stand in any order. An empty cell is an absent field.',
    'Numbers have a point (with a comma: --decimal comma), dates are YYYY-MM-DD (otherwise: --date-format dmy or mdy).',
  ],
  json: ['A field that is null is absent. Text stands in quotes, IDs too; numbers do not.'],
  ndjson: ['A field that is null is absent. Text stands in quotes, IDs too; numbers do not.'],
};

const MORE_ELEMENTS = 'A second task has the columns tasks.1.title and tasks.1.base_price, and so on.';

interface RuleRow {
  readonly path: string;
  readonly needed: string;
  readonly field: Field;
}

/** @param inRecord the fields are the record's own, not those of an object that may be absent */
function ruleRows(fields: readonly Field[], format: TemplateFormat, prefix: string, inRecord: boolean): RuleRow[] {
  return fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    const needed = field.required ? (inRecord ? 'yes' : `in ${prefix.split('.')[0]}`) : '';
    const { members } = field;
    const row = { path, needed, field };
    if (members === undefined) return [row];
    const inner = ruleRows(members, format, field.kind === 'list' ? `${path}.0.` : `${path}.`, false);
    return format === 'csv' ? inner : [row, ...inner];
  });
}

function takes({ kind, choices, required, filled }: Field, format: TemplateFormat): string {
  if (kind === 'choice') return (choices ?? []).join(' or ');
  if (kind === 'timestamp') return format === 'csv' ? 'time with offset, or UNIX seconds' : 'UNIX seconds';
  if (isJsonKind(kind))
    return `${kind === 'list' ? 'list of objects' : 'object'}${format === 'csv' ? ', as JSON text' : ''}`;
  return `${WORDS[kind]}${(required || filled === true) && (kind === 'text' || kind === 'id') ? ', not blank' : ''}`;
}

const WORDS: Readonly<Partial<Record<FieldKind, string>>> = {
  text: 'text',
  id: 'text',
  currency: 'text',
  number: 'number',
  date: 'date, YYYY-MM-DD',
  boolean: 'true or false',
  multiplier: 'decimal from 0.0000 to 9.9999',
  'yes-no': 'Yes or No',
  topic: 'text or number',
};

function conditions(fields: readonly Field[], rules: readonly Rule[], prefix: string): string[] {
  const own = rules.map((rule) => conditionText(rule, prefix));
  const inner = fields.flatMap((field) =>
    conditions(field.members ?? [], field.rules ?? [], `${prefix}${field.name}.`),
  );
  return [...own, ...inner];
}

function conditionText({ needs, given, because }: Rule, prefix: string): string {
  const condition = given === null ? '' : ` with ${prefix}${given}`;
  return `${needs.map((name) => prefix + name).join(' or ')} must be given${condition}: ${because}.`;
}

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
  const fieldOf = (path: string): Field => fieldAt(fields, path) as Field;
  const columns: TableColumn<string>[] = [
    { title: format === 'csv' ? 'column' : 'field', cell: (path) => path },
    // An object that is absent needs none of its fields.
    { title: 'needed', cell: (path) => (fieldOf(path).required ? (path.includes('.') ? 'in its object' : 'yes') : '') },
    { title: 'takes', cell: (path) => takes(fieldOf(path)) },
    { title: 'meaning', cell: (path) => fieldOf(path).help },
  ];
  const lines = [
    'Replace the examples; what is not needed may be left out.',
    '',
    ...tableLines(columns, columnPaths(fields), width),
    '',
    ...conditions(fields, kind.rules, ''),
    format === 'csv' ? CSV_NOTE : JSON_NOTE,
    `To check the file without sending anything: gigwork ${kind.type} create FILE --dry-run`,
  ];
  return lines.flatMap((line) => wrapped(line, width));
}

const CSV_NOTE =
  'An empty cell is an absent field. Numbers have a point (with a comma: --decimal comma), dates are YYYY-MM-DD (otherwise: --date-format dmy or mdy). A second element of a list has 1 in place of 0: tasks.1.title.';
const JSON_NOTE = 'A field that is null is absent. Text stands in quotes, IDs too; numbers do not.';

function takes({ kind, choices }: Field): string {
  return choices === undefined ? (WORDS[kind] ?? 'JSON') : choices.join(' or ');
}

const WORDS: Readonly<Partial<Record<FieldKind, string>>> = {
  ...{ text: 'text', id: 'text', currency: 'text', topic: 'text or number', number: 'number' },
  ...{ date: 'YYYY-MM-DD', timestamp: 'time with offset, or UNIX seconds', boolean: 'true or false' },
  ...{ multiplier: 'decimal from 0.0000 to 9.9999', 'yes-no': 'Yes or No' },
};

function conditions(fields: readonly Field[], rules: readonly Rule[], prefix: string): string[] {
  const own = rules.map(({ needs, given, because }) => {
    const condition = given === null ? '' : ` with ${prefix}${given}`;
    return `${needs.map((name) => prefix + name).join(' or ')} must be given${condition}: ${because}.`;
  });
  const inner = fields.flatMap((field) =>
    conditions(field.members ?? [], field.rules ?? [], `${prefix}${field.name}.`),
  );
  return [...own, ...inner];
}

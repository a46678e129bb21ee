/** A file to fill in and import, made from the record's definition. */
import { columnPaths, exampleRecord, type Field, fieldAt, isJsonKind } from '../records/fields.js';
import type { RecordSchema } from '../records/schema.js';
import type { Body } from '../records/types.js';
import { csvCell } from './printable.js';

export type TemplateFormat = 'csv' | 'json' | 'ndjson';

export const TEMPLATE_FORMATS: readonly TemplateFormat[] = ['csv', 'json', 'ndjson'];

/** One record with an example in every field. @param today YYYY-MM-DD; the examples' dates are near it */
export function templateText(kind: RecordSchema, format: TemplateFormat, today: string): string {
  const fields = kind.inputFields;
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

/** How to use it, as sentences for people. */
export function templateNotes({ type }: RecordSchema, format: TemplateFormat): string[] {
  return [
    'Replace the examples; leave out fields that you do not need.',
    format === 'csv' ? CSV_NOTE : JSON_NOTE,
    `What each field takes, and which are needed: gigwork ${type} create --help-all`,
    `To check the file without sending anything: gigwork ${type} create FILE --dry-run`,
  ];
}

const CSV_NOTE =
  'An empty cell is an absent field. Numbers have a point (with a comma: --decimal comma), dates are YYYY-MM-DD (otherwise: --date-format dmy or mdy). A second element of a list has 1 in place of 0: tasks.1.title.';
const JSON_NOTE = 'A field that is null is absent. Text stands in quotes, IDs too; numbers do not.';

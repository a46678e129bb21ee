/** `template <type>`: a file to fill in and import, made from the record's definition. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseChoice } from '../config/parsers.js';
import { EXIT, UsageError } from '../errors.js';
import { formatByName } from '../input/formats.js';
import { dayOf } from '../records/calendar.js';
import { columnPaths, exampleRecord, type Field, fieldAt, isJsonKind } from '../records/fields.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import type { RecordSchema } from '../records/schema.js';
import { type Body, RECORD_TYPES } from '../records/types.js';
import { csvCell } from '../report/printable.js';
import { widthOf, wrapText } from '../report/table.js';
import { checkWritable } from '../report/output-paths.js';
import type { Invocation, FlagsWith } from './command.js';
import { writeNamed } from './document.js';

type TemplateFormat = 'csv' | 'json' | 'ndjson';

const TEMPLATE_FORMATS: readonly TemplateFormat[] = ['csv', 'json', 'ndjson'];

/**
 * Writes a file to fill in, with instructions on standard error, and returns the exit code.
 * @throws UsageError for a type, a format or a file that cannot be used
 */
export async function writeTemplate(call: Invocation<FlagsWith<'output'>>): Promise<number> {
  const { operands, flags, world } = call;
  const { format: named, output, quiet, json } = flags;
  const [name = ''] = operands;
  const kind = RECORD_SCHEMAS[parseChoice('gigwork template', name, RECORD_TYPES)];
  if (json === true && named !== undefined && named !== 'json')
    throw new UsageError('--json and --format say two formats; leave one out');
  const wanted = json === true ? 'json' : named;
  const format = wanted === undefined ? formatOf(output) : parseChoice('--format', wanted, TEMPLATE_FORMATS);
  const text = templateText(kind, format, dayOf(world.now()));
  if (output === undefined) world.stdout.write(text);
  else await writeNew(output, text, world.cwd());
  const lines = templateNotes(kind, format).flatMap((note) => wrapText(note, widthOf(world.stderr)));
  if (quiet !== true) world.stderr.write(`${lines.join('\n')}\n`);
  return EXIT.ok;
}

/** @throws UsageError for an extension without a format */
function formatOf(output: string | undefined): TemplateFormat {
  if (output === undefined) return 'csv';
  const format = formatByName(output);
  if (format !== null && format !== 'xlsx' && !output.toLowerCase().endsWith('.tsv')) return format;
  throw new UsageError(
    `--output ${output}: the extension names no format; add --format ${TEMPLATE_FORMATS.join(', ')}`,
  );
}

/** Refuses to overwrite: somebody may have filled in the existing file. @throws UsageError */
async function writeNew(path: string, text: string, cwd: string): Promise<void> {
  await checkWritable(path, '--output', [], cwd);
  if (existsSync(resolve(cwd, path)))
    throw new UsageError(`--output ${path}: this file is there already; name another one`);
  await writeNamed('--output', path, cwd, [text]);
}

/** One record with an example in every field. @param today YYYY-MM-DD; the examples' dates are near it */
export function templateText(kind: RecordSchema, format: TemplateFormat, today: string): string {
  const fields = kind.inputFields;
  const record = exampleRecord(fields, today);
  switch (format) {
    case 'csv':
      return csvTemplate(fields, record);
    case 'json':
      return `${JSON.stringify([record], null, 2)}\n`;
    case 'ndjson':
      return `${JSON.stringify(record)}\n`;
  }
}

function csvTemplate(fields: readonly Field[], record: Body): string {
  const paths = columnPaths(fields);
  const cells = paths.map((path) => csvCell(cellText(fieldAt(fields, path), exampleAt(record, path)), ','));
  return `${paths.join(',')}\n${cells.join(',')}\n`;
}

function exampleAt(record: Body, path: string): unknown {
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
function templateNotes({ type }: RecordSchema, format: TemplateFormat): string[] {
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

/** Commands that need no settings: `schema <type>`, `completion <shell>` and `template <type>`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseChoice } from '../config/parsers.js';
import { EXIT, UsageError } from '../errors.js';
import { formatByName } from '../input/formats.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import { RECORD_TYPES } from '../records/types.js';
import { TEMPLATE_FORMATS, type TemplateFormat, templateNotes, templateText } from '../report/template-text.js';
import { widthOf, wrapText } from '../report/table.js';
import { checkWritable } from '../report/output-paths.js';
import { published } from '../version.js';
import type { Invocation, FlagsWith } from './command.js';
import { writeDocument, writeNamed } from './document.js';

/**
 * Prints the JSON Schema of a record type, or of `--json` output, and returns the exit code. They stand in
 * samples/schemas: they are promises, and a change in the code must not change them unnoticed.
 * @param names of all schemas
 * @throws UsageError for an unknown type
 */
export function printSchema(names: readonly string[], { operands: [name = ''], world }: Invocation): number {
  const found = parseChoice('gigwork schema', name, names);
  world.stdout.write(published(`samples/schemas/${found}.json`));
  return EXIT.ok;
}

/**
 * Prints a script that asks the program for its offers each time the tab key is pressed, and returns the exit code.
 * @throws UsageError for an unknown shell
 */
export function printCompletion(
  shells: readonly string[],
  { operands: [name = ''], flags, world }: Invocation<{ readonly json?: boolean }>,
): number {
  const shell = parseChoice('gigwork completion', name, shells);
  const script = published(`samples/completion/gigwork.${shell}`);
  if (flags.json === true) writeDocument({ shell, script }, world);
  else world.stdout.write(script);
  return EXIT.ok;
}

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
  const text = templateText(kind, format, new Date(world.now()).toISOString().slice(0, 10));
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

// Writes the pages of the reference, the JSON Schemas of records, and the types of the library. The commands, fields and issue codes come from the
// compiled program (dist/), the events from their published schema. `npm run docs` writes the files. With --check, it only
// names those that differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { groupsOf, leaves, loadProgram } from './commands.js';
import { openApi } from './openapi.js';
import { recordSchema } from './record-schemas.js';
import { typesModule } from './types.js';
import { words } from './words.js';

const ROOT = join(import.meta.dirname, '..', '..');

const load = (module) => import(pathToFileURL(join(ROOT, 'dist', module)).href);

const NOTE =
  '<!-- Written by docs/reference/generate.js from the code: `npm run docs`. Change the code, not this page. -->';

function page(title, ...parts) {
  return `# ${title}\n\n${NOTE}\n\n${parts.flat().join('\n\n')}\n`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const code = (text) => `\`${text}\``;

/** The words for a code. @throws where words.js has none */
function wordsFor(list, name, of) {
  const found = list[name];
  if (found === undefined) throw new Error(`docs/reference/words.js has no words for the ${of} ${name}`);
  return found;
}

// Flags

const flagRow = (option) => [code(option.flags), option.description];

/** @param printed sections of other commands: one that is there already becomes a link */
function flagTables(name, command, printed) {
  const parts = [];
  for (const [heading, options] of groupsOf(command)) {
    const text = table(['flag', ''], options.map(flagRow));
    const whole = printed.find(
      (each) => each.name !== name && each.heading === heading && hasAll(each.options, options),
    );
    if (whole === undefined) {
      printed.push({ name, heading, options });
      parts.push(heading === 'Options' ? text : `**${heading}**\n\n${text}`);
    } else parts.push(`**${heading}**: as for [${whole.name}](#${anchor(whole.name)})${missingFrom(options, whole)}`);
  }
  return parts;
}

const rowOf = (option) => flagRow(option).join(' ');

/** Whether the options are most of these: then the others are named. */
function hasAll(most, options) {
  const rows = most.map(rowOf);
  return options.every((option) => rows.includes(rowOf(option))) && most.length < 2 * options.length;
}

function missingFrom(options, { options: most }) {
  const rows = options.map(rowOf);
  const names = most.filter((option) => !rows.includes(rowOf(option))).map(({ long }) => code(long));
  return names.length === 0 ? '' : `, but ${names.join(', ')}`;
}

const anchor = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

function argumentsOf(command) {
  const rows = command.registeredArguments
    .filter(({ description }) => description !== '')
    .map((argument) => {
      const [open, close] = argument.required ? ['<', '>'] : ['[', ']'];
      return `${code(`${open}${argument.name()}${argument.variadic ? '...' : ''}${close}`)}: ${argument.description}`;
    });
  return rows.map((row) => `- ${row}`).join('\n');
}

function flagsPage(program, settings) {
  const commands = leaves(program);
  // It has all flags of the commands that send records.
  const { name: whole, command: importing } = commands.find(({ name }) => name === 'gigwork batch import');
  const printed = [...groupsOf(importing)].map(([heading, options]) => ({ name: whole, heading, options }));
  const sections = commands.map(({ name, command }) => {
    const own = [`## ${name}`, `${command.description()}.`];
    const takes = argumentsOf(command);
    if (takes !== '') own.push(takes);
    return [...own, ...flagTables(name, command, printed)].join('\n\n');
  });
  const list = commands.map(({ name, command }) => [`[${name}](#${anchor(name)})`, command.description()]);
  return page(
    'Commands and flags',
    'Every command has `--help`. If that shows only the everyday flags, `--help-all` shows all of them. `gigwork --version` prints the version. A flag that decides what is paid may appear only once. Write a value that looks like a flag as `--batch-id=--yes`.',
    table(['command', ''], list),
    sections,
    '## Settings',
    'A setting can come from several places. The first of these wins: flag, variable, profile, config file, default. The values of the keys: [operations](../operations.md#settings).',
    settingsTable(settings),
  );
}

// Settings

/** Settings that a variable or the config file can set, too. */
function settingsTable({ SETTING_NAMES, settingOf }) {
  const rows = SETTING_NAMES.map((name) => ({ name, ...settingOf(name) }))
    .filter(({ env, key }) => env !== undefined || key !== undefined)
    .map(({ name, flag, env, key, default: usual, help }) => [
      key === undefined ? '' : code(name),
      flag === null ? '' : code(flag),
      env === undefined ? '' : code(env),
      // A switch without its flag is off, as everybody expects.
      usual === null || Array.isArray(usual) || (usual === false && flag !== null) ? '' : code(String(usual)),
      help,
    ]);
  return table(['key of the config file', 'flag', 'variable', 'default', ''], rows);
}

// Exit codes

const AFTER_SENDING =
  'If several fit, the code is the first of 5, 6 and 4. With code 5, `retry` in the summary is true: running `next` again is safe, also for a schedule. With code 6 it is false, and `reasons` say what a person must do. A first signal stops a run in order. A second one ends it at once.';

/** A table for each set of commands with the same codes; the first is of the commands that send. */
function exitCodesPage(program) {
  const groups = new Map();
  for (const { name, exitCodes } of leaves(program)) {
    const text = table(['code', 'meaning'], Object.entries(exitCodes));
    groups.set(text, [...(groups.get(text) ?? []), code(name)]);
  }
  const [sending, ...others] = [...groups].map(([text, names]) => [`Of ${names.join(', ')}:`, text]);
  return page('Exit codes', ...sending, AFTER_SENDING, ...others.flat());
}

// Fields

/** As a cell or a flag has it. */
const exampleText = ({ example }) => (typeof example === 'string' ? example : JSON.stringify(example));

function fieldRows(fields, prefix = '') {
  return fields.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    const kind = wordsFor(words.KINDS, field.kind, 'kind of field');
    const takes = field.kind === 'choice' ? `${kind} ${field.choices.map(code).join(', ')}` : kind;
    const row = [code(path), field.required ? 'yes' : '', takes, field.help, code(exampleText(field))];
    if (field.members === undefined) return [row];
    return [row, ...fieldRows(field.members, field.kind === 'list' ? `${path}.0.` : `${path}.`)];
  });
}

/** Conditions between fields, those of nested objects included. */
function ruleLines(rules, fields, prefix = '') {
  const own = rules.map((rule) => {
    const path = (name) => code(`${prefix}${name}`);
    const needs = rule.needs.map(path).join(' or ');
    return rule.given === null
      ? `- ${needs} must be there. ${rule.because}`
      : `- ${path(rule.given)} needs ${needs}. ${rule.because}`;
  });
  return [...own, ...fields.flatMap(({ name, rules: inner = [] }) => ruleLines(inner, [], `${prefix}${name}.`))];
}

function fieldsPage(schemas) {
  const sections = Object.values(schemas).flatMap((kind) => {
    const { type, fields, inputFields } = kind;
    const rules = ruleLines(kind.rules, fields);
    return [
      `## ${kind.plural}`,
      `Sent to ${code(kind.path)}. In a file of several types, the column ${code(kind.mark)} makes a record a ${type}. ${kind.howComputed}`,
      table(['field', 'required', 'takes', '', 'example'], fieldRows(inputFields)),
      ...(rules.length === 0 ? [] : [rules.join('\n')]),
    ];
  });
  return page(
    'Fields',
    'A column of CSV, a member of JSON and a flag have the name of the field. The flag of `user_id` is `--user-id`. A dot leads into an object or a list: `cost_center_data.inhouse`, `tasks.0.title`. An empty cell is an absent field. `gigwork schema TYPE` prints the fields as JSON Schema, `gigwork template TYPE` as a file to fill in.',
    sections,
  );
}

// Issues

function issuesPage({ ERROR_CODES, WARNING_CODES }) {
  const rows = (codes) => codes.map((name) => [code(name), wordsFor(words.ISSUES, name, 'issue code')]);
  return page(
    'Issue codes',
    'Findings in the input. An error makes its record invalid, or stops the run. A fault of the file always stops the run. A warning does neither, except with `--strict`. A code for repeats of earlier payments can be either: [batches and repeats](../batches-and-repeats.md).',
    '## Errors',
    table(['code', 'meaning'], rows(ERROR_CODES)),
    '## Warnings',
    table(['code', 'meaning'], rows(WARNING_CODES)),
  );
}

// Events

function typeWords({ type, enum: values, const: only, $ref }) {
  if (only !== undefined) return code(JSON.stringify(only));
  if ($ref !== undefined) return `[${$ref.split('/').at(-1)}](#${$ref.split('/').at(-1)})`;
  if (values !== undefined)
    return values.length > 9 && values.some((each) => typeof each === 'string')
      ? 'text; see below'
      : values.map((each) => code(String(each))).join(', ');
  return [type].flat().join(' or ');
}

function memberRows({ properties }) {
  return Object.entries(properties).map(([name, schema]) => {
    const of = schema.items?.$ref === undefined ? '' : ` of ${typeWords(schema.items)}`;
    return [code(name), `${typeWords(schema)}${of}`, schema.description ?? ''];
  });
}

function eventsPage(schema) {
  const { $defs } = schema;
  const sections = Object.entries($defs).flatMap(([name, definition]) => [
    `## ${name}`,
    definition.description,
    table(['member', 'value', ''], memberRows(definition)),
  ]);
  const states = $defs.record.properties.status.enum;
  const reasons = $defs.summary.properties.stop_reason.enum.filter((reason) => reason !== null);
  const remedies = $defs.summary.properties.remedies.items.properties.code.enum;
  return page(
    'Events',
    'With `--json`, a run prints one JSON object per line on standard output: issues and records in any order, then exactly one summary as the last line, with every exit code. Later versions may add members and never remove one. `gigwork schema event` prints this as JSON Schema.',
    sections,
    '## States of a record',
    table(
      ['status', 'meaning'],
      states.map((name) => [code(name), wordsFor(words.STATES, name, 'state')]),
    ),
    '## Reasons to stop',
    table(
      ['stop_reason', 'meaning'],
      reasons.map((name) => [code(name), wordsFor(words.STOP_REASONS, name, 'reason')]),
    ),
    '## Remedies',
    table(
      ['code', 'what the command does'],
      remedies.map((name) => [code(name), wordsFor(words.REMEDIES, name, 'remedy')]),
    ),
  );
}

const eventSchema = () => JSON.parse(readFileSync(join(ROOT, 'samples', 'schemas', 'event.json'), 'utf8'));

/** The files by their path. */
async function files() {
  const program = loadProgram();
  const { RECORD_SCHEMAS } = await load('records/record-schemas.js');
  const registries = await load('records/schema.js');
  const issues = await load('records/issue.js');
  const schemas = Object.values(RECORD_SCHEMAS).map((schema) => [schema.type, recordSchema(schema, registries)]);
  const types = join(ROOT, 'src/library/event-types.ts');
  return {
    'docs/reference/flags.md': flagsPage(program, await load('config/settings.js')),
    'docs/reference/fields.md': fieldsPage(RECORD_SCHEMAS),
    'docs/reference/issues.md': issuesPage(issues),
    'docs/reference/events.md': eventsPage(eventSchema()),
    'docs/reference/exit-codes.md': exitCodesPage(program),
    ...Object.fromEntries(
      schemas.map(([type, schema]) => [`samples/schemas/${type}.json`, `${JSON.stringify(schema, null, 2)}\n`]),
    ),
    'samples/schemas/openapi.json': `${JSON.stringify(openApi(RECORD_SCHEMAS, Object.fromEntries(schemas), (await load('version.js')).version()), null, 2)}\n`,
    'src/library/event-types.ts': await typesModule({ ...Object.fromEntries(schemas), event: eventSchema() }, types),
  };
}

/** Words for codes that the program does not have: `issue total-row`. */
async function unusedWords() {
  const { ERROR_CODES, WARNING_CODES } = await load('records/issue.js');
  const { record, summary } = eventSchema().$defs;
  const known = {
    ISSUES: [...ERROR_CODES, ...WARNING_CODES],
    STATES: record.properties.status.enum,
    STOP_REASONS: summary.properties.stop_reason.enum,
    REMEDIES: summary.properties.remedies.items.properties.code.enum,
  };
  return Object.entries(known).flatMap(([list, names]) =>
    Object.keys(words[list])
      .filter((name) => !names.includes(name))
      .map((name) => `${list} ${name}`),
  );
}

function stored(path) {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return '';
  }
}

const isCheck = process.argv.includes('--check');
for (const [path, text] of Object.entries(await files())) {
  if (stored(path) === text) continue;
  if (!isCheck) writeFileSync(join(ROOT, path), text);
  console.log(`${isCheck ? 'differs' : 'written'}: ${path}`);
  if (isCheck) process.exitCode = 1;
}
for (const unused of await unusedWords()) {
  console.log(`no such code any more: ${unused} (docs/reference/words.js)`);
  if (isCheck) process.exitCode = 1;
}

/** JSON (one object or a list of objects) and NDJSON → raw records, read as a stream. */
import type { Body } from '../records/field.js';
import { type Finding, error } from '../records/issue.js';
import type { Shape } from '../records/kind.js';
import { PRICE_COLUMN, assign, bindAssignments, type BoundAssignments, ERROR_COLUMN, fieldName } from './columns.js';
import { JsonSyntaxError, type ParsedJson, parseJson } from './json-text.js';
import { type JsonValue, splitJson, splitLines } from './json-split.js';
import { FileFault, type RawRecord, countLineBreaks } from './raw.js';
import type { FileFacts, ReadOptions } from './read.js';

export function readJson(chunks: AsyncIterable<Buffer>, options: ReadOptions, facts: FileFacts): AsyncIterable<RawRecord[]> {
  return readValues(splitJson(chunks), options, facts);
}

export function readNdjson(chunks: AsyncIterable<Buffer>, options: ReadOptions, facts: FileFacts): AsyncIterable<RawRecord[]> {
  return readValues(splitLines(chunks), options, facts);
}

async function* readValues(
  batches: AsyncIterable<JsonValue[]>,
  options: ReadOptions,
  facts: FileFacts,
): AsyncIterable<RawRecord[]> {
  let reader: ((value: Body, parsed: ParsedJson) => Omit<RawRecord, 'record' | 'line'>) | null = null;
  let record = 0;
  for await (const batch of batches) {
    const records: RawRecord[] = [];
    for (const { text, line, inArray } of batch) {
      let parsed: ParsedJson;
      try {
        parsed = parseJson(text);
      } catch (cause) {
        yield records;
        throw faultAt(cause, text, line, batch);
      }
      record++;
      const place = { record, line: inArray ? null : line };
      const { value } = parsed;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        const finding = error('wrong-type', null, 'a record must be an object: {…}', value);
        records.push({ ...place, input: null, findings: [finding] });
        continue;
      }
      reader ??= openObjects(value as Body, options, facts);
      records.push({ ...place, ...reader(value as Body, parsed) });
    }
    yield records;
  }
}

function faultAt(cause: unknown, text: string, line: number, batch: readonly JsonValue[]): unknown {
  if (!(cause instanceof JsonSyntaxError)) return cause;
  const before = text.slice(0, cause.offset);
  const breaks = countLineBreaks(before);
  const start = batch.find((value) => value.text === text)?.column ?? 1;
  const column = breaks === 0 ? start + before.length : before.length - Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
  return new FileFault('bad-json', line + breaks, `column ${column}: ${cause.message}`, text.slice(cause.offset, cause.offset + 200));
}

function openObjects(first: Body, options: ReadOptions, facts: FileFacts) {
  const names = Object.keys(first).map((name) => fieldName(name, options.naming));
  const given = options.assignments.map(({ path }) => path.split('.')[0] ?? '');
  const shape = options.shapeFor([...names.filter((name) => name !== null), ...given]);
  const bound = bindAssignments(options.assignments, shape, options.style);
  return (value: Body, parsed: ParsedJson) => readObject(value, parsed, shape, bound, options, facts);
}

function readObject(
  value: Body,
  parsed: ParsedJson,
  shape: Shape,
  given: BoundAssignments,
  options: ReadOptions,
  facts: FileFacts,
): Omit<RawRecord, 'record' | 'line'> {
  const findings: Finding[] = parsed.findings.filter(({ field }) => field === null || !given.covers(field));
  findings.push(...given.findings);
  if (Object.hasOwn(value, ERROR_COLUMN)) facts.hasErrorColumn = true;
  const input = renamed(value, options, findings);
  let price: string | undefined;
  if (options.priced(shape) && input[PRICE_COLUMN] !== undefined) {
    const typed = input[PRICE_COLUMN];
    delete input[PRICE_COLUMN];
    if (typeof typed === 'number') price = String(typed);
    else if (typed !== null) findings.push(error('wrong-type', PRICE_COLUMN, 'base_price must be a number', typed));
  }
  if (options.ignoreUnknown) dropUnknown(input, shape);
  given.apply(input);
  return {
    input,
    findings,
    unreadable: given.unreadable,
    ...(parsed.typed === undefined ? {} : { typed: parsed.typed }),
    ...(price === undefined ? {} : { price }),
  };
}

/** The object under its fields' names; itself when no name changes, which is the common case. */
function renamed(value: Body, { naming }: ReadOptions, findings: Finding[]): Body {
  if (naming.map.size === 0 && naming.ignore.size === 0 && !Object.hasOwn(value, ERROR_COLUMN)) return value;
  const names = Object.keys(value);
  const input: Body = {};
  for (const name of names) {
    const path = fieldName(name, naming);
    if (path === null) continue;
    if (Object.hasOwn(input, path)) {
      findings.push(error('duplicate-field', path, `"${path}" is given twice, once as "${name}"`, value[name]));
    }
    assign(input, path === name ? [name] : path.split('.'), value[name]);
  }
  return input;
}

function dropUnknown(input: Body, shape: Shape): void {
  for (const name of Object.keys(input)) {
    if (!shape.fields.some((field) => field.name === name)) delete input[name];
  }
}

/** JSON (one object or a list of objects) and NDJSON → raw records, read as a stream. */
import { type Body, isObject } from '../records/field.js';
import { type Finding, error, memberPath } from '../records/issue.js';
import { inputFields, type Shape } from '../records/kind.js';
import { turnAmounts } from './amounts.js';
import { assign, bindAssignments, type BoundAssignments, fieldName, isOther } from './columns.js';
import { lostFields, MOST_DROPPED } from './dropped.js';
import { type JsonValue, readDocument, readLines } from './json-stream.js';
import type { ParsedJson } from './json-text.js';
import { hasOwnColumns, isOwnColumn, ownKey, refuseResults } from './own-columns.js';
import type { RawRecord } from './raw.js';
import type { FileFacts, ReadOptions } from './reading.js';

/** @param chunks UTF-8. @throws FileFault where the text is no JSON; records before the fault are yielded first */
export function readJson(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
  facts: FileFacts,
): AsyncIterable<RawRecord[]> {
  return readValues(readDocument(chunks), options, facts);
}

/** The same for one object a line. */
export function readNdjson(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
  facts: FileFacts,
): AsyncIterable<RawRecord[]> {
  return readValues(readLines(chunks), options, facts);
}

async function* readValues(
  batches: AsyncIterable<JsonValue[]>,
  options: ReadOptions,
  facts: FileFacts,
): AsyncIterable<RawRecord[]> {
  let table: ObjectTable | null = null;
  let record = 0;
  for await (const batch of batches) {
    const records: RawRecord[] = [];
    for (const parsed of batch) {
      const { value, line } = parsed;
      try {
        if (isObject(value)) refuseResults(Object.keys(value), line);
      } catch (cause) {
        yield records;
        throw cause;
      }
      const place = { record: ++record, line };
      if (!isObject(value)) {
        const finding = error('wrong-type', null, 'a record must be an object: {…}', value);
        records.push({ ...place, input: null, findings: [finding] });
        continue;
      }
      table ??= openTable(value, options, facts);
      records.push({ ...place, ...readObject(value, parsed, table) });
    }
    yield records;
  }
  if (table !== null) doubtDropped(table);
}

function doubtDropped({ shape, given, options, facts, met, others }: ObjectTable): void {
  const isGiven = (path: string): boolean => given.gives(path) || met.has(path);
  for (const lost of lostFields(others, shape, isGiven, options.platform)) facts.doubts.push({ ...lost, line: null });
}

/** What is the same for all objects of a file, and what is gathered from them. */
interface ObjectTable {
  readonly shape: Shape;
  readonly given: BoundAssignments;
  readonly options: ReadOptions;
  readonly facts: FileFacts;
  /** Fields that an object has given, where any may be dropped. */
  readonly met: Set<string>;
  /** Members that were dropped because they are no fields. */
  readonly others: Set<string>;
}

function openTable(first: Body, options: ReadOptions, facts: FileFacts): ObjectTable {
  const names = Object.keys(first).map((name) => fieldName(name, options.naming));
  const assigned = options.assignments.map(({ path }) => path.split('.')[0] ?? '');
  const shape = options.shapeFor([...names.filter((name) => name !== null), ...assigned]);
  const given = bindAssignments(options.assignments, shape, options.style);
  return { shape, given, options, facts, met: new Set(), others: new Set() };
}

/** The field's name for a member, or null when it is to be dropped. */
function memberField(name: string, { shape, options, facts, met, others }: ObjectTable): string | null {
  const path = fieldName(name, options.naming);
  const isField = path !== null && inputFields(shape).some((field) => field.name === path.split('.', 1)[0]);
  const isDropped = path !== null && isOther(name, options.naming, isField && path === name);
  if (path !== null && !isDropped) met.add(path);
  else if (!isOwnColumn(name)) {
    if (facts.dropped.size < MOST_DROPPED) facts.dropped.add(name);
    if (isDropped && others.size < MOST_DROPPED) others.add(name);
  }
  return isDropped ? null : path;
}

function readObject(value: Body, parsed: ParsedJson, table: ObjectTable): Omit<RawRecord, 'record' | 'line'> {
  const { shape, given, options } = table;
  const { input: named, findings, typed } = renamed(value, parsed, table);
  // What the file says stays as it is, whatever is given instead.
  const input = options.assignments.length > 0 ? structuredClone(named) : named;
  const own = ownKey(value, parsed.findings, options.naming.ignore);
  const isKnown = (path: string): boolean =>
    shape.fields.some(({ name }) => path === name || path.startsWith(`${name}.`));
  const counts = (path: string): boolean => !given.covers(path) && !(options.ignoreUnknown && !isKnown(path));
  const counted = findings.filter(({ field, fault }) => field === null || fault || counts(field));
  const all = [...given.findings, ...counted, ...own.findings];
  const priceName = shape.price?.name;
  const price = priceName === undefined ? undefined : takePrice(priceName, input, all);
  if (options.ignoreUnknown) dropUnknown(input, shape);
  turnAmounts(input, shape, options.style);
  given.apply(input);
  return {
    input,
    source: value,
    findings: all,
    unreadable:
      priceName !== undefined && price === null ? new Set([...(given.unreadable ?? []), priceName]) : given.unreadable,
    ...(typed === undefined ? {} : { typed: new Map([...typed].filter(([path]) => counts(path))) }),
    ...(typeof price === 'string' ? { price } : {}),
    replaces: own.replaces,
  };
}

/**
 * Removes the record's own price from its input, since it is never sent.
 * @returns the price in JSON's notation; undefined without one; null for one that cannot be used, because it is no
 *   number, no double is exactly it, or it is given twice
 */
function takePrice(name: string, input: Body, findings: Finding[]): string | null | undefined {
  const price = input[name];
  delete input[name];
  if (findings.some(({ field }) => field === name)) return null;
  if (price === undefined || price === null) return undefined;
  if (typeof price === 'number') return String(price);
  findings.push(error('wrong-type', name, `${name} must be a number`, price));
  return null;
}

interface Renamed {
  readonly input: Body;
  readonly findings: readonly Finding[];
  readonly typed: ReadonlyMap<string, string> | undefined;
}

/** The object with the fields' names, and its findings. The object itself when no name changes, the common case. */
function renamed(value: Body, { findings, typed }: ParsedJson, table: ObjectTable): Renamed {
  const { naming } = table.options;
  if (naming.map.size === 0 && naming.ignore.size === 0 && !naming.ignoreOthers && !hasOwnColumns(value)) {
    return { input: value, findings, typed };
  }
  const input: Body = {};
  const paths = new Map<string, string | null>();
  const twice: Finding[] = [];
  for (const name of Object.keys(value)) {
    const path = memberField(name, table);
    paths.set(memberPath('', name), path);
    if (path === null) continue;
    const steps = path === name ? [name] : path.split('.');
    if (isTaken(input, steps)) {
      twice.push(
        error('duplicate-field', path, `"${path}" is given twice, once as "${memberPath('', name)}"`, value[name]),
      );
    }
    assign(input, steps, value[name]);
  }
  const moved = [...(typed ?? [])].map(([path, text]) => [renamedPath(path, paths), text] as const);
  return {
    input,
    findings: [...twice, ...findings.flatMap((finding) => renamedFinding(finding, paths))],
    typed:
      typed === undefined ? undefined : new Map(moved.filter((entry): entry is [string, string] => entry[0] !== null)),
  };
}

/** Whether something stands at a path already, or in its way. */
function isTaken(input: Body, steps: readonly string[]): boolean {
  let place: unknown = input;
  for (const step of steps) {
    if (typeof place !== 'object' || place === null) return true;
    if (!Object.hasOwn(place, step)) return false;
    place = (place as Body)[step];
  }
  return true;
}

/** A finding in a dropped member does not count, unless it is a fault of the file itself. */
function renamedFinding(finding: Finding, paths: ReadonlyMap<string, string | null>): Finding[] {
  if (finding.field === null) return [finding];
  const field = renamedPath(finding.field, paths);
  return field === null && finding.fault !== true ? [] : [{ ...finding, field: field ?? finding.field }];
}

/** The dot path under the field's name, or null when the member is dropped. */
function renamedPath(path: string, paths: ReadonlyMap<string, string | null>): string | null {
  // A name may contain points, so every start of the path that could be a name is looked up.
  for (let end = path.indexOf('.'); ; end = path.indexOf('.', end + 1)) {
    const to = paths.get(end < 0 ? path : path.slice(0, end));
    if (to !== undefined) return to === null || end < 0 ? to : to + path.slice(end);
    if (end < 0) return path;
  }
}

function dropUnknown(input: Body, shape: Shape): void {
  for (const name of Object.keys(input)) {
    if (!shape.fields.some((field) => field.name === name)) delete input[name];
  }
}

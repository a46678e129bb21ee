/** JSON (one object or a list of objects) and NDJSON → raw records, read as a stream. */
import { type Body, isObject } from '../records/field.js';
import { type Finding, error, memberPath } from '../records/issue.js';
import { inputFields, type Shape } from '../records/kind.js';
import { turnAmounts } from './cells.js';
import { assign, bindAssignments, type BoundAssignments, fieldName, isOther } from './columns.js';
import type { JsonValue } from './json-stream.js';
import { hasOwnColumns, isOwnColumn, ownKey, refuseResults } from './own-columns.js';
import type { RawContent, RawRecord } from './raw.js';
import type { FileFacts, ReadOptions } from './reading.js';
import { lostFields, MOST_DROPPED } from './unknown-columns.js';

/** @throws FileFault where the text is no JSON, or no input; records before the fault are yielded first */
export async function* readValues(
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
        records.push({ ...place, read: () => ({ input: null, findings: [finding] }) });
        continue;
      }
      table ??= openTable(value, options, facts);
      records.push({ ...place, source: value, ...readObject(value, parsed, table) });
    }
    yield records;
  }
  if (table === null) return;
  const { shape, given, met, others } = table;
  const isGiven = (path: string): boolean => given.gives(path) || met.has(path);
  facts.doubts.push(...lostFields(others, shape, isGiven, null, options.platform));
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
  const isDropped = path !== null && !(isField && path === name) && isOther(name, options.naming);
  if (path !== null && !isDropped) met.add(path);
  else if (!isOwnColumn(name)) {
    if (facts.dropped.size < MOST_DROPPED) facts.dropped.add(name);
    if (isDropped && others.size < MOST_DROPPED) others.add(name);
  }
  return isDropped ? null : path;
}

function readObject(value: Body, parsed: JsonValue, table: ObjectTable): Pick<RawRecord, 'replaces' | 'read'> {
  const { shape, given, options } = table;
  const named = renamed(value, table);
  // What the file says stays as it is, whatever is given instead.
  const input = options.assignments.length > 0 ? structuredClone(named.input) : named.input;
  const own = ownKey(value, parsed.findings, options.naming.ignore);
  const findings = [...given.findings, ...named.twice];
  for (const finding of parsed.findings) {
    const field = finding.field === null ? null : named.pathOf(finding.field);
    const counts = finding.field === null || (field !== null && !given.covers(field));
    // A finding in a dropped member does not count, unless it is a fault of the file itself.
    if (counts || finding.fault === true) findings.push({ ...finding, field: field ?? finding.field });
  }
  findings.push(...own.findings);
  const typed = [...(parsed.typed ?? [])].flatMap(([path, text]) => {
    const field = named.pathOf(path);
    return field === null || given.covers(field) ? [] : [[field, text] as const];
  });
  const priceName = shape.price?.name;
  const price = priceName === undefined ? undefined : takePrice(priceName, input, findings);
  if (options.style.negate) turnAmounts(input, shape.fields, options.style);
  given.apply(input);
  const unreadable = new Set([
    ...(given.unreadable ?? []),
    ...(priceName !== undefined && price === null ? [priceName] : []),
  ]);
  const content: RawContent = { input, findings, unreadable, typed: new Map(typed), price: price ?? undefined };
  return { replaces: own.replaces, read: () => content };
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
  /** Fields that two members give. */
  readonly twice: readonly Finding[];
  /** The dot path under the field's name, or null when the member is dropped. */
  readonly pathOf: (path: string) => string | null;
}

/** The object with the fields' names. The object itself when no name changes, the common case. */
function renamed(value: Body, table: ObjectTable): Renamed {
  const { naming } = table.options;
  if (naming.map.size === 0 && naming.ignore.size === 0 && !naming.ignoreOthers && !hasOwnColumns(value))
    return { input: value, twice: [], pathOf: (path) => path };
  const input: Body = {};
  const paths = new Map<string, string | null>();
  const twice: Finding[] = [];
  for (const name of Object.keys(value)) {
    const path = memberField(name, table);
    const shown = memberPath('', name);
    paths.set(shown, path);
    if (path === null) continue;
    const steps = path === name ? [name] : path.split('.');
    if (isTaken(input, steps))
      twice.push(error('duplicate-field', path, `"${path}" is given twice, once as "${shown}"`, value[name]));
    assign(input, steps, value[name]);
  }
  return { input, twice, pathOf: (path) => renamedPath(path, paths) };
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

function renamedPath(path: string, paths: ReadonlyMap<string, string | null>): string | null {
  // A name may contain points, so every start of the path that could be a name is looked up.
  for (let end = path.indexOf('.'); ; end = path.indexOf('.', end + 1)) {
    const to = paths.get(end < 0 ? path : path.slice(0, end));
    if (to !== undefined) return to === null || end < 0 ? to : to + path.slice(end);
    if (end < 0) return path;
  }
}

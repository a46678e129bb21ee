/** Streams JSON (one object or a list of objects) and NDJSON as raw records. */
import { UsageError } from '../errors.js';
import type { Field, Shape } from '../records/fields.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import { type Body, isObject, RECORD_TYPES } from '../records/types.js';
import { error } from '../records/issue.js';
import { CellConverter, turnAmounts } from './cells.js';
import { assignedFields, bindAssignments, type BoundAssignments, fieldName } from './columns.js';
import { wrappedLists, wrappedText } from './json-layout.js';
import type { JsonValue } from './json-stream.js';
import type { FieldOf } from './json-parser.js';
import { Overrides, seeReplaced } from './overrides.js';
import { knownValuesPlace } from './known-values.js';
import { isResultColumn, KEY_COLUMN, refuseReport, refuseResults, extractKey } from './result-columns.js';
import { FileFault, type RawRecord } from './raw-record.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import { chooseShape } from './record-type.js';
import { TemplateBinder } from './template-objects.js';
import { isTimeText } from './timestamps.js';
import { MOST_DROPPED, noteDropped } from './unknown-columns.js';

/**
 * @param values reads the text, and gives its objects' members the names of fields
 * @throws FileFault if the text is not JSON or not a valid input; records before the fault are yielded first
 */
export async function* readValues(
  values: (fieldOf: FieldOf) => AsyncIterable<JsonValue[]>,
  options: ReadOptions,
  info: FileInfo,
): AsyncIterable<RawRecord[]> {
  const [only] = options.only;
  if (only !== undefined)
    throw new UsageError(
      `${info.path}: ${only.source} ${JSON.stringify(only.written)} chooses rows of CSV and workbooks, and this file is JSON: leave the objects out of the file`,
    );
  const [known] = options.knownValues;
  if (known !== undefined)
    throw new UsageError(
      `${info.path}: ${knownValuesPlace(known)} is about a column of CSV and workbooks, and this file is JSON: leave it out`,
    );
  const { template } = options;
  const binder = template === null ? new JsonBinder(options, info) : new TemplateBinder(template, options, info);
  let record = 0;
  for await (const batch of values(binder.fieldOf)) yield batch.map((value) => binder.read(value, ++record));
  binder.noteDropped();
}

/** The most names that are remembered: objects may have new ones without end. */
const MOST_MEMBERS = 1000;

/** Determined by the first object. */
interface Bound {
  readonly shape: Shape;
  readonly given: BoundAssignments;
  /** Whether a name stays when all names that are not fields are dropped. */
  readonly isKnown: (field: string) => boolean;
  /** The fields with times, which may be text. */
  readonly times: readonly Field[];
}

/** Objects as raw records of one file. */
export class JsonBinder {
  private readonly options: ReadOptions;
  private readonly info: FileInfo;
  private bound: Bound | null = null;
  private readonly names = new Map<string, string | null>();
  /** Members that were dropped: on a person's demand, or because they are not fields. */
  private readonly ignored = new Set<string>();
  private readonly others = new Set<string>();
  /** Fields that any object had. */
  private readonly met = new Set<string>();

  constructor(options: ReadOptions, info: FileInfo) {
    this.options = options;
    this.info = info;
  }

  readonly fieldOf: FieldOf = (member) => {
    const { names, options } = this;
    const known = names.get(member);
    if (known !== undefined) return known;
    refuseResults([member], null);
    const isKey = member === KEY_COLUMN && !options.naming.ignore.has(member);
    const field = isKey ? member : fieldName(member, options.naming);
    if (field === null && !isResultColumn(member)) addSome(this.ignored, member);
    if (names.size < MOST_MEMBERS) names.set(member, field);
    return field;
  };

  read({ value, line, findings: found, typed: numbers }: JsonValue, record: number): RawRecord {
    if (!isObject(value)) {
      const finding = error('wrong-type', null, 'a record must be an object: {…}', value);
      return { record, line, read: () => ({ input: null, findings: [finding] }) };
    }
    const { options } = this;
    const { given, shape, times } = (this.bound ??= this.bind(value, line));
    const others = this.takeOthers(value);
    // Ignores a finding in a value that does not count, unless it is a fault of the file itself.
    const counts = (field: string): boolean => !given.covers(field) && !others.has(field.split('.', 1)[0] ?? '');
    const findings = found.filter(({ field, fault }) => fault === true || field === null || counts(field));
    const texts = times.filter(({ name }) => isTimeText(value[name], options.style) && counts(name));
    const hasKey = Object.hasOwn(value, KEY_COLUMN);
    const replaces = extractKey(value, findings);
    // The file's values must stay unchanged when flags replace them.
    const input = options.assignments.length > 0 || texts.length > 0 ? structuredClone(value) : value;
    if (options.style.negate) turnAmounts(input, shape.fields, options.style);
    if (given.values.length > 0) seeReplaced(input, given, { record, line }, (this.info.overrides ??= new Overrides()));
    const read = new CellConverter(options.style, given);
    for (const field of texts) input[field.name] = read.convert(field, value[field.name] as string, field.name);
    given.apply(input);
    const typed = typedTexts([numbers, read.typed], counts);
    const content = { input, findings: [...read.findings, ...findings], unreadable: read.unreadable, typed };
    const lacksKey = hasKey && replaces === undefined;
    const { isEncodingGuessed } = this.info;
    return { record, line, source: value, replaces, lacksKey, isEncodingGuessed, read: () => content };
  }

  private bind(first: Body, line: number | null): Bound {
    refuseReport(Object.keys(first), null);
    this.refuseWrapped(first, line);
    const { naming, assignments, style } = this.options;
    const shape = chooseShape([...Object.keys(first), ...assignedFields(assignments)], this.options, this.info);
    const known = new Set([...shape.inputFields.map(({ name }) => name), ...naming.map.values(), KEY_COLUMN]);
    const isKnown = (field: string): boolean => known.has(field) || known.has(field.split('.', 1)[0] ?? '');
    const times = shape.fields.filter(({ kind }) => kind === 'timestamp');
    return { shape, given: bindAssignments(assignments, shape, style), isKnown, times };
  }

  /** @throws FileFault for one object that only has the list of the records, as `{"data": [ … ]}` */
  private refuseWrapped(first: Body, line: number | null): void {
    if (line === null) return;
    const { shape, platform } = this.options;
    const shapes = [...RECORD_TYPES.map((type) => RECORD_SCHEMAS[type]), ...(shape === null ? [] : [shape])];
    const fields = new Set([KEY_COLUMN, ...shapes.flatMap(({ inputFields }) => inputFields.map(({ name }) => name))]);
    const lists = wrappedLists(first, (name) => fields.has(name.split('.', 1)[0] ?? ''));
    if (lists.length > 0) throw new FileFault('bad-json', line, wrappedText(lists, { path: this.info.path, platform }));
  }

  /** Removes the members that are not fields, if those are dropped. */
  private takeOthers(value: Body): ReadonlySet<string> {
    const taken = new Set<string>();
    if (!this.options.naming.ignoreOthers) return taken;
    for (const name of Object.keys(value)) {
      if (this.bound?.isKnown(name) === true) this.met.add(name);
      else {
        taken.add(name.split('.', 1)[0] ?? '');
        addSome(this.others, name);
        delete value[name];
      }
    }
    return taken;
  }

  noteDropped(): void {
    if (this.bound === null) return;
    const { given, shape } = this.bound;
    const isGiven = (path: string): boolean => given.gives(path) || this.met.has(path);
    noteDropped(this.info, { ignored: this.ignored, others: this.others }, shape, isGiven, this.options.platform);
  }
}

/** Of values that print differently, by path. */
function typedTexts(
  sources: readonly (ReadonlyMap<string, string> | undefined)[],
  counts: (path: string) => boolean,
): ReadonlyMap<string, string> | undefined {
  const texts = sources.flatMap((source) => (source === undefined ? [] : [...source]));
  return texts.length === 0 ? undefined : new Map(texts.filter(([path]) => counts(path)));
}

function addSome(names: Set<string>, name: string): void {
  if (names.size < MOST_DROPPED) names.add(name);
}

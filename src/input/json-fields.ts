/** Objects of JSON whose members are fields of records. */
import type { Field, Shape } from '../records/fields.js';
import type { RecordPlace } from '../records/issue.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import { type Body, RECORD_TYPES } from '../records/types.js';
import { CellConverter, turnAmounts } from './cells.js';
import { assignedFields, bindAssignments, type BoundAssignments, fieldName } from './columns.js';
import { wrappedLists, wrappedText } from './json-layout.js';
import type { FieldOf, ParsedJson } from './json-parser.js';
import { Overrides, seeReplaced } from './overrides.js';
import { FileFault, type RawContent } from './raw-record.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import { chooseShape } from './record-type.js';
import { isResultColumn, KEY_COLUMN, refuseReport, refuseResults } from './result-columns.js';
import { isTimeText } from './timestamps.js';
import { MOST_DROPPED, noteDropped } from './unknown-columns.js';

/** What the members of a file's objects are: fields, or the variables of a template. */
export interface MemberBinder {
  readonly fieldOf: FieldOf;
  /** What each value of the file should be: `a record`. */
  readonly noun: string;
  /** Called with the first object, before it is read. @throws FileFault, UsageError */
  begin(first: Body, line: number | null): void;
  /** @param object without gigwork's key */
  read(object: ParsedObject, place: RecordPlace): BoundObject;
  /** Called after the last object. @throws UsageError */
  noteDropped(): void;
}

export interface ParsedObject extends ParsedJson {
  readonly value: Body;
}

export interface BoundObject {
  /** The record as the file has it, without the values that are set on every record. */
  readonly source: Body;
  readonly content: RawContent;
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

export class MemberFields implements MemberBinder {
  readonly noun = 'a record';
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

  begin(first: Body, line: number | null): void {
    refuseReport(Object.keys(first), null);
    this.refuseWrapped(first, line);
    const { naming, assignments, style } = this.options;
    const shape = chooseShape([...Object.keys(first), ...assignedFields(assignments)], this.options, this.info);
    const known = new Set([...shape.inputFields.map(({ name }) => name), ...naming.map.values(), KEY_COLUMN]);
    const isKnown = (field: string): boolean => known.has(field) || known.has(field.split('.', 1)[0] ?? '');
    const times = shape.fields.filter(({ kind }) => kind === 'timestamp');
    this.bound = { shape, given: bindAssignments(assignments, shape, style), isKnown, times };
  }

  read({ value: source, findings: found, typed: numbers }: ParsedObject, place: RecordPlace): BoundObject {
    const { options, info } = this;
    const { given, shape, times } = this.bound as Bound;
    const others = this.takeOthers(source);
    // Ignores a finding in a value that does not count, unless it is a fault of the file itself.
    const counts = (field: string): boolean => !given.covers(field) && !others.has(field.split('.', 1)[0] ?? '');
    const findings = found.filter(({ field, fault }) => fault === true || field === null || counts(field));
    const texts = times.filter(({ name }) => isTimeText(source[name], options.style) && counts(name));
    // The file's values must stay unchanged when flags replace them.
    const input = options.assignments.length > 0 || texts.length > 0 ? structuredClone(source) : source;
    if (options.style.negate) turnAmounts(input, shape.fields, options.style);
    if (given.values.length > 0) seeReplaced(input, given, place, (info.overrides ??= new Overrides()));
    const read = new CellConverter(options.style, given);
    for (const field of texts) input[field.name] = read.convert(field, source[field.name] as string, field.name);
    given.apply(input);
    const typed = typedTexts([numbers, read.typed], counts);
    return {
      source,
      content: { input, findings: [...read.findings, ...findings], unreadable: read.unreadable, typed },
    };
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

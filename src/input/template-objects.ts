/** Fills a template with the objects of JSON. Their members are its variables. */
import { error, type Finding } from '../records/issue.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import { isObject, type Body } from '../records/types.js';
import { CellConverter } from './cells.js';
import { bindAssignments, type BoundAssignments } from './columns.js';
import type { FieldOf } from './json-parser.js';
import type { JsonValue } from './json-stream.js';
import { Overrides, seeReplaced } from './overrides.js';
import type { RawRecord } from './raw-record.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import { extractKey, isResultColumn, KEY_COLUMN, refuseReport, refuseResults } from './result-columns.js';
import type { RecordTemplate } from './template.js';
import { givesOwnKey, OWN_KEY, refuseTwoKeys, unknownVariable } from './template-columns.js';
import { type RowCellOf, completeFilled, memberTextOf, TemplateFiller } from './template-fill.js';
import { MOST_DROPPED } from './unknown-columns.js';

/** The most names that are remembered: objects may have new ones without end. */
const MOST_MEMBERS_KEPT = 1000;

/** Objects as raw records of one file. */
export class TemplateBinder {
  private readonly template: RecordTemplate;
  private readonly options: ReadOptions;
  private readonly info: FileInfo;
  private readonly given: BoundAssignments;
  private readonly currencyOf: (cellOf: RowCellOf) => string | null;
  private readonly variables: ReadonlySet<string>;
  /** The names of members so far, in order. */
  private readonly met = new Set<string>();
  private isFirst = true;

  constructor(template: RecordTemplate, options: ReadOptions, info: FileInfo) {
    const { assignments, style } = options;
    this.template = template;
    this.options = options;
    this.info = info;
    this.given = bindAssignments(assignments, RECORD_SCHEMAS[template.type], style);
    this.currencyOf = memberTextOf('currency', template, this.given, style);
    this.variables = new Set(template.blanks.flatMap(({ variables }) => variables.map(({ name }) => name)));
    if (assignments.length > 0) info.overrides = new Overrides();
  }

  /** Members that the template does not use are dropped. */
  readonly fieldOf: FieldOf = (member) => {
    if (this.met.size < MOST_MEMBERS_KEPT || this.variables.has(member)) this.met.add(member);
    refuseResults([member], null);
    if (member === KEY_COLUMN) return member;
    if (isResultColumn(member)) return null;
    if (member === OWN_KEY && !this.variables.has(member)) refuseTwoKeys(this.template, this.info.path);
    return member === OWN_KEY || this.variables.has(member) ? member : null;
  };

  read({ value: row, line, findings: found, typed }: JsonValue, record: number): RawRecord {
    if (!isObject(row)) {
      const finding = error('wrong-type', null, 'a row must be an object: {…}', row);
      return { record, line, read: () => ({ input: null, findings: [finding] }) };
    }
    const { info, given, template } = this;
    if (this.isFirst) {
      refuseReport([...this.met], null);
      info.type = template.type;
      info.template = template.path;
    }
    this.isFirst = false;
    const findings = [...found];
    const hasKey = Object.hasOwn(row, KEY_COLUMN);
    const replaces = extractKey(row, findings);
    const { input, converter } = this.fill(row, typed);
    // As it comes out, without the values that are set on every record.
    const source = structuredClone(input);
    if (info.overrides !== undefined) seeReplaced(input, given, { record, line }, info.overrides, converter);
    const content = completeFilled(input, converter, given, template.typed);
    const all: Finding[] = [...content.findings, ...findings];
    const lacksKey = hasKey && replaces === undefined;
    const { isEncodingGuessed } = info;
    return {
      record,
      line,
      source,
      replaces,
      lacksKey,
      isEncodingGuessed,
      read: () => ({ ...content, findings: all }),
    };
  }

  private fill(row: Body, typed: JsonValue['typed']): { readonly input: Body; readonly converter: CellConverter } {
    const { style, allowTotalRow } = this.options;
    const converter = new CellConverter(style, this.given);
    const cellOf: RowCellOf = ({ name }) => {
      const value = Object.hasOwn(row, name) ? row[name] : null;
      if (value === null || typeof value === 'string') return value ?? '';
      return { text: typed?.get(name) ?? JSON.stringify(value), value };
    };
    const rules = { style, allowTotalRow, currency: this.currencyOf(cellOf) };
    const input = new TemplateFiller(cellOf, rules, converter).record(this.template.root);
    if (!givesOwnKey(this.template) && Object.hasOwn(row, OWN_KEY)) input[OWN_KEY] = row[OWN_KEY];
    return { input, converter };
  }

  noteDropped(): void {
    const { met, info, template, variables } = this;
    const names = [...met].filter((name) => !isResultColumn(name));
    const isUnknown = ({ name }: { readonly name: string }): boolean => !met.has(name);
    const unknown = template.blanks.flatMap((blank) => blank.variables).find(isUnknown);
    if (met.size > 0 && unknown !== undefined)
      throw unknownVariable(unknown.name, template, `is a member of no object in ${info.path}`, names, MEMBER_ADVICE);
    for (const name of names)
      if (!variables.has(name) && name !== OWN_KEY && info.dropped.size < MOST_DROPPED) info.dropped.set(name, null);
  }
}

const MEMBER_ADVICE = 'If all objects lack it on purpose, remove it from the template';

/** Objects of JSON whose members are the variables of a template. */
import type { RecordPlace } from '../records/issue.js';
import { CellConverter } from './cells.js';
import type { BoundObject, MemberBinder, ParsedObject } from './json-fields.js';
import type { FieldOf } from './json-parser.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import { isResultColumn, KEY_COLUMN, refuseReport, refuseResults } from './result-columns.js';
import type { RecordTemplate } from './template.js';
import { givesOwnKey, OWN_KEY, refuseTwoKeys, unknownVariable } from './template-columns.js';
import { BoundTemplate, type RowCellOf } from './template-fill.js';
import { MOST_DROPPED } from './unknown-columns.js';

/** The most names that are remembered: objects may have new ones without end. */
const MOST_MEMBERS_KEPT = 1000;

export class MemberVariables implements MemberBinder {
  readonly noun = 'a row';
  private readonly template: RecordTemplate;
  private readonly filling: BoundTemplate;
  private readonly options: ReadOptions;
  private readonly info: FileInfo;
  private readonly variables: ReadonlySet<string>;
  /** The names of members so far, in order. */
  private readonly met = new Set<string>();

  constructor(template: RecordTemplate, options: ReadOptions, info: FileInfo) {
    this.template = template;
    this.filling = new BoundTemplate(template, options, info, true);
    this.options = options;
    this.info = info;
    this.variables = new Set(template.blanks.flatMap(({ variables }) => variables.map(({ name }) => name)));
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

  begin(): void {
    refuseReport([...this.met], null);
    this.info.type = this.template.type;
    this.info.template = this.template.path;
  }

  read({ value: row, findings, typed }: ParsedObject, place: RecordPlace): BoundObject {
    const { filling, options, template } = this;
    const found = new CellConverter(options.style, filling.given);
    const cellOf: RowCellOf = ({ name }) => {
      const value = Object.hasOwn(row, name) ? row[name] : null;
      if (value === null || typeof value === 'string') return value ?? '';
      return { text: typed?.get(name) ?? JSON.stringify(value), value };
    };
    const input = filling.fill(cellOf, filling.currencyOf(cellOf), found);
    if (!givesOwnKey(template) && Object.hasOwn(row, OWN_KEY)) input[OWN_KEY] = row[OWN_KEY];
    const source = structuredClone(input);
    const content = filling.complete(input, place, found);
    return { source, content: { ...content, findings: [...content.findings, ...findings] } };
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

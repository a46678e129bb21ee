/**
 * Fills a template with the values of one row. A template is no way round a check: a value that is a field's is read
 * like a cell of that field, and one that goes into a text is looked at before it disappears there.
 */
import { error, type Finding, type RecordPlace } from '../records/issue.js';
import { hiddenIn } from '../records/misleading-text.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import { isSpreadsheetError } from '../records/spreadsheet-errors.js';
import { isSumWord } from '../records/sum-words.js';
import { doubtId, spreadsheetError, surroundingSpace } from '../records/text-doubts.js';
import type { Body } from '../records/types.js';
import { type CellConverter, type CellNotation, trimmedCell } from './cells.js';
import { assign } from './json-parser.js';
import { isDash } from './numbers.js';
import { bindAssignments, type BoundAssignments } from './columns.js';
import { Overrides, seeReplaced } from './overrides.js';
import type { RawContent } from './raw-record.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import type { Blank, RecordTemplate, TemplateNode, TemplateObject, Variable } from './template.js';

/** A value that is more than a text: a number, a boolean or an object of a JSON row. */
export interface TypedValue {
  /** As typed. */
  readonly text: string;
  readonly value: unknown;
}

/** A row's value for a variable: empty text if it has none, null for a cell that was refused already. */
export type RowCellOf = (variable: Variable) => string | TypedValue | null;

interface FillRules {
  readonly style: CellNotation;
  readonly allowTotalRow: boolean;
  /** Of the record. */
  readonly currency: string | null;
  /** The row is an object of JSON: a topic of digits only stays the name that it is. */
  readonly isJson: boolean;
}

/** A template with the values that are set on every record: it makes one record after another. */
export class BoundTemplate {
  readonly given: BoundAssignments;
  /** The currency of a row's record: a value set for all of them, or what the template has. */
  readonly currencyOf: (cellOf: RowCellOf) => string | null;
  private readonly template: RecordTemplate;
  private readonly options: ReadOptions;
  private readonly overrides: Overrides | undefined;
  private readonly isJson: boolean;

  /** @param isJson the rows are objects, and not rows of a table */
  constructor(template: RecordTemplate, options: ReadOptions, info: FileInfo, isJson: boolean) {
    const { assignments, style } = options;
    this.template = template;
    this.options = options;
    this.isJson = isJson;
    this.given = bindAssignments(assignments, RECORD_SCHEMAS[template.type], style);
    this.currencyOf = memberTextOf('currency', template, this.given, style);
    if (assignments.length > 0) this.overrides = info.overrides = new Overrides();
  }

  /** The record as it comes out of the template. */
  fill(cellOf: RowCellOf, currency: string | null, found: CellConverter): Body {
    const { style, allowTotalRow } = this.options;
    const rules = { style, allowTotalRow, currency, isJson: this.isJson };
    return new TemplateFiller(cellOf, rules, found).record(this.template.root);
  }

  /**
   * The record with the values that are set on every record: what the template has in their place does not count.
   * @param place null for what is no record
   */
  complete(input: Body, place: RecordPlace | null, found: CellConverter): RawContent {
    const { given, overrides, template } = this;
    if (overrides !== undefined && place !== null) seeReplaced(input, given, place, overrides, found);
    given.apply(input);
    const start = given.findings.length;
    const counts = (path: string): boolean => !given.covers(path);
    const findings = found.findings.filter(({ field }, i) => i < start || field === null || counts(field));
    const unreadable = new Set([...(given.unreadable ?? []), ...[...(found.unreadable ?? [])].filter(counts)]);
    const texts = [...template.typed, ...(found.typed ?? [])].filter(([path]) => counts(path));
    return { input, findings, unreadable, typed: new Map(texts) };
  }
}

/** Kinds of numbers: a text that is put together must not become another number. */
const NUMBER_KINDS: readonly string[] = ['number', 'multiplier'];
const ALL_DIGITS = /^\d+$/;

/** Fills the template for one record, and collects the findings in the converter. */
class TemplateFiller {
  private readonly cellOf: RowCellOf;
  private readonly rules: FillRules;
  private readonly found: CellConverter;
  /** Queries and payloads with a part that could not be read. */
  private readonly broken = new Set<string>();
  /** Variables that are a word for a total. */
  private readonly totals = new Set<string>();

  constructor(cellOf: RowCellOf, rules: FillRules, found: CellConverter) {
    this.cellOf = cellOf;
    this.rules = rules;
    this.found = found;
  }

  record(root: TemplateObject): Body {
    const input = this.object(root);
    // Without its unreadable part, a query would match other people.
    for (const name of this.broken) {
      delete input[name];
      this.markUnreadable(name);
    }
    return input;
  }

  private object({ members }: TemplateObject): Body {
    const body: Body = {};
    for (const [name, node] of members) assign(body, [name], this.node(node));
    return body;
  }

  /** Undefined for a member that is dropped. */
  private node(node: TemplateNode): unknown {
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'object':
        return this.object(node);
      case 'list':
        return node.elements.map((each) => this.node(each)).filter((value) => value !== undefined);
      case 'blank':
        return this.blank(node);
    }
  }

  private blank(blank: Blank): unknown {
    const { path, variables, freeField } = blank;
    const count = this.found.findings.length;
    const isRefused = variables.some((variable) => this.cellOf(variable) === null);
    if (isRefused) this.markUnreadable(path);
    const empty = variables.filter((variable) => this.isEmpty(blank, this.cellOf(variable)));
    if (empty.some(({ isOptional }) => isOptional)) return undefined;
    for (const variable of empty) this.refuse(path, missing(variable, blank));
    const value = empty.length > 0 || isRefused ? undefined : this.filled(blank);
    const isWrong = isRefused || this.found.findings.slice(count).some(({ severity }) => severity === 'error');
    if (isWrong && freeField !== null) this.broken.add(freeField.name);
    return value;
  }

  private isEmpty({ field, isField }: Blank, value: string | TypedValue | null): boolean {
    if (typeof value !== 'string') return false;
    // Between other letters, or in a query, a blank is nothing that a person wrote.
    if (!isField) return value.trim() === '';
    const cell = trimmedCell(value, field.kind, this.rules.style);
    return cell === '' || ((field.money === true || field.isPrice === true) && isDash(cell));
  }

  private filled(blank: Blank): unknown {
    const { path, field, variables, pieces, isField } = blank;
    const [variable] = variables;
    if (pieces.length === 1 && variable !== undefined) {
      const value = this.cellOf(variable) ?? '';
      if (typeof value !== 'string') return this.typedValue(blank, value);
      if (isField) return this.fieldValue(blank, trimmedCell(value, field.kind, this.rules.style));
    }
    let text = '';
    for (const piece of pieces) text += typeof piece === 'string' ? piece : this.words(blank, piece);
    return this.found.unreadable?.has(path) === true ? undefined : this.fieldValue(blank, text);
  }

  private fieldValue({ field, path, variables }: Blank, cell: string): unknown {
    if (field.kind === 'topic' && this.rules.isJson && variables[0]?.type !== 'number') return cell;
    return field.money === true
      ? this.found.convertAmount(cell, path, this.rules.currency)
      : this.found.convert(field, cell, path);
  }

  /** A value of a JSON row that is the whole text: it stays what it is, and the check says whether its field takes it. */
  private typedValue({ path, field, isField }: Blank, { text, value }: TypedValue): unknown {
    if (isField) return this.found.keepJson(field, path, text, value);
    if (field.kind === 'json') return value;
    if (field.kind === 'number' && typeof value === 'number') return value;
    if (field.kind === 'text' && typeof value !== 'object') return text;
    const expected = field.kind === 'number' ? 'a number' : 'a text';
    const remedy = typeof value === 'object' ? '. Write ${…:json} in the template if it is meant so' : '';
    this.refuse(path, error('wrong-type', path, `${path} must be ${expected}${remedy}`, value));
    return undefined;
  }

  /** The text of a variable as it was typed, within other text or in a query. */
  private words(blank: Blank, variable: Variable): string {
    const { path, field, pieces, freeField } = blank;
    const value = this.cellOf(variable) ?? '';
    const text = pieceText(value, blank, this.rules.style);
    const doubt = this.doubtIn(blank, variable, value);
    if (doubt !== null) this.refuse(path, doubt);
    else if (field.kind === 'id')
      // Later, the text around it would hide what a spreadsheet has done to it.
      doubtId(text, path, { report: (finding) => this.refuse(path, finding) }, field);
    else if (freeField !== null && pieces.length === 1 && text !== text.trim())
      this.found.findings.push(surroundingSpace(path, text, hiddenIn(text), { report: () => undefined }));
    return text;
  }

  private doubtIn({ path, field, pieces }: Blank, { name }: Variable, value: string | TypedValue): Finding | null {
    const text = typeof value === 'string' ? value : value.text;
    if (typeof value !== 'string' && typeof value.value === 'object')
      return error('wrong-type', path, `${path}: "${name}" must be a text or a number`, value.value);
    if (isSpreadsheetError(text)) return spreadsheetError(path, text);
    if (!this.rules.allowTotalRow && isSumWord(text)) {
      // A template may use a column in many places, and the row is wrong once.
      if (this.totals.has(name)) return null;
      this.totals.add(name);
      const message = `"${name}" is ${JSON.stringify(text.trim())}: this is a total, not a record. Remove the row. If it is a record, add --allow-total-row`;
      return error('total-row', path, message, text);
    }
    // 1.234 and a 0 behind it would be a number with one reading.
    if (pieces.length > 1 && NUMBER_KINDS.includes(field.kind) && !ALL_DIGITS.test(text))
      return error('bad-number', path, `${path}: next to other characters, "${name}" must be digits only`, text);
    return null;
  }

  /** A warning refuses nothing. */
  private refuse(path: string, finding: Finding): void {
    this.found.findings.push(finding);
    if (finding.severity === 'error') this.markUnreadable(path);
  }

  private markUnreadable(path: string): void {
    (this.found.unreadable ??= new Set()).add(path);
  }
}

/** The text of a member as a row fills it in, or as it is set on every record; null for none. */
function memberTextOf(
  member: string,
  { root }: RecordTemplate,
  given: BoundAssignments,
  style: CellNotation,
): (cellOf: RowCellOf) => string | null {
  const set = given.values.find(({ path }) => path === member)?.value;
  const node = given.covers(member) ? undefined : root.members.find(([name]) => name === member)?.[1];
  if (typeof set === 'string') return () => set;
  if (node?.kind === 'literal') return () => (typeof node.value === 'string' ? node.value : null);
  if (node?.kind !== 'blank') return () => null;
  return (cellOf) => {
    const texts = node.pieces.map((piece) =>
      typeof piece === 'string' ? piece : pieceText(cellOf(piece) ?? '', node, style),
    );
    return trimmedCell(texts.join(''), node.field.kind, style) || null;
  };
}

/** A value within other text: spaces that would be no part of the field's cell are no part of it here. */
function pieceText(value: string | TypedValue, { field }: Blank, style: CellNotation): string {
  return typeof value === 'string' ? trimmedCell(value, field.kind, style) : value.text;
}

/** Without its part, a record is not valid, and a query is for other people. */
function mayLackIt({ field, freeField }: Blank): boolean {
  return freeField === null ? !field.required : freeField.kind === 'json' && !freeField.required;
}

function missing({ name }: Variable, blank: Blank): Finding {
  const { path } = blank;
  const found = `"${name}" is empty, and the template needs it for ${path}`;
  const remedy = mayLackIt(blank) ? `. If records may lack it, write \${${name}?} in the template` : '';
  return { ...error('missing-field', path, found + remedy), name: `"${name}"` };
}

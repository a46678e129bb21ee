/**
 * A record as JSON with variables, which each row of the input fills in. A template is taken apart once: each of its
 * texts with variables knows its field, so that its value is read like a cell of that field. Its texts are `Audit ${city}`,
 * `${seats:number}`, `${note?}`; `$${` is a plain `${`. CONTRACT: "Templates".
 */
import { UsageError } from '../errors.js';
import { type Field, type FieldKind, isJsonKind } from '../records/fields.js';
import { excerpt, memberPath } from '../records/issue.js';
import { didYouMean } from '../records/nearest.js';
import { RECORD_SCHEMAS, typesShownBy } from '../records/record-schemas.js';
import { isObject, RECORD_TYPES, type Body, type RecordType } from '../records/types.js';
import { JsonSyntaxError, parseJson } from './json-parser.js';

/** The file of a template. */
export interface TemplateFile {
  /** As written, for messages. */
  readonly path: string;
  readonly text: string;
}

export interface RecordTemplate {
  readonly path: string;
  readonly type: RecordType;
  readonly root: TemplateObject;
  /** All texts with variables. */
  readonly blanks: readonly Blank[];
  /** Numbers as typed, by dot path, if they print differently (`1.50`). */
  readonly typed: ReadonlyMap<string, string>;
}

export type TemplateNode =
  TemplateObject | TemplateList | Blank | { readonly kind: 'literal'; readonly value: unknown };

export interface TemplateObject {
  readonly kind: 'object';
  readonly members: readonly (readonly [name: string, node: TemplateNode])[];
}

interface TemplateList {
  readonly kind: 'list';
  readonly elements: readonly TemplateNode[];
}

export interface Variable {
  /** The column, by its name or position. */
  readonly name: string;
  /** What the variable says about its value; null: text, or the type of its field. */
  readonly type: 'number' | 'json' | null;
  /** An empty cell drops the member. */
  readonly isOptional: boolean;
}

/** A text with variables, or a time. */
export interface Blank {
  readonly kind: 'blank';
  /** Its dot path in the record. */
  readonly path: string;
  /** How the filled text is read. */
  readonly field: Field;
  /** It is a query or a payload, or lies within one: that field. */
  readonly freeField: Field | null;
  readonly pieces: readonly (string | Variable)[];
  readonly variables: readonly Variable[];
  /** The text is nothing but one variable, whose value is that of a field of the record. */
  readonly isField: boolean;
}

/**
 * @param type null: the members show it
 * @param given names of fields that are set on every record
 * @throws UsageError if the text is not one record with fields that exist
 */
export function compileTemplate(
  { path, text }: TemplateFile,
  type: RecordType | null,
  given: readonly string[],
): RecordTemplate {
  const said = `--template ${path}`;
  const { value, typed } = parseTemplate(text, said);
  const ofType = type ?? typeShownBy(Object.keys(value), given, said);
  const compiler = new TemplateCompiler(said, ofType);
  const root = compiler.object(value, '', RECORD_SCHEMAS[ofType].inputFields, null);
  return { path, type: ofType, root, blanks: compiler.blanks, typed };
}

/** @throws UsageError */
function parseTemplate(text: string, said: string): { value: Body; typed: ReadonlyMap<string, string> } {
  try {
    const { value, findings, typed = new Map<string, string>() } = parseJson(text);
    if (!isObject(value)) throw new UsageError(`${said}: a template is one record as a JSON object: {…}`);
    const [finding] = findings;
    if (finding !== undefined) throw new UsageError(`${said}: ${finding.message}`);
    return { value, typed };
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    const before = text.slice(0, cause.offset).split(/\r\n|\n|\r/);
    const place = `line ${before.length}, character ${(before.at(-1) ?? '').length + 1}`;
    throw new UsageError(`${said}: this is not JSON: ${cause.message}, at ${place}`, { cause });
  }
}

/** @throws UsageError */
function typeShownBy(members: readonly string[], given: readonly string[], said: string): RecordType {
  const types = typesShownBy([...members, ...given]);
  const [type] = types;
  if (type !== undefined && types.length === 1) return type;
  const marks = RECORD_TYPES.map((each) => `"${RECORD_SCHEMAS[each].mark}" makes a ${each}`).join(', ');
  const found = type === undefined ? 'no member shows' : 'its members do not agree on';
  throw new UsageError(`${said}: ${found} the type of the records (${marks}). Name it with --type`);
}

class TemplateCompiler {
  readonly blanks: Blank[] = [];
  private readonly said: string;
  private readonly type: RecordType;

  constructor(said: string, type: RecordType) {
    this.said = said;
    this.type = type;
  }

  /** @param fields of the object; null within a query or a payload. @param within that query or payload */
  object(value: Body, at: string, fields: readonly Field[] | null, within: Field | null): TemplateObject {
    const members = Object.entries(value).map(([written, member]) => {
      const path = memberPath(at, written);
      const pieces = splitVariables(written, (words) => this.fail(path, words));
      if (pieces.some((piece) => typeof piece !== 'string'))
        this.fail(path, 'the name of a member cannot have a variable, only its text can');
      const name = plainText(pieces);
      const field = fields === null ? null : this.fieldNamed(name, fields, path);
      const freeField = within ?? (field !== null && isFree(field.kind) ? field : null);
      return [name, this.node(member, path, field, freeField)] as const;
    });
    return { kind: 'object', members };
  }

  private fieldNamed(name: string, fields: readonly Field[], path: string): Field {
    const field = fields.find((each) => each.name === name);
    if (field !== undefined) return field;
    const names = fields.map((each) => each.name);
    const hint = didYouMean(name, names) || ` Known fields: ${names.join(', ')}.`;
    return this.fail(path, `there is no such field in a ${this.type}.${hint}`);
  }

  /** @param field of the value; null within a query or a payload */
  private node(value: unknown, path: string, field: Field | null, freeField: Field | null): TemplateNode {
    if (typeof value === 'string') return this.text(value, path, field, freeField);
    // The check of each record reports a value that its field does not take.
    const fields = freeField === null ? (field?.members ?? []) : null;
    if (isObject(value)) return this.object(value, path, fields, freeField);
    if (!Array.isArray(value)) return { kind: 'literal', value };
    const elements = value.map((each: unknown, i) => this.node(each, memberPath(path, i), field, freeField));
    return { kind: 'list', elements };
  }

  private text(text: string, path: string, field: Field | null, freeField: Field | null): TemplateNode {
    const pieces = splitVariables(text, (words) => this.fail(path, words));
    const variables = pieces.filter((piece) => typeof piece !== 'string');
    const [first] = variables;
    // A time is read like that of a cell, with or without a variable in it.
    if (first === undefined && (field?.kind !== 'timestamp' || /^\d+$/.test(text)))
      return { kind: 'literal', value: plainText(pieces) };
    const isLone = pieces.length === 1 && first !== undefined;
    const isField = isLone && field !== null && field.name === path.split('.').at(-1);
    const typedOne = variables.find(({ type }) => type !== null);
    if (typedOne !== undefined && !isLone)
      this.fail(path, `\${${typedOne.name}:${typedOne.type}} must be the whole text, without anything around it`);
    if (isField) this.checkType(first, field, path);
    else if (field !== null && (isJsonKind(field.kind) || field.members !== undefined))
      this.fail(path, 'an object or a list belongs here: write it as JSON, and variables in its texts');
    const blank: Blank = {
      kind: 'blank',
      path,
      field: field ?? freeValue(path, first?.type ?? null),
      freeField,
      pieces,
      variables,
      isField,
    };
    this.blanks.push(blank);
    return blank;
  }

  /** The value of a field has the type of the field: a variable may say only the same. */
  private checkType({ name, type }: Variable, { kind }: Field, path: string): void {
    if (type === null) return;
    const isSame = type === 'json' ? isJsonKind(kind) : ['number', 'timestamp', 'multiplier', 'topic'].includes(kind);
    if (!isSame) this.fail(path, `a variable takes the type of its field here: write \${${name}}`);
  }

  private fail(path: string, words: string): never {
    throw new UsageError(`${this.said}: ${excerpt(path)}: ${words}`);
  }
}

function plainText(pieces: readonly (string | Variable)[]): string {
  return pieces.filter((piece) => typeof piece === 'string').join('');
}

/** Fields whose members are not known. */
function isFree(kind: FieldKind): boolean {
  return kind === 'json' || kind === 'filter' || kind === 'sort';
}

/** A value within a query or a payload. */
function freeValue(path: string, type: Variable['type']): Field {
  return { name: path, kind: type ?? 'text', required: false, help: '', example: null };
}

/** `$${`, `${…}`, or a `${` that nothing closes. */
const VARIABLE_MARKS = /\$\$\{|\$\{([^}]*)\}|\$\{/g;
const VARIABLE_PARTS = /^\s*(.*?)\s*(?::\s*(number|json)\s*)?(\?)?\s*$/s;

/**
 * Returns texts and variables in order.
 * @param fail is called with what is wrong with a variable
 */
function splitVariables(text: string, fail: (words: string) => never): (string | Variable)[] {
  const pieces: (string | Variable)[] = [];
  let plain = '';
  let end = 0;
  for (const match of text.matchAll(VARIABLE_MARKS)) {
    const [mark, inner] = match;
    plain += text.slice(end, match.index);
    end = match.index + mark.length;
    if (mark === '$${') {
      plain += '${';
      continue;
    }
    if (inner === undefined) fail('a variable begins with ${ and ends with }. For a plain ${, write $${');
    const [, name = '', type, optional] = VARIABLE_PARTS.exec(inner) ?? [];
    if (name === '') fail(`${mark} names no column. For a plain \${, write $\${`);
    if (plain !== '') pieces.push(plain);
    plain = '';
    pieces.push({ name, type: (type ?? null) as Variable['type'], isOptional: optional !== undefined });
  }
  plain += text.slice(end);
  if (plain !== '' || pieces.length === 0) pieces.push(plain);
  return pieces;
}

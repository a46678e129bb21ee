/**
 * JSON (RFC 8259), read strictly. JSON.parse keeps the last of two members with one name, and the nearest double of any
 * number. Both could change a payment unnoticed, so this parser reports them.
 */
import { isIndex } from '../records/fields.js';
import type { Body } from '../records/types.js';
import { type Finding, error, excerpt, memberPath } from '../records/issue.js';
import { LONE_SURROGATE } from '../records/misleading-text.js';
import { isExact } from './numbers.js';

/** Text that is not JSON. `offset` counts UTF-16 units from the start of the text. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export interface ParsedJson {
  readonly value: unknown;
  /** Duplicate fields, inexact numbers, lone surrogates; paths start at the value. */
  readonly findings: readonly Finding[];
  /** Numbers as typed, by path, if JavaScript prints them differently (`1.50`). */
  readonly typed: ReadonlyMap<string, string> | undefined;
}

/** The field of a record's member, as a dot path; null for a member that is dropped. */
export type FieldOf = (member: string) => string | null;

/** Deeper nesting is refused: nothing that the service documents needs it, and the call stack is limited. */
const DEEPEST_JSON = 64;

const LITERAL = /(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|true|false|null/y;
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const ESCAPE_SEQUENCE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Parses one JSON value that fills the whole text.
 * @param prefix dot path of the value, for the findings' fields
 * @param depth how deep the value already lies
 * @param fieldOf names the members if the value is a record
 * @throws JsonSyntaxError with what was found and what was expected
 */
export function parseJson(text: string, prefix = '', depth = 0, fieldOf: FieldOf | null = null): ParsedJson {
  const parser = new Parser(text, 0, fieldOf);
  const value = parser.value(prefix, depth);
  parser.expectEnd();
  return { value, findings: parser.findings, typed: parser.typed };
}

export interface NextJson extends ParsedJson {
  /** Index after the value. */
  readonly end: number;
}

/** Enough text after a fault to show it; longer than any look-ahead within a value. */
const LOOK_AHEAD = 200;

/**
 * Parses the value that begins at an index, in the part of a text that has come so far.
 * @param isComplete whether no more text comes
 * @returns null if more text may complete the value, or show another fault
 * @throws JsonSyntaxError
 */
export function parseNext(text: string, at: number, isWhole: boolean, fieldOf: FieldOf | null): NextJson | null {
  const parser = new Parser(text, at, fieldOf);
  try {
    const value = parser.value('', 0);
    // A number may have more digits.
    if (!isWhole && typeof value === 'number' && parser.at + LOOK_AHEAD > text.length) return null;
    return { value, findings: parser.findings, typed: parser.typed, end: parser.at };
  } catch (cause) {
    if (!isWhole && cause instanceof JsonSyntaxError && cause.offset + LOOK_AHEAD > text.length) return null;
    throw cause;
  }
}

class Parser {
  readonly findings: Finding[] = [];
  typed: Map<string, string> | undefined;
  at: number;
  private readonly text: string;
  private readonly fieldOf: FieldOf | null;

  constructor(text: string, at: number, fieldOf: FieldOf | null) {
    this.text = text;
    this.at = at;
    this.fieldOf = fieldOf;
  }

  expectEnd(): void {
    this.skipSpace();
    if (this.at < this.text.length) this.fail('the end of the value');
  }

  /** @param path null within a dropped member: only faults of the file count there */
  value(path: string | null, depth: number): unknown {
    this.skipSpace();
    switch (this.text.charCodeAt(this.at)) {
      case 0x7b:
        return this.object(path, depth + 1);
      case 0x5b:
        return this.array(path, depth + 1);
      case 0x22:
        return this.string(path);
      default:
        return this.literal(path);
    }
  }

  private object(path: string | null, depth: number): Body {
    this.enter(depth);
    const members: Body = {};
    this.skipSpace();
    if (this.take(0x7d)) return members;
    do {
      this.skipSpace();
      if (this.text.charCodeAt(this.at) !== 0x22) this.fail('a member name in double quotes');
      const name = this.string(path);
      this.skipSpace();
      if (!this.take(0x3a)) this.fail('":" after the member name');
      const field = depth === 1 && this.fieldOf !== null ? this.fieldOf(name) : name;
      const below = field === null ? null : pathBelow(path, field);
      const value = this.value(below, depth);
      if (field !== null) this.addMember(members, name, field, value, below);
      this.skipSpace();
    } while (this.take(0x2c));
    if (!this.take(0x7d)) this.fail('"," or "}"');
    return members;
  }

  /** @param field the member's place as a dot path, if it is not the member's name */
  private addMember(members: Body, name: string, field: string, value: unknown, path: string | null): void {
    const steps = field === name ? [name] : field.split('.');
    if (path !== null && isTaken(members, steps)) {
      const twice = field === name ? ' in one object' : `, once as "${memberPath('', name)}"`;
      this.findings.push(error('duplicate-field', path, `"${path}" is given twice${twice}`, value));
    }
    assign(members, steps, value);
  }

  private array(path: string | null, depth: number): unknown[] {
    this.enter(depth);
    const elements: unknown[] = [];
    this.skipSpace();
    if (this.take(0x5d)) return elements;
    do {
      elements.push(this.value(pathBelow(path, elements.length), depth));
      this.skipSpace();
    } while (this.take(0x2c));
    if (!this.take(0x5d)) this.fail('"," or "]"');
    return elements;
  }

  private string(path: string | null): string {
    const start = ++this.at;
    this.match(PLAIN_TEXT);
    const isPlain = this.text.charCodeAt(this.at) === QUOTE;
    while (this.match(ESCAPE_SEQUENCE) !== null) this.match(PLAIN_TEXT);
    const code = this.text.charCodeAt(this.at);
    if (code === BACKSLASH) this.fail('an escape such as \\n, \\" or \\u00e9');
    if (code < 0x20) this.fail('no control character inside a string; write it as an escape, such as \\n');
    if (!this.take(QUOTE)) this.fail('a closing quote');
    if (isPlain) return this.text.slice(start, this.at - 1);
    const value = JSON.parse(this.text.slice(start - 1, this.at)) as string;
    if (LONE_SURROGATE.test(value)) {
      const message = 'the text holds half of a character (a lone surrogate), which no encoding can carry';
      this.findings.push({ ...error('bad-encoding', path || null, message), fault: true });
    }
    return value;
  }

  private literal(path: string | null): unknown {
    const found = this.match(LITERAL);
    if (found === null)
      return this.fail('a value: an object, a list, a string in double quotes, a number, true, false or null');
    return found[1] === undefined ? JSON.parse(found[0]) : this.number(found[1], path);
  }

  private number(typed: string, path: string | null): number {
    const value = Number(typed);
    if (String(value) !== typed && path !== null) {
      (this.typed ??= new Map()).set(path, typed);
      if (!isExact(typed, value)) {
        const message = `${path === '' ? '' : `${path}: `}${excerpt(typed)} cannot be sent exactly: it would become ${value}`;
        this.findings.push(error('inexact-number', path || null, message, typed));
      }
    }
    return value;
  }

  private enter(depth: number): void {
    if (depth > DEEPEST_JSON) this.fail(`nesting of at most ${DEEPEST_JSON} levels`);
    this.at++;
  }

  private take(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at++;
    return true;
  }

  /** Takes the match at this position. @param pattern a sticky one */
  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private fail(expected: string): never {
    const found = this.at < this.text.length ? JSON.stringify(this.text.charAt(this.at)) : 'the end';
    throw new JsonSyntaxError(`found ${found}, expected ${expected}`, this.at);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function pathBelow(path: string | null, name: string | number): string | null {
  return path === null ? null : memberPath(path, name);
}

/** Whether a path has a value already, or a value in its way. */
function isTaken(input: Body, steps: readonly string[]): boolean {
  let place: unknown = input;
  for (const step of steps) {
    if (typeof place !== 'object' || place === null) return true;
    if (!Object.hasOwn(place, step)) return false;
    place = (place as Body)[step];
  }
  return true;
}

/**
 * Puts a value at a path, making objects and lists on the way. Fills a short list up with empty objects, whose missing
 * fields are then reported. Keeps a value in the way that is not an object, so that the check reports it.
 */
export function assign(input: Body, steps: readonly string[], value: unknown): void {
  let place = input;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i] as string;
    if (Array.isArray(place)) {
      if (!isIndex(step)) return;
      while (place.length <= Number(step)) place.push({});
    }
    if (i === steps.length - 1) {
      if (value === undefined && !Array.isArray(place)) delete place[step];
      else setMember(place, step, value);
      return;
    }
    let next = Object.hasOwn(place, step) ? place[step] : undefined;
    if (next === undefined || next === null) {
      next = isIndex(steps[i + 1] as string) ? [] : {};
      setMember(place, step, next);
    }
    if (typeof next !== 'object') return;
    place = next as Body;
  }
}

/** Sets a member of any name, `__proto__` included, on the object itself. */
function setMember(members: Body, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
  } else members[name] = value;
}

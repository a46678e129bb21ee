/** A stream of JSON text → the values in it: lines, or the elements of a list. */
import { JsonSyntaxError, type ParsedJson, parseJson, parseNext } from './json-text.js';
import { countLineBreaks, FileFault } from './raw.js';

export interface JsonValue extends ParsedJson {
  /** As it stands in the file. */
  readonly text: string;
  /** The line on which it starts; null in a list. */
  readonly line: number | null;
}

/** Line and column, both from 1. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** One record's JSON may be this long; a longer one is most likely a bracket or quote that was never closed. */
const LONGEST_VALUE = 16 * 1024 * 1024;

function refuseEndless(rest: string, line: number): void {
  if (rest.length <= LONGEST_VALUE) return;
  throw new FileFault(
    'bad-json',
    line,
    `a value is longer than ${LONGEST_VALUE} characters; most likely a bracket or a quote is never closed`,
  );
}

/** @param start the place of the text's first character */
function placeAt(text: string, index: number, start: Place): Place {
  const before = text.slice(0, index);
  const breaks = countLineBreaks(before);
  const last = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
  return {
    line: start.line + breaks,
    column: breaks === 0 ? start.column + before.length : before.length - last,
  };
}

function faultAt({ line, column }: Place, message: string, value: string | null = null): FileFault {
  return new FileFault('bad-json', line, `column ${column}: ${message}`, value);
}

/** The fault for text that is no JSON. Anything else is given back as it is. */
function faultOf(cause: unknown, text: string, start: Place): unknown {
  if (!(cause instanceof JsonSyntaxError)) return cause;
  const restOfLine = /^[^\r\n]*/.exec(text.slice(cause.offset))?.[0] ?? '';
  return faultAt(placeAt(text, cause.offset, start), cause.message, restOfLine);
}

/** Member by member, since to spread an object takes longer than to parse it. */
function valueOf({ value, findings, typed }: ParsedJson, text: string, line: number | null): JsonValue {
  return { value, findings, typed, text, line };
}

/** A carriage return at the end waits: the next piece may begin with the other half of a CRLF. */
const LINE_END = /\r\n|\n|\r(?!$)/;
const BLANK = /^[ \t\r]*$/;

/** NDJSON: a value a line; blank lines are passed over. @throws FileFault, after the values before it */
export async function* readLines(texts: AsyncIterable<string>): AsyncIterable<JsonValue[]> {
  let rest = '';
  let line = 1;
  for await (const text of texts) {
    const lines = (rest + text).split(LINE_END);
    rest = lines.pop() ?? '';
    yield* valuesOf(lines, line);
    line += lines.length;
    refuseEndless(rest, line);
  }
  yield* valuesOf([rest], line);
}

/** @param first the number of the first line */
function* valuesOf(lines: readonly string[], first: number): Iterable<JsonValue[]> {
  const values: JsonValue[] = [];
  for (const [i, text] of lines.entries()) {
    if (BLANK.test(text)) continue;
    const line = first + i;
    try {
      values.push(valueOf(parseJson(text), text, line));
    } catch (cause) {
      yield values;
      throw faultOf(cause, text, { line, column: 1 });
    }
  }
  yield values;
}

/** A JSON document: the elements of its list, or its one value. @throws FileFault, after the values before it */
export async function* readDocument(texts: AsyncIterable<string>): AsyncIterable<JsonValue[]> {
  const document = new JsonDocument();
  for await (const text of texts) yield* document.feed(text);
  yield* document.feed(null);
}

class JsonDocument {
  private text = '';
  /** The place of `text[0]`. */
  private start: Place = { line: 1, column: 1 };
  private at = 0;
  /** No more text comes. */
  private isWhole = false;
  private readonly values = this.read();

  /** The values that more text completes. @param more null at the end */
  *feed(more: string | null): Iterable<JsonValue[]> {
    const values: JsonValue[] = [];
    this.text += more ?? '';
    this.isWhole = more === null;
    try {
      for (let next = this.values.next(); next.value; next = this.values.next()) values.push(next.value);
    } catch (cause) {
      yield values;
      throw cause;
    }
    yield values;
    this.drop();
    refuseEndless(this.text, this.start.line);
  }

  /** Gives each value; null where more text must come first. */
  private *read(): Generator<JsonValue | null, void> {
    const first = yield* this.next();
    if (first === '[') yield* this.list();
    else if (first !== '') yield yield* this.value(placeAt(this.text, this.at, this.start).line);
    const rest = yield* this.next();
    if (rest === '') return;
    const remedy = 'if each line is a record of its own, say --format ndjson';
    throw this.fault(`found ${JSON.stringify(rest)} after the end of the document; ${remedy}`);
  }

  private *list(): Generator<JsonValue | null, void> {
    this.at++;
    let char = yield* this.next();
    while (char !== ']') {
      yield yield* this.value(null);
      char = yield* this.next();
      const found = char === '' ? 'the end' : JSON.stringify(char);
      if (char !== ',' && char !== ']') throw this.fault(`found ${found}, expected "," or "]"`);
      if (char === ',') this.at++;
    }
    this.at++;
  }

  /** The next character that is no space; empty at the end. */
  private *next(): Generator<null, string> {
    for (;;) {
      while (SPACE.has(this.text.charCodeAt(this.at))) this.at++;
      if (this.at < this.text.length || this.isWhole) return this.text.charAt(this.at);
      yield null;
    }
  }

  private *value(line: number | null): Generator<null, JsonValue> {
    yield* this.next();
    // So much text there must be before a value is tried again: to try with every piece would take ever longer.
    for (let enough = 0; ; yield null) {
      const length = this.text.length - this.at;
      if (!this.isWhole && length < enough && length <= LONGEST_VALUE) continue;
      enough = length * 2;
      try {
        const next = parseNext(this.text, this.at, this.isWhole);
        if (next === null) continue;
        const text = this.text.slice(this.at, next.end);
        this.at = next.end;
        return valueOf(next, text, line);
      } catch (cause) {
        throw faultOf(cause, this.text, this.start);
      }
    }
  }

  private fault(message: string): FileFault {
    return faultAt(placeAt(this.text, this.at, this.start), message);
  }

  /** Drops the text that was taken, once a piece: cutting the text for each value would copy it again and again. */
  private drop(): void {
    // A carriage return at the end waits: the next piece may begin with the other half of a CRLF.
    const half = this.at > 0 && this.at === this.text.length && this.text.endsWith('\r') ? 1 : 0;
    const taken = this.at - half;
    this.start = placeAt(this.text, taken, this.start);
    this.text = this.text.slice(taken);
    this.at = half;
  }
}

const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

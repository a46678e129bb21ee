/** Splits a stream of JSON text into its values: lines, or the elements of a list. */
import type { JsonFormat } from './formats.js';
import { type FieldOf, JsonSyntaxError, type ParsedJson, parseJson, parseNext } from './json-parser.js';
import { countLineBreaks, FileFault } from './raw-record.js';

export interface JsonValue extends ParsedJson {
  /** As in the file. */
  readonly text: string;
  /** The line on which it starts; null in a list. */
  readonly line: number | null;
}

/** Line and column, both from 1. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The longest JSON of one record. In a longer one, a bracket or quote was most likely never closed. */
const LONGEST_JSON = 16 * 1024 * 1024;

function refuseEndless(rest: string, line: number): void {
  if (rest.length <= LONGEST_JSON) return;
  const message = `a value is longer than ${LONGEST_JSON} characters; most likely a bracket or a quote is never closed`;
  throw new FileFault('bad-json', line, message);
}

/** @param start the place of the text's first character */
function placeAt(text: string, index: number, start: TextPosition): TextPosition {
  const before = text.slice(0, index);
  const breaks = countLineBreaks(before);
  const last = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
  return { line: start.line + breaks, column: breaks === 0 ? start.column + index : index - last };
}

/** The fault for text that is not JSON. Any other error is returned unchanged. */
function syntaxFault(cause: unknown, text: string, start: TextPosition): unknown {
  if (!(cause instanceof JsonSyntaxError)) return cause;
  const restOfLine = /^[^\r\n]*/.exec(text.slice(cause.offset))?.[0] ?? '';
  const { line, column } = placeAt(text, cause.offset, start);
  return new FileFault('bad-json', line, `column ${column}: ${cause.message}`, restOfLine);
}

/** Member by member: spreading an object takes longer than parsing it. */
function valueOf({ value, findings, typed }: ParsedJson, text: string, line: number | null): JsonValue {
  return { value, findings, typed, text, line };
}

/** A carriage return at the end waits: the next piece may begin with the other half of a CRLF. */
const LINE_BREAK = /\r\n|\n|\r(?!$)/;
const BLANK = /^[ \t\r]*$/;

/**
 * The values of NDJSON, one per line; or of a JSON document: the elements of its list, or its one value.
 * @param advice what to do with objects over several lines
 * @throws FileFault, after the values before it
 */
export async function* readJson(
  format: JsonFormat,
  texts: AsyncIterable<string>,
  fieldOf: FieldOf | null = null,
  advice = '',
): AsyncIterable<JsonValue[]> {
  const splitter = format === 'ndjson' ? new JsonLines(fieldOf, advice) : new JsonDocument(fieldOf, advice);
  for await (const text of texts) yield* splitter.feed(text);
  yield* splitter.feed(null);
}

/** Blank lines are ignored. */
class JsonLines {
  private readonly fieldOf: FieldOf | null;
  private readonly advice: string;
  private rest = '';
  private line = 1;
  private hasValues = false;

  constructor(fieldOf: FieldOf | null, advice: string) {
    this.fieldOf = fieldOf;
    this.advice = advice;
  }

  /** The values on the lines that more text completes. @param more null at the end */
  *feed(more: string | null): Iterable<JsonValue[]> {
    const lines = more === null ? [this.rest, ''] : (this.rest + more).split(LINE_BREAK);
    this.rest = lines.pop() ?? '';
    const values: JsonValue[] = [];
    for (const text of lines) {
      const { line } = this;
      this.line++;
      if (BLANK.test(text)) continue;
      try {
        values.push(valueOf(parseJson(text, '', 0, this.fieldOf), text, line));
      } catch (cause) {
        yield values;
        throw this.layoutFault(cause, text) ?? syntaxFault(cause, text, { line, column: 1 });
      }
      this.hasValues = true;
    }
    yield values;
    refuseEndless(this.rest, this.line);
  }

  /** Null unless the first value goes on behind the end of its line. */
  private layoutFault(cause: unknown, text: string): FileFault | null {
    if (this.hasValues || !(cause instanceof JsonSyntaxError) || cause.offset < text.length) return null;
    const found = `column ${cause.offset + 1}: found the end of the line, but each line should be a record. `;
    const remedy = text.trimStart().startsWith('[')
      ? 'If the file is one list, add --format json'
      : `If the file is one object, add --format json. If it has several: ${this.advice}`;
    return new FileFault('bad-json', this.line - 1, found + remedy);
  }
}

class JsonDocument {
  private readonly fieldOf: FieldOf | null;
  private readonly advice: string;
  private text = '';
  /** The place of `text[0]`. */
  private start: TextPosition = { line: 1, column: 1 };
  private at = 0;
  /** No more text comes. */
  private isWhole = false;
  private expected: 'document' | 'first element' | 'element' | 'comma' | 'end' = 'document';
  /** The least text before a value is tried again: trying with every piece would take longer and longer. */
  private enough = 0;
  /** Whether the one value is on more than one line. */
  private isOnLines = false;

  constructor(fieldOf: FieldOf | null, advice: string) {
    this.fieldOf = fieldOf;
    this.advice = advice;
  }

  /** The values that more text completes. @param more null at the end */
  *feed(more: string | null): Iterable<JsonValue[]> {
    const values: JsonValue[] = [];
    this.text += more ?? '';
    this.isWhole = more === null;
    try {
      while (this.step(values));
    } catch (cause) {
      yield values;
      throw syntaxFault(cause, this.text, this.start);
    }
    yield values;
    this.drop();
    refuseEndless(this.text, this.start.line);
  }

  /** Takes the next value or sign. @returns false at the end, or if more text must come first */
  private step(values: JsonValue[]): boolean {
    // Checked before the text is examined, which would copy all of it with every piece.
    const length = this.text.length - this.at;
    if (!this.isWhole && length < this.enough && length <= LONGEST_JSON) return false;
    while (JSON_SPACE.has(this.text.charCodeAt(this.at))) this.at++;
    const char = this.text.charAt(this.at);
    if (char === '' && (!this.isWhole || this.expected === 'document' || this.expected === 'end')) return false;
    switch (this.expected) {
      case 'document':
        if (char === '[') return this.pass('first element');
        return this.takeValue(values, placeAt(this.text, this.at, this.start).line, 'end');
      case 'first element':
        return char === ']' ? this.pass('end') : this.takeValue(values, null, 'comma');
      case 'element':
        return this.takeValue(values, null, 'comma');
      case 'comma':
        if (char === ',') return this.pass('element');
        if (char === ']') return this.pass('end');
        return this.fail(char, ', expected "," or "]"');
      case 'end':
        if (char === '{' && this.isOnLines)
          return this.fail(
            char,
            ` after the end of the first object, and several objects are not a list: ${this.advice}`,
          );
        return this.fail(
          char,
          ' after the end of the document; if each line is a separate record, add --format ndjson',
        );
    }
  }

  private pass(expected: JsonDocument['expected']): true {
    this.at++;
    this.expected = expected;
    return true;
  }

  private takeValue(values: JsonValue[], line: number | null, expected: JsonDocument['expected']): boolean {
    this.enough = (this.text.length - this.at) * 2;
    const next = parseNext(this.text, this.at, this.isWhole, this.fieldOf);
    if (next === null) return false;
    const text = this.text.slice(this.at, next.end);
    values.push(valueOf(next, text, line));
    if (expected === 'end') this.isOnLines = /[\r\n]/.test(text);
    this.at = next.end;
    this.enough = 0;
    this.expected = expected;
    return true;
  }

  private fail(char: string, problem: string): never {
    const found = char === '' ? 'the end' : JSON.stringify(char);
    const { line, column } = placeAt(this.text, this.at, this.start);
    throw new FileFault('bad-json', line, `column ${column}: found ${found}${problem}`);
  }

  /** Drops the consumed text, once per piece: cutting the text for each value would copy it again and again. */
  private drop(): void {
    // A carriage return at the end waits: the next piece may begin with the other half of a CRLF.
    const half = this.at > 0 && this.at === this.text.length && this.text.endsWith('\r') ? 1 : 0;
    const taken = this.at - half;
    this.start = placeAt(this.text, taken, this.start);
    this.text = this.text.slice(taken);
    this.at = half;
  }
}

const JSON_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

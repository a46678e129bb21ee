/** Cuts a stream of JSON text into single values without parsing them: elements of a list, or lines. */
import { FileFault, countLineBreaks } from './raw.js';

export interface JsonValue {
  readonly text: string;
  /** Line and column (from 1) where the value starts. */
  readonly line: number;
  readonly column: number;
  readonly inArray: boolean;
}

/** One record's JSON may be this long; a longer one is most likely a bracket or quote that was never closed. */
const LONGEST_VALUE = 16 * 1024 * 1024;

/** NDJSON: a value a line; blank lines are passed over. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncIterable<JsonValue[]> {
  let rest = '';
  let line = 1;
  const cut = (): JsonValue[] => {
    const values: JsonValue[] = [];
    const lineEnd = /\r\n|\n|\r/g;
    let start = 0;
    for (let found = lineEnd.exec(rest); found !== null; found = lineEnd.exec(rest)) {
      // A carriage return at the end waits: the next piece may begin with the other half of a CRLF.
      if (found[0] === '\r' && lineEnd.lastIndex === rest.length) break;
      values.push({ text: rest.slice(start, found.index), line, column: 1, inArray: false });
      line++;
      start = lineEnd.lastIndex;
    }
    rest = rest.slice(start);
    return values.filter(({ text }) => !BLANK.test(text));
  };
  for await (const chunk of chunks) {
    rest += chunk.toString();
    yield cut();
    refuseEndless(rest, line);
  }
  if (!BLANK.test(rest)) yield [{ text: rest, line, column: 1, inArray: false }];
}

const BLANK = /^[ \t\r]*$/;

function refuseEndless(rest: string, line: number): void {
  if (rest.length <= LONGEST_VALUE) return;
  throw new FileFault(
    'bad-json',
    line,
    `a value is longer than ${LONGEST_VALUE} characters; most likely a bracket or a quote is never closed`,
  );
}

type Expecting = 'start' | 'first-element' | 'element' | 'separator' | 'end';

/** A JSON document: the elements of its list, or its one value. */
export async function* splitJson(chunks: AsyncIterable<Buffer>): AsyncIterable<JsonValue[]> {
  const splitter = new Splitter();
  for await (const chunk of chunks) yield* splitter.feed(chunk.toString());
  yield* splitter.feed(null);
}

class Splitter {
  private text = '';
  private at = 0;
  private expecting: Expecting = 'start';
  /** Line of `text[0]`. */
  private line = 1;
  private readonly scan = new ValueScan();

  /**
   * The values that more text completes; null says that there is no more.
   * @throws FileFault after the values before it
   */
  *feed(more: string | null): Generator<JsonValue[]> {
    const values: JsonValue[] = [];
    try {
      if (more === null) this.finish(values);
      else {
        this.text += more;
        this.take(values, false);
      }
    } catch (cause) {
      yield values;
      throw cause;
    }
    yield values;
    this.drop();
    refuseEndless(this.text, this.line);
  }

  private finish(values: JsonValue[]): void {
    this.take(values, true);
    if (this.expecting === 'separator') this.fail('found the end, expected "," or "]"', this.text.length);
    if (this.expecting === 'element' || this.expecting === 'first-element') {
      this.fail('found the end, expected a value', this.text.length);
    }
  }

  /** Takes all values that are complete. @param last no more text comes */
  private take(values: JsonValue[], last: boolean): void {
    for (;;) {
      if (!this.scan.begun) this.skipSpace();
      if (this.at >= this.text.length) return;
      if (!this.scan.begun && this.structural()) continue;
      const found = this.scan.end(this.text, this.at, last);
      if (found === null) return;
      // A character that cannot begin a value becomes a value of its own, which the parser refuses by name.
      const end = Math.max(found, this.at + 1);
      values.push({ text: this.text.slice(this.at, end), ...this.place(this.at), inArray: this.expecting !== 'start' });
      this.at = end;
      this.expecting = this.expecting === 'start' ? 'end' : 'separator';
    }
  }

  /** Steps over a bracket or comma that may stand here; false when a value stands here. */
  private structural(): boolean {
    const char = this.text.charAt(this.at);
    switch (this.expecting) {
      case 'start':
        if (char !== '[') return false;
        this.expecting = 'first-element';
        break;
      case 'first-element':
        if (char !== ']') return false;
        this.expecting = 'end';
        break;
      case 'element':
        return false;
      case 'separator':
        if (char !== ',' && char !== ']') this.fail(`found ${JSON.stringify(char)}, expected "," or "]"`, this.at);
        this.expecting = char === ',' ? 'element' : 'end';
        break;
      case 'end':
        this.fail(
          `found ${JSON.stringify(char)} after the end of the document; if each line is a record of its own, say --format ndjson`,
          this.at,
        );
    }
    this.at++;
    return true;
  }

  private skipSpace(): void {
    while (SPACE.has(this.text.charCodeAt(this.at))) this.at++;
  }

  /** Drops the text that was taken, once a chunk: cutting the text for each value would copy it again and again. */
  private drop(): void {
    if (this.at === 0) return;
    // A carriage return at the end waits: the next piece may begin with the other half of a CRLF.
    const half = this.at === this.text.length && this.text.endsWith('\r') ? 1 : 0;
    const by = this.at - half;
    const { line, column } = this.place(by);
    this.line = line;
    this.text = this.text.slice(by);
    this.scan.moved(by);
    this.at = half;
    this.counted = { at: 0, line, column };
  }

  private counted = { at: 0, line: 1, column: 1 };

  /** Line and column of an index at or after the last one that was asked for. */
  private place(index: number): { line: number; column: number } {
    const { at, line, column } = this.counted;
    const between = this.text.slice(at, index);
    const breaks = countLineBreaks(between);
    const last = Math.max(between.lastIndexOf('\n'), between.lastIndexOf('\r'));
    this.counted = {
      at: index,
      line: line + breaks,
      column: breaks === 0 ? column + between.length : between.length - last,
    };
    return { line: this.counted.line, column: this.counted.column };
  }

  private fail(message: string, at: number): never {
    const { line, column } = this.place(at);
    throw new FileFault('bad-json', line, `column ${column}: ${message}`);
  }
}

const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Finds the end of a value by brackets and quotes alone; goes on where it stopped when more text comes. */
class ValueScan {
  begun = false;
  private at = 0;
  private depth = 0;
  private inString = false;

  /** Index after the value that starts at `start`, or null when the text ends before it does. */
  end(text: string, start: number, last: boolean): number | null {
    if (!this.begun) {
      this.begun = true;
      this.at = start;
      this.depth = 0;
      this.inString = false;
    }
    const end = this.run(text) ?? (last ? text.length : null);
    if (end !== null) this.begun = false;
    return end;
  }

  /** The text was cut at the front. */
  moved(by: number): void {
    this.at -= by;
  }

  private run(text: string): number | null {
    while (this.at < text.length) {
      if (this.inString) {
        if (!this.skipString(text)) return null;
        if (this.depth === 0) return this.at;
        continue;
      }
      const code = text.charCodeAt(this.at);
      if (code === 0x22) this.inString = true;
      else if (code === 0x7b || code === 0x5b) this.depth++;
      else if (code === 0x7d || code === 0x5d) {
        if (this.depth === 0) return this.at;
        this.depth--;
        if (this.depth === 0) return ++this.at;
      } else if (this.depth === 0 && (code === 0x2c || SPACE.has(code))) return this.at;
      this.at++;
    }
    return null;
  }

  /** Moves behind the closing quote; false when the text ends before it. */
  private skipString(text: string): boolean {
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at);
      if (code === 0x5c) {
        // The escaped character may be in the next piece of text.
        if (this.at + 1 >= text.length) return false;
        this.at += 2;
        continue;
      }
      this.at++;
      if (code === 0x22) {
        this.inString = false;
        return true;
      }
    }
    return false;
  }
}

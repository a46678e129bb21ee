/** CSV text → rows, by RFC 4180 to the letter. */
import { type Dialect, firstLine, rowsAbove } from './csv-dialect.js';
import { countLineBreaks, FileFault } from './raw.js';

/** A row of a text. */
export interface CutRow {
  readonly cells: readonly string[];
  /** The line on which it starts, as an editor numbers it. */
  readonly line: number;
  /** Its number in a spreadsheet, where it counts once, however many lines its cells have. */
  readonly row: number;
}

/** A row longer than this is most likely the rest of a file behind a quote that was never closed. */
const LONGEST_ROW = 4 * 1024 * 1024;

/** Where a character stands next in a text. It is looked for again only behind the place that was found. */
class Seeker {
  private readonly char: string;
  private text = '';
  private found = -1;

  constructor(char: string) {
    this.char = char;
  }

  startOver(text: string): void {
    this.text = text;
    this.found = -1;
  }

  /** Infinity where there is none. @param at never before that of the last call */
  from(at: number): number {
    if (this.found < at) {
      const found = this.text.indexOf(this.char, at);
      this.found = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return this.found;
  }
}

/** The row is not whole yet. */
const WAIT = -1;
const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** Cuts a text that comes in pieces. */
export class RowCutter {
  /** What has come, from the first row that is not cut yet. */
  private text = '';
  /** No more text comes. */
  private isWhole = false;
  /** The start of the next row: its index, its line, and its number in a spreadsheet. */
  private at = 0;
  private line: number;
  private row: number;
  /** Line breaks within the cells of the row that is being cut. */
  private breaks = 0;
  private readonly delimiter: number;
  private readonly delimiters: Seeker;
  private readonly quotes = new Seeker('"');
  private readonly feeds = new Seeker('\n');
  private readonly returns = new Seeker('\r');

  constructor(dialect: Dialect) {
    this.line = firstLine(dialect);
    this.row = 1 + rowsAbove(dialect);
    this.delimiter = dialect.delimiter.charCodeAt(0);
    this.delimiters = new Seeker(dialect.delimiter);
  }

  /** The rows that the text completes. @param more null at the end. @throws FileFault, after the rows before it */
  *rows(more: string | null): Iterable<CutRow[]> {
    this.text = this.text.slice(this.at) + (more ?? '');
    this.at = 0;
    this.isWhole = more === null;
    for (const seeker of [this.delimiters, this.quotes, this.feeds, this.returns]) seeker.startOver(this.text);
    const rows: CutRow[] = [];
    try {
      for (let row = this.next(); row !== null; row = this.next()) rows.push(row);
    } catch (cause) {
      yield rows;
      throw cause;
    }
    yield rows;
  }

  /** Null where more text must come first. */
  private next(): CutRow | null {
    const cells: string[] = [];
    this.breaks = 0;
    const end = this.at === this.text.length ? WAIT : this.cutRow(cells);
    if ((end === WAIT ? this.text.length : end) - this.at > LONGEST_ROW) {
      const found = `the row is longer than ${LONGEST_ROW} characters`;
      throw this.fault(this.line, `${found}; most likely a quote opens in it and is never closed`);
    }
    if (end === WAIT) return null;
    const row = { cells, line: this.line, row: this.row++ };
    this.line += 1 + this.breaks;
    this.at = end;
    return row;
  }

  /** Gives the index behind the row's line end. */
  private cutRow(cells: string[]): number {
    const { text, isWhole } = this;
    for (let at = this.at; ; at++) {
      if (at === text.length && !isWhole) return WAIT;
      at = text.charCodeAt(at) === QUOTE ? this.cutQuoted(at, cells) : this.cutPlain(at, cells);
      // A cell may have more characters, and a CR may be half of a CRLF.
      if (at === WAIT || (!isWhole && at >= text.length - 1)) return WAIT;
      const code = text.charCodeAt(at);
      if (code === this.delimiter) continue;
      return Math.min(text.length, code === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1);
    }
  }

  /** Gives the index behind the cell. */
  private cutPlain(at: number, cells: string[]): number {
    const lineEnd = Math.min(this.feeds.from(at), this.returns.from(at), this.text.length);
    const end = Math.min(this.delimiters.from(at), lineEnd);
    if (this.quotes.from(at) < end) {
      const remedy = 'put the whole cell in quotes and double the quote ("")';
      throw this.fault(this.line + this.breaks, `a quote stands within the unquoted ${cellName(cells)}; ${remedy}`);
    }
    cells.push(this.text.slice(at, end));
    return end;
  }

  private cutQuoted(at: number, cells: string[]): number {
    const { text, isWhole, quotes } = this;
    const opened = this.line + this.breaks;
    let isDoubled = false;
    let close = quotes.from(at + 1);
    for (; text.charCodeAt(close + 1) === QUOTE; close = quotes.from(close + 2)) isDoubled = true;
    if (!isWhole && close >= text.length - 1) return WAIT;
    if (close > text.length) {
      const remedy = 'close it, or double it ("") if it is part of the text';
      throw this.fault(opened, `a quote opens in ${cellName(cells)} and is never closed; ${remedy}`);
    }
    const cell = text.slice(at + 1, close);
    if (this.feeds.from(at) < close || this.returns.from(at) < close) this.breaks += countLineBreaks(cell);
    const end = close + 1;
    const code = text.charCodeAt(end);
    if (end < text.length && code !== this.delimiter && code !== LF && code !== CR) {
      const line = this.line + this.breaks;
      const start =
        line === opened ? '' : `, which opens on line ${opened}; most likely its closing quote is missing there`;
      const remedy = 'a quote within quoted text is doubled ("")';
      throw this.fault(line, `text follows the closing quote of ${cellName(cells)}${start}; ${remedy}`);
    }
    cells.push(isDoubled ? cell.replaceAll('""', '"') : cell);
    return end;
  }

  private fault(line: number, message: string): FileFault {
    return new FileFault('bad-csv', line, message);
  }
}

/** The cell that follows those that were cut. */
function cellName(cells: readonly string[]): string {
  return `cell ${cells.length + 1}`;
}

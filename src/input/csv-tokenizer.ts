/** Cuts CSV text into rows. csv-parse cuts the text; this file finds the line of each row, and explains faults. */
import { isAscii } from 'node:buffer';
import { type CsvError, Parser } from 'csv-parse';
import { type Dialect, firstLine, rowsAbove } from './csv-layout.js';
import { countLineBreaks, FileFault } from './raw-record.js';

export interface CsvRow {
  readonly cells: readonly string[];
  /** The line on which it starts, as an editor numbers it. */
  readonly line: number;
  /** Its number in a spreadsheet, which counts a row once, however many lines its cells have. */
  readonly row: number;
  /** Indexes of unquoted cells that begin like a formula with a text, `="0045"`. Most rows have none. */
  readonly formulas?: readonly number[];
}

/** A longer row is most likely the rest of a file after a quote that was never closed. */
const LONGEST_ROW = 4 * 1024 * 1024;

/** The first parts of a text, and the bytes of each. */
const SHORT_PARTS = 512;
const SHORT_PART = 8;

/** Cuts a text that comes in pieces. Uses csv-parse without its stream: every row is taken when it is pushed. */
export class CsvTokenizer extends Parser {
  private rows: CsvRow[] = [];
  private line: number;
  private row: number;
  private parserLine = 1;
  private failure: CsvError | null = null;
  /** The number of parts so far. */
  private parts = 0;
  /** Cells may contain characters beyond ASCII. */
  private isEncoded = false;
  private formulas: number[] = [];
  /** Used from the first carriage return on. Looking only for LF until then saves a thirtieth of a dry run's time. */
  private readonly everyLineEnd;

  constructor(dialect: Dialect) {
    super({
      delimiter: Buffer.from(dialect.delimiter),
      bom: false,
      // One character per byte, which costs less; cells with bytes beyond ASCII are decoded afterwards.
      encoding: 'latin1',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: false,
      max_record_size: LONGEST_ROW,
    });
    this.line = firstLine(dialect);
    this.row = 1 + rowsAbove(dialect);
    this.everyLineEnd = this.options.record_delimiter;
    this.options.record_delimiter = [Buffer.from('\n')];
    this.admitFormulas();
    this.settleShapes();
  }

  override push(cells: string[] | null): boolean {
    if (cells === null) return true;
    const row = { cells: this.isEncoded ? cells.map(decodeUtf8) : cells, line: this.line, row: this.row++ };
    if (this.formulas.length === 0) this.rows.push(row);
    else {
      this.rows.push({ ...row, formulas: this.formulas });
      this.formulas = [];
    }
    // The parser counts a CRLF within quotes twice, so its count only shows whether there was a break at all.
    const parserLine = this.info.lines;
    this.line += parserLine === this.parserLine ? 1 : 1 + countLineBreaks(cells.join('\u0001'));
    this.parserLine = parserLine + 1;
    return true;
  }

  /** The rows that the text completes. @param text null at the end. @throws FileFault, after the rows before it */
  *cut(text: string | null): Iterable<CsvRow[]> {
    const done = (cause?: Error | null): void => {
      this.failure = (cause as CsvError | null) ?? null;
    };
    if (text === null) this._flush(done);
    else {
      const bytes = Buffer.from(text);
      this.isEncoded ||= !isAscii(bytes);
      if (bytes.includes(CR)) this.options.record_delimiter = this.everyLineEnd;
      for (const part of this.partsOf(bytes)) if (this.failure === null) this._transform(part, 'latin1', done);
    }
    const { rows } = this;
    this.rows = [];
    yield rows;
    if (this.failure !== null) throw this.faultOf(this.failure);
  }

  /** csv-parse's state of the current row, which its types do not show. */
  private get parserState(): { record: string[]; field: { resize(): void; toString(encoding: 'utf8'): string } } {
    return (this as unknown as { state: CsvTokenizer['parserState'] }).state;
  }

  /**
   * A spreadsheet's way to keep zeros, `="0045"`, is no CSV. It is cut as text, so that whoever binds the row can say
   * what the cell means; csv-parse would end there.
   */
  private admitFormulas(): void {
    const { api } = this as unknown as { api: { __error: (cause: CsvError) => CsvError | undefined } };
    const fail = api.__error.bind(api);
    api.__error = (cause) => {
      const { record, field } = this.parserState;
      if ((cause.code as string) !== 'INVALID_OPENING_QUOTE' || !FORMULA_SO_FAR.test(field.toString('utf8')))
        return fail(cause);
      if (!this.formulas.includes(record.length)) this.formulas.push(record.length);
      return undefined;
    };
  }

  /**
   * Only for speed: brings csv-parse's objects into their final shape before the first row. If they changed later, V8
   * would discard the compiled parser and compile it again. A dry run of 20,000 rows takes a tenth less processor time,
   * one of 100,000 a twentieth.
   */
  private settleShapes(): void {
    // Nobody uses this sum, and it would soon exceed 31 bits.
    (this.info as { bytes_records: number }).bytes_records = Number.NaN;
    // Room for a cell of 320 characters.
    for (let i = 0; i < 4; i++) this.parserState.field.resize();
  }

  /** Only for speed: V8 compiles the parser in its first thousands of bytes, and must have seen it begin and end. */
  private *partsOf(bytes: Buffer): Iterable<Buffer> {
    for (let at = 0; at < bytes.length;) {
      const end = this.parts++ < SHORT_PARTS ? at + SHORT_PART : bytes.length;
      yield bytes.subarray(at, end);
      at = end;
    }
  }

  /** The fault for a row that csv-parse could not cut, with its place. */
  private faultOf({ code }: CsvError): FileFault {
    const { record, field } = this.parserState;
    const cell = `cell ${record.length + 1}`;
    const opened = this.line + countLineBreaks(record.join('\u0001'));
    const fault = (line: number, message: string): FileFault => new FileFault('bad-csv', line, message);
    switch (code) {
      case 'CSV_QUOTE_NOT_CLOSED': {
        const remedy = 'close it, or double it ("") if it is part of the text';
        return fault(opened, `a quote opens in ${cell} and is never closed; ${remedy}`);
      }
      case 'CSV_MAX_RECORD_SIZE': {
        const found = `the row is longer than ${LONGEST_ROW} characters`;
        return fault(this.line, `${found}; most likely a quote opens in it and is never closed`);
      }
      case 'CSV_INVALID_CLOSING_QUOTE': {
        const line = opened + countLineBreaks(field.toString('utf8'));
        const start =
          line === opened ? '' : `, which opens on line ${opened}; most likely its closing quote is missing there`;
        const remedy = 'a quote within quoted text is doubled ("")';
        return fault(line, `text follows the closing quote of ${cell}${start}; ${remedy}`);
      }
      default:
        return fault(opened, strayQuote(record.length));
    }
  }
}

/** @param index of a cell that is not quoted, and has a quote */
export function strayQuote(index: number): string {
  return `a quote stands within the unquoted cell ${index + 1}; put the whole cell in quotes and double the quote ("")`;
}

const CR = 0x0d;
/** Before its first quote, or its second. */
const FORMULA_SO_FAR = /^=(?:"[^"]*)?$/;
const BEYOND_ASCII = /[\x80-\xff]/;

/** @param cell UTF-8, one character per byte */
function decodeUtf8(cell: string): string {
  return BEYOND_ASCII.test(cell) ? Buffer.from(cell, 'latin1').toString('utf8') : cell;
}

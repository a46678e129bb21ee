/** CSV text → rows, cell by cell as they were typed. csv-parse cuts the text; lines and blank rows are handled here. */
import { isAscii } from 'node:buffer';
import { type CsvError, Parser } from 'csv-parse';
import type { FieldKind } from '../records/field.js';
import { looksLikeFormula } from '../records/misleading-text.js';
import type { Finding } from '../records/issue.js';
import { ERROR_COLUMN } from './own-columns.js';
import { type Dialect, firstLine, rowsAbove } from './csv-dialect.js';
import { isNumbered, numberedColumns } from './columns.js';
import { FileFault, countLineBreaks } from './raw.js';

/** A row longer than this is most likely the rest of a file behind a quote that was never closed. */
const LONGEST_ROW = 4 * 1024 * 1024;

/** How much is cut at once: so few rows that everything made of them stays in the processor's caches. */
const PIECE_BYTES = 8 * 1024;
/** Pieces grow from here: the parser has run to its end a few times before V8 compiles it, and so is compiled once. */
const FIRST_PIECE_BYTES = 512;

/** A row that is not blank. */
export interface Row {
  readonly cells: readonly string[];
  /** The line on which it starts, as an editor numbers it. */
  readonly line: number;
  /** Its number in a spreadsheet, where it counts once, however many lines its cells have. */
  readonly row: number;
  /** Of a workbook's row: what is wrong with it as a whole. */
  readonly fault?: RowFault | null;
  /** Of a workbook's row: why a cell cannot give a field's value, whatever its text is. */
  readonly refusalOf?: (wanted: WantedValue) => Finding | null;
  /** Of a workbook's row as CSV: it was refused, and CSV would be taken as it stands. */
  readonly isUnsound?: boolean;
}

export interface RowFault {
  /** What was found; and what to do about it, where the header is the right one. */
  readonly found: string;
  readonly remedy: string;
  readonly value?: string;
}

/** What a cell is to give. */
export interface WantedValue {
  /** Of the cell in its row. */
  readonly index: number;
  /** The field's dot path, and its kind. */
  readonly path: string;
  readonly kind: FieldKind;
  /** Where it is an amount: its record's currency, where it has one; else null. */
  readonly currency: string | null;
}

/** csv-parse without its stream: every row is taken as it is pushed, with the line on which it starts. */
class RowParser extends Parser {
  private rows: Row[] = [];
  private line: number;
  private row: number;
  private parserLine = 1;
  /** Rows may hold bytes beyond ASCII. */
  private isEncoded = false;
  /** Used from the first carriage return on. To look for LF alone until then saves a thirtieth of a dry run's time. */
  private readonly everyLineEnd;

  constructor(delimiter: string, line: number, firstRow: number) {
    super({
      delimiter: Buffer.from(delimiter),
      bom: false,
      // A character a byte, which costs less; cells with bytes beyond ASCII are decoded afterwards.
      encoding: 'latin1',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: false,
      max_record_size: LONGEST_ROW,
    });
    this.line = line;
    this.row = firstRow;
    this.everyLineEnd = this.options.record_delimiter;
    this.options.record_delimiter = [Buffer.from('\n')];
    this.settleShapes();
  }

  override push(cells: string[] | null): boolean {
    if (cells === null) return true;
    if (this.isEncoded) decodeCells(cells);
    this.rows.push({ cells, line: this.line, row: this.row++ });
    // The parser counts a CRLF within quotes twice, so its own count only tells whether there was a break at all.
    const parserLine = this.info.lines;
    this.line += parserLine === this.parserLine ? 1 : 1 + countLineBreaks(cells.join('\u0001'));
    this.parserLine = parserLine + 1;
    return true;
  }

  /** The rows that the bytes complete; and the fault where they cannot be cut any further, else null. */
  feed(bytes: Buffer | null): { readonly rows: readonly Row[]; readonly fault: FileFault | null } {
    let failure: CsvError | undefined;
    const done = (cause?: Error | null): void => {
      failure = (cause as CsvError | null) ?? undefined;
    };
    if (bytes === null) this._flush(done);
    else {
      this.isEncoded ||= !isAscii(bytes);
      if (bytes.includes(CR)) this.options.record_delimiter = this.everyLineEnd;
      this._transform(bytes, 'latin1', done);
    }
    const rows = this.rows;
    this.rows = [];
    return { rows, fault: failure === undefined ? null : this.faultOf(failure) };
  }

  /** What csv-parse's types do not show. */
  private get parserState(): { record: string[]; field: { resize(): void; toString(encoding: 'utf8'): string } } {
    return (this as unknown as { state: RowParser['parserState'] }).state;
  }

  /**
   * Only for speed: what csv-parse's objects become once many rows are read, they are made before the first row. If they
   * changed later, V8 would discard the code of the whole parser and compile it once more. A dry run of 20,000 rows takes
   * a tenth less of the processor's time, one of 100,000 a twentieth.
   */
  private settleShapes(): void {
    // A sum that nobody uses, and that would soon exceed 31 bits.
    (this.info as { bytes_records: number }).bytes_records = Number.NaN;
    // Room for a cell of 320 characters.
    for (let i = 0; i < 4; i++) this.parserState.field.resize();
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
      default: {
        const remedy = 'put the whole cell in quotes and double the quote ("")';
        return fault(opened, `a quote stands within the unquoted ${cell}; ${remedy}`);
      }
    }
  }
}

const CR = 0x0d;
const BEYOND_ASCII = /[\x80-\xff]/;

/** Decodes cells that hold UTF-8, one character a byte. */
function decodeCells(cells: string[]): void {
  cells.forEach((cell, i) => {
    if (BEYOND_ASCII.test(cell)) cells[i] = Buffer.from(cell, 'latin1').toString('utf8');
  });
}

/**
 * Rows in order, the header first, blank ones left out. A file without a header gets one that numbers its columns.
 * @param chunks UTF-8 after the preamble
 * @throws FileFault where the text cannot be cut any more; rows before the fault are yielded first
 */
export async function* readRows(chunks: AsyncIterable<Buffer>, dialect: Dialect): AsyncIterable<Row[]> {
  const parser = new RowParser(dialect.delimiter, firstLine(dialect), 1 + rowsAbove(dialect));
  let isMended: boolean | null = null;
  const kept = (rows: readonly Row[]): Row[] => {
    const filled = rows.filter(({ cells }) => !isBlankRow(cells));
    const [first] = filled;
    if (isMended === null && first !== undefined) {
      isMended = first.cells.some((cell) => cell.trim() === ERROR_COLUMN);
      if (dialect.headerLine === 0 && !isNumbered(first.cells))
        filled.unshift({ ...first, cells: numberedColumns(first.cells.length) });
    }
    return isMended === true ? filled.map((row) => ({ ...row, cells: row.cells.map(restored) })) : filled;
  };
  let size = FIRST_PIECE_BYTES;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const { rows, fault } = parser.feed(chunk.subarray(at, at + size));
      yield kept(rows);
      if (fault !== null) throw fault;
      at += size;
      size = Math.min(size * 2, PIECE_BYTES);
    }
  }
  const { rows, fault } = parser.feed(null);
  yield kept(rows);
  if (fault !== null) throw fault;
}

/** Empty cells only; or a line of nothing but spaces. */
export function isBlankRow(cells: readonly string[]): boolean {
  if (cells.length === 1) return (cells[0] ?? '').trim() === '';
  return cells.every((cell) => cell === '');
}

/**
 * Removes the apostrophe that a rejects file has before a text that a spreadsheet would run as a formula. Only files
 * with the column of a rejects file have such apostrophes: anywhere else, the person typed it.
 */
export function restored(cell: string): string {
  return cell.startsWith("'") && looksLikeFormula(cell) ? cell.slice(1) : cell;
}

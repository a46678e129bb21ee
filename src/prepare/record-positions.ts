/** The place of each record of a run, in two bytes for most. */
import type { RecordPlace } from '../records/issue.js';
import { Numbers, pageOf, placeOnPage } from './paged-arrays.js';

export interface RecordPosition extends RecordPlace {
  /** Index of the input file. */
  readonly file: number;
}

/** Entries whose records follow one another in a file: each file of an input is one stretch. */
interface PositionSpan {
  /** The first entry, its file and its record. */
  readonly from: number;
  readonly file: number;
  readonly record: number;
}

export class RecordPositions {
  private readonly stretches: PositionSpan[] = [];
  /**
   * The line minus the record's number, + 1; 0 for a record without a line. No two records begin on one line, so a line
   * is never less than the number of its record.
   */
  private readonly lines: Numbers[] = [];
  /** The line minus the spreadsheet's row: the `sep=` line is not a row, and a cell of several lines is one row. */
  private readonly rows: (Numbers | undefined)[] = [];

  /** @param index of the entry: one more than that of the entry before */
  add(index: number, { file, record, line, row }: RecordPosition): void {
    const lines = (this.lines[pageOf(index)] ??= new Numbers());
    lines.set(placeOnPage(index), line === null ? 0 : (line - record + 1) >>> 0);
    if (line !== null && row !== undefined && row < line)
      (this.rows[pageOf(index)] ??= new Numbers()).set(placeOnPage(index), line - row);
    const last = this.stretches.at(-1);
    const follows = last?.file === file && last.record + index - last.from === record;
    if (!follows) this.stretches.push({ from: index, file, record });
  }

  of(index: number): RecordPosition {
    const { from, file, record: first } = this.stretchOf(index);
    const record = first + index - from;
    const beyond = (this.lines[pageOf(index)] as Numbers).at(placeOnPage(index));
    if (beyond === 0) return { file, record, line: null };
    const line = (beyond - 1 + record) >>> 0;
    const before = this.rows[pageOf(index)]?.at(placeOnPage(index)) ?? 0;
    return before === 0 ? { file, record, line } : { file, record, line, row: line - before };
  }

  fileOf(index: number): number {
    return this.stretchOf(index).file;
  }

  private stretchOf(index: number): PositionSpan {
    let from = 0;
    let to = this.stretches.length - 1;
    while (from < to) {
      const middle = (from + to + 1) >>> 1;
      if ((this.stretches[middle] as PositionSpan).from <= index) from = middle;
      else to = middle - 1;
    }
    return this.stretches[from] as PositionSpan;
  }
}

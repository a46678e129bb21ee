/** Doubts that only a whole column of IDs shows: decimals that a program added, and digits that a spreadsheet lost. */
import type { RawRecord } from '../input/raw-record.js';
import { excerpt, type Finding, warning } from '../records/issue.js';
import type { RecordSchema } from '../records/schema.js';
import { type FileColumn, fileColumns } from './file-columns.js';

interface MarkedIds {
  count: number;
  readonly first: string;
  readonly line: number | null;
}

/** What the IDs of one column have in common; null once one of them has not. */
interface IdColumn {
  readonly column: FileColumn;
  decimals: MarkedIds | 'none yet' | null;
  digits: MarkedIds | 'none yet' | null;
}

/** pandas writes a whole number so where a column has empty cells. */
const DECIMAL_ID = /^\s*\d+\.0\s*$/;
const LONG_ID = /^\s*\d{16,}\s*$/;
/** A spreadsheet keeps 15 digits of a number. One with a zero in front is a text. */
const CUT_ID = /^\s*[1-9]\d{14}0+\s*$/;
const LONG_ID_LENGTH = 16;

/** A doubt about a column, and the line of the first record that has it. */
export interface ColumnFinding {
  readonly finding: Finding;
  readonly line: number | null;
}

/** The IDs of one file. */
export class IdColumns {
  private readonly kind: RecordSchema;
  private readonly isSet: (path: string) => boolean;
  private columns: IdColumn[] | null = null;
  private isTable = false;

  constructor(kind: RecordSchema, isSet: (path: string) => boolean) {
    this.kind = kind;
    this.isSet = isSet;
  }

  /** To be called for all records of the file, in order. */
  see(records: readonly RawRecord[]): void {
    for (let i = 0; this.columns === null && i < records.length; i++) this.begin(records[i] as RawRecord);
    // One column after the other, and no more than a look at the length of most IDs: this is done for each record.
    for (const id of this.columns ?? []) {
      const { index, valueIn } = id.column;
      for (const raw of records) {
        const text = index === null ? valueIn(raw) : raw.cells?.[index];
        if (typeof text !== 'string' || text === '') continue;
        if (id.decimals !== null) id.decimals = DECIMAL_ID.test(text) ? addMarked(id.decimals, text, raw) : null;
        if (text.length >= LONG_ID_LENGTH) seeLong(id, text, raw);
      }
    }
  }

  *findings(): Iterable<ColumnFinding> {
    const every = this.isTable ? 'every filled cell of its column' : 'every record that has it';
    for (const { column, decimals, digits } of this.columns ?? []) {
      const { path } = column;
      if (isMarked(decimals)) {
        const { count, first, line } = decimals;
        const found = `${path} ends in .0 in ${every} (${count}), such as ${excerpt(first)}: a program took the IDs for numbers`;
        const remedy = `If the ID is ${excerpt(first).slice(0, -2)}, remove the .0 from each, or export the column as text`;
        yield { finding: { ...warning('doubtful-id', path, `${found}. ${remedy}`, first), count }, line };
      }
      if (isMarked(digits)) {
        const { count, first, line } = digits;
        const found = `${path} has IDs of 16 digits or more (${count}), and all of them have only zeros after the fifteenth digit, such as ${excerpt(first)}`;
        const remedy =
          'A spreadsheet keeps only 15 digits of a number, so two people may have the same ID now. Take the IDs from the original file, and format the column as text before you enter them';
        yield { finding: { ...warning('lost-digits', path, `${found}. ${remedy}`, first), count }, line };
      }
    }
  }

  private begin(raw: RawRecord): void {
    const columns = fileColumns(raw, this.kind, this.isSet);
    if (columns === null) return;
    this.isTable = raw.cells !== undefined;
    const ids = columns.filter(({ field }) => field.kind === 'id');
    this.columns = ids.map((column) => ({ column, decimals: 'none yet', digits: 'none yet' }));
  }
}

function seeLong(id: IdColumn, text: string, raw: RawRecord): void {
  if (id.digits !== null && LONG_ID.test(text)) id.digits = CUT_ID.test(text) ? addMarked(id.digits, text, raw) : null;
}

function addMarked(ids: MarkedIds | 'none yet', text: string, { line }: RawRecord): MarkedIds {
  if (ids === 'none yet') return { count: 1, first: text.trim(), line };
  ids.count++;
  return ids;
}

function isMarked(ids: MarkedIds | 'none yet' | null): ids is MarkedIds {
  return ids !== null && ids !== 'none yet';
}

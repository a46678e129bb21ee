/** Converts rows of a table to raw records: rows of CSV, and of workbooks, which are converted to CSV first. */
import { columnPlace, openNames } from './column-places.js';
import { columnsFor, type Header, nameDoubtIn, namesIn, type TableHead } from './csv-header.js';
import type { Dialect } from './csv-layout.js';
import { DateColumns } from './dates.js';
import { bindFields } from './field-rows.js';
import { refuseResultsBelow } from './header-place.js';
import { KnownValueCheck } from './known-values.js';
import type { RawRecord } from './raw-record.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import { refuseResults } from './result-columns.js';
import { NO_REFUSALS, RowFilter } from './row-filter.js';
import { type CellFindings, RowRecord, type RowReading, sheetRowOf } from './row-record.js';
import type { Misfit, Row } from './rows.js';

export interface RowBinder {
  readonly header: Header;
  /** To be called with each row, in order. Null for a row that is filtered out. */
  readonly read: (row: Row) => RawRecord | null;
}

/**
 * Reads the header, and returns a reader for the rows after it.
 * @throws FileFault, UsageError
 */
export async function bindRows(
  top: Row,
  misfitOf: (header: Header) => Misfit,
  dialect: Dialect,
  options: ReadOptions,
  info: FileInfo,
): Promise<RowBinder> {
  const { line } = top;
  const names = namesIn(top.cells);
  const head: TableHead = { names, line, dialect, options, info };
  refuseResults(names, line);
  refuseResultsBelow(names, dialect, options);
  const { template } = options;
  // Few files fill in a template: its code is loaded where one does.
  const reading =
    template === null ? bindFields(head) : (await import('./template-rows.js')).bindVariables(template, head);
  const { header, note } = reading;
  info.nameDoubt = nameDoubtIn(names, line, info.isEncodingGuessed);
  info.currencyOf = reading.currencyOf;
  info.dates = new DateColumns();
  const judge = rowJudge(head, reading);
  const misfit = misfitOf(header);
  const passedOver = new Set(columnsFor(header, 'passed over').map(({ index }) => index));
  let record = 0;
  let isFirst = true;
  const read = (row: Row): RawRecord | null => {
    if (passedOver.size > 0) notePassedOver(row, passedOver, info);
    // Even with `--header-line 0`, the first row may be a header.
    if (isFirst && dialect.headerLine === 0) refuseResults(row.cells, row.line);
    isFirst = false;
    const fault = misfit(row);
    const untold = judge === null ? NO_REFUSALS : judge(row, fault !== null);
    if (untold === null) return null;
    record++;
    if (fault !== null)
      return { record, line: row.line, sheetRow: sheetRowOf(row), read: () => ({ input: null, findings: [fault] }) };
    const raw = new RowRecord(record, row, reading, untold);
    note?.(raw);
    return raw;
  };
  return { header, read };
}

/** Most columns without a name have no content, and are not worth a word. @param columns those without content so far */
function notePassedOver({ cells }: Row, columns: Set<number>, { dropped }: FileInfo): void {
  for (const index of columns)
    if ((cells[index] ?? '') !== '' && columns.delete(index)) dropped.set(columnPlace(index), null);
}

/** The cells that leave a row open; null for a row that is filtered out. */
type RowJudge = (row: Row, isMisfit: boolean) => CellFindings | null;

/** Null if all rows are read, whatever their values are. @throws UsageError for a column that the file lacks */
function rowJudge({ names, options, info }: TableHead, reading: RowReading): RowJudge | null {
  const { only, knownValues, style, platform, onFiltered } = options;
  if (only.length === 0 && knownValues.length === 0) return null;
  const { columns, currencyOf } = reading;
  const open = openNames(names, options.naming);
  const filter = new RowFilter(only, open, info.path, columns, style, currencyOf);
  const known = new KnownValueCheck(knownValues, open, info.path, columns, platform);
  if (only.length > 0) info.filtered = filter.filtered;
  return (row, isMisfit) => {
    const { rule, refusals } = filter.judge(row, isMisfit);
    const unknown = isMisfit ? NO_REFUSALS : known.check(row, rule);
    if (rule === null) return unknown.size === 0 ? refusals : new Map([...refusals, ...unknown]);
    onFiltered?.({
      rule,
      raw: new RowRecord(0, row, reading, NO_REFUSALS),
      findings: [...unknown.values()],
      typedAmount: () => filter.amountOf(row.cells),
    });
    return null;
  };
}

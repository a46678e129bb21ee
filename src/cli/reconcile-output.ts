/** What programs are told of a comparison with an export: events of `--json`, and report files. */
import { formatDecimal } from '../money/decimal.js';
import type { TotalRow } from '../money/totals.js';
import type { DescribedVerdict, Reconciliation } from '../reconcile/reconciliation.js';
import { amountUnit, RECORD_TYPES, type RecordType } from '../records/types.js';
import { printable } from '../report/printable.js';
import {
  csvTable,
  type ReportColumn,
  type FilePieces,
  formatNamed,
  ndjsonTable,
  xlsxTable,
} from '../report/table-formats.js';
import { isKeptExactly, type WrittenCell } from '../report/written-cell.js';

/** The states before and after. A row that no payment meets has none. */
function statesAround({ kind, payment }: DescribedVerdict): { was: string | null; now: string | null } {
  const was = payment?.state ?? null;
  if (kind === 'created') return { was, now: 'created' };
  return { was, now: kind === 'not_created' ? 'not_sent' : was };
}

/** `reconciled`, for a payment or a row that is not simply equal. */
export function reconciledEvent(verdict: DescribedVerdict): object {
  const { run, record, line, key, id, payment, row, why, type } = verdict;
  const there =
    row === null
      ? null
      : {
          status: row.status,
          amount: row.amount === null ? null : formatDecimal(row.amount),
          currency: row.currency,
          user_id: row.userId,
          id: row.id,
        };
  return {
    event: 'reconciled',
    run,
    record,
    line,
    key,
    ...statesAround(verdict),
    id,
    amount: payment?.amount ?? null,
    unit: type === null ? null : amountUnit(type),
    there,
    why,
  };
}

/** The counts of a call that has not come to a comparison. */
export const NOTHING_COMPARED: Pick<Reconciliation, 'counts' | 'totals'> = {
  counts: { matched: 0, created: 0, not_created: 0, in_doubt: 0, differs: 0, missing_there: 0, unknown_here: 0 },
  totals: [],
};

/** `reconcile-summary`, the last line. @param next words of the commands that continue the runs */
export function reconcileSummary(
  exitCode: number,
  { counts, totals }: Pick<Reconciliation, 'counts' | 'totals'>,
  next: readonly (readonly string[])[],
): object {
  const { matched, created, not_created, in_doubt, differs, missing_there, unknown_here } = counts;
  return {
    event: 'reconcile-summary',
    exit_code: exitCode,
    matched,
    created,
    not_created,
    in_doubt,
    differs,
    missing_there,
    unknown_here,
    totals: verdictTotals(totals),
    next,
  };
}

/** Under `unknown`: rows that no payment meets, where nothing shows their type. */
function verdictTotals(rows: readonly TotalRow[]): Record<string, object[]> {
  const ofType = (type: string): object[] => rows.filter((row) => row.type === type).map(verdictTotal);
  const known = RECORD_TYPES.map((type): [string, object[]] => [type, ofType(type)]);
  return Object.fromEntries([...known, ['unknown', ofType('')]]);
}

function verdictTotal({ type, currency, status, count, amount, unpriced }: TotalRow): object {
  const unit = type === '' ? null : amountUnit(type as RecordType);
  return { currency, status, count, amount: formatDecimal(amount), unit, unpriced };
}

type VerdictColumn = ReportColumn<DescribedVerdict>;

/** In the order of the files. */
const VERDICT_COLUMNS: readonly VerdictColumn[] = [
  { name: 'verdict', cell: ({ kind }) => kind },
  { name: 'why', cell: ({ why }) => why },
  { name: 'run', cell: ({ run }) => run },
  { name: 'file', cell: ({ file }) => file },
  numberColumn('record', ({ record }) => record),
  numberColumn('line', ({ line }) => line),
  { name: 'type', cell: ({ type }) => type },
  { name: 'key', cell: ({ key }) => key },
  { name: 'was', cell: (verdict) => statesAround(verdict).was },
  { name: 'now', cell: (verdict) => statesAround(verdict).now },
  { name: 'id', cell: ({ id }) => id },
  { name: 'user_id', cell: ({ userId }) => userId },
  { name: 'title', cell: ({ title }) => title },
  numberColumn('amount', ({ payment }) => payment?.amount ?? null),
  { name: 'currency', cell: ({ payment }) => payment?.currency ?? null },
  { name: 'unit', cell: ({ type }) => (type === null ? null : amountUnit(type)) },
  numberColumn('there_line', ({ row }) => row?.line ?? null),
  { name: 'there_status', cell: ({ row }) => row?.status ?? null },
  numberColumn('there_amount', ({ row }) => (row === null || row.amount === null ? null : formatDecimal(row.amount))),
  { name: 'there_currency', cell: ({ row }) => row?.currency ?? null },
  { name: 'there_user_id', cell: ({ row }) => row?.userId ?? null },
  { name: 'there_id', cell: ({ row }) => row?.id ?? null },
];

/** A number in a workbook, where it keeps all of its digits. */
function numberColumn(name: string, cell: VerdictColumn['cell']): VerdictColumn {
  const written = (verdict: DescribedVerdict): WrittenCell => {
    const text = String(cell(verdict) ?? '');
    return isKeptExactly(text) ? { kind: 'number', text, sign: null } : printable(text);
  };
  return { name, cell, typed: { kind: 'number', cell: written } };
}

type WriteVerdicts = (verdicts: AsyncIterable<DescribedVerdict>) => FilePieces;

const RECONCILE_FORMATS: Readonly<Record<string, WriteVerdicts>> = {
  '.csv': (verdicts) => csvTable(VERDICT_COLUMNS, verdicts),
  '.xlsx': (verdicts) => xlsxTable('Reconciled', VERDICT_COLUMNS, verdicts),
  '.ndjson': (verdicts) => ndjsonTable(VERDICT_COLUMNS, verdicts),
};

/** A report file, in the format of its extension. */
export interface ReconcileReport {
  readonly path: string;
  readonly write: WriteVerdicts;
}

/** @throws UsageError for an extension without a format */
export function reconcileReport(path: string): ReconcileReport {
  return { path, write: formatNamed('--report', path, RECONCILE_FORMATS) };
}

/** What programs are told of a comparison with an export: events of `--json`, and report files. */
import { UsageError } from '../errors.js';
import { formatDecimal } from '../money/decimal.js';
import type { TotalRow } from '../money/totals.js';
import type { DescribedVerdict, Reconciliation } from '../reconcile/reconciliation.js';
import { amountUnit, RECORD_TYPES, type RecordType } from '../records/types.js';
import { csvCell, escapeControls, escapeFormula, printable } from '../report/printable.js';
import { isKeptExactly, type WrittenCell, type WrittenKind } from '../report/written-cell.js';
import type { Pieces } from '../util/atomic-file.js';

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

type ReportCell = string | number | null;

/** In the order of the files. */
const VERDICT_COLUMNS: readonly (readonly [name: string, cellOf: (verdict: DescribedVerdict) => ReportCell])[] = [
  ['verdict', ({ kind }) => kind],
  ['why', ({ why }) => why],
  ['run', ({ run }) => run],
  ['file', ({ file }) => file],
  ['record', ({ record }) => record],
  ['line', ({ line }) => line],
  ['type', ({ type }) => type],
  ['key', ({ key }) => key],
  ['was', (verdict) => statesAround(verdict).was],
  ['now', (verdict) => statesAround(verdict).now],
  ['id', ({ id }) => id],
  ['user_id', ({ userId }) => userId],
  ['title', ({ title }) => title],
  ['amount', ({ payment }) => payment?.amount ?? null],
  ['currency', ({ payment }) => payment?.currency ?? null],
  ['unit', ({ type }) => (type === null ? null : amountUnit(type))],
  ['there_line', ({ row }) => row?.line ?? null],
  ['there_status', ({ row }) => row?.status ?? null],
  ['there_amount', ({ row }) => (row === null || row.amount === null ? null : formatDecimal(row.amount))],
  ['there_currency', ({ row }) => row?.currency ?? null],
  ['there_user_id', ({ row }) => row?.userId ?? null],
  ['there_id', ({ row }) => row?.id ?? null],
];

const VERDICT_NAMES = VERDICT_COLUMNS.map(([name]) => name);
const NUMBER_COLUMNS: readonly string[] = ['amount', 'there_amount', 'record', 'line', 'there_line'];

type WriteVerdicts = (verdicts: AsyncIterable<DescribedVerdict>) => Pieces | Promise<Pieces>;

const reconcileCsv: WriteVerdicts = async function* (verdicts) {
  const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
  yield line(VERDICT_NAMES);
  for await (const verdict of verdicts)
    yield line(
      VERDICT_COLUMNS.map(([, cellOf]) => csvCell(escapeFormula(printable(String(cellOf(verdict) ?? ''))), ',')),
    );
};

const reconcileNdjson: WriteVerdicts = async function* (verdicts) {
  for await (const verdict of verdicts) {
    const members = VERDICT_COLUMNS.map(([name, cellOf]): [string, ReportCell] => [name, cellOf(verdict)]);
    yield `${escapeControls(JSON.stringify(Object.fromEntries(members)))}\n`;
  }
};

/** Loaded only for a workbook. */
const reconcileXlsx: WriteVerdicts = async (verdicts) => {
  const { writeXlsx } = await import('../report/xlsx-writer.js');
  const columns = VERDICT_NAMES.map((name): WrittenKind => (NUMBER_COLUMNS.includes(name) ? 'number' : 'text'));
  return writeXlsx({ name: 'Reconciled', frozenRows: 1, columns }, verdictRows(verdicts));
};

async function* verdictRows(verdicts: AsyncIterable<DescribedVerdict>): AsyncIterable<readonly WrittenCell[]> {
  yield VERDICT_NAMES;
  for await (const verdict of verdicts)
    yield VERDICT_COLUMNS.map(([name, cellOf]): WrittenCell => {
      const text = String(cellOf(verdict) ?? '');
      return NUMBER_COLUMNS.includes(name) && isKeptExactly(text)
        ? { kind: 'number', text, sign: null }
        : printable(text);
    });
}

const RECONCILE_FORMATS: ReadonlyMap<string, WriteVerdicts> = new Map([
  ['.csv', reconcileCsv],
  ['.xlsx', reconcileXlsx],
  ['.ndjson', reconcileNdjson],
]);

/** A report file, in the format of its extension. */
export interface ReconcileReport {
  readonly path: string;
  readonly write: WriteVerdicts;
}

/** @throws UsageError for an extension without a format */
export function reconcileReport(path: string): ReconcileReport {
  const write = RECONCILE_FORMATS.get(/\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '');
  if (write !== undefined) return { path, write };
  throw new UsageError(`--report ${path}: the name must end in one of ${[...RECONCILE_FORMATS.keys()].join(', ')}`);
}

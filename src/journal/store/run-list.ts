/** The list of a run: records that follow each other without a gap, like their payments, form one stretch. */
import type { InvalidRecord, PaymentId, RunFile, RunRecord } from '../payment.js';
import { typeCode, typeOf } from './common-schema.js';
import type { Transaction } from './driver.js';
import { select, rowMapper } from './row-mapper.js';

export interface Span extends RunRecord {
  readonly length: number;
}

export interface RunList {
  readonly files: readonly RunFile[];
  /** Most files are a few stretches, whatever their length. */
  readonly stretches: readonly Span[];
  readonly invalid: readonly InvalidRecord[];
}

export function toSpans(records: Iterable<RunRecord>): Span[] {
  const stretches: Span[] = [];
  let first: RunRecord | null = null;
  let length = 0;
  for (const record of records) {
    if (first !== null && follows(first, length, record)) length++;
    else {
      if (first !== null) stretches.push({ ...first, length });
      first = record;
      length = 1;
    }
  }
  if (first !== null) stretches.push({ ...first, length });
  return stretches;
}

function follows(first: RunRecord, count: number, each: RunRecord): boolean {
  return (
    each.index === first.index + count &&
    each.payment === first.payment + count &&
    each.record === first.record + count &&
    each.file === first.file &&
    each.standsFor === shifted(first.standsFor, count) &&
    each.line === shifted(first.line, count)
  );
}

/** The record `by` places after the first one. */
function after(first: RunRecord, by: number): RunRecord {
  const { index, file, record, line, payment, standsFor } = first;
  return {
    index: index + by,
    file,
    record: record + by,
    line: shifted(line, by),
    payment: payment + by,
    standsFor: shifted(standsFor, by),
  };
}

function shifted(place: number | null, by: number): number | null {
  return place === null ? null : place + by;
}

const SPAN_COLUMNS = ['idx', 'count', 'payment', 'file', 'record', 'line', 'stands_for'];

const SPAN = rowMapper((of): Span => ({
  index: of('idx'),
  length: of('count'),
  payment: of('payment'),
  file: of('file'),
  record: of('record'),
  line: of('line'),
  standsFor: of('stands_for'),
}));

/** At most `count` records from the place `from` on. */
export async function selectSpans(tx: Transaction, run: number, from: number, count: number): Promise<Span[]> {
  const spans = await select(
    tx,
    SPAN,
    `FROM span WHERE run = $1
     AND idx >= coalesce((SELECT max(idx) FROM span WHERE run = $1 AND idx <= $2), 0) ORDER BY idx LIMIT $3 + 1`,
    run,
    from,
    count,
  );
  const stretches: Span[] = [];
  let left = count;
  for (const span of spans) {
    const skipped = Math.max(0, from - span.index);
    const length = Math.min(span.length - skipped, left);
    if (length <= 0) continue;
    left -= length;
    stretches.push({ ...after(span, skipped), length });
  }
  return stretches;
}

const INVALID_RECORD = rowMapper((of): InvalidRecord => ({
  index: of('idx'),
  file: of('file'),
  record: of('record'),
  line: of('line'),
  type: of('type', typeOf),
  error: of('error'),
  amount: of('amount'),
  currency: of('currency'),
  costCenter: of('cost_center'),
  body: of('body'),
}));

/** The invalid records among them. */
export function selectInvalid(tx: Transaction, run: number, from: number, count: number): Promise<InvalidRecord[]> {
  const rows = 'FROM invalid_record WHERE run = $1 AND idx >= $2 ORDER BY idx LIMIT $3';
  return select(tx, INVALID_RECORD, rows, run, from, count);
}

/** A payment's place among the records that a run would send, from 0; null if it is not among them. */
export async function indexIn(tx: Transaction, run: number, payment: PaymentId): Promise<number | null> {
  const [row] = await tx.rows<[number, PaymentId, number]>(
    `SELECT idx, payment, count FROM span WHERE run = $1 AND stands_for IS NULL AND payment <= $2 ORDER BY payment DESC LIMIT 1`,
    run,
    payment,
  );
  const [index, first, count] = row ?? [0, 0, 0];
  return payment - first < count ? index + payment - first : null;
}

/** Replaces the list of a run, within a transaction. Deletes rows of left-out records that are not in the new list. */
export async function writeRunList(
  tx: Transaction,
  run: number,
  { files, stretches, invalid }: RunList,
): Promise<void> {
  const gone = await leftOutRows(tx, run);
  for (const table of ['file', 'span', 'invalid_record']) await tx.change(`DELETE FROM ${table} WHERE run = $1`, run);
  await tx.insert(
    'file',
    ['run', 'position', 'path', 'sha256', 'records', 'sheet', 'reference'],
    files.map(({ path, sha256, records, sheetName, reference }, i) => {
      return [run, i, path, sha256, records, sheetName, reference];
    }),
  );
  await tx.insert(
    'span',
    ['run', ...SPAN_COLUMNS],
    stretches.map(({ index, length, payment, file, record, line, standsFor }) => {
      return [run, index, length, payment, file, record, line, standsFor];
    }),
  );
  await tx.insert(
    'invalid_record',
    ['run', 'idx', 'file', 'record', 'line', 'type', 'error', 'amount', 'currency', 'cost_center', 'body'],
    invalid.map(({ index, file, record, line, type, error, amount, currency, costCenter, body }) => {
      return [run, index, file, record, line, typeCode(type), error, amount, currency, costCenter, body];
    }),
  );
  for (const { payment, length } of stretches)
    for (let i = 0; i < length && gone.size > 0; i++) gone.delete(payment + i);
  if (gone.size > 0) await tx.change('DELETE FROM payment WHERE run = 0 AND id = ANY ($1)', [...gone]);
}

async function leftOutRows(tx: Transaction, run: number): Promise<Set<PaymentId>> {
  const spans = await tx.rows<[PaymentId, number]>(
    'SELECT payment, count FROM span WHERE run = $1 AND stands_for IS NOT NULL',
    run,
  );
  return new Set(spans.flatMap(([payment, count]) => Array.from({ length: count }, (_, i) => payment + i)));
}

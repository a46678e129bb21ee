/** The list of a run: which payments its records are, and where they stand in its files. */
import type { Plan } from '../ledger.js';
import type { PaymentId, RunFile, RunRecord } from '../payment.js';
import { typeCode } from '../codes.js';
import { inStretches } from '../stretches.js';
import type { Context } from './context.js';

type List = NonNullable<Plan['list']>;

/**
 * Writes the list of a run in place of an earlier one. Rows of records that were left out, and are not listed any more, are
 * deleted. To be called within a transaction.
 */
export function writeList(context: Context, run: number, list: List): void {
  const gone = leftOutRows(context, run);
  for (const table of ['file', 'span', 'invalid_record']) context.sql(`DELETE FROM ${table} WHERE run = ?`).run(run);
  writeFiles(context, run, list.files);
  writeSpans(context, run, list.records, gone);
  const insert = context.sql('INSERT INTO invalid_record VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const { index, file, record, line, type, error } of list.invalid) {
    insert.run(run, index, file, record, line, typeCode(type), error);
  }
  const drop = context.sql('DELETE FROM payment WHERE id = ? AND run = 0');
  for (const row of gone) drop.run(row);
}

/** Rows of records that a run has left out. */
function leftOutRows({ sql }: Context, run: number): Set<PaymentId> {
  const select = sql('SELECT payment, count FROM span WHERE run = ? AND stands_for IS NOT NULL');
  const spans = select.all(run) as [PaymentId, number][];
  return new Set(spans.flatMap(([payment, count]) => Array.from({ length: count }, (_, i) => payment + i)));
}

function writeFiles({ sql }: Context, run: number, files: readonly RunFile[]): void {
  const insert = sql('INSERT INTO file VALUES (?, ?, ?, ?, ?)');
  files.forEach(({ path, sha256, records }, i) => insert.run(run, i, path, sha256, records));
}

/**
 * One row for an unbroken stretch of records: most files are a few stretches, whatever their length.
 * @param gone payments that this takes out of it, as it lists them
 */
function writeSpans({ sql }: Context, run: number, records: Iterable<RunRecord>, gone: Set<PaymentId>): void {
  const insert = sql('INSERT INTO span VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const { index, payment, file, record, line, standsFor, length } of inStretches(records)) {
    insert.run(run, index, length, payment, file, record, line, standsFor);
    for (let i = 0; i < length && gone.size > 0; i++) gone.delete(payment + i);
  }
}

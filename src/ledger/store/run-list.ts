/** The list of a run: which payments its records are, and where they stand in its files. */
import { typeCode } from '../codes.js';
import type { InvalidRecord, PaymentId, RunFile } from '../payment.js';
import type { Stretch } from '../stretches.js';
import type { Transaction } from './driver.js';

export interface RunList {
  readonly files: readonly RunFile[];
  /** Most files are a few stretches, whatever their length. */
  readonly stretches: readonly Stretch[];
  readonly invalid: readonly InvalidRecord[];
}

/**
 * Writes the list of a run in place of an earlier one. Rows of records that were left out, and are not listed any more, are
 * deleted. To be called within a transaction.
 */
export async function writeList(tx: Transaction, run: number, { files, stretches, invalid }: RunList): Promise<void> {
  const gone = await leftOutRows(tx, run);
  for (const table of ['file', 'span', 'invalid_record']) await tx.change(`DELETE FROM ${table} WHERE run = $1`, run);
  await tx.insert(
    'file',
    ['run', 'position', 'path', 'sha256', 'records'],
    files.map(({ path, sha256, records }, i) => [run, i, path, sha256, records]),
  );
  await tx.insert(
    'span',
    ['run', 'idx', 'count', 'payment', 'file', 'record', 'line', 'stands_for'],
    stretches.map(({ index, length, payment, file, record, line, standsFor }) => {
      return [run, index, length, payment, file, record, line, standsFor];
    }),
  );
  await tx.insert(
    'invalid_record',
    ['run', 'idx', 'file', 'record', 'line', 'type', 'error'],
    invalid.map(({ index, file, record, line, type, error }) => {
      return [run, index, file, record, line, typeCode(type), error];
    }),
  );
  for (const { payment, length } of stretches)
    for (let i = 0; i < length && gone.size > 0; i++) gone.delete(payment + i);
  if (gone.size > 0) await tx.change('DELETE FROM payment WHERE run = 0 AND id = ANY ($1)', [...gone]);
}

/** Rows of records that a run has left out. */
async function leftOutRows(tx: Transaction, run: number): Promise<Set<PaymentId>> {
  const spans = await tx.rows<[PaymentId, number]>(
    'SELECT payment, count FROM span WHERE run = $1 AND stands_for IS NOT NULL',
    run,
  );
  return new Set(spans.flatMap(([payment, count]) => Array.from({ length: count }, (_, i) => payment + i)));
}

/** The list of a run: which payments its records are, and where they stand in its files. */
import { homeOf, type Plan } from '../ledger.js';
import type { RunFile, RunRecord } from '../payment.js';
import { leftOutCode, typeCode } from '../codes.js';
import { inStretches } from '../stretches.js';
import type { Context } from './context.js';

type List = NonNullable<Plan['list']>;

/**
 * Writes the list of a run in place of an earlier one. To be called within a transaction.
 * @param drafts number of the run that was prepared, whose payments become history; null for none
 */
export function writeList(context: Context, run: number, list: List, drafts: number | null): void {
  for (const table of ['file', 'span', 'invalid_record']) context.sql(`DELETE FROM ${table} WHERE run = ?`).run(run);
  writeFiles(context, run, list.files);
  writeSpans(context, run, list.records, drafts);
  const insert = context.sql('INSERT INTO invalid_record VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const { index, file, record, line, type, error } of list.invalid) {
    insert.run(run, index, file, record, line, typeCode(type), error);
  }
}

function writeFiles({ sql }: Context, run: number, files: readonly RunFile[]): void {
  const insert = sql('INSERT INTO file VALUES (?, ?, ?, ?, ?)');
  files.forEach(({ path, sha256, records }, i) => insert.run(run, i, path, sha256, records));
}

/** One row for an unbroken stretch of records: most files are a few stretches, whatever their length. */
function writeSpans({ sql }: Context, run: number, records: Iterable<RunRecord>, drafts: number | null): void {
  const insert = sql('INSERT INTO span VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const { index, payment, file, record, line, leftOut, length } of inStretches(records)) {
    // Such a draft would be deleted, and the record would stand for nothing.
    if (leftOut !== null && homeOf(payment) === drafts) throw new Error('a record that is left out points at a draft');
    insert.run(run, index, length, payment, file, record, line, leftOutCode(leftOut));
  }
}

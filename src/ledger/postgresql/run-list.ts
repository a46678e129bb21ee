/** The list of a run: which payments its records are, and where they stand in its files. */
import { leftOutCode, typeCode } from '../codes.js';
import { homeOf, type Plan } from '../ledger.js';
import type { InvalidRecord } from '../payment.js';
import { inStretches, type Stretch } from '../stretches.js';
import type { Transaction } from './session.js';

type List = NonNullable<Plan['list']>;

/** Rows that are sent to the database at once. */
const SLICE = 5000;

/**
 * Writes the list of a run in place of an earlier one. To be called within a transaction.
 * @param drafts number of the run that was prepared, whose payments become history; null for none
 */
export async function writeList(tx: Transaction, run: number, list: List, drafts: number | null): Promise<void> {
  for (const table of ['file', 'span', 'invalid_record']) await tx.change(`DELETE FROM ${table} WHERE run = $1`, run);
  const { files } = list;
  await tx.change(
    'INSERT INTO file SELECT $1, u.position - 1, u.path, u.sha256, u.records FROM unnest($2::text[], $3::text[], $4::int[]) WITH ORDINALITY u(path, sha256, records, position)',
    ...[run, files.map(({ path }) => path), files.map(({ sha256 }) => sha256), files.map(({ records }) => records)],
  );
  for (const slice of inSlices(inStretches(list.records))) await writeSpans(tx, run, slice, drafts);
  for (const slice of inSlices(list.invalid)) await writeInvalid(tx, run, slice);
}

function* inSlices<Item>(items: Iterable<Item>): Iterable<Item[]> {
  let slice: Item[] = [];
  for (const item of items) {
    if (slice.push(item) < SLICE) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}

async function writeSpans(
  tx: Transaction,
  run: number,
  spans: readonly Stretch[],
  drafts: number | null,
): Promise<void> {
  for (const { leftOut, payment } of spans)
    // Such a draft would be deleted, and the record would stand for nothing.
    if (leftOut !== null && homeOf(payment) === drafts) throw new Error('a record that is left out points at a draft');
  await tx.change(
    `INSERT INTO span SELECT $1, u.* FROM unnest($2::int[], $3::int[], $4::bigint[], $5::int[], $6::int[], $7::int[],
       $8::smallint[]) u`,
    run,
    spans.map(({ index }) => index),
    spans.map(({ length }) => length),
    spans.map(({ payment }) => payment),
    spans.map(({ file }) => file),
    spans.map(({ record }) => record),
    spans.map(({ line }) => line),
    spans.map(({ leftOut }) => leftOutCode(leftOut)),
  );
}

async function writeInvalid(tx: Transaction, run: number, records: readonly InvalidRecord[]): Promise<void> {
  await tx.change(
    'INSERT INTO invalid_record SELECT $1, u.* FROM unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::smallint[], $7::text[]) u',
    run,
    records.map(({ index }) => index),
    records.map(({ file }) => file),
    records.map(({ record }) => record),
    records.map(({ line }) => line),
    records.map(({ type }) => typeCode(type)),
    records.map(({ error }) => error),
  );
}

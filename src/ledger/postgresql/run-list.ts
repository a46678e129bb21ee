/** The list of a run: which payments its records are, and where they stand in its files. */
import { typeCode } from '../codes.js';
import type { Plan } from '../ledger.js';
import type { InvalidRecord, PaymentId } from '../payment.js';
import { inStretches, type Stretch } from '../stretches.js';
import type { Transaction } from './session.js';

type List = NonNullable<Plan['list']>;

/** Rows that are sent to the database at once. */
const SLICE = 5000;

/**
 * Writes the list of a run in place of an earlier one. Rows of records that were left out, and are not listed any more, are
 * deleted. To be called within a transaction.
 */
export async function writeList(tx: Transaction, run: number, list: List): Promise<void> {
  const gone = await leftOutRows(tx, run);
  for (const table of ['file', 'span', 'invalid_record']) await tx.change(`DELETE FROM ${table} WHERE run = $1`, run);
  const { files } = list;
  await tx.change(
    'INSERT INTO file SELECT $1, u.position - 1, u.path, u.sha256, u.records FROM unnest($2::text[], $3::text[], $4::int[]) WITH ORDINALITY u(path, sha256, records, position)',
    ...[run, files.map(({ path }) => path), files.map(({ sha256 }) => sha256), files.map(({ records }) => records)],
  );
  for (const slice of inSlices(inStretches(list.records))) {
    for (const { payment, length } of slice) for (let i = 0; i < length && gone.size > 0; i++) gone.delete(payment + i);
    await writeSpans(tx, run, slice);
  }
  for (const slice of inSlices(list.invalid)) await writeInvalid(tx, run, slice);
  if (gone.size > 0) await tx.change('DELETE FROM payment WHERE run = 0 AND id = ANY ($1::bigint[])', [...gone]);
}

/** Rows of records that a run has left out. */
async function leftOutRows(tx: Transaction, run: number): Promise<Set<PaymentId>> {
  const spans = await tx.rows<[PaymentId, number]>(
    'SELECT payment, count FROM span WHERE run = $1 AND stands_for IS NOT NULL',
    run,
  );
  return new Set(spans.flatMap(([payment, count]) => Array.from({ length: count }, (_, i) => payment + i)));
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

async function writeSpans(tx: Transaction, run: number, spans: readonly Stretch[]): Promise<void> {
  await tx.change(
    `INSERT INTO span SELECT $1, u.* FROM unnest($2::int[], $3::int[], $4::bigint[], $5::int[], $6::int[], $7::int[],
       $8::bigint[]) u`,
    run,
    spans.map(({ index }) => index),
    spans.map(({ length }) => length),
    spans.map(({ payment }) => payment),
    spans.map(({ file }) => file),
    spans.map(({ record }) => record),
    spans.map(({ line }) => line),
    spans.map(({ standsFor }) => standsFor),
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

/** A run as the journal has it, in the shape of one that was just prepared. */
import type { Journal, StoredRun } from '../journal/journal.js';
import type { StoredRecord } from '../journal/record.js';
import { RecordKey } from '../keys/record-key.js';
import { parseDecimal } from '../money/decimal.js';
import { type Continued, pairWithRun } from './continuing.js';
import { Entries } from '../batch/table.js';
import { KeyIndex } from '../batch/key-index.js';
import type { Prepared } from '../batch/prepare.js';

/** All records of the run, invalid ones included, in input order; and how they are paired with the stored records. */
export function preparedFrom(run: StoredRun, journal: Journal): { prepared: Prepared; continued: Continued } {
  const entries = new Entries();
  const index = new KeyIndex(entries);
  for (const record of journal.records(run)) {
    const added = addRecord(entries, record);
    if (record.key !== null) index.add(RecordKey.of(record.key), added);
  }
  const files = run.files.map((file) => ({ ...file, fields: null }));
  // What an input said beside its records was decided at the run's gate.
  const told = { replaces: new Map<number, string>(), toldCreated: new Set<number>() };
  const prepared = { entries, index, files, readings: [], faulty: false, bodies: [], invalidated: [], ...told };
  return { prepared, continued: pairWithRun(run, journal, entries) };
}

function addRecord(entries: Entries, record: StoredRecord): number {
  const { file, record: number, line, type, key, amount, currency, costCenter } = record;
  const place = { file, record: number, line };
  if (key === null) return entries.addInvalid(place, type, record.error ?? record.outcome?.error ?? 'invalid');
  const added = entries.addValid(place, {
    type,
    currency,
    costCenter,
    amount: amount === null ? null : parseDecimal(amount),
    key: RecordKey.of(key),
    // Nobody asks what the key was made from: nothing is paid again from the journal alone.
    keySource: 'own',
    bodyHash: record.bodyHash,
  });
  if (record.content !== null && record.likeness !== null)
    entries.setHashes(added, Buffer.concat([record.content, record.likeness]));
  return added;
}

/** The gate itself: one durable commit makes a run history, or joins a run that is history already. */
import type { Outbox } from '../journal/delivery.js';
import type { Decision, Journal, Placing, PreparingRun, RunFile, StoredRun } from '../journal/journal.js';
import type { InvalidRecord, StoredPlace } from '../journal/record.js';
import { formatDecimal } from '../money/decimal.js';
import { PRICED_TYPES } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import type { Continued } from './continuing.js';
import { type Decided, withKey } from './decide.js';
import type { Entries } from '../batch/table.js';
import type { Prepared } from '../batch/prepare.js';
import type { Standing } from './standing.js';

export interface Passing {
  readonly prepared: Prepared;
  readonly standing: Standing;
  readonly decided: Decided;
  /** N of `--pay-again`, or null. */
  readonly payAgain: number | null;
}

/**
 * Null when the history has changed since the records were compared with it.
 * @param preparing the run that was stored; null for one that is resumed from the journal
 */
export function passGate(
  journal: Journal,
  preparing: PreparingRun | null,
  { prepared, standing, decided, payAgain }: Passing,
): { outbox: Outbox; run: string } | null {
  const { version, continued, digest } = standing;
  if (continued !== null || preparing === null) {
    if (continued === null) throw new Error('a run that was not stored cannot pass the gate');
    const decisions = [
      ...decided.decisions,
      ...(preparing === null
        ? withheld(prepared, continued)
        : fromInput(journal, continued, preparing, prepared.entries)),
    ];
    const placing = preparing === null ? null : placingOf(journal, continued, prepared);
    const outbox = journal.join(continued.run, { version, decisions, placing });
    if (outbox === null) return null;
    // The stored run holds the same records: what was prepared for this call is not needed.
    preparing?.abandon();
    return { outbox, run: continued.run.run };
  }
  const invalidated = prepared.invalidated.map((index): Decision => ({
    index,
    what: 'invalid',
    error: prepared.entries.error(index) ?? '',
  }));
  const outbox = preparing.pass({
    digest: digest ?? '',
    payAgain,
    files: runFiles(prepared),
    version,
    decisions: [...decided.decisions, ...invalidated],
  });
  return outbox === null ? null : { outbox, run: preparing.run };
}

function runFiles({ files }: Prepared): RunFile[] {
  return files.map(({ path, sha256, records, hasErrorColumn }) => ({ path, sha256, records, hasErrorColumn }));
}

/**
 * The files of the input, and where the stored records stand in them; null when nothing has changed. A person who
 * settles a record names it by the place that this call told. All or nothing is written: when two calls read different
 * files, the places of the second call stand.
 */
function placingOf(journal: Journal, continued: Continued, prepared: Prepared): Placing | null {
  const { run } = continued;
  const isSame = hasRead(run, prepared.files) && hasSamePlaces(journal, continued, prepared.entries);
  if (isSame) return null;
  const { entries } = prepared;
  return { files: runFiles(prepared), places: placesNow(journal, continued, entries), invalid: invalidIn(entries) };
}

function hasSamePlaces(journal: Journal, { run, entryIndex }: Continued, entries: Entries): boolean {
  for (const stored of journal.places(run)) {
    const entry = entryIndex(stored.index);
    if (entry !== null && !isSamePlace(placeNow(stored.index, entry, entries), stored)) return false;
  }
  return true;
}

function* placesNow(journal: Journal, { run, entryIndex }: Continued, entries: Entries): Iterable<StoredPlace> {
  for (const { index } of journal.places(run)) {
    const entry = entryIndex(index);
    if (entry !== null) yield placeNow(index, entry, entries);
  }
}

function placeNow(index: number, entry: number, entries: Entries): StoredPlace {
  const { file, record, line } = entries.placeOf(entry);
  const amount = entries.amount(entry);
  return { index, file, record, line, amount: amount === null ? null : formatDecimal(amount) };
}

function* invalidIn(entries: Entries): Iterable<InvalidRecord> {
  for (let index = 0; index < entries.length; index++) {
    if (entries.isValid(index)) continue;
    const { file, record, line } = entries.placeOf(index);
    yield { file, record, line, type: entries.groupOf(index).type as RecordType, error: entries.error(index) };
  }
}

/**
 * Writes the places of a run when nothing is sent. When the run has read exactly these files last, only the amounts of
 * results can differ, because their prices may come from another file.
 */
export function rewritePlaces(journal: Journal | null, continued: Continued | null, prepared: Prepared): void {
  if (journal === null || continued === null) return;
  const isKnown =
    hasRead(continued.run, prepared.files) && !PRICED_TYPES.some((type) => prepared.entries.hasType(type));
  const placing = isKnown ? null : placingOf(journal, continued, prepared);
  if (placing !== null) journal.place(continued.run, placing);
}

/** Whether a run has read exactly these files last. */
function hasRead(run: StoredRun, files: readonly Pick<RunFile, 'path' | 'sha256'>[]): boolean {
  const isSame = ({ path, sha256 }: Pick<RunFile, 'path' | 'sha256'>, i: number): boolean =>
    path === run.files[i]?.path && sha256 === run.files[i].sha256;
  return files.length === run.files.length && files.every(isSame);
}

function isSamePlace(one: StoredPlace, other: StoredPlace): boolean {
  return (
    one.file === other.file && one.record === other.record && one.line === other.line && one.amount === other.amount
  );
}

/** A record that this call tells as invalid is not sent by it, even if the reason goes away meanwhile. */
function withheld({ invalidated }: Prepared, { storedIndex }: Continued): Decision[] {
  return invalidated.map((index) => ({ index: storedIndex(index), what: 'withheld' }));
}

/** Decisions about the records of a run that goes on, which only the input allows. */
function fromInput(journal: Journal, continued: Continued, preparing: PreparingRun, entries: Entries): Decision[] {
  if (!entries.has('pending')) return [];
  return [...restored(journal, continued, preparing, entries), ...released(journal, continued, entries)];
}

/** A record that is sent after all, such as a rejected one, needs its body again when `batch prune` has removed it. */
function restored(
  journal: Journal,
  { run, entryIndex, rekeyed }: Continued,
  preparing: PreparingRun,
  entries: Entries,
): Decision[] {
  return journal.bodiless(run).flatMap((index): Decision[] => {
    const entry = entryIndex(index);
    if (entry === null || entries.status(entry) !== 'pending') return [];
    const body = preparing.bodyAt(entry);
    return [{ index, what: 'restored', body: rekeyed.has(entry) ? withKey(body, entries.key(entry) ?? '') : body }];
  });
}

/** Records that were left out in doubt, and that nothing keeps from being sent any more. */
function released(journal: Journal, { run, entryIndex }: Continued, entries: Entries): Decision[] {
  const decisions: Decision[] = [];
  for (const { index, outcome } of journal.outcomes(run)) {
    if (outcome.state !== 'left_unknown') continue;
    const entry = entryIndex(index);
    if (entry !== null && entries.status(entry) === 'pending') decisions.push({ index, what: 'released' });
  }
  return decisions;
}

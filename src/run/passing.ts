/** The gate itself: one durable commit makes a run history, or joins one that is. */
import type { Decision, Journal, Outbox, Placing, PreparingRun, RunFile, StoredPlace } from '../journal/journal.js';
import type { Continued } from './continuing.js';
import type { Decided } from './decide.js';
import type { Entries } from './entries.js';
import type { Prepared } from './prepare.js';
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
    const decisions = [...decided.decisions, ...restored(journal, continued, preparing, prepared.entries)];
    const placing = preparing === null ? null : placingOf(journal, continued, prepared);
    const outbox = journal.join(continued.run, version, decisions, placing);
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
 * The files of the input, and the places there of stored records that stood elsewhere; null where none did. A person who
 * settles a record names it as this call told of it.
 */
function placingOf(journal: Journal, { run, entryIndex }: Continued, prepared: Prepared): Placing | null {
  const moved: StoredPlace[] = [];
  for (const { index, file, record, line } of journal.places(run)) {
    const entry = entryIndex(index);
    if (entry === null) continue;
    const place = prepared.entries.placeOf(entry);
    if (place.file === file && place.record === record && place.line === line) continue;
    moved.push({ index, file: place.file, record: place.record, line: place.line });
  }
  return moved.length === 0 ? null : { files: runFiles(prepared), moved };
}

/** What is sent after all, rejected records above all, needs its body again where `batch prune` took it away. */
function restored(
  journal: Journal,
  { run, entryIndex }: Continued,
  preparing: PreparingRun | null,
  entries: Entries,
): Decision[] {
  // Resumed without its file, there is nothing to take a body from.
  if (preparing === null || !entries.has('pending')) return [];
  return journal.bodiless(run).flatMap((index): Decision[] => {
    const entry = entryIndex(index);
    if (entry === null || entries.status(entry) !== 'pending') return [];
    return [{ index, what: 'restored', body: preparing.bodyAt(entry) }];
  });
}

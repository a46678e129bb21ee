/** Why a review is shown again: what others did to the history of the target while a person read it. */
import type { Journal } from '../journal/journal.js';
import type { AuditEntry } from '../journal/audit-log.js';
import type { TargetName } from '../journal/payment.js';
import { decisionText } from '../report/table.js';

/** The most events that are read. */
const MOST_EVENTS = 1000;

/**
 * Closing and settling are told as what they are; anything else is the gate of another run.
 * @param since when the review began, milliseconds since 1970
 * @throws JournalError
 */
export async function newsText(since: number, journal: Journal | null, target: TargetName | null): Promise<string> {
  const events = journal === null ? [] : await journal.events(since, 0, MOST_EVENTS);
  for (const event of events.toReversed()) {
    const words = eventText(event);
    if (words !== null && (await isHere(event, journal, target?.target)))
      return `${words}. These are the figures of now:`;
  }
  return 'Another run has begun since this review. These are the figures of now:';
}

function eventText({ event: { kind }, run, at, by, note }: AuditEntry): string | null {
  const word = decisionText({ at, by, note: note ?? '' });
  if (kind === 'closed') return `Run ${run} was closed during this review (${word})`;
  if (kind === 'pruned') return `batch prune removed contents during this review (${word})`;
  return kind === 'settled' ? `A payment of run ${run} was settled during this review (${word})` : null;
}

/** The log is that of all targets, and pruning is about all of them. */
async function isHere({ run, event }: AuditEntry, journal: Journal | null, target?: string): Promise<boolean> {
  if (event.kind === 'pruned') return true;
  const [found] = run === null ? [] : ((await journal?.runs({ name: run })) ?? []);
  return found?.target === target;
}

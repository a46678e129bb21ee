/** What is said of records that were rejected by an earlier call, and are not sent again. */
import { lastReplacement } from '../preflight/known.js';
import type { Looked } from '../preflight/look.js';
import { dayOf } from '../preflight/repeat-words.js';

/** Null for a record that this call has had rejected. */
export function rejectedWords(index: number, looked: Looked | null): string | null {
  const payment = looked?.known.byKey.get(index);
  if (looked === null || payment === undefined) return null;
  if (payment.replacedBy !== null) {
    const { name } = lastReplacement(payment, looked.known).run;
    return `replaced by a corrected record in run ${name}, so it is never sent again`;
  }
  const fate = looked.assessment.fateAt(index);
  if (fate?.what !== 'settled' || fate.state !== 'rejected') return null;
  const when = `rejected on ${dayOf(payment.at)} in run ${payment.run.name}`;
  return fate.isPruned === true
    ? `${when}. batch prune removed its content, so it cannot be sent again from the journal: import it from its file`
    : `${when}; --retry-rejected sends it again`;
}

/** Why the call ended as it did, where records could not be sent again. */
export function prunedReasons(looked: Looked | null): string[] {
  let count = 0;
  for (const fate of looked?.assessment.special.values() ?? [])
    if (fate.what === 'settled' && fate.isPruned === true) count++;
  if (count === 0) return [];
  const [records, contents] =
    count === 1 ? ['1 rejected record was', 'its content'] : [`${count} rejected records were`, 'their contents'];
  return [
    `${records} not sent again, because batch prune removed ${contents}. Run the first command again, with its files and --retry-rejected`,
  ];
}

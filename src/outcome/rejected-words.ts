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

/** What the call could not send from the journal. */
export function prunedReasons(looked: Looked | null): string[] {
  const fates = [...(looked?.assessment.special.values() ?? [])];
  const rejected = fates.filter((fate) => fate.what === 'settled' && fate.isPruned === true).length;
  const leftOut = fates.filter((fate) => fate.what === 'left-out' && fate.isPruned === true).length;
  return [
    ...(rejected === 0
      ? []
      : [`${prunedWords(rejected, 'rejected')}. Run the first command again, with its files and --retry-rejected`]),
    ...(leftOut === 0 ? [] : [`${prunedWords(leftOut, 'left-out')}. To pay what was left out, import the file again`]),
  ];
}

function prunedWords(count: number, state: string): string {
  const [records, contents] = count === 1 ? ['record', 'its content'] : ['records', 'their contents'];
  return `The journal cannot send ${count} ${state} ${records} again, because batch prune removed ${contents}`;
}

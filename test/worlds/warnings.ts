/** What a run tells of the history beside what it does, and of its own rows. CONTRACT: "A run also tells, as warnings". */
import { basename } from 'node:path';
import type { Fate } from './fates.js';
import { type Entry, isCurrent, isOpen, isReplaced, nameOf, type Payment, type Run, runsOf } from './history.js';
import { areToldApart, haveOwnKeys, isLike, isSameBill } from './likeness.js';
import type { Readings } from './readings.js';
import type { Asking } from './repeats.js';
import { hostOf } from './words.js';

/** How many payments, or files, each of these is told of. */
export interface HistoryDoubts {
  readonly 'open-unknown': number;
  readonly 'open-left': number;
  readonly 'rejected-left': number;
  readonly 'known-elsewhere': number;
  readonly 'changed-since': number;
  readonly 'no-batch': number;
}

/** Under --strict they refuse the run. */
export function isDoubted(doubts: HistoryDoubts): boolean {
  return Object.values(doubts).some((count: number) => count > 0);
}

/** @param found the fates before flags decide, @param dispositions and after */
export function findDoubts(
  found: readonly Fate[],
  dispositions: readonly Fate[],
  hasChangedFile: boolean,
  asking: Asking,
): HistoryDoubts {
  const { history, readings, run } = asking;
  const absent = absentPayments(found, asking);
  const isLeft = (payment: Payment): boolean => {
    const runs = runsOf(payment, history);
    const settling = history.runs.filter(({ name }) => name === payment.settledBy);
    // A run that goes on may leave a record out that it had rejected: the payment stays rejected.
    const counting = readings.lastRunCounts && runs.length > 0 ? runs.slice(0, 1) : settling;
    return counting.some(({ closed }) => !closed);
  };
  const isOpenElsewhere = (payment: Payment): boolean =>
    isOpen(payment, history) && runsOf(payment, history).some((each) => each !== run && !each.closed);
  return {
    'open-unknown': absent.filter(({ state }) => state === 'unknown').length,
    'open-left': absent.filter(isOpenElsewhere).length,
    'rejected-left': absent.filter((each) => each.state === 'rejected' && !isReplaced(each, history) && isLeft(each))
      .length,
    'known-elsewhere': knownElsewhere(dispositions, asking),
    'changed-since': hasChangedFile && readings.changedFilesAreTold ? 1 : 0,
    'no-batch': lacksBatch(asking) ? 1 : 0,
  };
}

/** It names no batch and corrects nothing, and the newest run of a file of the same name was for a named one. */
function lacksBatch({ rules, entries, history, target, hasInput }: Asking): boolean {
  if (!hasInput || rules.batch !== null || entries.some(({ row }) => row.replaces !== null)) return false;
  const names = new Set(entries.map(({ file }) => basename(file)));
  const isNamed = (run: Run): boolean => run.list.some(({ entry }) => names.has(basename(entry.file)));
  const newest = history.runs.find((run) => run.target === target && isNamed(run));
  return newest !== undefined && newest.batch !== 'default';
}

/** The batch's payments that are not in the input. */
function absentPayments(dispositions: readonly Fate[], asking: Asking): Payment[] {
  const { history, batch, target, entries, readings, hasInput } = asking;
  const seen = new Set<string | null>();
  const keys = new Set(
    entries.flatMap(({ row, key, corrects, known }) => {
      const own = key ?? known ?? (hasInput ? row.ownKey : null);
      // Under one key, records of two types are both invalid: only the first of them is looked for.
      const isSecond = seen.has(own);
      seen.add(own);
      // The journal does not keep what an invalid row names.
      const named = hasInput || key !== null ? (corrects?.key ?? null) : null;
      return [...(isSecond ? [] : [nameOf(target, row, own)]), nameOf(target, row, named)];
    }),
  );
  const standing = new Set(
    dispositions.flatMap((fate) => (fate.is === 'repeat' || fate.is === 'left' ? [fate.standsFor] : [])),
  );
  return history.payments.filter(
    (payment) =>
      payment.target === target &&
      payment.batch === batch &&
      !keys.has(nameOf(target, payment.row, payment.key)) &&
      !(readings.stoodForIsInInput && standing.has(payment)) &&
      isCurrent(payment, history),
  );
}

/** Records that are created or in doubt at a target on another host. */
function knownElsewhere(dispositions: readonly Fate[], asking: Asking): number {
  const { history, target, entries, readings } = asking;
  const elsewhere = history.payments.filter(
    ({ state, target: other }) => (state === 'created' || state === 'unknown') && hostOf(other) !== hostOf(target),
  );
  const isRecord = ({ row, key, content }: Entry, payment: Payment): boolean => {
    const isSame = payment.key === key || (readings.elsewhereByContent && payment.content === content);
    return payment.row.type === row.type && isSame;
  };
  return entries.filter((entry, i) => {
    const counts = entry.key !== null && (!readings.elsewhereIfSent || dispositions[i]?.is === 'send');
    return counts && elsewhere.some((payment) => isRecord(entry, payment));
  }).length;
}

/** `similar-rows`: two records of an input that are not identical, and resemble each other. */
export function similarRowsIn(entries: readonly Entry[], readings: Readings): Set<Entry> {
  const all = entries.filter(({ key }) => key !== null || readings.invalidRowsAreSimilar);
  const areSimilar = (one: Entry, other: Entry): boolean => {
    const hasOwnKey = one.kind === 'own' || other.kind === 'own';
    const isIdentical = one.content === other.content && !(hasOwnKey && readings.ownKeysMakeOtherRows);
    if (one === other || one.row.type !== other.row.type || isIdentical || areToldApart(one, other)) return false;
    if (haveOwnKeys(one, other)) return readings.ownKeysOfRowsAreCompared && isLike(one, other);
    return isLike(one, other) || isSameBill(one, other, readings);
  };
  return new Set(all.filter((one) => all.some((other) => areSimilar(one, other))));
}

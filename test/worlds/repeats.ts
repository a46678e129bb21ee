/** Records that may have been paid already, and what the person has decided about them. CONTRACT: "Repeats". */
import { type Fate, inDoubt, type Setting, told } from './fates.js';
import {
  type Entry,
  isKnown,
  isReplaced,
  lastCorrection,
  type Listed,
  type Payment,
  type Run,
  runsOf,
} from './history.js';
import { areToldApart, resembling, resemblingElsewhere } from './likeness.js';

const RECENT = 6 * 24 * 3_600_000;

/** A call at its gate. */
export interface Asking extends Setting {
  readonly entries: readonly Entry[];
  readonly batch: string;
  /** The run that goes on. */
  readonly run: Run | null;
  readonly listed: ReadonlyMap<number, Listed>;
  /** By file and record: the key of the payment that the call says it stands for. */
  readonly named: ReadonlyMap<string, string>;
}

/** The fates, with the repeats that are found among what would be sent. */
export function withRepeats(fates: readonly Fate[], asking: Asking): Fate[] {
  return withSimilar(withSameContent(onceEach(fates, asking), asking), asking);
}

/** Nothing is sent beside the record of the same input that corrects it. */
function onceEach(fates: readonly Fate[], { entries }: Asking): Fate[] {
  const corrected = new Set(
    entries.flatMap(({ corrects, key }, i) => {
      const isOther = corrects !== null && key !== corrects.key && fates[i]?.is === 'send';
      return isOther ? [corrects] : [];
    }),
  );
  return fates.map((fate) =>
    fate.is === 'send' && fate.payment !== null && corrected.has(fate.payment) ? told('rejected', fate.payment) : fate,
  );
}

/** What records of the input stand for. Whatever else resembles that, it is another record of the same input. */
function stoodFor(fates: readonly Fate[], { history }: Asking): Set<Payment> {
  return new Set(
    fates.flatMap((fate) => {
      // A correction in doubt is another payment than the rejected one: what looks like it is asked about.
      if (fate.is === 'told')
        return fate.as === 'skipped' ? [fate.payment, lastCorrection(fate.payment, history)] : [fate.payment];
      if (fate.is === 'send') return fate.payment === null ? [] : [fate.payment];
      return fate.is === 'repeat' || fate.is === 'left' ? [fate.standsFor] : [];
    }),
  );
}

/** The payments that a record is held against. */
function heldAgainst(i: number, taken: ReadonlySet<Payment>, asking: Asking): Payment[] {
  const { history, entries, run, listed, readings } = asking;
  const corrected = new Set<Run>();
  let corrects = entries[i]?.corrects ?? null;
  while (corrects !== null) {
    for (const each of runsThatHad(corrects, asking)) corrected.add(each);
    corrects = readings.correctsWholeChain ? corrects.corrects : null;
  }
  const since = run !== null && (listed.get(i)?.payment ?? null) !== null ? run.gate : -1;
  return history.payments.filter(
    (payment) =>
      isKnown(payment) &&
      !taken.has(payment) &&
      payment.knownSince > since &&
      !runsThatHad(payment, asking).some((each) => corrected.has(each)),
  );
}

/** The runs that a payment belongs to. */
function runsThatHad(payment: Payment, { history, readings }: Asking): Run[] {
  const runs = runsOf(payment, history);
  return runs.filter((each) => readings.isOfEveryRun || each.name === payment.settledBy || each === runs.at(-1));
}

function wouldBeSent(fate: Fate, { readings }: Asking): boolean {
  return fate.is === 'send' && (fate.payment?.state !== 'unknown' || readings.doubtIsAskedAbout);
}

/** `created-before`: the batch has the same content under another computed key, as often as the input up to this record. */
function withSameContent(fates: readonly Fate[], asking: Asking): Fate[] {
  const { entries, batch } = asking;
  const taken = stoodFor(fates, asking);
  const seen = new Map<string, number>();
  return fates.map((fate, i) => {
    const { kind, content } = entries[i] as Entry;
    if (!wouldBeSent(fate, asking) || kind === 'own') return fate;
    const count = (seen.get(content) ?? 0) + 1;
    seen.set(content, count);
    const same = heldAgainst(i, taken, asking).filter(
      (each) => each.kind !== 'own' && each.batch === batch && each.content === content,
    );
    // The most certain ones first.
    const standsFor = same.toSorted((a, b) => a.state.localeCompare(b.state))[count - 1];
    return standsFor === undefined ? fate : { is: 'repeat', code: 'created-before', standsFor, otherwise: fate };
  });
}

function withSimilar(fates: readonly Fate[], asking: Asking): Fate[] {
  const taken = stoodFor(fates, asking);
  return fates.map((fate, i) => {
    if (!wouldBeSent(fate, asking)) return fate;
    const against = heldAgainst(i, taken, asking);
    const found = against.filter((payment) => isSimilar(entryAt(i), payment, asking));
    const all = [...found, ...corrections(entryAt(i), against, asking), ...leftOutBefore(i, asking)];
    const last = Math.max(...all.map(({ changedAt }) => changedAt));
    const newest = all.filter(({ changedAt }) => changedAt === last);
    // Which answer of one call came last, only the call knows.
    const { file, record } = entryAt(i);
    const named = asking.named.get(`${file} ${record}`);
    const standsFor = newest.find(({ key }) => key === named) ?? newest[0];
    return standsFor === undefined ? fate : { is: 'repeat', code: 'similar-record', standsFor, otherwise: fate };
  });

  function entryAt(i: number): Entry {
    return asking.entries[i] as Entry;
  }
}

/** What a run that is resumed had left a record out for: that is asked about again, however long ago it was paid. */
function leftOutBefore(i: number, { listed, hasInput, history }: Asking): Payment[] {
  const left = hasInput ? null : (listed.get(i)?.standsFor ?? null);
  return left === null ? [] : [lastCorrection(left, history)].filter(isKnown);
}

function isSimilar({ row, kind, content }: Entry, payment: Payment, asking: Asking): boolean {
  if (areToldApart(row, payment.row)) return false;
  const haveOwnKeys = kind === 'own' && payment.kind === 'own';
  const isSame = payment.content === content;
  if (payment.batch === asking.batch) return isSame || (!haveOwnKeys && resembling(row) === resembling(payment.row));
  if (haveOwnKeys && !isSame && asking.readings.ownKeysOnlyByContentElsewhere) return false;
  return resemblingElsewhere(row) === resemblingElsewhere(payment.row) && isNear(payment, asking);
}

/** Another batch's payments are near while they are in doubt, or young. */
function isNear({ state, changedAt, knownSince }: Payment, { batch, now, run }: Asking): boolean {
  const isYoung = now - changedAt < RECENT || (run !== null && knownSince > run.gate);
  return batch === 'default' || state === 'unknown' || isYoung;
}

/** The last corrections of rejected payments that were of this content. */
function corrections({ content }: Entry, against: readonly Payment[], asking: Asking): Payment[] {
  const { history, batch, now, readings, run } = asking;
  return history.payments.flatMap((payment) => {
    if (payment.content !== content || !isReplaced(payment, history)) return [];
    const last = lastCorrection(payment, history);
    if (!against.includes(last)) return [];
    const isYoung = now - last.changedAt < RECENT || (readings.doubtfulCorrectionAtAnyAge && last.state === 'unknown');
    const isSince = readings.correctionSinceTheRunCounts && run !== null && last.knownSince > run.gate;
    return last.batch === batch || isYoung || isSince ? [last] : [];
  });
}

/** What the flags decide; what stays a repeat is not decided. */
export function decided(fates: readonly Fate[], asking: Asking): Fate[] {
  const { rules } = asking;
  const similar = fates.filter((fate, i) => isCounted(fate, i, asking)).length;
  return fates.map((fate, i): Fate => {
    if (fate.is !== 'repeat') return fate;
    const { code, standsFor } = fate;
    if (code === 'created-before' && rules.skipCreated) {
      // The table's resend holds for its own key.
      const isOwn = standsFor.key === asking.entries[i]?.key && standsFor.state === 'unknown';
      const resent = isOwn ? inDoubt(standsFor, asking) : null;
      return resent?.is === 'send' ? resent : { is: 'left', standsFor };
    }
    // Doubt is not ended by another payment.
    const own = fate.otherwise?.is === 'send' ? fate.otherwise.payment : null;
    if (code === 'similar-record' && rules.skipSimilar && own?.state === 'unknown') return told('unknown', own);
    if (code === 'similar-record' && rules.skipSimilar) return { is: 'left', standsFor };
    const isOwnRight = code === 'similar-record' && rules.sendSimilar !== null && similar <= rules.sendSimilar;
    return isOwnRight ? (fate.otherwise ?? fate) : fate;
  });
}

/** Those that this same input has sent already do not count. */
export function isCounted(fate: Fate, i: number, { listed }: Asking): boolean {
  const accepted = listed.get(i)?.payment ?? null;
  return fate.is === 'repeat' && fate.code === 'similar-record' && (accepted === null || accepted.state === 'open');
}

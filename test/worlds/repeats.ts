/** Records that may have been paid already, and what the person has decided about them. CONTRACT: "Repeats". */
import { type Fate, inDoubt, type Setting, told } from './fates.js';
import { type Entry, isKnown, isOpen, lastCorrection, type Listed, type Payment, type Run } from './history.js';
import { isLike, isSameAmount, isSameBill, isSameUser } from './likeness.js';
import { findResembled, isSamePlace, runsThatHad, sideOf } from './resembling.js';

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
export function withRepeats(dispositions: readonly Fate[], asking: Asking): Fate[] {
  const same = withSameContent(onceEach(dispositions, asking), asking);
  return asking.readings.openComesFirst
    ? withSimilar(withOpen(same, asking), asking)
    : withOpen(withSimilar(same, asking), asking);
}

/** Nothing is sent beside the record of the same input that corrects it. */
function onceEach(dispositions: readonly Fate[], { entries }: Asking): Fate[] {
  const corrected = new Set(
    entries.flatMap(({ corrects, key }, i) => {
      const isOther = corrects !== null && key !== corrects.key && dispositions[i]?.is === 'send';
      return isOther ? [corrects] : [];
    }),
  );
  return dispositions.map((fate) =>
    fate.is === 'send' && fate.payment !== null && corrected.has(fate.payment) ? told('rejected', fate.payment) : fate,
  );
}

/** What records of the input stand for. Whatever else resembles that, it is another record of the same input. */
function stoodFor(dispositions: readonly Fate[], { history }: Asking): Set<Payment> {
  return new Set(
    dispositions.flatMap((fate) => {
      // A correction in doubt is another payment than the rejected one: what looks like it is asked about.
      if (fate.is === 'told')
        return fate.as === 'skipped' ? [fate.payment, lastCorrection(fate.payment, history)] : [fate.payment];
      if (fate.is === 'send') return fate.payment === null ? [] : [fate.payment];
      return fate.is === 'repeat' || fate.is === 'left' ? [fate.standsFor] : [];
    }),
  );
}

/** A row that corrects a payment, and is not that payment itself. */
function isCorrection({ corrects, key, content }: Entry, { unchangedRowsAreAskedAbout }: Asking['readings']): boolean {
  const isItself = key === corrects?.key && content === corrects?.content;
  return corrects !== null && (unchangedRowsAreAskedAbout || !isItself);
}

/** The payments that a record is held against. */
function heldAgainst(i: number, taken: ReadonlySet<Payment>, asking: Asking): Payment[] {
  const { history, run, listed } = asking;
  const since = run !== null && (listed.get(i)?.payment ?? null) !== null ? run.gate : -1;
  const isApart = isNotResembledBy(asking.entries[i] as Entry, asking);
  return history.payments.filter(
    (payment) => isKnown(payment) && !taken.has(payment) && payment.knownSince > since && !isApart(payment),
  );
}

/** Payments of the run that a row corrects, while its user is the rejected one's; but for what has its content. */
function isNotResembledBy(entry: Entry, asking: Asking): (payment: Payment) => boolean {
  const { corrects: first } = entry;
  if (first === null || !isSameUser(entry.row, first.row)) return () => false;
  const corrected = new Set<Run>();
  let corrects: Payment | null = first;
  while (corrects !== null) {
    for (const each of runsThatHad(corrects, asking)) corrected.add(each);
    corrects = asking.readings.correctsWholeChain ? corrects.corrects : null;
  }
  const isNews = isCorrection(entry, asking.readings);
  return (payment) => {
    const isEqual = isNews && payment.batch === asking.batch && payment.content === entry.content && isKnown(payment);
    return !isEqual && runsThatHad(payment, asking).some((each) => corrected.has(each));
  };
}

function wouldBeSent(fate: Fate, { readings }: Asking): boolean {
  return fate.is === 'send' && (fate.payment?.state !== 'unknown' || readings.doubtIsAskedAbout);
}

/** `created-before`: the batch has the same content under another computed key, as often as the input up to this record. */
function withSameContent(dispositions: readonly Fate[], asking: Asking): Fate[] {
  const { entries, batch, target } = asking;
  const taken = stoodFor(dispositions, asking);
  const seen = new Map<string, number>();
  return dispositions.map((fate, i) => {
    const entry = entries[i] as Entry;
    const { kind, content } = entry;
    if (!wouldBeSent(fate, asking) || kind === 'own') return fate;
    const count = (seen.get(content) ?? 0) + 1;
    seen.set(content, count);
    if (isCorrection(entry, asking.readings)) return fate;
    const same = heldAgainst(i, taken, asking).filter(
      (each) => each.kind !== 'own' && each.target === target && each.batch === batch && each.content === content,
    );
    // The most certain ones first.
    const standsFor = same.toSorted((a, b) => a.state.localeCompare(b.state))[count - 1];
    return standsFor === undefined ? fate : { is: 'repeat', code: 'created-before', standsFor, otherwise: fate };
  });
}

/** `open-before` of what resembles a payment that is open. It refuses no run that goes on. */
function withOpen(dispositions: readonly Fate[], asking: Asking): Fate[] {
  const { entries, batch, history, run, target, readings } = asking;
  if (run !== null) return [...dispositions];
  const taken = stoodFor(dispositions, asking);
  const open = history.payments.filter(
    (each) => each.target === target && each.batch === batch && isOpen(each, history) && !taken.has(each),
  );
  return dispositions.map((fate, i) => {
    const entry = entries[i] as Entry;
    if (!wouldBeSent(fate, asking)) return fate;
    const isApart = isNotResembledBy(entry, asking);
    const standsFor = open.find((payment) => {
      const side = sideOf(payment, readings);
      const isEqual = readings.correctionsMeetOpenOnes && payment.content === entry.content;
      if (entry.row.type !== payment.row.type || (isApart(payment) && !isEqual)) return false;
      return isSamePlace(entry, payment, readings) || isLike(entry, side) || isSameBill(entry, side, readings);
    });
    return standsFor === undefined ? fate : { is: 'repeat', code: 'open-before', standsFor };
  });
}

function withSimilar(dispositions: readonly Fate[], asking: Asking): Fate[] {
  const taken = stoodFor(dispositions, asking);
  const against = dispositions.map((fate, i) => (wouldBeSent(fate, asking) ? heldAgainst(i, taken, asking) : null));
  const { rejectedIsRepeated } = asking.readings;
  const repeated = new Set([...taken].filter((payment) => rejectedIsRepeated || isKnown(payment)));
  // What resembles by itself; then by the company that it keeps.
  const direct = against.map((all, i) => (all === null ? [] : findResembled(i, all, new Set(), asking)));
  if (asking.readings.likenessRepeats) for (const each of direct.flat()) repeated.add(each);
  return dispositions.map((fate, i) => {
    const all = against[i] ?? null;
    if (all === null) return fate;
    const resembled = [...findResembled(i, all, repeated, asking), ...leftOutBefore(i, asking)];
    const newest = resembled.toSorted((a, b) => b.changedAt - a.changedAt);
    const standsFor = namedOf(i, newest, asking) ?? newest[0];
    if (standsFor === undefined) return fate;
    return { is: 'repeat', code: 'similar-record', standsFor, otherwise: fate, resembled: newest };
  });
}

/** Which answer of one call came last, only the call knows. */
function namedOf(i: number, all: readonly Payment[], { entries, named }: Asking): Payment | undefined {
  const { file, record } = entries[i] as Entry;
  return all.find(({ key }) => key === named.get(`${file} ${record}`));
}

/** What a run that is resumed had left a record out for: that is asked about again, however long ago it was paid. */
function leftOutBefore(i: number, { listed, hasInput, history }: Asking): Payment[] {
  const left = hasInput ? null : (listed.get(i)?.standsFor ?? null);
  return left === null ? [] : [lastCorrection(left, history)].filter(isKnown);
}

/** What the flags decide; what stays a repeat is not decided. */
export function decided(dispositions: readonly Fate[], asking: Asking): Fate[] {
  const { rules } = asking;
  const similar = dispositions.filter((fate, i) => isCounted(fate, i, asking)).length;
  const leftFor = rules.skipSimilar ? assigned(dispositions, asking) : new Map<number, Payment>();
  return dispositions.map((fate, i): Fate => {
    if (fate.is !== 'repeat') return fate;
    const { code, standsFor } = fate;
    if (code === 'other-batch' && rules.skipCreated) return { is: 'left', standsFor };
    if (code === 'created-before' && rules.skipCreated) {
      // The table's resend holds for its own key.
      const isOwn = standsFor.key === asking.entries[i]?.key && standsFor.state === 'unknown';
      const resent = isOwn ? inDoubt(standsFor, asking) : null;
      return resent?.is === 'send' ? resent : { is: 'left', standsFor };
    }
    if (code !== 'similar-record') return fate;
    const mine = leftFor.get(i);
    // Doubt is not ended by another payment.
    const own = fate.otherwise?.is === 'send' ? fate.otherwise.payment : null;
    if (mine !== undefined) return own?.state === 'unknown' ? told('unknown', own) : { is: 'left', standsFor: mine };
    const isOwnRight = rules.sendSimilar !== null && similar <= rules.sendSimilar;
    return isOwnRight ? (fate.otherwise ?? fate) : fate;
  });
}

/** Each payment stands for one record: the one with its amount, else the first. */
function assigned(dispositions: readonly Fate[], asking: Asking): Map<number, Payment> {
  const { entries, readings } = asking;
  const chosen = new Map<number, Payment>();
  const free = new Set(dispositions.flatMap((fate) => (fate.is === 'repeat' ? (fate.resembled ?? []) : [])));
  const isEqual = (i: number, payment: Payment): boolean => isSameAmount((entries[i] as Entry).row, payment.row);
  for (const isFirst of [true, false])
    for (const [i, fate] of dispositions.entries()) {
      if (fate.is !== 'repeat' || fate.resembled === undefined || chosen.has(i)) continue;
      const all = readings.onlyTheNewestIsStoodFor ? [fate.standsFor] : fate.resembled;
      const fitting = all.filter((each) => free.has(each) && (!isFirst || isEqual(i, each)));
      const payment = namedOf(i, fitting, asking) ?? fitting[0];
      if (payment === undefined) continue;
      free.delete(payment);
      chosen.set(i, payment);
    }
  return chosen;
}

/** Those that this same input has sent already do not count. */
export function isCounted(fate: Fate, i: number, { listed }: Asking): boolean {
  const accepted = listed.get(i)?.payment ?? null;
  return fate.is === 'repeat' && fate.code === 'similar-record' && (accepted === null || accepted.state === 'open');
}

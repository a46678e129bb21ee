/** Records that the history knows, and what the person has decided about them. CONTRACT: "Repeats". */
import type { Entry, Rules } from './entries.js';
import { areToldApart, type History, type Payment, type Run, similarity } from './history.js';
import { type Fate, inDoubt, isReplaceable, type Repeat, send, told } from './fates.js';

export interface Verdict {
  readonly refused: 'invalid_input' | 'repeats' | 'control_total' | null;
  readonly run: Run | null;
  readonly digest: string;
  readonly fates: readonly Fate[];
  /** Repeats that refuse it: how many of the similar kind, and others. */
  readonly similar: number;
  readonly same: number;
}

/** Under --strict, payments of another batch are a doubt for so long. */
const RECENT = 6 * 24 * 3_600_000;

interface Deciding {
  readonly rules: Rules;
  readonly history: History;
  readonly run: Run | null;
  /** By its name. */
  readonly isResumed: boolean;
  readonly digest: string;
  readonly now: number;
}

/** Finds the repeats among what would be sent, and applies what the person has decided. CONTRACT: "Repeats". */
export function decided(entries: readonly Entry[], found: readonly (Fate | Repeat)[], deciding: Deciding): Verdict {
  const { rules, run, isResumed, digest, now } = deciding;
  const matches = repeatsAmong(entries, found, deciding);
  const skipsSame = rules.skipCreated || rules.skipSimilar;
  let same = 0;
  // First what was sent before, then what is similar: a record that is open elsewhere may be both.
  const first = found.map((fate, i): Fate | Repeat => {
    const match = matches[i] ?? null;
    const isSame = match?.counts === true && match.code === 'same';
    if (fate.is !== 'repeat' && !isSame) return fate;
    same++;
    return skipsSame ? leftOut(fate, isSame ? match : null, rules, now) : fate;
  });
  const isSimilar = (i: number): boolean => {
    const match = matches[i] ?? null;
    return match?.counts === true && match.code === 'similar' && first[i]?.is === 'send';
  };
  const similar = first.filter((_fate, i) => isSimilar(i)).length;
  // What was decided with --send-similar when the run began is decided.
  const sendSimilar = run === null || isResumed ? rules.sendSimilar : null;
  const fates = first.map((fate, i): Fate => {
    if (isSimilar(i) && rules.skipSimilar) return leftOut(fate, matches[i] ?? null, rules, now);
    return fate.is === 'repeat' ? told('not_sent', fate.standsFor) : fate;
  });
  const isUndecided =
    (same > 0 && !skipsSame) ||
    (similar > 0 && !rules.skipSimilar && sendSimilar !== similar) ||
    (sendSimilar !== null && sendSimilar !== similar);
  const isInvalid = entries.some(({ key }) => key === null) && !rules.skipInvalid;
  const isOff = rules.expectCount !== null && rules.expectCount !== entries.filter(({ key }) => key !== null).length;
  const isDoubted = rules.strict && doubts(entries, matches, deciding) > 0;
  const refused = isInvalid ? 'invalid_input' : isUndecided || isDoubted ? 'repeats' : isOff ? 'control_total' : null;
  return { refused, run, digest, fates: sentOnce(fates, entries, deciding), similar, same };
}

/** What --strict refuses of the history. */
function doubts(
  entries: readonly Entry[],
  matches: readonly (Match | null)[],
  { rules, history, run, now }: Deciding,
): number {
  const keys = new Set(entries.map(({ key, row }) => row.ownKey ?? key));
  const batch = run?.batch ?? rules.batch;
  const recent = matches.filter((match) => match?.counts === false && now - match.newest.changedAt < RECENT);
  const unknown = history.payments.filter(
    (each) => each.state === 'unknown' && each.batch === batch && !keys.has(each.key),
  );
  const unheard = entries.filter(
    ({ key, row }) => key !== null && row.replaces !== null && !history.byKey.has(row.replaces),
  );
  return recent.length + unknown.length + unheard.length;
}

/** No payment is sent for two records, and none beside the one that takes its place. */
function sentOnce(fates: readonly Fate[], entries: readonly Entry[], { history }: Deciding): Fate[] {
  const replaced = new Set(fates.flatMap((fate) => (fate.is === 'send' ? fate.replaces : [])));
  for (const [i, { row }] of entries.entries()) {
    const corrected = row.replaces === null ? undefined : history.byKey.get(row.replaces);
    const fate = fates[i] as Fate;
    const by = fate.is === 'invalid' || (fate.is === 'told' && fate.as === 'rejected') ? null : fate.payment;
    if (corrected !== undefined && by !== null && by !== corrected && isReplaceable(corrected)) replaced.add(corrected);
  }
  const sent = new Set<Payment>();
  // A record's own payment goes first.
  const isOwn = (i: number): boolean => {
    const fate = fates[i] as Fate;
    return fate.is === 'send' && fate.payment !== null && history.byKey.get(entries[i]?.key ?? '') === fate.payment;
  };
  const order = [...fates.keys()].sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  const result = [...fates];
  for (const i of order) {
    const fate = fates[i] as Fate;
    if (fate.is !== 'send' || fate.payment === null) continue;
    const { payment } = fate;
    if (!replaced.has(payment) && !sent.has(payment)) sent.add(payment);
    else if (payment.state === 'rejected') result[i] = told('rejected', payment);
    else result[i] = told('not_sent', payment, 'similar');
  }
  return result;
}

interface Match {
  readonly code: 'same' | 'similar';
  readonly standsFor: Payment;
  readonly newest: Payment;
  /** False: the payments are of other batches than the one that was named. */
  readonly counts: boolean;
}

const CERTAINTY: readonly string[] = ['created', 'unknown'];

function repeatsAmong(
  entries: readonly Entry[],
  fates: readonly (Fate | Repeat)[],
  { rules, history, run }: Deciding,
): (Match | null)[] {
  // Payments that the input itself stands for are no repeats.
  const own = new Set(fates.flatMap((fate, i) => standing(fate, entries[i]?.content)));
  const keys = new Set(entries.map(({ key }) => key));
  const known = history.payments.filter(
    (payment) =>
      (payment.state === 'created' || payment.state === 'unknown') &&
      !keys.has(payment.key) &&
      !own.has(payment) &&
      (run === null || payment.knownSince > run.gate),
  );
  const seen = new Map<string, number>();
  return entries.map(({ row, content }, i) => {
    const fate = fates[i] as Fate | Repeat;
    const isOpenElsewhere = fate.is === 'repeat' && fate.isOwn && fate.standsFor.state === 'open';
    if (fate.is !== 'send' && !isOpenElsewhere) return null;
    const like = known.filter((payment) => similarity(payment.row) === similarity(row));
    const count = (seen.get(content) ?? 0) + 1;
    // One that is in doubt itself is on the side of the history.
    if (fate.is === 'repeat' || fate.payment?.state !== 'unknown') seen.set(content, count);
    const isHere = ({ batch }: Payment): boolean => !rules.batchNamed || batch === (run?.batch ?? rules.batch);
    const same = like.filter((payment) => payment.content === content);
    const similar = like.filter((payment) => payment.content !== content && !areToldApart(payment.row, row));
    const [here, there] = [same.filter(isHere), same.filter((payment) => !isHere(payment))];
    return (
      matchOf('same', here, count, true) ??
      matchOf('similar', similar.filter(isHere), 1, true) ??
      matchOf('same', there, count - here.length, false) ??
      matchOf('similar', similar, 1, false)
    );
  });
}

function standing(fate: Fate | Repeat, content: string | undefined): Payment[] {
  const payment = fate.is === 'repeat' ? fate.standsFor : fate.is === 'invalid' ? null : fate.payment;
  return payment !== null && payment.content === content ? [payment] : [];
}

function matchOf(code: Match['code'], found: readonly Payment[], count: number, counts: boolean): Match | null {
  // The most certain one first.
  const certain = [...found].sort((a, b) => CERTAINTY.indexOf(a.state) - CERTAINTY.indexOf(b.state))[count - 1];
  if (certain === undefined) return null;
  const newest = found.reduce((last, payment) => (payment.changedAt > last.changedAt ? payment : last));
  return { code, standsFor: certain, newest, counts };
}

/** They were paid already, says the person. */
function leftOut(fate: Fate | Repeat, match: Match | null, rules: Rules, now: number): Fate {
  if (fate.is === 'send' && fate.payment?.state === 'unknown') return fate;
  const standsFor = match?.standsFor ?? (fate as Repeat).standsFor;
  if (match === null && fate.is === 'repeat' && fate.isOwn && standsFor.state === 'unknown') {
    const resent = inDoubt(standsFor, rules, now);
    if (resent.is === 'send') return resent;
  }
  // What was checked is what is sent: what was made in the place of another payment may be of other content.
  const isOther = match === null ? (fate as Repeat).isOther : match.code === 'similar';
  const kind = isOther ? 'similar' : 'same';
  if (standsFor.state === 'open') return kind === 'same' ? send(standsFor) : told('not_sent', standsFor, kind);
  return told(standsFor.state === 'created' ? 'skipped' : standsFor.state, standsFor, kind);
}

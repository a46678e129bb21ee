/** Records that the history knows, and what the person has decided about them. CONTRACT: "Repeats". */
import type { Entry, Rules } from './entries.js';
import { areToldApart, type History, type Payment, type Run, similarity } from './history.js';
import { type Fate, inDoubt, type Repeat, send, told } from './fates.js';

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
  readonly digest: string;
  readonly now: number;
}

/** Finds the repeats among what would be sent, and applies what the person has decided. CONTRACT: "Repeats". */
export function decided(entries: readonly Entry[], found: readonly (Fate | Repeat)[], deciding: Deciding): Verdict {
  const { rules, history, run, digest, now } = deciding;
  const matches = repeatsAmong(entries, found, deciding);
  const similar = matches.filter((match) => match?.code === 'similar' && match.counts).length;
  // What was decided with --send-similar when the run began is decided.
  const sendSimilar = run === null || rules.sendSimilar === null ? rules.sendSimilar : null;
  const sends = sendSimilar === similar;
  let same = 0;
  let open = sendSimilar !== null && !sends ? 1 : 0;
  let doubts = matches.filter(
    (match) => match !== null && !match.counts && now - match.newest.changedAt < RECENT,
  ).length;
  const fates = found.map((fate, i): Fate => {
    const match = matches[i] ?? null;
    if (fate.is !== 'repeat' && (match === null || !match.counts)) return fate;
    const isSimilar = fate.is !== 'repeat' && match?.code === 'similar';
    if (!isSimilar) same++;
    if (isSimilar ? rules.skipSimilar : rules.skipCreated || rules.skipSimilar) return leftOut(fate, match, rules, now);
    if (isSimilar && sends) return fate as Fate;
    open++;
    return fate.is === 'repeat' ? told('not_sent', fate.standsFor) : fate;
  });
  const keys = new Set(entries.map(({ key }) => key));
  doubts += history.payments.filter(
    ({ state, batch, key }) => state === 'unknown' && batch === (run?.batch ?? rules.batch) && !keys.has(key),
  ).length;
  doubts += entries.filter(
    ({ key, row }) => key !== null && row.replaces !== null && !history.byKey.has(row.replaces),
  ).length;
  const isRefused = entries.some(({ key }) => key === null) && !rules.skipInvalid;
  const isOff = rules.expectCount !== null && rules.expectCount !== entries.filter(({ key }) => key !== null).length;
  const refused = isRefused
    ? 'invalid_input'
    : open > 0 || (rules.strict && doubts > 0)
      ? 'repeats'
      : isOff
        ? 'control_total'
        : null;
  return { refused, run, digest, fates, similar, same };
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
  const keys = new Set(entries.map(({ key }) => key));
  const known = history.payments.filter(
    ({ state, key, knownSince }) =>
      (state === 'created' || state === 'unknown') && !keys.has(key) && (run === null || knownSince > run.gate),
  );
  const seen = new Map<string, number>();
  return entries.map(({ row, content }, i) => {
    if (fates[i]?.is !== 'send') return null;
    const like = known.filter((payment) => similarity(payment.row) === similarity(row));
    const count = (seen.get(content) ?? 0) + 1;
    seen.set(content, count);
    const here = ({ batch }: Payment): boolean => !rules.batchNamed || batch === rules.batch;
    const same = like.filter((payment) => payment.content === content);
    const similar = like.filter((payment) => payment.content !== content && !areToldApart(payment.row, row));
    return (
      match('same', same.filter(here), count, true) ??
      match('similar', similar.filter(here), 1, true) ??
      match('same', same, count, false) ??
      match('similar', similar, 1, false)
    );
  });
}

function match(code: Match['code'], found: readonly Payment[], count: number, counts: boolean): Match | null {
  // The most certain one first.
  const standsFor = [...found].sort((a, b) => CERTAINTY.indexOf(a.state) - CERTAINTY.indexOf(b.state))[count - 1];
  if (standsFor === undefined) return null;
  const newest = found.reduce((last, payment) => (payment.changedAt > last.changedAt ? payment : last));
  return { code, standsFor, newest, counts };
}

/** They were paid already, says the person. */
function leftOut(fate: Fate | Repeat, match: Match | null, rules: Rules, now: number): Fate {
  if (fate.is === 'send' && fate.payment?.state === 'unknown') return fate;
  const standsFor = fate.is === 'repeat' ? fate.standsFor : (match as Match).standsFor;
  if (fate.is === 'repeat' && fate.isOwn && standsFor.state === 'unknown') {
    const resent = inDoubt(standsFor, rules, now);
    if (resent.is === 'send') return resent;
  }
  // What was checked is what is sent: what was made in the place of another payment may be of other content.
  const isOther = fate.is === 'repeat' ? !fate.isOwn : match?.code === 'similar';
  const kind = isOther ? 'similar' : 'same';
  if (standsFor.state === 'open') return kind === 'same' ? send(standsFor) : told('not_sent', standsFor, kind);
  return told(standsFor.state === 'created' ? 'skipped' : standsFor.state, standsFor, kind);
}

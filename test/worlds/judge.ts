/** What a call has to do: refuse, with the reason; or send certain records, and tell the state of the others. */
import type { Entry, Rules } from './entries.js';
import { type Fate, fateInNewRun, fateInRun, isReplaceable, type Repeat } from './fates.js';
import type { Decisions, History, Listed, Run } from './history.js';
import { digestOf } from './keys.js';
import { decided, type Verdict } from './repeats.js';

const DAY = 24 * 3_600_000;

/** @param resumed the run that is named, or null for a call with files */
export function judge(
  all: readonly Entry[],
  rules: Rules,
  history: History,
  resumed: Run | null,
  now: number,
): Verdict {
  const conflicts = new Set<number>();
  for (;;) {
    const entries = all.map((entry, i) => (conflicts.has(i) ? { ...entry, key: null } : entry));
    const digest = resumed?.digest ?? digestOf(history.target, entries.filter(isValid));
    const run = resumed ?? goesOn(entries, digest, rules, history, now);
    const listed = run === null ? null : listedBy(run, entries, resumed !== null);
    const fates = entries.map((entry, i): Fate | 'conflict' | Repeat => {
      if (entry.key === null) return { is: 'invalid' };
      const own = listed?.get(i);
      return own === undefined
        ? fateInNewRun(entry, rules, history, now)
        : fateInRun(entry, own, rules, history, resumed === null, now);
    });
    const found = fates.flatMap((fate, i) => (fate === 'conflict' ? [i] : []));
    if (found.length === 0)
      return decided(entries, fates as (Fate | Repeat)[], {
        rules,
        history,
        run,
        isResumed: resumed !== null,
        digest,
        now,
      });
    // Its key belongs to other content, so it is invalid; and the digest is another one without it.
    found.forEach((i) => conflicts.add(i));
  }
}

function isValid(entry: Entry): entry is Entry & { key: string } {
  return entry.key !== null;
}

/** CONTRACT: "Going on". */
function goesOn(entries: readonly Entry[], digest: string, rules: Rules, history: History, now: number): Run | null {
  const isSame = ({ skipCreated, skipSimilar, sendSimilar }: Decisions): boolean =>
    skipCreated === rules.skipCreated && skipSimilar === rules.skipSimilar && sendSimilar === rules.sendSimilar;
  const isYoung = ({ startedAt }: Run): boolean => startedAt <= now && now - startedAt < DAY;
  const run = history.runs.find(
    (each) =>
      each.digest === digest && each.batch === rules.batch && !each.closed && isYoung(each) && isSame(each.decisions),
  );
  return run === undefined || correctsOthers(entries, run, history) ? null : run;
}

/** What that run has paid, it has paid for other records: these correct payments that nobody has corrected yet. */
function correctsOthers(entries: readonly Entry[], run: Run, { byKey }: History): boolean {
  const listed = listedBy(run, entries, false);
  return entries.some(({ row }, i) => {
    const corrected = row.replaces === null ? undefined : byKey.get(row.replaces);
    const { payment = null, leftOut = null } = listed.get(i) ?? {};
    if (corrected === undefined || !isReplaceable(corrected) || payment === null || payment === corrected) return false;
    return payment.state === 'unknown' || (payment.state === 'created' && leftOut === null);
  });
}

/** The valid records of equal digests are the same, one by one; a resumed run's are its own. */
function listedBy({ list }: Run, entries: readonly Entry[], isResumed: boolean): Map<number, Listed> {
  const valid = entries.flatMap((entry, i) => (entry.key === null ? [] : [i]));
  const own = isResumed ? list : list.filter(({ payment }) => payment !== null);
  const places = isResumed ? list.map((_each, i) => i) : valid;
  return new Map(
    places.flatMap((place, i): [number, Listed][] => {
      const listed = own[i];
      return listed === undefined || listed.payment === null ? [] : [[place, listed]];
    }),
  );
}

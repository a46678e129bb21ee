/** What a comparison means for the runs that it is about: which ones continue, and which must not. */
import type { SettingSources } from '../config/resolve.js';
import type { Run } from '../journal/payment.js';
import type { Verdict } from '../reconcile/verdict.js';
import { tallyRun } from '../report/stored-records.js';
import { isSentAgain } from '../run/in-doubt.js';
import { groupBy } from '../util/group-by.js';
import type { ComparedList } from './reconcile-decisions.js';
import { longestRequestMs } from './request-time.js';

export interface ComparedRuns {
  /** They send what they have open, or ask the service again about doubts that keys still protect. */
  readonly resumable: readonly Run[];
  /** Runs with open payments that the export has: to resume one may pay these twice. */
  readonly doubled: readonly RunVerdicts[];
  /** Closed runs with payments that the export settles as not created: they will not send them. */
  readonly closed: readonly RunVerdicts[];
  /** Doubts that end without a person: with their live call, or when their run is resumed. */
  readonly passing: ReadonlySet<Verdict>;
}

export interface RunVerdicts {
  readonly run: Run;
  /** At least one. */
  readonly verdicts: readonly Verdict[];
}

/** @param now milliseconds since 1970. @throws JournalError */
export async function compareRuns(
  { scope, found }: ComparedList,
  settings: SettingSources,
  now: number,
): Promise<ComparedRuns> {
  const { journal } = scope;
  const numberOf = ({ payment }: Verdict): number | null => payment?.run.number ?? null;
  const verdictsOf = new Map(groupBy(found.verdicts, numberOf).map((own) => [numberOf(own[0] as Verdict), own]));
  const runs = [...found.runs.values()];
  const doubled = runs.filter(({ closed }) => closed === null).flatMap((run) => withVerdicts(run, isOpenHere));
  const closed = runs.filter((run) => run.closed !== null).flatMap((run) => withVerdicts(run, isNotCreated));
  const stopped = new Set(doubled.map(({ run }) => run.number));
  const passing = new Set(found.verdicts.filter(({ why }) => why === 'live'));
  const live = new Set((await journal.liveCalls()).map(({ run }) => run));
  const resumable: Run[] = [];
  for (const run of found.runsInScope) {
    if (run.closed !== null || live.has(run.number) || stopped.has(run.number)) continue;
    const requestMs = longestRequestMs(run, settings);
    const isRetried = ({ kind, payment }: Verdict): boolean =>
      kind === 'in_doubt' && payment !== null && isSentAgain(payment, requestMs, now);
    const retried = withVerdicts(run, isRetried).flatMap(({ verdicts }) => verdicts);
    for (const verdict of retried) passing.add(verdict);
    if (retried.length > 0 || (await tallyRun(run, journal)).records.not_sent > 0) resumable.push(run);
  }
  return { resumable, doubled, closed, passing };

  function withVerdicts(run: Run, isMeant: (verdict: Verdict) => boolean): RunVerdicts[] {
    const verdicts = (verdictsOf.get(run.number) ?? []).filter(isMeant);
    return verdicts.length === 0 ? [] : [{ run, verdicts }];
  }
}

function isNotCreated({ kind }: Verdict): boolean {
  return kind === 'not_created';
}

function isOpenHere({ why }: Verdict): boolean {
  return why === 'open-here';
}

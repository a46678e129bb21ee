/** What a call that has passed its gate makes of the history. */
import type { Entry, Rules } from './entries.js';
import { type Fate, isReplaceable } from './fates.js';
import type { History, Listed, Payment, Run, State } from './history.js';
import { asksFor, outcomeOf } from './outcomes.js';
import type { Verdict } from './repeats.js';
import type { Asked } from './service.js';

export interface Passed {
  readonly entries: readonly Entry[];
  readonly rules: Rules;
  readonly verdict: Verdict;
  /** What the program called its run. */
  readonly name: string;
  readonly isResumed: boolean;
  readonly asked: readonly Asked[];
  /** When the call began, and when it ended. */
  readonly startedAt: number;
  readonly now: number;
  /** The state that the program told of a record, where the CONTRACT leaves several. */
  readonly toldState: (index: number) => State | null;
  /** Of a call that was killed: the states of what it was to send. */
  readonly before?: readonly (State | null)[];
}

/** Gives the run, as it is listed now. */
export function apply(history: History, passed: Passed): Run {
  const { entries, rules, verdict, name, isResumed, startedAt } = passed;
  const isNew = verdict.run === null;
  const list: Listed[] = [];
  for (const [i, entry] of entries.entries()) {
    const fate = verdict.fates[i] as Fate;
    const kept = verdict.run?.list[i];
    // Its key has passed on: a run that goes on by its name keeps the record in its place all the same.
    if (isResumed && fate.is === 'invalid' && kept !== undefined) list.push(kept);
    else list.push(listedFor(entry, fate, history, rules, verdict.run?.name ?? name, startedAt));
  }
  const run: Run = verdict.run ?? {
    ...{ name, batch: rules.batch, digest: verdict.digest, list, startedAt, exitCode: null, closed: false },
    decisions: { skipCreated: rules.skipCreated, skipSimilar: rules.skipSimilar, sendSimilar: rules.sendSimilar },
    gate: history.events,
  };
  if (isNew) history.runs.unshift(run);
  run.list = list;
  closeCorrected(entries, verdict.fates, history);
  settle(history, run, passed);
  return run;
}

/** What a row corrects is closed for good, also where the row is a payment that was there before, or is left out for one. */
function closeCorrected(entries: readonly Entry[], fates: readonly Fate[], { byKey }: History): void {
  for (const [i, { row }] of entries.entries()) {
    const fate = fates[i] as Fate;
    const corrected = row.replaces === null ? undefined : byKey.get(row.replaces);
    if (corrected === undefined || fate.is === 'invalid' || !isReplaceable(corrected)) continue;
    if (fate.is === 'told' && (fate.as === 'rejected' || fate.as === 'not_sent')) continue;
    if (fate.payment !== null && fate.payment !== corrected) corrected.replacedBy = fate.payment;
  }
}

function listedFor(
  { file, record, row, content, key, body }: Entry,
  fate: Fate,
  history: History,
  { batch }: Rules,
  home: string,
  now: number,
): Listed {
  const place = { file, record, row };
  if (fate.is === 'invalid') return { ...place, payment: null, leftOut: null };
  if (fate.is === 'told') return { ...place, payment: fate.payment, leftOut: fate.leftOut };
  if (fate.risk && fate.payment !== null) fate.payment.allowed++;
  if (fate.payment !== null) {
    // The input brings the body.
    fate.payment.pruned = false;
    return { ...place, payment: fate.payment, leftOut: null };
  }
  const payment: Payment = {
    ...{ key: key as string, row, content, body, batch, home, state: 'open', doubtSince: null, changedAt: now },
    ...{ knownSince: 0, settledBy: null, replacedBy: null, pruned: false, allowed: 1 },
  };
  history.payments.push(payment);
  for (const replaced of fate.replaces) replaced.replacedBy = payment;
  history.byKey.set(payment.key, payment);
  return { ...place, payment, leftOut: null };
}

function settle(history: History, run: Run, { verdict, asked, now, toldState, before }: Passed): void {
  for (const [i, fate] of verdict.fates.entries()) {
    const payment = run.list[i]?.payment ?? null;
    if (fate.is !== 'send' || payment === null) continue;
    const asks = asksFor(payment, asked);
    const said = toldState(i);
    if (before !== undefined) {
      // It was killed: the journal tells what it has written down.
      if (said !== null && (asks.length > 0 || said !== payment.state))
        become(history, payment, said, payment.doubtSince ?? asks[0]?.at ?? now, run.name, now);
      continue;
    }
    if (asks.length === 0) continue;
    const { states, doubtSince } = outcomeOf(payment, asks);
    const state = states.length > 1 && said !== null && states.includes(said) ? said : (states[0] as State);
    become(history, payment, state, doubtSince, run.name, now);
  }
}

export function become(
  history: History,
  payment: Payment,
  state: State,
  doubtSince: number | null,
  by: string,
  now: number,
): void {
  history.events++;
  if (state !== 'created' && state !== 'unknown') payment.knownSince = 0;
  else if (payment.knownSince === 0) payment.knownSince = history.events;
  payment.state = state;
  payment.doubtSince = state === 'unknown' ? doubtSince : null;
  payment.changedAt = now;
  payment.settledBy = by;
}

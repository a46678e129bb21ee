/** What a call that has passed its gate makes of the history. */
import type { Fate } from './fates.js';
import {
  type Entry,
  type History,
  isNone,
  isReplaced,
  type Listed,
  nameOf,
  type Payment,
  paymentUnder,
  type Run,
  type State,
} from './history.js';
import type { Verdict } from './judge.js';
import { asksFor, outcomeOf } from './outcomes.js';
import type { Asked } from './service.js';
import type { Rules } from './words.js';

export interface Passed {
  readonly rules: Rules;
  readonly verdict: Verdict;
  /** What the program called its run; null where there is none. */
  readonly name: string | null;
  readonly asked: readonly Asked[];
  /** When the call began, and when it ended. */
  readonly startedAt: number;
  readonly now: number;
  readonly stopReason: string | null;
  /** The state that the program told of a record, where the CONTRACT leaves several. */
  readonly toldState: (index: number) => State | null;
  readonly wasKilled: boolean;
}

/** Gives the run, as it is listed now. */
export function apply(history: History, passed: Passed): Run | null {
  const { verdict, rules, name, startedAt } = passed;
  rememberLifetimes(history, passed);
  if (name === null) return null;
  const { target, batch, digest } = verdict;
  const run: Run = verdict.run ?? {
    name,
    target,
    batch,
    digest,
    headers: rules.headers,
    startedAt,
    gate: history.events,
    list: [],
    endedAt: startedAt,
    exitCode: null,
    closed: false,
  };
  run.list = verdict.entries.map((entry, i) => {
    const fate = verdict.fates[i] as Fate;
    const kept = run.list[i];
    // Its key belongs to other content by now: a run that is resumed keeps the record in its place all the same.
    if (fate.is === 'invalid' && kept?.entry.row === entry.row && kept.entry.file === entry.file) return kept;
    return listedFor(entry, fate, history, verdict, startedAt);
  });
  run.endedAt = passed.wasKilled ? run.startedAt : passed.now;
  if (verdict.run === null) history.runs.unshift(run);
  settleAll(history, run, passed);
  return run;
}

/** CONTRACT: "What is remembered". */
function rememberLifetimes(history: History, { verdict, rules, name }: Passed): void {
  const said = rules.keyLifetime;
  if (said === null) return;
  const isIdle = name === null || verdict.fates.every(({ is }) => is === 'told' || is === 'invalid');
  for (const { key, row } of verdict.entries) {
    const payment = key === null ? null : paymentUnder(history, verdict.target, row, key);
    if (payment === null) continue;
    if (isIdle) payment.idleLifetime = Math.min(payment.idleLifetime ?? said, said);
    else payment.lifetime = Math.min(payment.lifetime ?? said, said);
  }
}

function listedFor(entry: Entry, fate: Fate, history: History, verdict: Verdict, now: number): Listed {
  const { corrects } = entry;
  const replace = (by: Payment): void => {
    const isFree =
      corrects !== null && !isReplaced(corrects, history) && !['created', 'unknown'].includes(corrects.state);
    if (isFree && corrects !== by && !(by.state === 'rejected' && fate.is === 'told')) corrects.replacedBy = by;
  };
  if (fate.is === 'left') {
    replace(fate.standsFor);
    return { entry, payment: null, standsFor: fate.standsFor };
  }
  if (fate.is === 'told') {
    replace(fate.payment);
    noteSource(fate.payment, entry);
    return { entry, payment: fate.payment, standsFor: null };
  }
  if (fate.is !== 'send') return { entry, payment: null, standsFor: null };
  const payment = fate.payment ?? newPayment(entry, history, verdict, now);
  noteSource(payment, entry);
  if (fate.risk) payment.allowed++;
  // The input brings the body.
  payment.pruned = false;
  // It waits to be sent, whatever it was; its outcome follows.
  if (payment.state === 'rejected') payment.replacedBy = null;
  replace(payment);
  return { entry, payment, standsFor: null };
}

function noteSource({ sources }: Payment, { source }: Entry): void {
  const isThere = sources.some(({ digest, line }) => digest === source.digest && line === source.line);
  if (!isThere) sources.push(source);
}

function newPayment(entry: Entry, history: History, { target, batch }: Verdict, now: number): Payment {
  const { key, kind, row, content, body, corrects } = entry;
  const former = paymentUnder(history, target, row, key);
  const takesPlace = former !== null && (former.state === 'rejected' || isNone(former, history)) ? former : null;
  const payment: Payment = {
    target,
    key: key as string,
    kind,
    row,
    content,
    body,
    sources: [],
    corrects: corrects ?? takesPlace,
    batch,
    state: 'open',
    doubtSince: null,
    wasCutOff: false,
    arrivesUntil: 0,
    changedAt: now,
    knownSince: 0,
    settledBy: null,
    replacedBy: null,
    pruned: false,
    allowed: 1,
    lifetime: null,
    idleLifetime: null,
  };
  if (takesPlace !== null) takesPlace.replacedBy = payment;
  history.payments.push(payment);
  history.byKey.set(nameOf(target, row, key), payment);
  return payment;
}

function settleAll(history: History, run: Run, passed: Passed): void {
  const { verdict, rules, asked, now, toldState, wasKilled, stopReason } = passed;
  // A call that is interrupted may not know yet whether the target is wrong.
  const isUnclear = stopReason === 'interrupted' && asked.every(({ answer }) => answer === 'missing');
  for (const [i, fate] of verdict.fates.entries()) {
    const payment = run.list[i]?.payment ?? null;
    if (fate.is !== 'send' || payment === null) continue;
    if (rules.keyLifetime !== null)
      payment.lifetime = Math.min(payment.lifetime ?? rules.keyLifetime, rules.keyLifetime);
    const asks = asksFor(payment, asked);
    // A claim that was killed may have left.
    const last = wasKilled ? now : asks.at(-1)?.at;
    if (last !== undefined) payment.arrivesUntil = last + rules.timeout * 1_000;
    const said = toldState(i);
    const { doubtSince, wasCutOff, ...known } = outcomeOf(payment, asks, stopReason === 'wrong_target');
    const states = isUnclear ? [...known.states, ...outcomeOf(payment, asks, true).states] : known.states;
    if (wasKilled) {
      // The journal tells what it has written down.
      if (said !== null && (asks.length > 0 || said !== payment.state)) {
        become(history, payment, said, doubtSince ?? asks[0]?.at ?? now, run.name, now);
        payment.wasCutOff = true;
      }
    } else if (asks.length > 0 || payment.state === 'rejected') {
      const isPossible = said !== null && (states.includes(said) || (asks.length === 0 && said === 'open'));
      become(history, payment, isPossible ? said : (states[0] as State), doubtSince, run.name, now);
      payment.wasCutOff = wasCutOff;
    }
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

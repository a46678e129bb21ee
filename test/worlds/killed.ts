/** A call that was killed: what it has done is found out afterwards, and has to be one of what the CONTRACT allows. */
import type { Failpoint } from '../../src/world.js';
import { apply } from './apply.js';
import { checkSent } from './check.js';
import { ask, type Desk, startCall } from './desk.js';
import type { Fate } from './fates.js';
import type { Payment, Run, State } from './history.js';
import { standsForIn, type Told } from './fitting.js';
import { judge, type Verdict } from './judge.js';
import { asksFor, outcomeOf } from './outcomes.js';
import { callKilled } from './program.js';
import { acceptable } from './readings.js';
import type { Asked, Weather } from './service.js';

const POINTS: readonly Failpoint[] = [
  'prepare:stored',
  'gate:before-commit',
  'gate:after-commit',
  'intent:before-commit',
  'intent:after-commit',
  'request:sent',
  'answer:read',
  'outcome:before-commit',
  'outcome:after-commit',
];

/** Runs a command that sends, kills it somewhere, and takes what the journal says of it if that may be. */
export async function sendKilled(desk: Desk, words: readonly string[], weather: Weather): Promise<Run | null> {
  const { chance, clock, folder, history, service, problems, log } = desk;
  const killAt = `${chance.pick(POINTS)}#${1 + chance.below(4)}`;
  const at = startCall(desk, words, weather, `killed at ${killAt}`);
  const result = await callKilled(words, { folder, clock }, killAt);
  const asked = [...service.asked];
  log.push(`#   ${result.signal ?? `exit ${result.code}`}; ${asked.map(({ answer }) => answer).join(' ')}`);
  const listed = JSON.parse((await ask(desk, ['batch', 'list', '--json'])).stdout) as { runs: { run: string }[] };
  const isNews = ({ run }: { run: string }): boolean => history.runs.every((each) => each.name !== run);
  const news = listed.runs.find(isNews)?.run ?? null;
  // A run that is there has passed its gate: it was not refused.
  const verdicts = acceptable().map((readings) => judge(at, history, readings));
  const found = verdicts.find(({ refused }) => (news === null ? true : refused === null)) ?? verdicts[0]!;
  const name = found.run?.name ?? news;
  if (found.refused !== null || name === null) {
    if (asked.length > 0) problems.push('a killed call has sent something without a run');
    return null;
  }
  const shown = JSON.parse((await ask(desk, ['batch', 'show', name, '--json'])).stdout) as Shown;
  const named = standsForIn(shown.outcomes);
  const fits = ({ refused, entries, fates: dispositions }: Verdict): boolean =>
    refused === null &&
    entries.every(({ file, record }, i) => (dispositions[i]?.is === 'left') === named.has(`${file} ${record}`));
  const all = [found.readings, ...acceptable()].map((readings) => judge({ ...at, named }, history, readings));
  const verdict = all.find(fits) ?? all[0]!;
  const states = statesIn(shown);
  const places = verdict.entries.map(({ file, record }) => `${file} ${record}`);
  if (places.some((place) => !states.has(place))) {
    // It had not passed its gate: the run has the places of another file still.
    if (asked.length > 0) problems.push('a killed call has sent something before its gate');
    return null;
  }
  const before = verdict.fates.map((fate) => stateBefore(fate));
  const toldState = (i: number): State | null => states.get(places[i] as string) ?? null;
  const passed = { rules: at.rules, verdict, name, asked, startedAt: at.now, now: clock.now, toldState };
  const run = apply(history, { ...passed, stopReason: null, wasKilled: true }) as Run;
  for (const [i, was] of before.entries()) {
    const payment = run.list[i]?.payment ?? null;
    if (was === null || payment === null) continue;
    const allowed = allowedStates(payment, was, asked);
    // It ended before the kill.
    if (result.signal === null)
      allowed.push(...outcomeOf({ ...payment, state: was }, asksFor(payment, asked), true).states);
    if (!allowed.includes(payment.state) || payment.state !== toldState(i))
      problems.push(`${places[i]} is ${toldState(i)} after a kill, and may be ${allowed.join(' or ')}`);
  }
  checkSent({ verdict, asked }, run, (problem) => void problems.push(problem));
  run.exitCode = shown.exit_code;
  return run;
}

interface Shown {
  readonly exit_code: number | null;
  readonly outcomes: readonly (Told & { readonly status: string })[];
}

function statesIn({ outcomes }: Shown): Map<string, State | null> {
  const names: Record<string, State> = {
    created: 'created',
    already_created: 'created',
    rejected: 'rejected',
    unknown: 'unknown',
    not_sent: 'open',
  };
  return new Map(outcomes.map(({ file, record, status }) => [`${file} ${record}`, names[status] ?? null]));
}

function stateBefore(fate: Fate): State | null {
  return fate.is === 'send' ? (fate.payment?.state ?? 'open') : null;
}

/** What had been written down may be lost to the kill; then it is in doubt, and so is what was only claimed. */
function allowedStates(payment: Payment, was: State, asked: readonly Asked[]): State[] {
  const asks = asksFor(payment, asked);
  const before = { ...payment, state: was, doubtSince: was === 'unknown' ? payment.doubtSince : null };
  // At its gate a rejected one is open again.
  if (asks.length === 0) return was === 'rejected' ? ['rejected', 'open', 'unknown'] : [was, 'unknown'];
  return [...outcomeOf(before, asks, false).states, 'unknown'];
}

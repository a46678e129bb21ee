/** What a person does between the calls that send: settling, closing, pruning. */
import { become } from './apply.js';
import { ask, type Desk } from './desk.js';
import { type History, isOpen, isReplaced, type Listed, nameOf, type Payment, type Run, runsOf } from './history.js';

type Accepted = Listed & { readonly payment: Payment };

/** A person looks at the service what became of payments in doubt, and says so. */
export async function settle(desk: Desk): Promise<Run | null> {
  const { chance, history, clock, service, problems, log } = desk;
  const doubted = history.runs.find(({ list }) => list.some(isDoubtful));
  if (doubted === undefined) return null;
  const { entry, payment } = chance.pick(doubted.list.filter(isDoubtful));
  // A gig comes without a key: of one row, as many are created as are not known of yet.
  const known = history.payments.filter(
    ({ content, state }) => content === payment.content && state === 'created',
  ).length;
  const { type } = payment.row;
  const [address = ''] = payment.target.split('#');
  const isDone =
    type === 'gig'
      ? (service.done.get(payment.content) ?? 0) > known
      : service.timesUnder(address, type, payment.key) > 0;
  // Until then the service may be at it still.
  const isEarly = !isDone && clock.now < payment.arrivesUntil && chance.hits(0.2);
  if (!isEarly && !isDone) clock.now = Math.max(clock.now, payment.arrivesUntil + 60_000);
  const said = [isDone ? '--created' : '--not-created', '--note', 'looked it up'];
  const words = ['batch', 'settle', doubted.name, '--record', String(entry.record), '--file', entry.file, ...said];
  const { code, stderr } = await ask(desk, words);
  log.push(`gigwork ${words.join(' ')}   # exit ${code}`);
  if (code !== (isEarly ? 2 : 0)) problems.push(`batch settle: exit ${code}, ${stderr}`);
  if (!isEarly) become(history, payment, isDone ? 'created' : 'open', null, doubted.name, clock.now);
  return doubted;
}

/** A person takes a record that was left out for one in doubt: it has no outcome. */
export async function settleLeftOut(desk: Desk): Promise<Run | null> {
  const { chance, history, problems, log } = desk;
  const run = history.runs.find(({ list }) => list.some(({ standsFor }) => standsFor !== null));
  if (run === undefined) return null;
  const { entry } = chance.pick(run.list.filter(({ standsFor }) => standsFor !== null));
  const word = chance.pick(['--created', '--not-created']);
  const place = ['--record', String(entry.record), '--file', entry.file];
  const words = ['batch', 'settle', run.name, ...place, word, '--note', 'looked it up'];
  const { code, stderr } = await ask(desk, words);
  log.push(`gigwork ${words.join(' ')}   # exit ${code}`);
  if (code !== 2) problems.push(`a record that was left out was settled: exit ${code}, ${stderr}`);
  return run;
}

function isDoubtful(listed: Listed): listed is Accepted {
  return listed.payment?.state === 'unknown';
}

/** Closes a run, unfinished or not. */
export async function close(desk: Desk, named: Run | null = null): Promise<Run | null> {
  const { chance, history, problems, log } = desk;
  if (history.runs.length === 0) return null;
  const run = named ?? chance.pick(history.runs);
  const codes = codesOfClosing(run, history);
  const { code, stderr } = await ask(desk, ['batch', 'close', run.name, '--note', 'not needed']);
  log.push(`gigwork batch close ${run.name}   # exit ${code}`);
  if (!codes.includes(code as number))
    problems.push(`batch close: exit ${code} instead of ${codes.join(' or ')}, ${stderr}`);
  if (code !== 0) return run;
  run.closed = true;
  // Rejected payments whose corrections it leaves open are rejected again, and have their keys again.
  const left = run.list.flatMap(({ payment }) => payment ?? []).filter((each) => each.state === 'open');
  for (const payment of history.payments) {
    const { replacedBy, key, row, target } = payment;
    if (replacedBy === null || !left.includes(replacedBy) || isOpen(replacedBy, history)) continue;
    payment.replacedBy = null;
    const name = nameOf(target, row, key);
    if (history.byKey.get(name) === replacedBy) history.byKey.set(name, payment);
  }
  return run;
}

/** One with nothing open or rejected cannot be closed. What another run has accepted since may count for that one. */
function codesOfClosing(run: Run, history: History): number[] {
  if (run.closed) return [2];
  const held = run.list
    .flatMap(({ payment }) => payment ?? [])
    .filter((each) => each.state === 'open' || (each.state === 'rejected' && !isReplaced(each, history)));
  if (held.length === 0) return [2];
  return held.some((payment) => runsOf(payment, history)[0] === run) ? [0] : [0, 2];
}

/** A rejected payment is sent again while a run that lists it is open, and needs its body for that. */
function isFinished(payment: Payment, history: History): boolean {
  const isEnded = ({ closed, exitCode }: Run): boolean => closed || exitCode === 0 || exitCode === 4;
  return (
    payment.state === 'created' ||
    (payment.state === 'rejected' && runsOf(payment, history).every((run) => isEnded(run)))
  );
}

export async function prune(desk: Desk): Promise<Run | null> {
  const { chance, clock, history, problems, log } = desk;
  const day = Math.floor(clock.now / 86_400_000 - chance.below(4)) * 86_400_000;
  const before = new Date(day).toISOString().slice(0, 10);
  const { code, stderr } = await ask(desk, ['batch', 'prune', '--before', before]);
  log.push(`gigwork batch prune --before ${before}   # exit ${code}`);
  if (code !== 0) problems.push(`batch prune: exit ${code}, ${stderr}`);
  history.prunedBefore = Math.max(history.prunedBefore, day);
  // A record is finished once its run is.
  const isOld = ({ changedAt, settledBy }: Payment): boolean =>
    changedAt < day && history.runs.every(({ name, endedAt }) => name !== settledBy || endedAt < day);
  for (const payment of history.payments) if (isFinished(payment, history) && isOld(payment)) payment.pruned = true;
  return history.runs[0] ?? null;
}

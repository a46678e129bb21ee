/** What a person does between the calls that send: settling, closing, pruning. */
import { become } from './apply.js';
import { ask, type Desk } from './desk.js';
import type { Listed, Run } from './history.js';

/** A person looks at the service what became of payments in doubt, and says so. */
export async function settle(desk: Desk): Promise<Run | null> {
  const { chance, history, clock, service, problems, log } = desk;
  const doubted = history.runs.find(({ list }) => list.some(isDoubtful));
  if (doubted === undefined) return null;
  const doubtful = doubted.list.filter(isDoubtful);
  const { file, record, payment } = chance.pick(doubtful) as Listed & { payment: NonNullable<Listed['payment']> };
  // A gig comes without a key: of one row, as many are created as are not known of yet.
  const known = history.payments.filter(
    ({ content, state }) => content === payment.content && state === 'created',
  ).length;
  const isDone =
    payment.row.type === 'gig'
      ? (service.done.get(payment.content) ?? 0) > known
      : (service.doneUnder.get(payment.key) ?? 0) > 0;
  const said = isDone ? ['--created'] : ['--not-created', '--note', 'looked it up'];
  const words = ['batch', 'settle', doubted.name, '--record', String(record), '--file', file, ...said];
  const { code, stderr } = await ask(desk, words);
  log.push(`gigwork ${words.join(' ')}   # exit ${code}`);
  if (code !== 0) problems.push(`batch settle: exit ${code}, ${stderr}`);
  become(history, payment, isDone ? 'created' : 'open', null, doubted.name, clock.now);
  return doubted;
}

function isDoubtful({ payment }: Listed): boolean {
  return payment?.state === 'unknown';
}

export async function close(desk: Desk): Promise<Run | null> {
  const { chance, history, problems, log } = desk;
  if (history.runs.length === 0) return null;
  const chosen = chance.pick(history.runs);
  const isOpen = chosen.list.some(({ payment }) => payment?.state === 'open' || payment?.state === 'unknown');
  const { code, stderr } = await ask(desk, ['batch', 'close', chosen.name, '--note', 'not needed']);
  log.push(`gigwork batch close ${chosen.name}   # exit ${code}`);
  // One that ended with open records, which were settled since, may be closed, or be called finished.
  const codes = chosen.closed ? [2] : isOpen ? [0] : chosen.exitCode === 0 || chosen.exitCode === 4 ? [2] : [0, 2];
  if (!codes.includes(code as number))
    problems.push(`batch close: exit ${code} instead of ${codes.join(' or ')}, ${stderr}`);
  if (code === 0) chosen.closed = true;
  return chosen;
}

export async function prune(desk: Desk): Promise<Run | null> {
  const { chance, clock, history, problems, log } = desk;
  const day = Math.floor(clock.now / 86_400_000 - chance.below(4)) * 86_400_000;
  const before = new Date(day).toISOString().slice(0, 10);
  const { code, stderr } = await ask(desk, ['batch', 'prune', '--before', before]);
  log.push(`gigwork batch prune --before ${before}   # exit ${code}`);
  if (code !== 0) problems.push(`batch prune: exit ${code}, ${stderr}`);
  for (const payment of history.payments)
    if ((payment.state === 'created' || payment.state === 'rejected') && payment.changedAt < day) payment.pruned = true;
  return history.runs[0] ?? null;
}

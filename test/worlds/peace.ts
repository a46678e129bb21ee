/** The end of a world: the service is well again, and somebody brings everything to its end. */
import { ask, checkJournal, type Desk, send } from './desk.js';
import { type History, isOpen, type Payment, type Run } from './history.js';
import { close, settle } from './upkeep.js';
import { TIMEOUT } from './wording.js';

/** More rounds than any world needs. */
const ROUNDS = 40;

/** Settles what is in doubt and resumes what is open, until nothing is; and holds what was paid against what is told. */
export async function makePeace(desk: Desk): Promise<void> {
  const { history, problems } = desk;
  for (let round = 0; round < ROUNDS && problems.length === 0; round++) {
    if ((await settle(desk)) !== null) continue;
    const run = history.runs.find((each) => isUnfinished(each, history));
    if (run === undefined) break;
    await finish(desk, run);
    await checkJournal(desk, run);
  }
  if (problems.length > 0) return;
  for (const run of history.runs) if (isUnfinished(run, history)) problems.push(`run ${run.name} comes to no end`);
  checkAll(desk);
}

/** Something of it would still be sent by it. */
function isUnfinished({ closed, list }: Run, history: History): boolean {
  return !closed && list.some(({ payment }) => payment !== null && isOpen(payment, history));
}

/** What was paid meanwhile is left out; what is similar is a payment in its own right, for all that this clerk knows. */
async function finish(desk: Desk, run: Run): Promise<void> {
  const headers = run.headers.flatMap((name) => ['--header', `${name}: a`]);
  const words = ['batch', 'resume', run.name, '--yes', '--json', '--no-progress', ...TIMEOUT, ...headers];
  const plain = await send(desk, words);
  if (plain.verdict.refused !== 'repeats') return;
  const { similar } = plain.verdict;
  const last = await send(desk, [
    ...words,
    '--skip-created',
    ...(similar === 0 ? [] : ['--send-similar', String(similar)]),
  ]);
  // It asks what no flag decides: the run is given up.
  if (last.verdict.refused === 'repeats') await close(desk, run);
}

/** Everybody is paid once for each payment that is called created, but for those whose risk a person took. */
function checkAll({ history, service, problems }: Desk): void {
  const rows = new Map<string, { least: number; most: number }>();
  for (const { content, state, allowed } of history.payments) {
    const { least, most } = rows.get(content) ?? { least: 0, most: 0 };
    const paid = state === 'created' ? 1 : 0;
    rows.set(content, { least: least + paid, most: most + (paid === 1 || allowed > 1 ? allowed : 0) });
  }
  for (const [content, { least, most }] of rows) {
    const times = service.done.get(content) ?? 0;
    if (times < least || times > most) problems.push(`in the end, paid ${times} times instead of ${least}: ${content}`);
  }
}

/** Other content may have taken the place of what a closed run has left open. */
function isOpenIn(payment: Payment | null): boolean {
  return payment?.state === 'open' && payment.replacedBy === null;
}

/** The journal says of every run what the oracle says, and nobody is left out without a word. */
export async function checkEnd(desk: Desk): Promise<void> {
  const { stdout } = await ask(desk, ['batch', 'list', '--json']);
  const { runs } = JSON.parse(stdout) as { runs: { run: string; records: Record<string, number> }[] };
  for (const run of desk.history.runs) {
    const records = runs.find((each) => each.run === run.name)?.records ?? {};
    const open = run.list.filter(({ payment, standsFor }) => isOpenIn(payment ?? standsFor)).length;
    const unknown = run.list.filter(({ payment }) => payment?.state === 'unknown').length;
    if ((records['not_sent'] ?? 0) !== open || (records['unknown'] ?? 0) !== unknown)
      desk.problems.push(`batch list counts ${JSON.stringify(records)} in run ${run.name}`);
  }
}

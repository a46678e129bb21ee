/** Runs as a whole, without their records. */
import { UsageError } from '../../errors.js';
import { runApproval } from '../approved-by.js';
import { NOT_SENT, REJECTED } from '../codes.js';
import type { RunQuery } from '../ledger.js';
import type { PersonsWord, Run, RunEnd, RunFacts, RunFile } from '../payment.js';
import { ALIVE, type Context, haveAlone, raiseGates, targetOf, writing } from './context.js';
import { NOTE, PROOF, PROVEN_FACTS, unprovenNote } from './approvals.js';
import { ACCEPTED_BY } from './drafts.js';
import { addEvent, CALLER_COLUMNS, type CallerCells, callerOf } from './events.js';
import { giveBack } from './giving-up.js';
import type { Transaction } from './session.js';

/** SQL: the run sends nothing more: closed, or every payment is created or definitely rejected. */
export const IS_ENDED = '(run.closed IS NOT NULL OR coalesce(run.exit_code, -1) IN (0, 4))';

type Cells = readonly [
  ...CallerCells,
  number: number,
  name: string,
  target: string,
  scope: string,
  command: string,
  batch: string,
  digest: string,
  skipCreated: boolean,
  skipSimilar: boolean,
  headers: string,
  moment: number,
  startedAt: number,
  finishedAt: number | null,
  exitCode: number | null,
  stopReason: string | null,
  closedAt: number | null,
  closedUser: string | null,
  closedHost: string | null,
  closedNote: string | null,
  approvedAt: number | null,
  approvedUser: string | null,
  approvedHost: string | null,
  approvedNote: string | null,
  approvedFacts: string | null,
  isProof: boolean,
  files: RunFile[],
];

const RUNS = `SELECT ${CALLER_COLUMNS}, run.number, run.name, target.name, target.scope, run.command, run.batch, run.digest,
  run.skip_created, run.skip_similar, run.headers, run.moment, run.started_at, run.finished_at, run.exit_code,
  run.stop_reason, closed.at, coalesce(closed.copied_user, closed.user_name), closed.host, closed.note,
  approved.at, coalesce(approved.copied_user, approved.user_name), approved.host, approved.note, ${PROVEN_FACTS},
  given.id IS NOT NULL,
  coalesce((SELECT json_agg(json_build_object('path', f.path, 'sha256', f.sha256, 'records', f.records) ORDER BY f.position)
    FROM file f WHERE f.run = run.number), '[]')
  FROM run JOIN target ON target.id = run.target JOIN event e ON e.id = run.begun
  LEFT JOIN event closed ON closed.id = run.closed
  LEFT JOIN event approved ON approved.id =
    (SELECT max(last.id) FROM event last WHERE last.run = run.number AND last.what = 'approved')
  ${PROOF}
  WHERE run.passed`;

/** {@link Ledger.runs} */
export function selectRuns({ session }: Context, query: RunQuery = {}): Promise<Run[]> {
  const { target, digest, batchId, name, beginning } = query;
  return session.read(async (tx) => {
    const at = target === undefined ? undefined : ((await targetOf(tx, target))?.id ?? 0);
    return select(tx, [
      ['run.target = ?', at],
      ['run.digest = ?', digest],
      ['run.batch = ?', batchId],
      ['run.name = ?', name],
      ['starts_with(run.name, ?)', beginning],
    ]);
  });
}

export async function selectRun(tx: Transaction, run: number): Promise<Run> {
  return (await select(tx, [['run.number = ?', run]]))[0] as Run;
}

async function select(
  tx: Transaction,
  conditions: readonly (readonly [sql: string, value: string | number | undefined])[],
): Promise<Run[]> {
  const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const where = given.map(({ sql }, i) => ` AND ${sql.replace('?', `$${i + 1}`)}`).join('');
  const values = given.map(({ value }) => value);
  return (await tx.rows<Cells>(`${RUNS}${where} ORDER BY run.number DESC`, ...values)).map(runOf);
}

function runOf(cells: Cells): Run {
  const [user, host, version, commandLine, number, name, target, scope, command, batchId, digest, ...more] = cells;
  const [skipCreated, skipSimilar, headers, moment, startedAt, finishedAt, exitCode, stopReason, ...last] = more;
  const [closedAt, closedUser, closedHost, closedNote, ...approved] = last;
  const [approvedAt, approvedUser, approvedHost, approvedNote, facts, isProof, files] = approved;
  return {
    ...{ number, name, target, scope, command, batchId, digest, moment, startedAt, files },
    ...callerOf([user, host, version, commandLine]),
    skips: { skipCreated, skipSimilar },
    headers: JSON.parse(headers) as string[],
    end: finishedAt === null || exitCode === null ? null : { finishedAt, exitCode, stopReason },
    approvedBy:
      approvedAt === null
        ? null
        : runApproval(
            wordOf(approvedAt, approvedUser, approvedHost, isProof ? NOTE : unprovenNote(approvedNote ?? '')),
            ...[facts, isProof],
          ),
    closed: closedAt === null ? null : wordOf(closedAt, closedUser, closedHost, closedNote),
  };
}

function wordOf(at: number, user: string | null, host: string | null, note: string | null): PersonsWord {
  return { at, by: { user: user ?? '', host: host ?? '' }, note: note ?? '' };
}

/** The paths of a run's files, by position. */
export async function pathsOf(tx: Transaction, run: number): Promise<string[]> {
  const rows = await tx.rows<[string]>('SELECT path FROM file WHERE run = $1 ORDER BY position', run);
  return rows.map(([path]) => path);
}

/** What look-ups tell of runs, by their numbers; nothing of a preparation that a run has taken. */
export async function selectFacts(tx: Transaction, numbers: readonly number[]): Promise<Map<number, RunFacts>> {
  const rows = await tx.rows<[number, string, string, string, number, boolean]>(
    `SELECT run.number, run.name, run.batch, target.name, run.started_at, run.closed IS NOT NULL FROM run
     JOIN target ON target.id = run.target WHERE run.number = ANY ($1::int[])`,
    numbers,
  );
  return new Map(
    rows.map(([number, name, batchId, target, startedAt, isClosed]) => {
      return [number, { number, name, batchId, target, startedAt, isClosed }];
    }),
  );
}

/** {@link Ledger.end} */
export async function endRun(context: Context, run: number, { exitCode, stopReason }: RunEnd): Promise<void> {
  await context.session.write(async (tx) => {
    const end = 'UPDATE run SET finished_at = $1, exit_code = $2, stop_reason = $3 WHERE number = $4';
    await tx.change(end, tx.at, exitCode, stopReason, run);
    await addEvent(context, tx, { what: 'ended', exitCode, stopReason }, { run });
  });
}

/** SQL: who delivers a run, and for how many seconds that is certain. */
const SENDER = `SELECT pr.host, ceil(extract(epoch FROM pr.lease_until - clock_timestamp()))::int
  FROM delivery d JOIN process pr ON pr.id = d.process WHERE d.run = $1 AND ${ALIVE} ORDER BY pr.lease_until DESC LIMIT 1`;

/** {@link Ledger.close} */
export function closeRun(context: Context, { number, name }: Run, note: string): Promise<void> {
  return writing(context, async (tx) => {
    await raiseGates(tx, number);
    await haveAlone(tx);
    const run = await selectNow(tx, number);
    const [sender] = await tx.rows<[string, number]>(SENDER, number);
    if (sender !== undefined) {
      const [host, seconds] = sender;
      throw new UsageError(
        `run ${name} is being sent at this moment, on ${host}; wait until that has ended. If nothing is heard of that machine any more, it counts as dead in ${seconds} s`,
      );
    }
    if (run.isClosed) throw new UsageError(`run ${name} is closed already`);
    if (!run.hasLeft) throw new UsageError(`run ${name} has nothing to close: none of its records is open or rejected`);
    const event = await addEvent(context, tx, { what: 'closed' }, { run: number, note });
    await tx.change('UPDATE run SET closed = $1 WHERE number = $2', event, number);
    await giveBack(tx, `${ACCEPTED_BY} = $1`, number);
  });
}

/** SQL: what a run lists that is open or rejected, whichever run has brought that about. */
const LEFT = `SELECT 1 FROM span s JOIN payment p ON p.id >= s.payment AND p.id < s.payment + s.count
  LEFT JOIN outcome o ON o.payment = p.id
  WHERE s.run = $1 AND s.stands_for IS NULL AND p.replaced_by IS NULL
    AND (o.state IS NULL OR o.state IN (${REJECTED}, ${NOT_SENT})) LIMIT 1`;

async function selectNow(tx: Transaction, run: number): Promise<{ isClosed: boolean; hasLeft: boolean }> {
  const [row] = await tx.rows<[boolean]>('SELECT closed IS NOT NULL FROM run WHERE number = $1', run);
  return { isClosed: row?.[0] === true, hasLeft: (await tx.rows(LEFT, run)).length > 0 };
}

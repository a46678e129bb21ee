/** Runs as a whole, without their records. */
import { UsageError } from '../../errors.js';
import { transaction } from '../../util/sqlite.js';
import { runApproval } from '../approved-by.js';
import type { RunQuery } from '../ledger.js';
import type { PersonsWord, Run, RunEnd, RunFacts, RunFile } from '../payment.js';
import { NOT_SENT, REJECTED } from '../codes.js';
import { type Context, raiseGates, reading, targetOf, writing } from './context.js';
import { addEvent, CALLER_COLUMNS, type CallerCells, callerOf } from './events.js';
import { giveBack } from './giving-up.js';
import { liveRuns, rememberedLiveness } from './under-way.js';

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
  skipCreated: number,
  skipSimilar: number,
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
];

const RUNS = `SELECT ${CALLER_COLUMNS}, run.number, run.name, target.name, target.scope, run.command, run.batch, run.digest, run.skip_created,
  run.skip_similar, run.headers, run.moment, run.started_at, run.finished_at, run.exit_code, run.stop_reason,
  closed.at, closed.user, closed.host, closed.note, approved.at, approved.user, approved.host, approved.note, approved.facts
  FROM run JOIN target ON target.id = run.target JOIN event e ON e.id = run.begun
  LEFT JOIN event closed ON closed.id = run.closed
  LEFT JOIN event approved ON approved.id =
    (SELECT max(last.id) FROM event last WHERE last.run = run.number AND last.what = 'approved')
  WHERE run.passed = 1`;

/** {@link Ledger.runs} */
export function selectRuns(context: Context, query: RunQuery = {}): Run[] {
  const { target, digest, batchId, name, beginning } = query;
  const conditions: [sql: string, value: string | number][] = [];
  if (target !== undefined) conditions.push(['run.target = ?', targetOf(context, target)?.id ?? 0]);
  if (digest !== undefined) conditions.push(['run.digest = ?', digest]);
  if (batchId !== undefined) conditions.push(['run.batch = ?', batchId]);
  if (name !== undefined) conditions.push(['run.name = ?', name]);
  if (beginning !== undefined) conditions.push(['instr(run.name, ?) = 1', beginning]);
  return select(context, conditions);
}

export function selectRun(context: Context, run: number): Run {
  return select(context, [['run.number = ?', run]])[0] as Run;
}

function select(context: Context, conditions: readonly (readonly [string, string | number])[]): Run[] {
  const where = conditions.map(([sql]) => ` AND ${sql}`).join('');
  const values = conditions.map(([, value]) => value);
  return reading(context, () => {
    const rows = context.sql(`${RUNS}${where} ORDER BY run.number DESC`).all(...values) as Cells[];
    return rows.map((cells) => runOf(context, cells));
  });
}

function runOf(context: Context, cells: Cells): Run {
  const [user, host, version, commandLine, number, name, target, scope, command, batchId, digest, ...more] = cells;
  const [skipCreated, skipSimilar, headers, moment, startedAt, finishedAt, exitCode, stopReason, ...last] = more;
  const [closedAt, closedUser, closedHost, closedNote, ...approved] = last;
  const [approvedAt, approvedUser, approvedHost, approvedNote, facts] = approved;
  return {
    ...{ number, name, target, scope, command, batchId, digest, moment, startedAt },
    ...callerOf([user, host, version, commandLine]),
    skips: { skipCreated: skipCreated === 1, skipSimilar: skipSimilar === 1 },
    headers: JSON.parse(headers) as string[],
    files: filesOf(context, number),
    end: finishedAt === null || exitCode === null ? null : { finishedAt, exitCode, stopReason },
    approvedBy:
      approvedAt === null
        ? null
        : runApproval(wordOf(approvedAt, approvedUser, approvedHost, approvedNote), facts, false),
    closed: closedAt === null ? null : wordOf(closedAt, closedUser, closedHost, closedNote),
  };
}

function wordOf(at: number, user: string | null, host: string | null, note: string | null): PersonsWord {
  return { at, by: { user: user ?? '', host: host ?? '' }, note: note ?? '' };
}

/** The files of a run, by position. */
export function filesOf({ sql }: Context, run: number): RunFile[] {
  const rows = sql('SELECT path, sha256, records FROM file WHERE run = ? ORDER BY position');
  return (rows.all(run) as [string, string, number][]).map(([path, sha256, records]) => ({ path, sha256, records }));
}

/** What look-ups tell of a run; null where there is none. */
export function selectFacts({ sql }: Context, run: number): RunFacts | null {
  const row = sql(
    `SELECT run.name, run.batch, target.name, run.started_at, run.closed IS NOT NULL FROM run JOIN target ON target.id = run.target
       WHERE run.number = ?`,
  ).get(run) as [string, string, string, number, number] | undefined;
  if (row === undefined) return null;
  const [name, batchId, target, startedAt, isClosed] = row;
  return { number: run, name, batchId, target, startedAt, isClosed: isClosed === 1 };
}

/** {@link Ledger.end} */
export function endRun(context: Context, run: number, { finishedAt, exitCode, stopReason }: RunEnd): void {
  transaction(context.db, () => {
    const end = context.sql('UPDATE run SET finished_at = ?, exit_code = ?, stop_reason = ? WHERE number = ?');
    end.run(finishedAt, exitCode, stopReason, run);
    addEvent(context, { what: 'ended', exitCode, stopReason }, { run });
  });
}

/** {@link Ledger.close} */
export function closeRun(context: Context, { number, name }: Run, note: string): void {
  writing(context, () => {
    const run = selectNow(context, number);
    if (liveRuns(context, rememberedLiveness(context)).has(number))
      throw new UsageError(`run ${name} is being sent at this moment; wait until that has ended`);
    if (run.isClosed) throw new UsageError(`run ${name} is closed already`);
    if (!run.hasLeft) throw new UsageError(`run ${name} has nothing to close: none of its records is open or rejected`);
    const event = addEvent(context, { what: 'closed' }, { run: number, note });
    context.sql('UPDATE run SET closed = ? WHERE number = ?').run(event, number);
    giveBack(context, 'coalesce(p.run, p.id >> 31) = ?1', number);
    raiseGates(context, number);
  });
}

/** SQL: what a run lists that is open or rejected, whichever run has brought that about. */
const LEFT = `SELECT 1 FROM span s JOIN payment p ON p.id >= s.payment AND p.id < s.payment + s.count
  LEFT JOIN outcome o ON o.payment = p.id
  WHERE s.run = ? AND s.stands_for IS NULL AND p.replaced_by IS NULL
    AND (o.state IS NULL OR o.state IN (${REJECTED}, ${NOT_SENT})) LIMIT 1`;

function selectNow({ sql }: Context, run: number): { isClosed: boolean; hasLeft: boolean } {
  const [isClosed] = sql('SELECT closed IS NOT NULL FROM run WHERE number = ?').get(run) as [number];
  return { isClosed: isClosed === 1, hasLeft: sql(LEFT).get(run) !== undefined };
}

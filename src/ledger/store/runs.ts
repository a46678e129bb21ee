/** Runs as a whole, without their records. */
import { type Deed, NO_FLAGS } from '../event.js';
import type { PersonsWord, Run, RunApproval, RunEnd, RunFacts, RunFile } from '../payment.js';
import type { RunQuery } from '../plan.js';
import type { Driver, Transaction, Value } from './driver.js';
import { addEvent, CALLER_COLUMNS, type CallerCells, callerOf } from './log.js';
import { targetOf } from './transactions.js';

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
  isProof: number,
];

const NO_PROOF = { join: '', facts: 'approved.facts', isProof: '0', note: (note: string): string => note };

function runsText({ approvals }: Driver): string {
  const proof = approvals ?? NO_PROOF;
  return `SELECT ${CALLER_COLUMNS}, run.number, run.name, target.name, target.scope, run.command, run.batch, run.digest,
    run.skip_created, run.skip_similar, run.headers, run.moment, run.started_at, run.finished_at, run.exit_code,
    run.stop_reason, closed.at, user_of(closed), closed.host, closed.note,
    approved.at, user_of(approved), approved.host, approved.note, ${proof.facts}, ${proof.isProof}
    FROM run JOIN target ON target.id = run.target JOIN event e ON e.id = run.begun
    LEFT JOIN event closed ON closed.id = run.closed
    LEFT JOIN event approved ON approved.id =
      (SELECT max(last.id) FROM event last WHERE last.run = run.number AND last.what = 'approved')
    ${proof.join}
    WHERE run.passed`;
}

/** Runs that have passed their gate, the newest first. */
export function selectRuns(driver: Driver, query: RunQuery = {}): Promise<Run[]> {
  const { target, digest, batchId, name, beginning } = query;
  return driver.session.read(async (tx) => {
    const at = target === undefined ? undefined : ((await targetOf(tx, target))?.id ?? 0);
    return select(driver, tx, [
      ['run.target = ?', at],
      ['run.digest = ?', digest],
      ['run.batch = ?', batchId],
      ['run.name = ?', name],
      ['substr(run.name, 1, length(?)) = ?', beginning],
    ]);
  });
}

export async function selectRun(driver: Driver, tx: Transaction, run: number): Promise<Run> {
  return (await select(driver, tx, [['run.number = ?', run]]))[0] as Run;
}

async function select(
  driver: Driver,
  tx: Transaction,
  conditions: readonly (readonly [sql: string, value: string | number | undefined])[],
): Promise<Run[]> {
  const given = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]));
  const where = given.map(({ sql }, i) => ` AND ${sql.replaceAll('?', `$${i + 1}`)}`).join('');
  const values: Value[] = given.map(({ value }) => value);
  const rows = await tx.rows<Cells>(`${runsText(driver)}${where} ORDER BY run.number DESC`, ...values);
  const files = await filesOf(
    tx,
    rows.map((cells) => cells[4]),
  );
  return rows.map((cells) => runOf(driver, cells, files.get(cells[4]) ?? []));
}

/** The files of runs, by position. */
export async function filesOf(tx: Transaction, runs: readonly number[]): Promise<Map<number, RunFile[]>> {
  const found = new Map<number, RunFile[]>(runs.map((run) => [run, []]));
  const rows = await tx.rows<[number, string, string, number]>(
    'SELECT run, path, sha256, records FROM file WHERE run = ANY ($1) ORDER BY run, position',
    runs,
  );
  for (const [run, path, sha256, records] of rows) found.get(run)?.push({ path, sha256, records });
  return found;
}

function runOf({ approvals }: Driver, cells: Cells, files: readonly RunFile[]): Run {
  const [user, host, version, commandLine, number, name, target, scope, command, batchId, digest, ...more] = cells;
  const [skipCreated, skipSimilar, headers, moment, startedAt, finishedAt, exitCode, stopReason, ...last] = more;
  const [closedAt, closedUser, closedHost, closedNote, ...approved] = last;
  const [approvedAt, approvedUser, approvedHost, approvedNote, facts, proven] = approved;
  const isProof = proven === 1;
  const note = (approvals ?? NO_PROOF).note(approvedNote ?? '', isProof);
  return {
    ...{ number, name, target, scope, command, batchId, digest, moment, startedAt, files },
    ...callerOf([user, host, version, commandLine]),
    skips: { skipCreated: skipCreated === 1, skipSimilar: skipSimilar === 1 },
    headers: JSON.parse(headers) as string[],
    end: finishedAt === null || exitCode === null ? null : { finishedAt, exitCode, stopReason },
    approvedBy:
      approvedAt === null ? null : approvalOf(wordOf(approvedAt, approvedUser, approvedHost, note), facts, isProof),
    closed: closedAt === null ? null : wordOf(closedAt, closedUser, closedHost, closedNote),
  };
}

function wordOf(at: number, user: string | null, host: string | null, note: string | null): PersonsWord {
  return { at, by: { user: user ?? '', host: host ?? '' }, note: note ?? '' };
}

/**
 * @param word who wrote the event down, and when
 * @param facts of the event
 * @param isProof the journal itself knows whose approval it is
 */
function approvalOf({ at, by, note }: PersonsWord, facts: string | null, isProof: boolean): RunApproval {
  const { flags, of } = JSON.parse(facts ?? '{}') as Partial<Extract<Deed, { what: 'approved' }>>;
  return {
    ...(of ? { at: of.at, by: { user: of.user, host: of.host } } : { at, by }),
    ...{ note, isProof, flags: { ...NO_FLAGS, ...flags } },
  };
}

/** What look-ups tell of runs, by their numbers; nothing of a preparation that a run has taken. */
export async function selectFacts(tx: Transaction, numbers: readonly number[]): Promise<Map<number, RunFacts>> {
  const rows = await tx.rows<[number, string, string, string, number, number]>(
    `SELECT run.number, run.name, run.batch, target.name, run.started_at, run.closed IS NOT NULL FROM run
     JOIN target ON target.id = run.target WHERE run.number = ANY ($1)`,
    numbers,
  );
  return new Map(
    rows.map(([number, name, batchId, target, startedAt, isClosed]) => {
      return [number, { number, name, batchId, target, startedAt, isClosed: isClosed === 1 }];
    }),
  );
}

export async function endRun(driver: Driver, run: number, { finishedAt, exitCode, stopReason }: RunEnd): Promise<void> {
  await driver.session.write(async (tx) => {
    const end = 'UPDATE run SET finished_at = $1, exit_code = $2, stop_reason = $3 WHERE number = $4';
    await tx.change(end, driver.timeOf(tx, finishedAt), exitCode, stopReason, run);
    await addEvent(driver, tx, { what: 'ended', exitCode, stopReason }, { run });
  });
}

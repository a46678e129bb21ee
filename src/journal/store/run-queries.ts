/** Runs as a whole, without their records. */
import { type ApprovalEvent, type InputCall, NO_FLAGS, type RunEvent } from '../audit-log.js';
import type { SignedDecision, Run, RunEnd, RunFacts, RunFile, TargetName } from '../payment.js';
import type { LikeRun, RunQuery } from '../plan.js';
import type { ApprovalProof, Driver, SqlValue, Transaction } from './driver.js';
import { addEvent, callerIn, personIn } from './audit-queries.js';
import { type Cell, select, rowMapper } from './row-mapper.js';
import { NEWEST_PAYMENT } from './outcomes.js';
import { findTarget } from './transactions.js';

const NO_PROOF: ApprovalProof = { join: '', facts: 'approved.facts', isProof: '0', note: (note) => note };

/** For a run of an earlier version, which stored no call. */
const NO_CALL: InputCall = { folder: '', options: [] };

/** The run and its events: `e` began it, another one continued it last, others closed and approved it. */
function runMapper({ approvals }: Driver) {
  const proof = approvals ?? NO_PROOF;
  const run = rowMapper((of) => ({
    ...callerIn(of, 'e'),
    number: of<number>('run.number'),
    name: of<string>('run.name'),
    target: of<string>('target.name'),
    scope: of<string>('target.scope'),
    command: of<string>('run.command'),
    batchId: of<string>('run.batch'),
    digest: of<string>('run.digest'),
    skips: { skipCreated: of('run.skip_created', Boolean), skipSimilar: of('run.skip_similar', Boolean) },
    headers: of('run.headers', (text: string) => JSON.parse(text) as string[]),
    inputCall: { ...NO_CALL, ...of('gone_on.facts', (text: string) => (JSON.parse(text) as RunEvent).inputCall) },
    claimWatermark: of<number>('run.moment'),
    startedAt: of<number>('run.started_at'),
    end: endIn(of),
    closed: wordIn(of, 'closed'),
    approvedBy: approvalIn(of, proof),
  }));
  const from = `FROM run JOIN target ON target.id = run.target JOIN event e ON e.id = run.begun
    JOIN event gone_on ON gone_on.id = (SELECT max(last.id) FROM event last WHERE last.run = run.number AND last.what = 'run')
    LEFT JOIN event closed ON closed.id = run.closed
    LEFT JOIN event approved ON approved.id =
      (SELECT max(last.id) FROM event last WHERE last.run = run.number AND last.what = 'approved')
    ${proof.join}
    WHERE run.passed`;
  return { run, from };
}

function endIn(of: Cell): RunEnd | null {
  const end: RunEnd = {
    finishedAt: of('run.finished_at'),
    exitCode: of('run.exit_code'),
    stopReason: of('run.stop_reason'),
  };
  return (end.exitCode as number | null) === null ? null : end;
}

/** The decision in the event `e`; null if there is none. */
function wordIn(of: Cell, e: string): SignedDecision | null {
  const word = { at: of<number | null>(`${e}.at`), by: personIn(of, e), note: of<string | null>(`${e}.note`) };
  return word.at === null ? null : { ...word, at: word.at, note: word.note ?? '' };
}

function approvalIn(of: Cell, { facts: sql, isProof: proven, note }: ApprovalProof) {
  const word = wordIn(of, 'approved');
  const facts = of<Partial<ApprovalEvent> | null>(sql, (text: string) => JSON.parse(text) as Partial<ApprovalEvent>);
  const isProof = of(proven, Boolean);
  if (word === null) return null;
  // If the call that sent the run wrote the event, its facts name the approver.
  const { at, user, host } = facts?.of ?? { at: word.at, ...word.by };
  return { at, by: { user, host }, note: note(word.note, isProof), isProof, flags: { ...NO_FLAGS, ...facts?.flags } };
}

/** {@link Journal.runs} */
export function selectRuns(driver: Driver, query: RunQuery = {}): Promise<Run[]> {
  const { target, digest, batchId, name, beginning } = query;
  return driver.session.read(async (tx) => {
    const at = target === undefined ? undefined : ((await findTarget(tx, target))?.id ?? 0);
    return selectWhere(driver, tx, [
      ['run.target = ?', at],
      ['run.digest = ?', digest],
      ['run.batch = ?', batchId],
      ['run.name = ?', name],
      ['substr(run.name, 1, length(?)) = ?', beginning],
    ]);
  });
}

export async function selectRun(driver: Driver, tx: Transaction, run: number): Promise<Run> {
  return (await selectWhere(driver, tx, [['run.number = ?', run]]))[0] as Run;
}

async function selectWhere(
  driver: Driver,
  tx: Transaction,
  conditions: readonly (readonly [sql: string, value: string | number | undefined])[],
): Promise<Run[]> {
  const values: SqlValue[] = [];
  let where = '';
  for (const [sql, value] of conditions) {
    if (value === undefined) continue;
    values.push(value);
    where += ` AND ${sql.replaceAll('?', `$${values.length}`)}`;
  }
  const { run, from } = runMapper(driver);
  const found = await select(tx, run, `${from}${where} ORDER BY run.number DESC`, ...values);
  const files = await selectFiles(
    tx,
    found.map(({ number }) => number),
  );
  return found.map((each) => ({ ...each, files: files.get(each.number) ?? [] }));
}

/** The files of runs, by position. */
export async function selectFiles(tx: Transaction, runs: readonly number[]): Promise<Map<number, RunFile[]>> {
  const found = new Map<number, RunFile[]>(runs.map((run) => [run, []]));
  const rows = await tx.rows<[number, string, string, number, string | null, number | null]>(
    'SELECT run, path, sha256, records, sheet, reference FROM file WHERE run = ANY ($1) ORDER BY run, position',
    runs,
  );
  for (const [run, path, sha256, records, sheetName, reference] of rows)
    found.get(run)?.push({ path, sha256, records, sheetName, reference });
  return found;
}

const NOT_SHARED: ReadonlySet<number> = new Set();

const RUN_FACTS = rowMapper((of): RunFacts => ({
  number: of('run.number'),
  name: of('run.name'),
  batchId: of('run.batch'),
  target: of('target.name'),
  startedAt: of('run.started_at'),
  isClosed: of('run.closed IS NOT NULL', Boolean),
  shared: NOT_SHARED,
}));

/** Facts about runs, by number; without preparations whose drafts another run has taken over. */
export async function selectFacts(tx: Transaction, numbers: readonly number[]): Promise<Map<number, RunFacts>> {
  const from = 'FROM run JOIN target ON target.id = run.target WHERE run.number = ANY ($1)';
  const found = await select(tx, RUN_FACTS, from, numbers);
  const shared = new Map<number, Set<number>>();
  const files = 'SELECT run, reference FROM file WHERE run = ANY ($1) AND reference IS NOT NULL';
  for (const [run, reference] of await tx.rows<[number, number]>(files, numbers))
    shared.set(run, (shared.get(run) ?? new Set<number>()).add(reference));
  return new Map(found.map((run) => [run.number, { ...run, shared: shared.get(run.number) ?? NOT_SHARED }]));
}

export async function hasOtherFiles(tx: Transaction, run: number): Promise<boolean> {
  const events = await tx.rows<[string]>(`SELECT facts FROM event WHERE run = $1 AND what = 'run'`, run);
  return events.some(([facts]) => (JSON.parse(facts) as RunEvent).hasOtherFiles === true);
}

export async function endRun(driver: Driver, run: number, { finishedAt, exitCode, stopReason }: RunEnd): Promise<void> {
  await driver.session.write(async (tx) => {
    const end = 'UPDATE run SET finished_at = $1, exit_code = $2, stop_reason = $3 WHERE number = $4';
    await tx.change(end, driver.timeOf(tx, finishedAt), exitCode, stopReason, run);
    await addEvent(driver, tx, { kind: 'ended', exitCode, stopReason }, { run });
  });
}

const IN_USE = `SELECT 1 FROM run JOIN target ON target.id = run.target WHERE run.passed AND target.name <> 'sandbox'
  UNION ALL SELECT 1 FROM journal WHERE intended LIMIT 1`;

export async function isNew(tx: Transaction): Promise<boolean> {
  return (await tx.rows(IN_USE)).length === 0;
}

/** A person wants this journal to be used, although it knows of no payment. */
export async function markIntended(tx: Transaction): Promise<void> {
  await tx.change('UPDATE journal SET intended = true');
}

/** Later than any time: for a run whose last call has not ended. */
const NEVER = 9_000_000_000_000_000;

/** Skips runs whose last call ended before the newest payment found so far: so it mostly reads one run. */
export async function lastPaymentAt(tx: Transaction, target: TargetName): Promise<number | null> {
  const known = await findTarget(tx, target);
  if (known === null) return null;
  const runs = await tx.rows<[number, number]>(
    `SELECT number, coalesce(finished_at, ${NEVER}) FROM run WHERE passed AND target = $1 ORDER BY 2 DESC, 1 DESC`,
    known.id,
  );
  let newest: number | null = null;
  for (const [run, endedAt] of runs) {
    if (newest !== null && endedAt < newest) break;
    const [row] = await tx.rows<[number | null]>(NEWEST, run);
    newest = Math.max(newest ?? 0, row?.[0] ?? 0) || null;
  }
  return newest;
}

const NEWEST = `SELECT ${NEWEST_PAYMENT} FROM span s
  JOIN outcome o ON o.payment BETWEEN s.payment AND s.payment + s.count - 1 WHERE s.run = $1 AND s.stands_for IS NULL`;

const OF_FILE = `SELECT max(f.run) FROM file f JOIN run ON run.number = f.run
  WHERE run.target = $1 AND run.passed AND (f.path = $2 OR f.path LIKE $3 ESCAPE '!' OR f.path LIKE $4 ESCAPE '!')`;
const OF_PROFILE = `SELECT max(run.number) FROM run JOIN event e ON e.id = run.begun
  WHERE run.target = $1 AND run.passed AND e.facts LIKE $2 ESCAPE '!'`;

/** {@link Journal.lastRunLike} */
export async function lastRunLike(
  { session }: Driver,
  target: TargetName,
  files: readonly string[],
  profile: string | null,
): Promise<LikeRun | null> {
  return session.read(async (tx) => {
    const { id = 0 } = (await findTarget(tx, target)) ?? {};
    const newest = async (text: string, ...values: SqlValue[]): Promise<number> =>
      (await tx.rows<[number | null]>(text, id, ...values))[0]?.[0] ?? 0;
    const ofFiles: number[] = [];
    for (const name of files)
      ofFiles.push(await newest(OF_FILE, name, `%/${likePattern(name)}`, `%${likePattern('\\' + name)}`));
    const ofProfile = profile === null ? 0 : await newest(OF_PROFILE, profilePattern(profile));
    const number = Math.max(ofProfile, ...ofFiles);
    const [row] = await tx.rows<[string, string]>('SELECT name, batch FROM run WHERE number = $1', number);
    return row === undefined ? null : { name: row[0], batchId: row[1], isOfProfile: number === ofProfile };
  });
}

/** A pattern of LIKE for the facts of an event: they name the profile of the call. `!` escapes. */
export function profilePattern(profile: string): string {
  return `%${likePattern(JSON.stringify(['--profile', profile]))}%`;
}

/** As a part of a pattern of LIKE. */
function likePattern(text: string): string {
  return text.replace(/[%_!]/g, '!$&');
}

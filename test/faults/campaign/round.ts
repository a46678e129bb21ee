/** One round: the real program against the service in another process, killed as planned, and run again until it ends. */
import { DatabaseSync } from '@photostructure/sqlite';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type CliResult, type Workspace, workspace } from '../../support/cli.js';
import { CRASH_ENTRY } from '../../support/crash.js';
import type { Reply } from '../../support/service.js';
import { CONCURRENCY, type Input, RECORDS, writeInput } from './input.js';
import { playMending } from './mending.js';
import type { Kill, Point } from './points.js';
import { type KillMoment, type RoundService, startRoundService } from './service.js';

export interface Plan {
  readonly seed: number;
  /** The point that is aimed at. */
  readonly about: Point;
  readonly kills: readonly Kill[];
  readonly replies: readonly Reply[];
  /** The same command is started once more beside each that is to be killed, and goes on to its end. */
  readonly beside: boolean;
  /** Of the import of the corrected rejects, at the end. */
  readonly mending: readonly Kill[];
}

export interface Round {
  /** The kills that came about, in order. */
  readonly hits: readonly Kill[];
  /** What went wrong; empty when the promise was kept. */
  readonly problems: readonly string[];
}

/** Plays a round in a folder of its own. A folder with problems in it is kept, and named among them. */
export async function playRound({ seed, kills, replies, beside, mending }: Plan): Promise<Round> {
  let remove = (): Promise<void> => Promise.resolve();
  const work = workspace((cleanUp) => (remove = cleanUp));
  const round = await startRoundService();
  const { service } = round;
  const table = new Table(work, round, writeInput(work, seed, service.url));
  try {
    round.script(replies);
    for (const kill of kills) {
      const other = await table.playKilled(kill, beside);
      // It waits for the one that is killed, takes over, and leaves nothing that another call could do.
      if (other?.code === 5 && replies.length === 0) table.problems.push(`another beside ${kill.point}: exit 5`);
    }
    await table.playToTheEnd();
    const mended = await playMending(work, service, table.input, mending);
    table.hits.push(...mended.hits);
    table.problems.push(...mended.problems);
  } catch (cause) {
    table.problems.push(String(cause));
  } finally {
    await service.close();
  }
  const { hits, problems } = table;
  if (problems.length === 0) await remove();
  else problems.push(`(seen in ${work.dir})`);
  return { hits, problems };
}

function placeOf({ file, record }: { file: string; record: number }): string {
  return `${file} ${record}`;
}

type Executions = ReadonlyMap<string, number>;

class Table {
  readonly hits: Kill[] = [];
  readonly problems: string[] = [];
  /** Places of records that a call called created: what is told is durable, whatever comes after. */
  private readonly toldCreated = new Set<string>();
  private readonly work: Workspace;
  private readonly round: RoundService;
  readonly input: Input;

  constructor(work: Workspace, round: RoundService, input: Input) {
    this.work = work;
    this.round = round;
    this.input = input;
  }

  /** Gives what became of the call beside, if there was one. */
  async playKilled(kill: Kill, beside: boolean): Promise<CliResult | null> {
    const { point, nth } = kill;
    const [room, moment] = point.split(':');
    const atService = room === 'service';
    const env: Record<string, string> = atService ? {} : { TEST_KILL_AT: `${point}#${nth}` };
    const args = await this.argsOf(kill);
    const running = this.work.start(args, { entry: CRASH_ENTRY, env });
    if (atService) this.round.kill(moment as KillMoment, nth, running.child.pid as number);
    const other = beside ? this.work.start(this.input.args, { entry: CRASH_ENTRY }).result : null;
    const result = await running.result;
    this.round.spare();
    this.remember(result);
    if (other !== null) {
      this.remember(await other);
      this.checkEnded(await other);
    }
    if (result.signal === 'SIGKILL') this.hits.push(kill);
    else this.checkEnded(result);
    return other;
  }

  private remember({ events }: CliResult): void {
    for (const event of events) if (event.status === 'created') this.toldCreated.add(placeOf(event));
  }

  /** A run is resumed by its name, if it came so far that it has one. */
  private async argsOf({ call }: Kill): Promise<string[]> {
    if (call !== 'resume') return this.input.args;
    const [run] = await this.runs();
    if (run === undefined) return this.input.args;
    return [
      'batch',
      'resume',
      run['run'] as string,
      '--yes',
      '--json',
      '--report',
      'report.csv',
      '--concurrency',
      String(CONCURRENCY),
    ];
  }

  private async runs(): Promise<Record<string, unknown>[]> {
    const { stdout } = await this.work.run(['batch', 'list', '--json']);
    return (JSON.parse(stdout) as { runs: Record<string, unknown>[] }).runs;
  }

  /** The same command finishes the job; once more, it finds nothing to do. */
  async playToTheEnd(): Promise<void> {
    this.round.script([]);
    const finishing = await this.work.run(this.input.args);
    this.checkEnded(finishing);
    this.checkStates(finishing, this.round.service.executions);
    const before = this.round.service.requestCount;
    const idle = await this.work.run(this.input.args);
    this.checkEnded(idle);
    this.expect(idle.code === finishing.code, `exit code ${finishing.code}, then ${idle.code} for the same command`);
    // A refused row that is in doubt is tried again each time.
    const isDoubtful = finishing.events.some(({ file, status }) => file === 'payouts.csv' && status === 'unknown');
    const sent = this.round.service.requestCount - before;
    this.expect(isDoubtful || sent === 0, 'a run that was finished sent something');
    await this.checkHistory(finishing);
    this.checkLeftovers();
  }

  private expect(holds: boolean, otherwise: string): void {
    if (!holds) this.problems.push(otherwise);
  }

  /** A call that was not killed tells of every record, and its figures add up. */
  private checkEnded(result: CliResult): void {
    const { summary } = result;
    if (summary === undefined) {
      this.problems.push(
        `no summary (exit ${result.code ?? result.signal}): ${result.stdout.slice(-500)}${result.stderr.slice(-500)}`,
      );
      return;
    }
    const { records, totals } = summary;
    const { valid } = records;
    const states = ['created', 'already_created', 'skipped', 'rejected', 'unknown', 'not_sent', 'planned'];
    const sum = states.reduce((total, state) => total + records[state], 0);
    this.expect(records.read === RECORDS && valid + records.invalid === RECORDS, `read: ${JSON.stringify(records)}`);
    this.expect(valid === sum, `the states do not add up: ${JSON.stringify(records)}`);
    const told = result.events.filter(({ event }) => event === 'record');
    this.expect(told.length === RECORDS, `${told.length} record events`);
    for (const state of states) {
      const count = told.filter(({ status }) => status === state).length;
      this.expect(count === records[state], `${records[state]} ${state} in the summary, ${count} among the records`);
    }
    this.checkMoney(totals);
    // After three gigs in doubt in a row, a person comes first.
    const mayRetry = summary.stop_reason !== 'in_doubt' && (records.unknown > summary.held || records.not_sent > 0);
    let code = records.rejected > 0 ? 4 : 0;
    if (records.unknown + records.not_sent > 0) code = mayRetry ? 5 : 6;
    this.expect(result.code === code, `exit ${result.code} with ${JSON.stringify(records)}`);
  }

  private checkMoney(totals: Record<string, { count: number; amount: string }[]>): void {
    const sum = (type: string): number => (totals[type] ?? []).reduce((total, { amount }) => total + Number(amount), 0);
    const count = Object.values(totals)
      .flat()
      .reduce((total, row) => total + row.count, 0);
    const { payout, gig } = this.input.amounts;
    this.expect(sum('payout') === payout && sum('gig') === gig, `the money does not add up: ${JSON.stringify(totals)}`);
    this.expect(count === RECORDS, `${count} records among the totals`);
  }

  /** What the program says at the end, held against the service's ledger. */
  private checkStates(result: CliResult, executions: Executions): void {
    for (const [row, wanted] of this.input.keyed) {
      const times = executions.get(row) ?? 0;
      this.expect(times === wanted, `carried out ${times} times instead of ${wanted}: ${row}`);
    }
    let unknown = 0;
    for (const told of result.events) {
      if (told.event !== 'record') continue;
      const { type, status, record } = told;
      const isCreated = status === 'created' || status === 'already_created';
      this.expect(
        isCreated || !this.toldCreated.has(placeOf(told)),
        `${type} ${record} was told to be created, and is ${status}`,
      );
      if (told.file === 'payouts.csv' && record <= this.input.wrong.length)
        this.expect(status === 'rejected' || status === 'unknown', `payout ${record} is ${status} in the end`);
      else if (type !== 'gig') this.expect(isCreated, `${type} ${record} is ${status} in the end`);
      else if (status === 'unknown') unknown++;
      else this.expect(isCreated, `gig ${record} is ${status} in the end`);
    }
    const once = [...this.input.gigs].filter((row) => executions.get(row) === 1).length;
    const more = [...this.input.gigs].filter((row) => (executions.get(row) ?? 0) > 1);
    this.expect(more.length === 0, `carried out more than once: ${more.join(', ')}`);
    // A gig that is called created is in the ledger, so at most the unknown ones are missing there.
    this.expect(once >= this.input.gigs.size - unknown, `${once} gigs were carried out, ${unknown} are unknown`);
    this.expect(
      executions.size <= this.input.keyed.size + this.input.gigs.size,
      'a row that is not in the files was carried out',
    );
  }

  private async checkHistory({ summary }: CliResult): Promise<void> {
    const runs = await this.runs();
    this.expect(runs.length === 1, `batch list shows ${runs.length} runs`);
    const { run, records, ...ended } = (runs[0] ?? {}) as {
      run?: string;
      records?: Record<string, number>;
      exit_code?: number;
    };
    this.expect(
      ended.exit_code === summary?.exit_code,
      `batch list says exit ${ended.exit_code}, the summary ${summary?.exit_code}`,
    );
    this.expect(run === summary?.run, `batch list names ${run}, the summary ${summary?.run}`);
    const { created = 0, already_created = 0, unknown = 0, read } = records ?? {};
    const told = summary?.records ?? {};
    this.expect(read === told.read && unknown === told.unknown, `batch list counts ${JSON.stringify(records)}`);
    this.expect(
      created + already_created === told.created + told.already_created,
      `batch list counts ${JSON.stringify(records)}`,
    );
    const lines = this.work.read('report.csv').trimEnd().split('\r\n');
    this.expect(lines.length === RECORDS + 1, `the report has ${lines.length} lines`);
  }

  /** Nothing of the processes that died is left: no lock, no half-written file, no preparation, no claim. */
  private checkLeftovers(): void {
    const kept = new Set(['journal.db', 'journal.db-wal', 'journal.db-shm']);
    const inState = readdirSync(this.work.stateDir).filter((name) => !kept.has(name));
    this.expect(inState.length === 0, `left in the state directory: ${inState.join(', ')}`);
    const parts = readdirSync(this.work.dir).filter((name) => name.endsWith('.part'));
    this.expect(parts.length === 0, `left beside the report: ${parts.join(', ')}`);
    const file = join(this.work.stateDir, 'journal.db');
    if (!existsSync(file)) return;
    const db = new DatabaseSync(file, { readOnly: true });
    for (const [what, from] of [
      ['preparing runs', 'run WHERE passed = 0'],
      ['claims', 'claim'],
      ['deliveries', 'delivery'],
      ['processes', 'process'],
    ] as const) {
      const { n } = db.prepare(`SELECT count(*) AS n FROM ${from}`).get() as { n: number };
      this.expect(n === 0, `${n} ${what} left in the journal`);
    }
    db.close();
  }
}

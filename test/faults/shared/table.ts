/** One table: several processes on a shared journal, to which faults are done, and a service that counts business rows. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { gigs, ndjson, payouts, type Row, seededRandom } from '../../support/builders.js';
import { type CliResult, workspace, type Workspace } from '../../support/cli.js';
import { CRASH_ENTRY } from '../../support/crash.js';
import { type CutProxy, type Manner, startCutProxy } from './cut-proxy.js';
import { DATABASE, type Server, USER } from '../../support/postgresql.js';
import { businessRow, type Reply, type Service, startService } from '../../support/service.js';

/** Milliseconds: short, so that a table is over soon. A request takes less than the lease. */
const LEASE_MS = 2500;
const TIMEOUT_S = '0.8';
const JOURNAL_TIMEOUT_S = '6';

const FILES = ['gigs.ndjson', 'early.ndjson', 'late.ndjson'];

export const FAULTS = [
  'kill',
  'pause',
  'drop',
  'delay',
  'swallow',
  'deaf',
  'half-close',
  'refuse',
  'terminate',
  'clock',
  'restart',
  'crash',
] as const;

export type FaultName = (typeof FAULTS)[number];

export interface Round {
  /** How often each fault was done to a process that was alive. */
  readonly done: ReadonlyMap<FaultName, number>;
  /** What went wrong; empty when the promise was kept. */
  readonly problems: readonly string[];
}

export interface RoundOptions {
  readonly seed: number;
  /** Nobody else's: it may be ended. */
  readonly server: Server;
  readonly faults: number;
}

interface Seat {
  readonly proxy: CutProxy;
  readonly child: ChildProcess;
  readonly result: Promise<CliResult>;
}

/** Plays a round in a folder and a schema of its own. A folder with problems in it is kept, and named among them. */
export async function playRound(options: RoundOptions): Promise<Round> {
  let remove = (): Promise<void> => Promise.resolve();
  const work = workspace((cleanUp) => (remove = cleanUp));
  const table = new Table(options, work);
  try {
    await table.play();
  } catch (cause) {
    table.problems.push(String((cause as Error).stack ?? cause));
  } finally {
    await table.end();
  }
  if (table.problems.length === 0) {
    await remove();
    options.server.say(`DROP SCHEMA IF EXISTS ${table.schema} CASCADE`);
  } else table.problems.push(`(seen in ${work.dir}, ${table.schema})`);
  return { done: table.done, problems: table.problems };
}

class Table {
  readonly done = new Map<FaultName, number>();
  readonly problems: string[] = [];
  readonly schema: string;
  private readonly options: RoundOptions;
  private readonly work: Workspace;
  private readonly random: () => number;
  private readonly seats: Seat[] = [];
  private readonly toldCreated = new Set<string>();
  private readonly rows = new Map<string, 'gig' | 'payout'>();
  private service!: Service;

  constructor(options: RoundOptions, work: Workspace) {
    this.options = options;
    this.work = work;
    this.random = seededRandom(options.seed);
    this.schema = `round_${options.seed}`;
  }

  async play(): Promise<void> {
    const { seed, server, faults } = this.options;
    server.say(`DROP SCHEMA IF EXISTS ${this.schema} CASCADE`);
    this.service = await startService({ respond: () => this.answer() });
    this.write(seed);
    const processes = 2 + Math.floor(this.random() * 3);
    for (let i = 0; i < processes; i++) await this.sit();
    for (let i = 0; i < faults; i++) {
      await delay(50 + this.random() * 500);
      await this.fault(FAULTS[Math.floor(this.random() * FAULTS.length)]!);
      if (this.seats.every(({ child }) => hasEnded(child))) {
        if (this.isOver()) break;
        await this.sit();
      }
    }
    for (const seat of this.seats) {
      if (hasEnded(seat.child)) continue;
      seat.proxy.manner('open');
      seat.child.kill('SIGCONT');
    }
    for (const { result } of this.seats) await this.note(await result);
    await this.goOn();
  }

  async end(): Promise<void> {
    for (const { child, proxy } of this.seats) {
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      await proxy.close();
    }
    await this.service?.close();
  }

  private write(seed: number): void {
    const paid = payouts(70, seed);
    const offered = gigs(30, seed);
    for (const row of paid) this.rows.set(businessRow('payout', row), 'payout');
    for (const row of offered) this.rows.set(businessRow('gig', row), 'gig');
    const keyed = (rows: readonly Row[], kind: string): string =>
      ndjson(rows.map((row, i) => (this.areKeyed ? { ...row, idempotency_key: `${kind}-${i}` } : row)));
    this.work.file('early.ndjson', keyed(paid.slice(0, 35), 'early'));
    this.work.file('late.ndjson', keyed(paid.slice(35), 'late'));
    this.work.file('gigs.ndjson', keyed(offered, 'gig'));
  }

  /** Where records have keys of their own, the desks send inputs that overlap; elsewhere all send the same one. */
  private get areKeyed(): boolean {
    return this.options.seed % 4 < 2;
  }

  /** What a desk sends. */
  private share(): string[] {
    if (!this.areKeyed || this.random() < 0.25) return FILES;
    const left = FILES[Math.floor(this.random() * FILES.length)];
    return FILES.filter((file) => file !== left);
  }

  private isOver(): boolean {
    return this.service.executions.size === this.rows.size;
  }

  private async answer(): Promise<Reply> {
    await delay(10 + this.random() * 60);
    const luck = this.random();
    if (luck < 0.03) return { fault: 'reset-after' };
    if (luck < 0.05) return { fault: 'hang', execute: true };
    if (luck < 0.07) return { status: 503 };
    return { default: true };
  }

  private words(port: number, share: readonly string[]): string[] {
    const url = `postgresql://${USER}@127.0.0.1:${port}/${DATABASE}?schema=${this.schema}&sslmode=disable`;
    const files = this.options.seed % 2 === 0 ? share : share.toReversed();
    return [
      'batch',
      'import',
      ...files,
      '--base-url',
      this.service.url,
      '--yes',
      '--json',
      '--no-progress',
      '--concurrency',
      '4',
      '--timeout',
      TIMEOUT_S,
      '--retries',
      '2',
      '--journal',
      url,
      '--journal-timeout',
      JOURNAL_TIMEOUT_S,
    ];
  }

  private async sit(): Promise<void> {
    const proxy = await startCutProxy(this.options.server.port);
    const env = {
      TEST_LEASE_MS: String(LEASE_MS),
      TEST_CLOCK_JUMPS: String((this.random() < 0.5 ? 1 : -1) * 3_600_000),
    };
    const { child, result } = this.work.start(this.words(proxy.port, this.share()), { entry: CRASH_ENTRY, env });
    this.seats.push({ proxy, child, result });
  }

  private async fault(name: FaultName): Promise<void> {
    const seat = this.seats[Math.floor(this.random() * this.seats.length)]!;
    if (hasEnded(seat.child)) {
      if (this.seats.filter(({ child }) => !hasEnded(child)).length < 2 && !this.isOver()) await this.sit();
      return;
    }
    this.done.set(name, (this.done.get(name) ?? 0) + 1);
    await this.doTo(seat, name);
  }

  /** A fault that lasts is over by itself after a while. */
  private async doTo({ proxy, child }: Seat, name: FaultName): Promise<void> {
    const { server } = this.options;
    const forAWhile = (manner: Manner): void => {
      proxy.manner(manner);
      void delay(500 + this.random() * 2 * LEASE_MS).then(() => proxy.manner('open'));
    };
    switch (name) {
      case 'kill':
        return void child.kill('SIGKILL');
      case 'pause':
        child.kill('SIGSTOP');
        void delay(LEASE_MS * (0.5 + this.random() * 2)).then(() => child.kill('SIGCONT'));
        return;
      case 'drop':
        return proxy.drop();
      case 'half-close':
        return proxy.halfClose();
      case 'delay':
        return forAWhile(200 + this.random() * 1500);
      case 'swallow':
      case 'deaf':
        return forAWhile(name);
      case 'refuse':
        proxy.drop();
        return forAWhile('closed');
      case 'terminate':
        return void server.say(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${USER}' AND random() < 0.5`,
        );
      case 'clock':
        return void child.kill('SIGUSR2');
      case 'restart':
      case 'crash':
        await server.stop(name === 'crash' ? 'immediate' : 'fast');
        await delay(this.random() * 1000);
        return server.start();
    }
  }

  /** What a call has told, and whether it could be true. */
  private async note(result: CliResult): Promise<void> {
    const { code, signal, stderr, events } = result;
    if (signal === null && ![0, 5, 6].includes(code ?? -1)) this.problems.push(`exit ${code}: ${stderr}`);
    if (/internal|Internal error in gigwork/.test(stderr)) this.problems.push(`a fault of its own: ${stderr}`);
    for (const { event, status, file, record } of events as Event[])
      if (event === 'record' && (status === 'created' || status === 'already_created'))
        this.toldCreated.add(`${file} ${record}`);
  }

  /** The same command, until nothing is left that it can do; then everything is compared. */
  private async goOn(): Promise<void> {
    for (let call = 1; ; call++) {
      const env = { TEST_LEASE_MS: String(LEASE_MS) };
      const result = await this.work.start(this.words(this.options.server.port, FILES), { entry: CRASH_ENTRY, env })
        .result;
      await this.note(result);
      const records = result.summary?.records as Record<string, number> | undefined;
      const isDone = result.code === 0 || result.code === 6;
      if (isDone && this.judge(result)) return;
      if (call === 8) {
        this.problems.push(
          `not done after ${call} calls: exit ${result.code} ${JSON.stringify(records)} ${result.stderr}`,
        );
        return;
      }
    }
  }

  /** @returns whether it is final: a payment with a key may be in doubt for a moment, and then has to be sent again */
  private judge({ events, summary }: CliResult): boolean {
    const { executions } = this.service;
    const records = (events as Event[]).filter(({ event }) => event === 'record');
    if (records.some(({ type, status }) => type === 'payout' && status !== 'created' && status !== 'already_created'))
      return false;
    if (records.length !== this.rows.size) this.problems.push(`${records.length} records told`);
    for (const [row, times] of executions) if (times > 1) this.problems.push(`${times} times: ${row}`);
    for (const [row, type] of this.rows)
      if (type === 'payout' && executions.get(row) !== 1)
        this.problems.push(`${executions.get(row) ?? 0} times: ${row}`);
    const carriedOut = [...executions.keys()].filter((row) => this.rows.get(row) === 'gig').length;
    const counts = (status: string): number =>
      records.filter((each) => each.type === 'gig' && each.status === status).length;
    const made = counts('created') + counts('already_created');
    const open = counts('unknown');
    if (carriedOut < made || carriedOut > made + open)
      this.problems.push(`${carriedOut} gigs carried out: ${made} created, ${open} unknown`);
    // After three gigs in doubt in a row, a person comes first.
    const left = summary?.stop_reason === 'in_doubt' ? counts('not_sent') : 0;
    if (made + open + left !== 30) this.problems.push(`gigs: ${made} created, ${open} unknown`);
    for (const each of records)
      if (
        this.toldCreated.has(`${each.file} ${each.record}`) &&
        each.status !== 'created' &&
        each.status !== 'already_created'
      )
        this.problems.push(`told as created, and now ${each.status}: ${each.file} ${each.record}`);
    return true;
  }
}

interface Event {
  readonly event: string;
  readonly type: string;
  readonly status: string;
  readonly file: string;
  readonly record: number;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

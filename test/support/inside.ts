/** The built program inside this process, in a world of its own: streams in memory, and its own environment. */
import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { main as Main, processWorld as ProcessWorld } from '../../src/main.js';
import type { StopSignal } from '../../src/errors.js';
import { type RawWorld, processWorld as realWorld, type World, worldOf } from '../../src/world.js';
import { movedWorld } from './moved-world.js';
import { type CliResult, cliResult, lateError } from './result.js';

interface Bundle {
  readonly main: typeof Main;
  readonly processWorld: typeof ProcessWorld;
}

/** The bundle, as it is published: vitest.config.ts says that it is loaded by Node itself, and not transformed. */
async function loadBundle(): Promise<Bundle> {
  const path: string = '../../bundle/main.js';
  return (await import(/* @vite-ignore */ new URL(path, import.meta.url).href)) as Bundle;
}

/** Less than a test may last, so that the failure tells what was said until then. */
const TIMEOUT_MS = 150_000;
/** How long a run that is given up may take to finish what is under way. */
const GRACE_MS = 2_000;

export interface InsideOptions {
  /** Standard input; without it standard input is empty. */
  input?: string | Uint8Array;
  /** Leave standard input open: nothing comes behind the input, and no end. */
  keepInputOpen?: boolean;
  /** Sizes of the pieces in which it comes, used over and over; by default as large as a pipe gives them. */
  pieces?: readonly number[];
  /** Added to the environment of the test run, without the variables that would change the program's behaviour. */
  env?: Record<string, string>;
  cwd?: string;
  /** After this many milliseconds the run is stopped and the result rejects. Default 150 seconds. */
  timeoutMs?: number;
  /** What is otherwise than in this process. */
  world?: Partial<RawWorld>;
}

export interface InsideResult extends CliResult {
  readonly code: number;
  /** Both streams, as a terminal shows them. */
  readonly output: string;
}

export interface RunningInside {
  readonly result: Promise<InsideResult>;
  /** Resolves when it has said this on standard error. Rejects when it ends without saying it. */
  said(words: RegExp): Promise<void>;
  /** Asks it to stop, as this signal does. Gives whether it listens already. */
  stop(signal: StopSignal): boolean;
  /** Stops it as a signal does, twice if need be. Resolves when it has ended, or when that takes too long. */
  end(): Promise<void>;
}

/** Output that is kept in memory. */
class Kept extends Writable {
  private readonly chunks: Buffer[] = [];
  private readonly beside: Buffer[];

  /** @param beside gets all that is written too, in one order with what other streams write */
  constructor(beside: Buffer[] = []) {
    super();
    this.beside = beside;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    this.beside.push(chunk);
    this.emit('kept');
    done();
  }
  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}

async function* piecesOf(input: string | Uint8Array, sizes: readonly number[], isOpen: boolean): AsyncIterable<Buffer> {
  const bytes = Buffer.from(input);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
  if (isOpen) await new Promise(() => {});
}

/** This process's world, but for its streams: whoever writes to them listens to them until the process ends. */
export function quietWorld(): World {
  return worldOf({ ...realWorld(), program: () => 'gigwork', stdout: new Kept(), stderr: new Kept() });
}

/** Variables that only a process of its own can follow: Node reads them, or crash-entry.js. */
const ONLY_A_PROCESS = /^(NODE_(?!ENV$).*|SSL_CERT_.*|OPENSSL_.*|TZ|TMPDIR|TEST_(KILL_AT|COUNT_TO|PEAK_TO))$/;

/**
 * Starts the program. What moves its world: moved-world.js.
 * @param options with its whole environment
 * @throws for an environment that needs a process of its own
 */
export function startInside(args: readonly string[], options: InsideOptions): RunningInside {
  const { input = '', keepInputOpen = false, pieces = [65_536] } = options;
  const { env = {}, cwd = process.cwd(), timeoutMs = TIMEOUT_MS, world = {} } = options;
  const both: Buffer[] = [];
  const stdin = Readable.from(piecesOf(input, pieces, keepInputOpen));
  const stdout = new Kept(both);
  const stderr = new Kept(both);
  const handlers: ((signal: StopSignal) => void)[] = [];
  let exit = (_code: number): void => {};
  const exited = new Promise<number>((resolve) => (exit = resolve));
  const own: Partial<RawWorld> = {
    stdin,
    stdout,
    stderr,
    env,
    cwd: () => cwd,
    onStopSignal: (handler) => void handlers.push(handler),
    person: () => ({ user: 'clerk', host: 'desk' }),
    program: () => 'gigwork',
    exitNow: (code) => {
      exit(code);
      throw new Error('the program has ended itself');
    },
  };
  const run = async (): Promise<number> => {
    const { main, processWorld } = await loadBundle();
    return main(args, { ...movedWorld({ ...processWorld(), ...own }), ...world });
  };
  const ended = Promise.race([run(), exited]);
  const stop = (signal: StopSignal): boolean => {
    for (const handler of handlers) {
      try {
        handler(signal);
      } catch {
        // What exitNow throws.
      }
    }
    return handlers.length > 0;
  };
  let isOver = false;
  const over = ended.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  const end = async (): Promise<void> => {
    if (isOver) return;
    stdin.destroy();
    stop('SIGTERM');
    await Promise.race([over, delay(GRACE_MS, undefined, { ref: false })]);
    if (!isOver) stop('SIGTERM');
  };
  const said = (words: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (words.test(stderr.text())) resolve();
      };
      stderr.on('kept', look);
      look();
      void over.then(() => reject(new Error(`it ended without saying ${words}:\n${stderr.text()}`)));
    });
  const result = (async () => {
    const timer = new AbortController();
    const late = delay(timeoutMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
    const code = await Promise.race([ended, late]).finally(() => timer.abort());
    if (code !== 'late') {
      const told = { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
      return Object.assign(cliResult(args, true, told), { code, output: Buffer.concat(both).toString('utf8') });
    }
    await end();
    throw lateError(args, timeoutMs, stdout.text(), stderr.text());
  })();
  return { result, said, stop, end };
}

/** @throws for an environment that only a process can follow */
export function refuseProcessVariables(env: Readonly<Record<string, string>>): void {
  const names = Object.keys(env).filter((name) => ONLY_A_PROCESS.test(name));
  if (names.length > 0) throw new Error(`${names.join(', ')}: only a process of its own follows that: work.process(…)`);
}

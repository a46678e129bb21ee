/** The whole program inside this process, in a world whose clock moves only when somebody moves it. */
import { setImmediate as turn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type { CrashPoint, StopSignal } from '../../src/world.js';
import { Kept, loadBundle } from '../support/inside.js';
import { CRASH_ENTRY } from '../support/crash.js';
import { startProcess } from '../support/process.js';
import { type CliResult, cliResult } from '../support/result.js';

/** Milliseconds since 1970. Every wait moves it on. */
export interface Clock {
  now: number;
}

export interface CallOptions {
  /** The working directory, which also holds settings and state. */
  readonly folder: string;
  readonly clock: Clock;
  /** A stop signal comes when the n-th crash point of the call is reached; null for none. */
  readonly stopAt: number | null;
}

export interface Called extends CliResult {
  /** The stop signal has come, and the program had begun to listen. */
  readonly stopped: boolean;
}

/** Settings and state are in the folder. */
function environment(folder: string): Record<string, string> {
  return { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
}

/**
 * Runs the program as a process of its own, which is killed when a named point is reached for the n-th time.
 * @param killAt `point#n`
 */
export async function callKilled(
  words: readonly string[],
  { folder, clock }: Pick<CallOptions, 'folder' | 'clock'>,
  killAt: string,
): Promise<CliResult> {
  const ahead = clock.now - Date.now();
  const moved = { TEST_KILL_AT: killAt, TEST_CLOCK_AHEAD: String(ahead), TEST_SKIP_WAITS: '1' };
  const env = { ...environment(folder), ...moved };
  const result = await startProcess(words, { cwd: folder, entry: CRASH_ENTRY, env }).result;
  clock.now = Math.max(clock.now, Date.now() + ahead);
  return result;
}

/** Runs the program to its end. */
export async function call(words: readonly string[], { folder, clock, stopAt }: CallOptions): Promise<Called> {
  const { main, processWorld } = await loadBundle();
  const [stdout, stderr] = [new Kept(), new Kept()];
  const handlers: ((signal: StopSignal) => void)[] = [];
  let reached = 0;
  let stopped = false;
  const code = await main(words, {
    ...processWorld(),
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: environment(folder),
    cwd: () => folder,
    now: () => clock.now,
    monotonic: () => clock.now,
    sleep: async (ms, signal) => {
      await turn();
      if (signal?.aborted !== true) clock.now += Math.max(1, Math.round(ms));
    },
    onStopSignal: (handler) => void handlers.push(handler),
    person: () => ({ user: 'clerk', host: 'desk' }),
    exitNow: () => {
      throw new Error('nothing asked for this');
    },
    reached: (_point: CrashPoint) => {
      if (++reached !== stopAt || handlers.length === 0) return;
      stopped = true;
      for (const handler of handlers) handler('SIGINT');
    },
  });
  const ended = { code, signal: null, stdout: stdout.text(), stderr: stderr.text() };
  // Field by field: the events are parsed when they are read, and a copy would parse them at once.
  const result = cliResult(words, true, ended);
  return Object.defineProperty(result, 'stopped', { value: stopped }) as Called;
}

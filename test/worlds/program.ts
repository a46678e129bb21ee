/** The whole program inside this process, in a world whose clock moves only when somebody moves it. */
import { setImmediate as turn } from 'node:timers/promises';
import type { RawWorld } from '../../src/world.js';
import { startInside } from '../support/inside.js';
import { CRASH_ENTRY } from '../support/crash.js';
import { startProcess } from '../support/process.js';
import type { CliResult } from '../support/result.js';

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
  let reached = 0;
  let stopped = false;
  const world: Partial<RawWorld> = {
    now: () => clock.now,
    monotonic: () => clock.now,
    sleep: async (ms, signal) => {
      await turn();
      if (signal?.aborted !== true) clock.now += Math.max(1, Math.round(ms));
    },
    failpoint: () => {
      if (++reached === stopAt) stopped = running.stop('SIGINT');
    },
  };
  const running = startInside(words, { cwd: folder, env: environment(folder), world });
  return Object.defineProperty(await running.result, 'stopped', { value: stopped }) as CliResult as Called;
}

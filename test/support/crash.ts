import { fileURLToPath } from 'node:url';
import type { CliResult, InsideOptions, ProcessOptions, RunningCli, RunningInside, Workspace } from './cli.js';

/** The program as a process with a world that the test moves; see crash-entry.js. */
export const CRASH_ENTRY = fileURLToPath(new URL('crash-entry.js', import.meta.url));

/** For the environment of a run: no wait takes time, both clocks move on. Progress waits too, so it must be off. */
export const NO_WAITS = { TEST_SKIP_WAITS: '1' };

/** For the environment of a run: it says on standard error when it waits, and from when on it hears signals. */
export const TELL = { TEST_TELL: '1' };

/** For the environment of a run: the wall clock is so many hours ahead. */
export function hoursAhead(hours: number): Record<string, string> {
  return { TEST_CLOCK_AHEAD: String(hours * 3_600_000) };
}

/** For the environment of a process: it is killed when a named point is reached for the `nth` time. */
export function killedAt(point: string, nth = 1): Record<string, string> {
  return { TEST_KILL_AT: `${point}#${nth}` };
}

/** For the environment of a run: the program itself has a fault when a named point is reached for the `nth` time. */
export function failsAt(point: string, nth = 1): Record<string, string> {
  return { TEST_FAIL_AT: `${point}#${nth}` };
}

type Target = string | { readonly url: string };

function wordsOf(command: string, file: string, target: Target, flags: readonly string[]): string[] {
  const url = typeof target === 'string' ? target : target.url;
  return [...command.split(' '), file, '--base-url', url, '--yes', '--json', '--no-progress', ...flags];
}

/**
 * Sends a file: `send(work, 'payout create', 'p.csv', service)`. Inside this process, or as one of its own where it is
 * to be killed.
 */
export function send(
  work: Workspace,
  command: string,
  file: string,
  target: Target,
  flags: readonly string[] = [],
  options: InsideOptions = {},
): Promise<CliResult> {
  const begin = options.env?.['TEST_KILL_AT'] === undefined ? beginSending : startSending;
  return begin(work, command, file, target, flags, options).result;
}

/** The same, returned while it runs. */
export function beginSending(
  work: Workspace,
  command: string,
  file: string,
  target: Target,
  flags: readonly string[] = [],
  options: InsideOptions = {},
): RunningInside {
  return work.begin(wordsOf(command, file, target, flags), options);
}

/** The same as a process of its own: for what only the system can do to it. */
export function startSending(
  work: Workspace,
  command: string,
  file: string,
  target: Target,
  flags: readonly string[] = [],
  options: ProcessOptions = {},
): RunningCli {
  return work.start(wordsOf(command, file, target, flags), { entry: CRASH_ENTRY, ...options });
}

/** The length of each wait that the process told of, in milliseconds. */
export function waitsOf({ stderr }: CliResult): number[] {
  return [...stderr.matchAll(/^wait (\d+)$/gm)].map(([, ms]) => Number(ms));
}

/** How many records ended in each state, the states without records left out. */
export function states({ events }: CliResult): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { event, status } of events) if (event === 'record') counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

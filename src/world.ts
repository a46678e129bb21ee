/**
 * Everything outside itself that the program uses, except the random names of `node:crypto`. Tests use another world: a
 * moved clock, seeded chance, a kill at a named point.
 */
import { accessSync, constants, statSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { EXIT, SIGNAL_EXIT, type StopSignal } from './errors.js';
import { Output, type TerminalStream } from './util/output.js';
import { hasPendingRead } from './util/pending-reads.js';

export interface Person {
  readonly user: string;
  readonly host: string;
}

/** The world as the program's parts see it. */
export interface World extends WorldWithoutOutput {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The first stop signal that a handler heard; null before it. */
  readonly stoppedBy: () => StopSignal | null;
  /** The exit code of a call that would end with this one: success without its output is none. */
  readonly exitCodeOf: (code: number) => number;
}

/** The same with its bare streams. */
export interface RawWorld extends WorldWithoutOutput {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
}

interface WorldWithoutOutput {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The first word of a command that is shown: `gigwork` if it is on the PATH, else this program's path. */
  readonly program: () => string;
  /** Directory that relative paths on the command line start from. */
  readonly cwd: () => string;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  /** Clock for measuring waits, milliseconds; never set back. */
  readonly monotonic: () => number;
  /** User and machine that run the program: recorded, but not verified. */
  readonly person: () => Person;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Resolves after `ms`, or at once when `signal` aborts. Never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls `handler` for every stop signal, to the end of the process. */
  readonly onStopSignal: (handler: (signal: StopSignal) => void) => void;
  /** Whether the process runs nothing but the program, so that V8 may be tuned for it. */
  readonly ownsProcess: boolean;
  /** Ends the process at once, whatever it is doing. */
  readonly exitNow: (code: number) => never;
  /** How long a shared journal lets a process send without renewing the right, milliseconds. */
  readonly leaseMs: number;
  /** A crash must be harmless at this point. Does nothing here; the fault campaign's world kills the process. */
  readonly failpoint: (point: Failpoint) => void;
}

/** docs/design/crash-safety.md says why each of them is safe. */
export type Failpoint =
  | 'prepare:row'
  | 'prepare:stored'
  | 'gate:before-commit'
  | 'gate:after-commit'
  | 'intent:before-commit'
  | 'intent:after-commit'
  | 'request:sent'
  | 'answer:read'
  | 'outcome:before-commit'
  | 'outcome:after-commit'
  | 'report:writing'
  | 'file:stored'
  | 'file:written';

const STOP_SIGNALS = Object.keys(SIGNAL_EXIT) as StopSignal[];

/** The real world: this process, its streams, its clock. */
export function processWorld(): RawWorld {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    platform: process.platform,
    program: () => programWord(process.argv[1] ?? 'gigwork'),
    cwd: () => process.cwd(),
    now: () => Date.now(),
    monotonic: () => performance.now(),
    person: () => ({ user: userName(), host: hostname() }),
    random: () => Math.random(),
    sleep: async (ms, signal) => {
      await delay(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
    },
    onStopSignal: (handler) => {
      for (const name of STOP_SIGNALS) process.on(name, handler);
    },
    ownsProcess: true,
    exitNow: endProcess,
    leaseMs: 60_000,
    failpoint: () => undefined,
  };
}

/** @param path of the program, for a PATH that does not find it */
export function programWord(path: string): string {
  const names = process.platform === 'win32' ? ['gigwork.cmd', 'gigwork.exe'] : ['gigwork'];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const isFound = folders.some((folder) => names.some((name) => isExecutable(join(folder, name))));
  return isFound ? 'gigwork' : path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The part that the program's modules see. */
export function worldOf(outside: RawWorld): World {
  const { monotonic } = outside;
  const stdout = new Output(outside.stdout, monotonic);
  const stderr = new Output(outside.stderr, monotonic);
  let stoppedBy: StopSignal | null = null;
  const onStopSignal: RawWorld['onStopSignal'] = (handler) =>
    outside.onStopSignal((signal) => {
      stoppedBy ??= signal;
      handler(signal);
    });
  const exitCodeOf = (code: number): number => {
    if (code !== EXIT.ok || stdout.lost === null) return code;
    // The work that a signal interrupted is done; only its report is missing.
    return stoppedBy === null ? EXIT.internal : SIGNAL_EXIT[stoppedBy];
  };
  return { ...outside, onStopSignal, stoppedBy: () => stoppedBy, stdout, stderr, exitCodeOf };
}

/** A process may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/**
 * Ends the process. `process.exit` waits for a pending read, which may itself wait for the writer of a pipe. In that
 * case the process sends itself the signal that stopped it; shells report the same exit code.
 */
function endProcess(code: number): never {
  // Windows has no such pipes, and there a process that signals itself ends with another code.
  const signal = process.platform === 'win32' ? undefined : STOP_SIGNALS.find((name) => SIGNAL_EXIT[name] === code);
  if (signal !== undefined && hasPendingRead()) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  return process.exit(code);
}

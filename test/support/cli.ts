import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { checkEvent } from './schemas.js';

const ENTRY = fileURLToPath(new URL('../../bin/gigwork.js', import.meta.url));
const TIMEOUT_MS = 120_000;
const FOREIGN_PREFIX = /^(GIGWORK_|XDG_|VITEST)/i;
const FOREIGN_NAME = /^((https?|all|no)_proxy|no_color|force_color|ci|node_options|node_env|node_extra_ca_certs)$/i;

/** What a finished run left behind. `code` is null when a signal ended it. */
export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /**
   * With `--json` among the arguments: the lines of standard output, parsed, or its one JSON document; else empty.
   * A last line that was cut off is left out. Throws, when read, if standard output holds anything else.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
  readonly events: any[];
  /** The last event, if it is a summary; else undefined. */
  // oxlint-disable-next-line typescript/no-explicit-any -- see events
  readonly summary: any;
}

export interface CliOptions {
  /** Standard input; without it standard input is empty. */
  input?: string | Uint8Array;
  /** Leave standard input open, for the test to write to `child.stdin` and end it. */
  keepInputOpen?: boolean;
  /** Added to the environment of the test run, without the variables that would change the program's behaviour. */
  env?: Record<string, string>;
  cwd?: string;
  /** Default bin/gigwork.js. */
  entry?: string;
  onSpawn?: (child: ChildProcessWithoutNullStreams) => void;
  /** After this many milliseconds the process is killed and the result rejects. Default two minutes. */
  timeoutMs?: number;
}

export interface RunningCli {
  readonly child: ChildProcessWithoutNullStreams;
  readonly result: Promise<CliResult>;
}

/** A folder of its own for one test, with everything that the program reads and writes inside it. */
export interface Workspace {
  readonly dir: string;
  readonly stateDir: string;
  /** The absolute path of a name in the folder. */
  path(name: string): string;
  /** Writes a file, with the folders it needs; gives its absolute path. */
  file(name: string, content: string | Uint8Array): string;
  read(name: string): string;
  /** Runs the program in the folder. */
  run(args: string[], options?: CliOptions): Promise<CliResult>;
  /** Starts it, for tests that signal or kill it; it is killed at the end of the test at the latest. */
  start(args: string[], options?: CliOptions): RunningCli;
}

/** The environment of the test run without what would change the program's behaviour. */
function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !FOREIGN_PREFIX.test(name) && !FOREIGN_NAME.test(name));
  return Object.fromEntries(kept) as Record<string, string>;
}

/** Where the program looks for settings and state, below one folder, on every system. */
function homeEnvironment(home: string): Record<string, string> {
  return {
    HOME: home,
    USERPROFILE: home,
    LOCALAPPDATA: join(home, 'local'),
    APPDATA: join(home, 'roaming'),
  };
}

/** Parses what a run with `--json` printed. @throws when neither each complete line nor the whole output is JSON */
function parseEvents(stdout: string): unknown[] {
  const lines = stdout.slice(0, stdout.lastIndexOf('\n') + 1).split('\n');
  try {
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  } catch (error) {
    try {
      return [JSON.parse(stdout)];
    } catch {
      throw new Error(`standard output is not JSON: ${(error as Error).message}\n${stdout.slice(0, 2_000)}`);
    }
  }
}

/**
 * Events are parsed when they are asked for: a bulk test that counts only files pays nothing for them.
 * @param own whether the program itself ran: then every test checks its events against the published schema
 */
function cliResult(
  json: boolean,
  own: boolean,
  ended: Pick<CliResult, 'code' | 'signal' | 'stdout' | 'stderr'>,
): CliResult {
  let events: unknown[] | undefined;
  return {
    ...ended,
    get events() {
      if (events === undefined) {
        events = json ? parseEvents(ended.stdout) : [];
        if (own) events.forEach(checkEvent);
      }
      return events;
    },
    get summary() {
      const last = this.events.at(-1);
      return last?.event === 'summary' ? last : undefined;
    },
  };
}

function collect(
  child: ChildProcessWithoutNullStreams,
  args: string[],
  { entry, timeoutMs = TIMEOUT_MS }: CliOptions,
): Promise<CliResult> {
  return new Promise((fulfil, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let late = false;
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const [stdout, stderr] = [Buffer.concat(out).toString('utf8'), Buffer.concat(err).toString('utf8')];
      if (!late)
        return fulfil(cliResult(args.includes('--json'), entry === undefined, { code, signal, stdout, stderr }));
      const tail = `${stdout.slice(-1_000)}\n${stderr.slice(-1_000)}`;
      reject(new Error(`gigwork ${args.join(' ')} did not end within ${timeoutMs} ms:\n${tail}`));
    });
  });
}

/**
 * Starts the program as a process and returns it while it runs. Its home is an empty folder that is removed with it, so
 * that no run finds the settings or the history of a real user; runs that share a history share a workspace.
 */
function startGigwork(args: string[], options: CliOptions = {}): RunningCli {
  const home = mkdtempSync(join(tmpdir(), 'gigwork-home-'));
  const env = { ...cleanEnvironment(), ...homeEnvironment(home), ...options.env };
  const command = [options.entry ?? ENTRY, ...args];
  const child = spawn(process.execPath, command, { env, cwd: options.cwd, stdio: 'pipe' });
  const result = collect(child, args, options).finally(() => rmSync(home, { recursive: true, force: true }));
  // A program that ends without reading its input is no fault of the test.
  child.stdin.on('error', () => {});
  if (options.input !== undefined) child.stdin.write(options.input);
  if (!options.keepInputOpen) child.stdin.end();
  options.onSpawn?.(child);
  return { child, result };
}

/** Runs the program as a process, to its end. Rejects when it cannot be started or does not end in time. */
export function gigwork(args: string[], options?: CliOptions): Promise<CliResult> {
  return startGigwork(args, options).result;
}

/**
 * Makes a workspace that is removed, with the processes still running in it, when the calling test is over; or when
 * `atEnd` says so: `workspace(afterAll)` for a whole describe, `workspace(context.onTestFinished)` in concurrent tests.
 */
export function workspace(atEnd: (cleanUp: () => Promise<void>) => void = onTestFinished): Workspace {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'gigwork-')));
  const stateDir = join(dir, 'state');
  const home = join(dir, 'home');
  mkdirSync(home);
  const own = {
    ...homeEnvironment(home),
    XDG_CONFIG_HOME: join(dir, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    GIGWORK_STATE_DIR: stateDir,
  };
  const started: RunningCli[] = [];
  const path = (name: string): string => resolve(dir, name);

  const start = (args: string[], options: CliOptions = {}): RunningCli => {
    const running = startGigwork(args, { cwd: dir, ...options, env: { ...own, ...options.env } });
    started.push(running);
    return running;
  };

  atEnd(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.allSettled(started.map(({ result }) => result));
    rmSync(dir, { recursive: true, force: true });
  });

  return {
    dir,
    stateDir,
    path,
    file(name, content) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      return path(name);
    },
    read: (name) => readFileSync(path(name), 'utf8'),
    run: (args, options) => start(args, options).result,
    start,
  };
}

/** The program in tests: inside this process, or as a process of its own where the process is what a test is about. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type InsideOptions,
  type InsideResult,
  refuseProcessVariables,
  type RunningInside,
  startInside,
} from './inside.js';
import { type ProcessOptions, type RunningCli, startProcess } from './process.js';
import type { CliResult } from './result.js';

export type { InsideOptions, RunningInside } from './inside.js';
export type { ProcessOptions, RunningCli } from './process.js';
export type { CliResult } from './result.js';

const FOREIGN_PREFIX = /^(GIGWORK_|XDG_|VITEST)/i;
/** The config file of a workspace. */
export const CONFIG = 'config/gigwork/config.json';

/** What a person types: one text, with quotes around words that need them; or its words. */
export type Words = string | readonly string[];

function wordsOf(typed: Words): readonly string[] {
  if (typeof typed !== 'string') return typed;
  return [...typed.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? (plain as string));
}

const FOREIGN_NAME = /^((https?|all|no)_proxy|no_color|force_color|ci|node_options|node_env|node_extra_ca_certs)$/i;

/** A folder of its own for one test, with everything that the program reads and writes inside it. */
export interface Workspace {
  readonly dir: string;
  readonly stateDir: string;
  /** The absolute path of a name in the folder. */
  path(name: string): string;
  /** Writes a file, with the folders it needs; gives its absolute path. */
  file(name: string, content: string | Uint8Array): string;
  read(name: string): string;
  /** Runs the program in the folder, inside this process. */
  run(args: Words, options?: InsideOptions): Promise<InsideResult>;
  /** The same, returned while it runs. It is stopped at the end of the test at the latest. */
  begin(args: Words, options?: InsideOptions): RunningInside;
  /** Runs it as a process of its own, to its end. Rejects when it cannot be started or does not end in time. */
  process(args: Words, options?: ProcessOptions): Promise<CliResult>;
  /** Starts that process, for tests that signal or kill it; it is killed at the end of the test at the latest. */
  start(args: Words, options?: ProcessOptions): RunningCli;
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

/** Does something in a workspace that is gone afterwards, so that no run finds what a real user has. */
async function once<Result>(act: (at: Workspace) => Promise<Result>): Promise<Result> {
  let cleanUp = (): Promise<void> => Promise.resolve();
  try {
    return await act(workspace((end) => (cleanUp = end)));
  } finally {
    await cleanUp();
  }
}

/** Runs the program outside of any workspace of the test, inside this process. */
export function gigwork(args: Words, options?: InsideOptions): Promise<InsideResult> {
  return once((at) => at.run(args, options));
}

/** The same as a process of its own. */
export function gigworkProcess(args: Words, options?: ProcessOptions): Promise<CliResult> {
  return once((at) => at.process(args, options));
}

/** What stands in a file: text, bytes, or an object as JSON. */
export type Content = string | Uint8Array | object;

/** A workspace with these files in it. */
export function workspaceWith(files: Readonly<Record<string, Content>>): Workspace {
  const made = workspace();
  for (const [name, content] of Object.entries(files)) {
    const isWritten = typeof content === 'string' || content instanceof Uint8Array;
    made.file(name, isWritten ? content : JSON.stringify(content));
  }
  return made;
}

/**
 * Makes a workspace that is removed, with the runs still going on in it, when the calling test is over; or when `atEnd`
 * says so: `workspace(afterAll)` for a whole describe, `workspace(context.onTestFinished)` in concurrent tests.
 */
export function workspace(atEnd: (cleanUp: () => Promise<void>) => void = onTestFinished): Workspace {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'gigwork-')));
  const stateDir = join(dir, 'state');
  const home = join(dir, 'home');
  mkdirSync(home);
  const own = {
    ...cleanEnvironment(),
    ...homeEnvironment(home),
    XDG_CONFIG_HOME: join(dir, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    GIGWORK_STATE_DIR: stateDir,
  };
  const started: RunningCli[] = [];
  const inside: RunningInside[] = [];
  const path = (name: string): string => resolve(dir, name);

  const environment = (env: Record<string, string> = {}): Record<string, string> => ({ ...own, ...env });

  const start = (args: Words, options: ProcessOptions = {}): RunningCli => {
    const running = startProcess(wordsOf(args), { cwd: dir, ...options, env: environment(options.env) });
    started.push(running);
    return running;
  };

  const begin = (args: Words, options: InsideOptions = {}): RunningInside => {
    refuseProcessVariables(options.env ?? {});
    const running = startInside(wordsOf(args), { cwd: dir, ...options, env: environment(options.env) });
    inside.push(running);
    return running;
  };

  atEnd(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.allSettled([...started.map(({ result }) => result), ...inside.map(({ end }) => end())]);
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
    run: (args, options) => begin(args, options).result,
    begin,
    process: (args, options) => start(args, options).result,
    start,
  };
}

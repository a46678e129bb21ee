/** The program as a process of its own. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type CliResult, cliResult, lateError } from './result.js';

const ENTRY = fileURLToPath(new URL('../../bin/gigwork.js', import.meta.url));
const TIMEOUT_MS = 120_000;

export interface ProcessOptions {
  /** Standard input; without it standard input is empty. */
  input?: string | Uint8Array;
  /** Leave standard input open, for the test to write to `child.stdin` and end it. */
  keepInputOpen?: boolean;
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
  /** Resolves when it says this on standard error from now on. Rejects when it ends without saying it. */
  said(words: RegExp): Promise<void>;
}

function collect(
  child: ChildProcessWithoutNullStreams,
  args: readonly string[],
  { entry, timeoutMs = TIMEOUT_MS }: ProcessOptions,
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
      const stdout = Buffer.concat(out).toString('utf8');
      const stderr = Buffer.concat(err).toString('utf8');
      if (late) reject(lateError(args, timeoutMs, stdout, stderr));
      else fulfil(cliResult(args, entry === undefined, { code, signal, stdout, stderr }));
    });
  });
}

/** Starts the program and returns it while it runs. @param options with its whole environment */
export function startProcess(args: readonly string[], options: ProcessOptions): RunningCli {
  const command = [options.entry ?? ENTRY, ...args];
  const child = spawn(process.execPath, command, { env: options.env, cwd: options.cwd, stdio: 'pipe' });
  const result = collect(child, args, options);
  // A program that ends without reading its input is no fault of the test.
  child.stdin.on('error', () => {});
  if (options.input !== undefined) child.stdin.write(options.input);
  if (!options.keepInputOpen) child.stdin.end();
  options.onSpawn?.(child);
  return { child, result, said: (words) => said(child, words) };
}

function said(child: ChildProcessWithoutNullStreams, words: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (words.test(text)) resolve();
    });
    child.once('close', () => reject(new Error(`it ended without saying ${words}:\n${text}`)));
  });
}

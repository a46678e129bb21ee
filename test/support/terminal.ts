import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Workspace } from './cli.js';

const SCRIPT = fileURLToPath(new URL('terminal.py', import.meta.url));
const ENTRY = fileURLToPath(new URL('../../bin/gigwork.js', import.meta.url));
/** Less than a test may last, so that the failure tells what was shown until then. */
const TIMEOUT_MS = 150_000;

/** Where Python itself is: what stands on the PATH may be a script that looks for it, which costs more than Python does. */
const found = spawnSync(
  'python3',
  ['-c', 'import pty, fcntl, os, sys; os.waitstatus_to_exitcode; print(sys.executable)'],
  {
    encoding: 'utf8',
  },
);

/** Why the program cannot be run on a terminal here, for a test's title; empty where it can. */
export const NO_TERMINAL = whyNoTerminal();

function whyNoTerminal(): string {
  if (found.error !== undefined) return ' (left out: there is no python3 to make a pseudo terminal with)';
  return found.status === 0 ? '' : ' (left out: this python3 cannot make a pseudo terminal)';
}

export interface Terminal {
  /** Everything that was shown so far, with line ends as LF and without colours. */
  readonly output: string;
  /** The same with its colours. */
  readonly colored: string;
  /**
   * Resolves when the output after the last answer holds the text, however its lines are broken. Rejects when the program
   * ends before.
   */
  shows(text: string | RegExp): Promise<void>;
  /** Types a line. */
  type(line: string): void;
  /** Types what a key sends, such as `\u0003` for Ctrl-C. */
  press(key: string): void;
  /** Makes the terminal as wide as this many columns. */
  resize(width: number): void;
  /** The exit code, once the program has ended. Rejects when it does not. */
  readonly ended: Promise<number>;
}

/** Runs the program in a workspace on a pseudo terminal. It is killed when the test is over. */
export function openTerminal(ws: Workspace, args: readonly string[], columns = 80): Terminal {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: ws.path('home'),
    XDG_CONFIG_HOME: ws.path('config'),
    GIGWORK_STATE_DIR: ws.stateDir,
    TERM: 'xterm',
  };
  const command = ['-S', '-E', SCRIPT, String(columns), '50', process.execPath, ENTRY, ...args];
  const child = spawn(found.stdout.trim(), command, {
    cwd: ws.dir,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  let output = '';
  let colored = '';
  let answered = 0;
  let isOver = false;
  const waiting = new Set<() => void>();
  const news = (): void => waiting.forEach((look) => look());
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    colored = (colored + text).replaceAll('\r\n', '\n');
    output = colored.replaceAll(/\u001b\[[\d;]*m/g, '');
    news();
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      isOver = true;
      news();
      if (code === null) reject(new Error(`the program did not end within ${TIMEOUT_MS} ms:\n${output}`));
      else resolve(code);
    });
  });
  // If a test fails before it awaits `ended`, a rejection would be unhandled.
  ended.catch(() => undefined);
  const matches = (text: string | RegExp): boolean => {
    const recent = output.slice(answered);
    // The end of a question is a space behind it, which stays.
    return [recent, recent.replaceAll(/\s+/g, ' ')].some((each) =>
      typeof text === 'string' ? each.includes(text) : text.test(each),
    );
  };
  const press = (key: string): void => {
    answered = output.length;
    child.stdin.write(key);
  };
  return {
    get output() {
      return output;
    },
    get colored() {
      return colored;
    },
    shows: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!matches(text) && !isOver) return;
          waiting.delete(look);
          if (matches(text)) resolve();
          else reject(new Error(`the program ended without showing ${String(text)}:\n${output}`));
        };
        waiting.add(look);
        look();
      }),
    type: (line) => press(`${line}\n`),
    press,
    resize: (width) => void child.stdin.write(`\0${width}\0`),
    ended,
  };
}

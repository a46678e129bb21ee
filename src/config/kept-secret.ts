/** Secrets that are kept elsewhere: in a variable, in a file, or behind a command. CONTRACT: "Settings". */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { systemErrorText } from '../input/source.js';
import type { World } from '../world.js';
import { readNamed, utf8Text } from './named-file.js';
import type { SecretText } from './setting.js';

const COMMAND_SECONDS = 30;
/** No secret is longer. */
const MOST_BYTES = 65_536;

/** From now on, stop signals do not end this process by themselves: they would leave a command behind. */
export type InterruptListener = () => AbortSignal;

export interface SecretPlace {
  /** The setting, for messages. */
  readonly key: string;
  /** Where relative paths start from. */
  readonly folder: string;
  readonly env: World['env'];
  /** Called when a command runs. The signal ends it. */
  readonly listen?: InterruptListener | undefined;
}

/** Whether another program may change it, so that reading it again makes sense. */
export function isRotating(secret: SecretText): boolean {
  return typeof secret === 'object' && !('env' in secret);
}

/** Where a secret is kept, in brackets; empty if the setting itself holds it. */
export function secretOrigin(secret: SecretText, folder: string): string {
  if (typeof secret === 'string') return '';
  if ('env' in secret) return ` (the environment variable ${secret.env})`;
  return 'file' in secret ? ` (the file ${resolve(folder, secret.file)})` : ` (the command ${secret.command[0] ?? ''})`;
}

/**
 * The text of a secret, wherever it is kept.
 * @throws UsageError when it is missing or empty: without it, requests would go out without credentials
 */
export async function secretText(secret: SecretText, place: SecretPlace): Promise<string> {
  const [text, lack] = await keptText(secret, place);
  if (text.trim() === '') throw new UsageError(`${place.key}${lack}`);
  // Editors, `echo` and secret stores put one line end after a text. All other characters belong to the secret.
  return text.replace(/(?:\r\n|\r|\n)$/, '');
}

/** The stored text, and what to report if it is empty. */
async function keptText(secret: SecretText, place: SecretPlace): Promise<[kept: string, lack: string]> {
  if (typeof secret === 'string') return [secret, ' is empty: put the secret in, or leave it out'];
  const { key, folder, env } = place;
  if ('env' in secret) return [env[secret.env] ?? '', `: the environment variable ${secret.env} is not set, or empty`];
  if ('command' in secret)
    return [await printedBy(secret.command, place), `: the command ${secret.command[0] ?? ''} printed nothing`];
  const path = resolve(folder, secret.file);
  return [readNamed(key, path, folder), `: the file ${path} is empty`];
}

/** The output of a command. Its error output and the reason of a failure are not shown: they may contain the secret. */
function printedBy([program = '', ...words]: readonly string[], place: SecretPlace): Promise<string> {
  const { key, folder, env, listen } = place;
  const options = { cwd: folder, env: { ...env }, timeout: COMMAND_SECONDS * 1000, killSignal: 'SIGKILL' } as const;
  return new Promise((done, fail) => {
    const refuse = (why: string, cause?: unknown): void =>
      fail(new UsageError(`${key}: the command ${program} ${why}`, { cause }));
    const bytes = { encoding: 'buffer', maxBuffer: MOST_BYTES, windowsHide: true, signal: listen?.() } as const;
    const child = execFile(program, words, { ...options, ...bytes }, (failure, stdout) => {
      if (failure !== null) return refuse(commandFailureText(failure), failure);
      try {
        done(utf8Text(stdout));
      } catch (cause) {
        refuse(`printed what is not in UTF-8`, cause);
      }
    });
    // A command that asks a question gets no answer, and ends.
    child.stdin?.on('error', () => undefined).end();
  });
}

function commandFailureText(failure: Error & { readonly code?: unknown; readonly killed?: boolean }): string {
  if (failure.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${MOST_BYTES} bytes`;
  if (typeof failure.code === 'number') return `ended with exit code ${failure.code}: run it by hand to see why`;
  if (failure.killed === true) return `did not end within ${COMMAND_SECONDS} seconds`;
  return typeof failure.code === 'string' ? `cannot be run: ${systemErrorText(failure)}` : 'was ended by a signal';
}

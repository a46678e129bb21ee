/** Questions at a terminal. A question without an answer counts as answered with no. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Output } from '../util/output.js';
import { printable } from './printable.js';
import { widthOf, wrapText } from './table.js';

/** A terminal with a person at it. */
export interface Prompt {
  /** The answer as typed. Null when the input ends or the signal comes. */
  ask(question: string): Promise<string | null>;
  tell(text: string): void;
}

export type Terminal = Readable & { isTTY?: boolean };

/** Whether there is a person to ask: a terminal on standard input and on standard error. */
export function isPresent(stdin: Terminal, stderr: Output): boolean {
  return stdin.isTTY === true && stderr.isTTY;
}

/** @param signal ends an open question */
export function promptAt(stdin: Terminal, stderr: Output, signal: AbortSignal): Prompt {
  return {
    ask: (question) => askLine(stdin, stderr, wrapText(question, widthOf(stderr)).join('\n'), signal),
    tell: (text) => stderr.write(`${wrapText(text, widthOf(stderr)).join('\n')}\n`),
  };
}

/** An unexpected answer is a typing error, not a decision. */
const TRIES = 3;

/** The answer; null for Enter, no answer, and only typing errors. @param read null for a typing error */
export async function askFor<T>(
  prompt: Prompt,
  { question, again, failed }: { readonly question: string; readonly again: string; readonly failed?: string },
  read: (typed: string) => T | null,
): Promise<T | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const typed = ((await prompt.ask(tries === 0 ? question : again)) ?? '').trim();
    if (typed === '') return null;
    const answer = read(typed);
    if (answer !== null) return answer;
  }
  if (failed !== undefined) prompt.tell(failed);
  return null;
}

/** Shows the facts and asks for a yes. If nobody is there to ask, the command line is the answer. */
export async function agreed(
  facts: readonly string[],
  question: string,
  { stdin, stderr }: { readonly stdin: Terminal; readonly stderr: Output },
): Promise<boolean> {
  if (!isPresent(stdin, stderr)) return true;
  const prompt = promptAt(stdin, stderr, new AbortController().signal);
  for (const fact of facts) prompt.tell(printable(fact));
  return isYes(await prompt.ask(`${question} [y/N] `));
}

export function isYes(answer: string | null): boolean {
  return answer !== null && /^y(es)?$/i.test(answer.trim());
}

function askLine(stdin: Readable, stderr: Output, question: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    // After its end, standard input gives no line, and not even a close event.
    if (signal.aborted || stdin.readableEnded || stdin.destroyed) return resolve(null);
    // Not as a terminal: Ctrl-C stays a signal, and the terminal itself edits the line.
    const lines = createInterface({ input: stdin, terminal: false });
    let isAnswered = false;
    const cancel = (): void => end(null);
    const end = (answer: string | null): void => {
      if (isAnswered) return;
      isAnswered = true;
      signal.removeEventListener('abort', cancel);
      stdin.removeListener('end', cancel);
      // The message that follows gets a separate line.
      if (answer === null) stderr.write('\n');
      resolve(answer);
      lines.close();
    };
    // Text without an Enter is not an answer. This listener comes first: the interface would read it as a line.
    stdin.prependOnceListener('end', cancel);
    lines.once('line', end);
    lines.once('close', cancel);
    signal.addEventListener('abort', cancel, { once: true });
    stderr.write(question);
  });
}

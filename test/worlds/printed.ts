/** What a person does who has been told something: decides about repeats, follows what is printed, resumes a run. */
import { ask, type Desk, type Done, runNamed } from './desk.js';
import type { Run } from './history.js';
import { type Past, run } from './running.js';
import { close, settle } from './upkeep.js';
import { manner, TIMEOUT, without } from './wording.js';
import { shellWords } from './words.js';

/** A call was refused because of repeats: somebody says what they are. */
export function decide(desk: Desk, past: Past): Promise<Run | null> {
  const { chance } = desk;
  const { words, verdict } = past.last as Done;
  const similar = String(Math.max(1, verdict.similar));
  const said = chance.pick([
    ['--skip-created', '--skip-similar'],
    [verdict.created > 0 ? '--skip-created' : '--skip-similar'],
    ['--skip-created', '--send-similar', similar],
    ['--send-similar', String(1 + chance.below(3))],
    ['--batch-id', `own-${chance.below(3)}`],
  ]);
  if (said[0] === '--batch-id' && words[1] === 'resume') return Promise.resolve(null);
  const kept = said.filter((word) => word.startsWith('--')).reduce(without, words);
  const isOther = said.includes('--send-similar') ? '--skip-similar' : '--send-similar';
  return run(desk, past, [...(said[0] === '--batch-id' ? kept : without(kept, isOther)), ...said]);
}

interface Remedy {
  readonly command: readonly string[] | null;
  /** Words that a person must replace. */
  readonly placeholders?: readonly string[];
}

/** Does what a refusal offers, as it is printed. */
export async function followRemedy(desk: Desk, past: Past): Promise<Run | null> {
  const { chance, history } = desk;
  const remedies = (past.last?.called.summary?.remedies ?? []) as Remedy[];
  // A file that a person makes first is not there, and rejects are corrected first: sendRejects does that.
  const commands = remedies.flatMap(({ command, placeholders = [] }) => {
    if (command === null || command.some((word) => word === 'FILE' || word.includes('/rejects'))) return [];
    return [command.slice(1).map((word) => (placeholders.includes(word) ? `own-${chance.below(3)}` : word))];
  });
  if (commands.length === 0) return decide(desk, past);
  const words = chance.pick(commands);
  if (words[1] === 'close') return close(desk, runNamed(history, words[2] as string));
  if (words[1] === 'settle') return settle(desk);
  return run(desk, past, asJson(words));
}

function asJson(words: readonly string[]): string[] {
  const missing = ['--json', '--yes', '--no-progress'].filter((flag) => !words.includes(flag));
  // Values of headers are not printed: a person puts them in.
  const whole = words.map((word) => (/^[\w-]+:$/.test(word) ? `${word} a` : word));
  return [...whole, ...missing, ...(words.includes('--timeout') ? [] : TIMEOUT)];
}

export function resume(desk: Desk, past: Past): Promise<Run | null> {
  const { chance, history } = desk;
  if (history.runs.length === 0) return Promise.resolve(null);
  const { name, headers } = chance.pick(history.runs);
  const allowed = ['--retry-rejected', '--resend-unknown', '--skip-created', '--skip-similar', '--strict'];
  const said = allowed.filter(() => chance.hits(0.2));
  const kept = chance.hits(0.9) ? headers.flatMap((header) => ['--header', `${header}: a`]) : [];
  return run(desk, past, ['batch', 'resume', name, ...manner(chance), ...said, ...kept]);
}

/** Does what the last call said that goes on, word by word, or what the journal prints of a run, days later. */
export async function goOnAsTold(desk: Desk, past: Past): Promise<Run | null> {
  const { chance, history } = desk;
  let next = past.last?.called.summary?.next as readonly string[] | null | undefined;
  if (chance.hits(0.4) && history.runs.length > 0) {
    const shown = await ask(desk, ['batch', 'show', chance.pick(history.runs).name, '--json']);
    const printed = (JSON.parse(shown.stdout) as { next: string | readonly string[] | null }).next;
    next = typeof printed === 'string' ? shellWords(printed) : printed;
  }
  if (next === null || next === undefined) return null;
  const words = next.slice(1);
  if (words[1] === 'settle') return settle(desk);
  if (words[1] === 'close') return close(desk, runNamed(history, words[2] as string));
  return run(desk, past, asJson(words));
}

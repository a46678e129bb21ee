/** What the program advises: commands and flags, wherever they are printed. No sentence of it is known here. */
import type { Called } from '../program.js';
import { shellWords } from '../words.js';

export interface Advice {
  /** Commands, without `gigwork`: what the summary offers first, then what stands in the text. */
  readonly commands: readonly (readonly string[])[];
  /** The flags that are named anywhere. */
  readonly flags: ReadonlySet<string>;
  /** Batch names that are proposed. */
  readonly batches: readonly string[];
  /** Runs in which something is to be settled. */
  readonly settle: readonly string[];
  /** Rejects that were written, with something in them. */
  readonly rejects: string | null;
}

/** A command ends with its line, or before a sentence goes on. */
const COMMAND = /gigwork'? (batch (?:resume|close|settle|import) [^\n]*|(?:payout|result|gig) create [^\n]*)/g;

export function adviceIn({ stderr, summary, events }: Called): Advice {
  const issues = events.filter(({ event }) => event === 'issue') as { message: string }[];
  const remedies = (summary.remedies ?? []) as { when: string; command: readonly string[] | null }[];
  const text = [stderr, ...(summary.reasons ?? []), ...issues.map(({ message }) => message)].join('\n');
  const offered = [...remedies.map(({ command }) => command), summary.next as readonly string[] | null]
    .filter((words) => words !== null && words !== undefined)
    .map((words) => words.slice(1));
  const inText = [...text.matchAll(COMMAND)].map(([, line]) => wordsOf(line as string));
  const commands = [...offered, ...inText];
  const all = `${text}\n${commands.map((words) => words.join(' ')).join('\n')}`;
  return {
    commands,
    flags: new Set([...all.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag)),
    batches: [...all.matchAll(/--batch-id ['"]?([\w./:-]*\w)/g)].flatMap(([, name]) =>
      name === undefined || name === 'NAME' ? [] : name,
    ),
    settle: [...new Set([...all.matchAll(/batch settle (\S+)/g)].map(([, run]) => run as string))],
    rejects: /^Rejects written: (\S+), [1-9]/m.exec(stderr)?.[1] ?? null,
  };
}

/** The words of a line up to where it is no command any more. */
function wordsOf(line: string): string[] {
  const words = shellWords(line.replace(/[.,;:)]+$/, ''));
  const end = words.findIndex((word, i) => i > 0 && /[,;)]$/.test(word));
  return end < 0 ? words : words.slice(0, end).concat((words[end] as string).replace(/[,;)]+$/, ''));
}

/** The command that resumes a run, if one is printed. */
export function resumeIn({ commands }: Advice): readonly string[] | null {
  return commands.find(([batch, verb]) => batch === 'batch' && verb === 'resume') ?? null;
}

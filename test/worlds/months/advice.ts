/** What the program advises: commands and flags, wherever they are printed. No sentence of it is known here. */
import type { Called } from '../program.js';
import { shellWords } from '../words.js';

/** A way out, ready to be typed but for its placeholders. */
export interface Remedy {
  readonly code: string;
  readonly words: readonly string[];
  readonly placeholders: readonly string[];
}

export interface Advice {
  readonly remedies: readonly Remedy[];
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
  const remedies = ((summary.remedies ?? []) as Printed[]).flatMap(remedyOf);
  const text = [stderr, ...(summary.reasons ?? []), ...issues.map(({ message }) => message)].join('\n');
  const isWhole = ({ placeholders }: Remedy): boolean => placeholders.length === 0;
  const next = (summary.next as readonly string[] | null | undefined)?.slice(1);
  const offered = [...remedies.filter(isWhole).map(({ words }) => words), ...(next === undefined ? [] : [next])];
  const inText = [...text.matchAll(COMMAND)].map(([, line]) => wordsOf(line as string));
  const commands = [...offered, ...inText];
  const printed = [...remedies.map(({ words }) => words), ...commands];
  const cases = ((summary.remedies ?? []) as Printed[]).map(({ when }) => when);
  const all = `${text}\n${cases.join('\n')}\n${printed.map((words) => words.join(' ')).join('\n')}`;
  const unnamed = remedies.flatMap(({ placeholders }) => placeholders);
  return {
    remedies,
    commands,
    flags: new Set([...all.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag)),
    batches: [...all.matchAll(/--batch-id ['"]?([\w./:-]*\w)/g)]
      .map(([, name]) => name as string)
      .filter((name) => !unnamed.includes(name)),
    settle: [...new Set([...all.matchAll(/batch settle (\S+)/g)].map(([, run]) => run as string))],
    rejects: /^Rejects written: (\S+), [1-9]/m.exec(stderr)?.[1] ?? null,
  };
}

interface Printed {
  readonly code: string;
  /** Names flags, too, where something else is done first. */
  readonly when: string;
  readonly command: readonly string[] | null;
  readonly placeholders?: readonly string[];
}

/** A note is written by whoever runs it. */
function remedyOf({ code, command, placeholders = [] }: Printed): Remedy[] {
  if (command === null) return [];
  const words = command.slice(1).map((word) => (word === 'TEXT' && placeholders.includes(word) ? 'as printed' : word));
  return [{ code, words, placeholders: placeholders.filter((word) => word !== 'TEXT') }];
}

/** The words of a line up to where it is no command any more. */
function wordsOf(line: string): string[] {
  const words = shellWords(line.replace(/[.,;:)]+$/, ''));
  const end = words.findIndex((word, i) => i > 0 && /[,;)]$/.test(word));
  return end < 0 ? words : words.slice(0, end).concat((words[end] as string).replace(/[,;)]+$/, ''));
}

/** The command that resumes a run, if one is printed. */
export function resumeIn({ remedies, commands }: Advice): readonly string[] | null {
  const remedy = remedies.find(({ code }) => code === 'resume');
  if (remedy !== undefined) return remedy.words;
  return commands.find(([batch, verb]) => batch === 'batch' && verb === 'resume') ?? null;
}

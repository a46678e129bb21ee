/** What the program advises, read from its printed lines as a person reads them. */
import { shellWords } from '../words.js';

export interface Advice {
  /** Commands that go on, as they are printed, without `gigwork`; the first is the one that is meant. */
  readonly goOn: readonly (readonly string[])[];
  /** Runs in which something is to be settled. */
  readonly settle: readonly string[];
  /** Of a refusal because of repeats: the flags for each case. */
  readonly paidAlready: readonly string[] | null;
  readonly anotherPeriod: readonly string[] | null;
  readonly ofTheirOwn: readonly string[] | null;
  /** Rejects that were written, with something in them. */
  readonly rejects: string | null;
}

/** A command stands at the end of its line, or before a comma. */
const RESUME = /gigwork (batch resume \S+(?: (?:--|'|[\w./:@-])[^\n]*)?)$/gm;

export function adviceIn(stderr: string): Advice {
  const flagsAfter = (words: RegExp): string[] | null => {
    const found = words.exec(stderr);
    return found === null ? null : shellWords(found[1] as string);
  };
  const rejects = /^Rejects written: (\S+), (\d+) records?/m.exec(stderr);
  return {
    goOn: [...stderr.matchAll(RESUME)].map(([, words]) => shellWords(words as string)),
    settle: [...new Set([...stderr.matchAll(/gigwork batch settle (\S+)/g)].map(([, run]) => run as string))],
    paidAlready: flagsAfter(/^- they were paid already: ((?:--\S+ )+)/m),
    anotherPeriod: flagsAfter(/^- they are for another period or purpose: .*such as (--batch-id \S+)/m),
    ofTheirOwn: flagsAfter(
      /^- the similar ones are payments of their own.*?: ((?:--skip-created )?--send-similar \d+)/m,
    ),
    rejects: rejects?.[1] ?? null,
  };
}

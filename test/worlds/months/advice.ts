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
  /** The same, for a file that holds these rows alone. */
  readonly alone: {
    /** The rows of the file that equal them belong there, too. */
    readonly withEquals: boolean;
    readonly batch: readonly string[];
    readonly here: readonly string[];
  } | null;
  /** Of records that are not sent, since they were corrected and imported before: how they would be other payments. */
  readonly replaced: readonly string[] | null;
  readonly ofTheirOwn: readonly string[] | null;
  /** Rows that correct what is no longer rejected: to be imported with their column gigwork_key empty. */
  readonly emptyKeys: boolean;
  /** The input is that of an earlier run, under another name: how it would be another payment. */
  readonly sameRecords: { readonly files: string; readonly batch: readonly string[] } | null;
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
  const apart =
    /^- they are .*: put these records(, and those that equal them,)? alone .*such as (--batch-id \S+), and leave them out here with (.*)$/m.exec(
      stderr,
    );
  const same = /^these are the records of run \S+ of \S+ \((.*)\), which goes on: .* such as (--batch-id \S+)$/m.exec(
    stderr,
  );
  const rejects = /^Rejects written: (\S+), (\d+) records?/m.exec(stderr);
  return {
    goOn: [...stderr.matchAll(RESUME)].map(([, words]) => shellWords(words as string)),
    settle: [...new Set([...stderr.matchAll(/gigwork batch settle (\S+)/g)].map(([, run]) => run as string))],
    paidAlready: flagsAfter(/^- they were paid already: ((?:--\S+ )+)/m),
    anotherPeriod: flagsAfter(/^- they are for another period or purpose: name it .*such as (--batch-id \S+)/m),
    alone:
      apart === null
        ? null
        : {
            withEquals: apart[1] !== undefined,
            batch: shellWords(apart[2] as string),
            here: shellWords(apart[3] as string),
          },
    replaced: flagsAfter(/^\d+ records? (?:was|were) rejected before, and corrected .* such as (--batch-id \S+)$/m),
    ofTheirOwn: flagsAfter(
      /^- (?:the similar ones|they) are payments of their own.*?: ((?:--skip-created )?--send-similar \d+)/m,
    ),
    emptyKeys: /^- rows with a gigwork_key that are payments of their own after all: empty that column/m.test(stderr),
    sameRecords: same === null ? null : { files: same[1] as string, batch: shellWords(same[2] as string) },
    rejects: rejects?.[1] ?? null,
  };
}

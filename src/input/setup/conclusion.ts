/** What setup has found out about one question, and whether that is proven. CONTRACT: "Setting a file up". */
import { excerpt } from '../../records/issue.js';

/** A value of the file, with its place. */
export interface Seen {
  /** The line on which its row starts. */
  readonly line: number;
  /** As it was typed. */
  readonly typed: string;
}

export interface Conclusion<T> {
  /** It may be taken without asking anybody: the file allows nothing else, or the person has said it. */
  readonly isProven: boolean;
  /** What is taken, or offered first; null for the tool's own way of reading, or where there is no best guess. */
  readonly value: T | null;
  /** One sentence: the reason, shown on values of the file; empty where nothing has to be said. */
  readonly because: string;
  /** Flags of which one decides the question; none where no flag reads the file as it is. */
  readonly say: readonly string[];
  /** A value of the file on which the answer is shown: one that proves it, or leaves it open. */
  readonly shown?: string;
}

export const NOTHING_TO_SAY: Conclusion<never> = { isProven: true, value: null, because: '', say: [] };

/** What the person has said: nothing is to be concluded. */
export function saidSo<T>(value: T): Conclusion<T> {
  return { isProven: true, value, because: '', say: [] };
}

/** `line 3: "1.200,50"` */
export function seenWords({ line, typed }: Seen): string {
  return `line ${line}: ${JSON.stringify(excerpt(typed))}`;
}

/** Setup's conclusion about one question, and whether it is proven. CONTRACT: "Setting a file up". */
import { excerpt } from '../../records/issue.js';

/** A value of the file, with its place. */
export interface Seen {
  /** The line on which its row starts. */
  readonly line: number;
  /** As typed. */
  readonly typed: string;
}

export interface Conclusion<T> {
  /** It needs no question: the file allows nothing else, or the person has decided it. */
  readonly isProven: boolean;
  /** The value to use, or to offer first; null for the default way of reading, or if there is no best guess. */
  readonly value: T | null;
  /** The reason in one sentence, with values of the file as examples; empty if no reason is needed. */
  readonly because: string;
  /** Flags, one of which decides the question; none if no flag reads the file as it is. */
  readonly say: readonly string[];
  /** A value of the file as an example: one that proves the answer, or leaves it open. */
  readonly shown?: string;
}

export const NOTHING_TO_SAY: Conclusion<never> = { isProven: true, value: null, because: '', say: [] };

/** The person has decided, so there is nothing to conclude. */
export function saidSo<T>(value: T): Conclusion<T> {
  return { isProven: true, value, because: '', say: [] };
}

/** `line 3: "1.200,50"` */
export function seenWords({ line, typed }: Seen): string {
  return `line ${line}: ${JSON.stringify(excerpt(typed))}`;
}

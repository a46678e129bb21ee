/** What setup has found out about one question, and how sure that is. CONTRACT: "Setting a file up". */

/** A value of the file, with its place. */
export interface Seen {
  /** The line on which its row starts; null where rows have no lines. */
  readonly line: number | null;
  /** As it was typed. */
  readonly typed: string;
}

/**
 * - `nothing`: nothing has to be said
 * - `said`: the person has said it, by a flag or in a setting
 * - `proven`: the file allows nothing else
 * - `likely`: a guess, which only a person may confirm
 * - `open`: there is no best guess
 * - `conflict`: the file contradicts itself, and no setting reads it
 */
export type Certainty = 'nothing' | 'said' | 'proven' | 'likely' | 'open' | 'conflict';

export interface Conclusion<T> {
  readonly certainty: Certainty;
  /** What is taken, or offered first; null for the tool's own way of reading, or where there is no best guess. */
  readonly value: T | null;
  /** One sentence: the reason, shown on values of the file. */
  readonly because: string;
  /** Flags of which one decides the question. */
  readonly say: readonly string[];
}

/** Whether it may be taken without asking anybody. */
export function isSure({ certainty }: Conclusion<unknown>): boolean {
  return certainty === 'nothing' || certainty === 'said' || certainty === 'proven';
}

export const NOTHING_TO_SAY: Conclusion<never> = { certainty: 'nothing', value: null, because: '', say: [] };

/** What the person has said: nothing is to be concluded. */
export function saidSo<T>(value: T): Conclusion<T> {
  return { certainty: 'said', value, because: '', say: [] };
}

/** `line 3: "1.200,50"` */
export function seenWords({ line, typed }: Seen): string {
  return `${line === null ? '' : `line ${line}: `}${JSON.stringify(typed.trim())}`;
}

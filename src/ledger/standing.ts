/**
 * Whether a journal is the one in use. A journal and its copies share one history, and only one of them may add to it:
 * if two of them sent, each would pay again what the other has paid. CONTRACT: "The shared journal".
 */
import { JournalError } from '../errors.js';
import { localTime } from '../util/local-time.js';
import { shellWord } from '../util/shell-word.js';

/** Journals by their URLs, without passwords; times in milliseconds since 1970. */
export interface Standing {
  /** The journal that this one is a copy of, and the time of the copy. */
  readonly copyOf: { readonly journal: string; readonly at: number } | null;
  /** The journal that replaced this one, and since when; the time is null until everything has arrived there. */
  readonly movedTo: { readonly journal: string; readonly at: number | null } | null;
}

/** SQL: the columns of the table `journal` in every database. */
export const STANDING = 'copy_of, copied_at, moved_to, moved_at';

export type StandingCells = readonly [
  copyOf: string | null,
  copiedAt: number | null,
  movedTo: string | null,
  movedAt: number | null,
];

export function standingOf([copyOf, copiedAt, movedTo, movedAt]: StandingCells): Standing {
  return {
    copyOf: copyOf === null ? null : { journal: copyOf, at: copiedAt ?? 0 },
    movedTo: movedTo === null ? null : { journal: movedTo, at: movedAt },
  };
}

export function cellsOf({ copyOf, movedTo }: Standing): StandingCells {
  return [copyOf?.journal ?? null, copyOf?.at ?? null, movedTo?.journal ?? null, movedTo?.at ?? null];
}

/** @param journal its URL. @throws JournalError for a journal that must not send or change anything */
export function requireInUse(journal: string, standing: Standing): void {
  const words = notInUseWords(journal, standing);
  if (words !== null) throw new JournalError(words);
}

/** Null for a journal in use. */
export function notInUseWords(journal: string, { copyOf, movedTo }: Standing): string | null {
  if (movedTo !== null && movedTo.at === null) return movingWords(journal, movedTo.journal, copyOf !== null);
  if (movedTo !== null)
    return `the journal ${journal} was moved to ${movedTo.journal} on ${localTime(movedTo.at ?? 0)}. It sends nothing any more, and does not know what was paid since then. Use the new one: --journal ${pasted(movedTo.journal)}`;
  if (copyOf === null) return null;
  // A person may have put the copy at the original's location.
  const original = copyOf.journal === journal ? '' : ` Use the original: --journal ${pasted(copyOf.journal)}.`;
  return `the journal ${journal} is a copy of ${copyOf.journal}, made on ${localTime(copyOf.at)}. It is for reading and restoring: no run sends from it, and nothing changes it.${original} If the original is lost, move the copy to a new journal: gigwork journal copy --move --original-lost --from ${pasted(journal)} --to NEW`;
}

function movingWords(journal: string, to: string, isCopy: boolean): string {
  const command = `gigwork journal copy --move${isCopy ? ' --original-lost' : ''} --from ${pasted(journal)} --to ${pasted(to)}`;
  return `the journal ${journal} was being moved to ${to}, and the move was cut off. Finish it: ${command}. If ${to} has your runs already (gigwork batch list --journal ${pasted(to)}), the move is done: use --journal ${pasted(to)}`;
}

function pasted(word: string): string {
  return shellWord(word, process.platform);
}

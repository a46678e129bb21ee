/** Decides from the first answers of a call whether the target is wrong, and not the records. CONTRACT: "Sending". */
import type { Outcome } from '../ledger/payment.js';

export interface TargetJudge {
  /** Whether the target is at fault for a refusal, and not the record; null while that is open. */
  readonly blamesTarget: (refusal: Outcome) => boolean | null;
  /**
   * No answer will come any more, so nothing is left open.
   * @param hasCreated something was ever created at the paths of the refused records
   */
  readonly lastAnswer: (hasCreated: boolean) => void;
}

interface StartedJudge extends TargetJudge {
  /** Takes an answer that does not ask to wait. */
  readonly seen: (status: number) => void;
}

const FIRST_ANSWERS = 10;
const NOTHING_HERE: ReadonlySet<number> = new Set([403, 404, 405]);
/** Among fewer answers, this one may well be about the records. */
const FORBIDDEN = 403;
const MAY_BE_FORBIDDEN = '; 403 may also mean that the token or the account may not do this';

/** @param onWrong told once, with what the answers were */
export function startTargetJudge(onWrong: (detail: string) => void): StartedJudge {
  let answers = 0;
  /** What the first answers were, while they all say that there is nothing here; null once the target was judged. */
  let statuses: Set<number> | null = new Set();
  let isWrong = false;

  const blame = (were: ReadonlySet<number>): void => {
    statuses = null;
    isWrong = true;
    const few = answers === 1 ? 'the only answer was' : `all ${answers} answers were`;
    const which = answers === FIRST_ANSWERS ? `the first ${answers} answers were` : few;
    const list = [...were].sort((a, b) => a - b).join(', ');
    onWrong(`${which} HTTP ${list}${were.has(FORBIDDEN) ? MAY_BE_FORBIDDEN : ''}`);
  };

  return {
    seen: (status) => {
      if (statuses === null) return;
      statuses = NOTHING_HERE.has(status) ? statuses.add(status) : null;
      if (statuses !== null && ++answers === FIRST_ANSWERS) blame(statuses);
    },
    blamesTarget: ({ state, httpStatus }) => {
      if (state !== 'rejected' || !NOTHING_HERE.has(httpStatus ?? 0)) return false;
      return statuses === null ? isWrong : null;
    },
    lastAnswer: (hasCreated) => {
      if (statuses !== null && answers > 0 && !hasCreated && !statuses.has(FORBIDDEN)) blame(statuses);
      statuses = null;
    },
  };
}

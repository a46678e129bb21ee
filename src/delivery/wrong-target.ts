/** Decides from the first answers of a call whether the target is wrong, and not the records. CONTRACT: "Sending". */
import { JournalError } from '../errors.js';
import type { Delivery, Settled } from '../ledger/claims.js';
import type { Outcome } from '../ledger/payment.js';
import type { RecordType } from '../records/kind.js';

const FIRST_ANSWERS = 10;
const NOTHING_HERE: ReadonlySet<number> = new Set([403, 404, 405]);
/** Among fewer answers, this one may well be about the records. */
const FORBIDDEN = 403;
const MAY_BE_FORBIDDEN = '; 403 may also mean that the token or the account may not do this';

/**
 * Holds the first refusals back until it is known who is at fault for them. If it is the target, the records stay open
 * and are sent when the run is resumed.
 */
export class WrongTarget {
  private readonly delivery: Pick<Delivery, 'hasCreated'>;
  private readonly onWrong: (detail: string) => void;
  private answers = 0;
  /** What the first answers were, while they all say that there is nothing here; null once the target was judged. */
  private statuses: Set<number> | null = new Set();
  private isWrong = false;
  private held: Settled[] = [];
  private readonly types = new Set<RecordType>();

  /** @param onWrong told once, with what the answers were */
  constructor(delivery: Pick<Delivery, 'hasCreated'>, onWrong: (detail: string) => void) {
    this.delivery = delivery;
    this.onWrong = onWrong;
  }

  /** Takes an answer that does not ask to wait. */
  answered(status: number): void {
    if (this.statuses === null) return;
    this.statuses = NOTHING_HERE.has(status) ? this.statuses.add(status) : null;
    if (this.statuses !== null && ++this.answers === FIRST_ANSWERS) this.blame(this.statuses);
  }

  /** Takes an outcome, and gives those that can be stored now. */
  judge(settled: Settled, type: RecordType): Settled[] {
    if (this.statuses === null) return [...this.held.splice(0), settled].map((each) => this.judged(each));
    if (!isRefusal(settled.outcome)) return [settled];
    this.held.push(settled);
    this.types.add(type);
    return [];
  }

  /** No answer will come any more: gives what is still held. */
  async judgeLast(): Promise<Settled[]> {
    const { held, statuses } = this;
    if (held.length === 0) return held;
    this.held = [];
    if (statuses !== null && this.answers > 0 && !statuses.has(FORBIDDEN) && !(await this.hasCreated()))
      this.blame(statuses);
    this.statuses = null;
    return held.map((each) => this.judged(each));
  }

  private blame(statuses: ReadonlySet<number>): void {
    const { answers } = this;
    this.statuses = null;
    this.isWrong = true;
    const few = answers === 1 ? 'the only answer was' : `all ${answers} answers were`;
    const which = answers === FIRST_ANSWERS ? `the first ${answers} answers were` : few;
    const list = [...statuses].sort((a, b) => a - b).join(', ');
    this.onWrong(`${which} HTTP ${list}${statuses.has(FORBIDDEN) ? MAY_BE_FORBIDDEN : ''}`);
  }

  /** Whether anything was ever created at the paths of the refused records. */
  private async hasCreated(): Promise<boolean> {
    try {
      for (const type of this.types) if (await this.delivery.hasCreated(type)) return true;
    } catch (cause) {
      // The next commit reports the failure. Until then the records count as not sent, which is safe: they were refused.
      if (!(cause instanceof JournalError)) throw cause;
    }
    return false;
  }

  private judged(settled: Settled): Settled {
    const { outcome } = settled;
    return this.isWrong && isRefusal(outcome) ? { ...settled, outcome: { ...outcome, state: 'not_sent' } } : settled;
  }
}

function isRefusal({ state, httpStatus }: Outcome): boolean {
  return state === 'rejected' && NOTHING_HERE.has(httpStatus ?? 0);
}

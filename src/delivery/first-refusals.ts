/**
 * Holds the refusals of a call back until it is known whether the target is at fault for them and not the records. If
 * it is, the records stay open and are sent when the run is resumed.
 */
import { JournalError } from '../errors.js';
import type { Delivery, Settled } from '../ledger/claims.js';
import type { RecordType } from '../records/kind.js';
import type { TargetJudge } from './wrong-target.js';

export class FirstRefusals {
  private readonly watch: TargetJudge;
  private readonly delivery: Pick<Delivery, 'hasCreated'>;
  private held: Settled[] = [];
  private readonly types = new Set<RecordType>();

  constructor(watch: TargetJudge, delivery: Pick<Delivery, 'hasCreated'>) {
    this.watch = watch;
    this.delivery = delivery;
  }

  get areHeld(): boolean {
    return this.held.length > 0;
  }

  /** Takes an outcome, and gives those that can be stored now. */
  judge(settled: Settled, type: RecordType): Settled[] {
    this.held.push(settled);
    const judged = this.judged();
    if (this.areHeld) this.types.add(type);
    return judged;
  }

  /** No answer will come any more. */
  async judgeLast(): Promise<Settled[]> {
    this.watch.lastAnswer(await this.hasCreated());
    return this.judged();
  }

  private async hasCreated(): Promise<boolean> {
    try {
      for (const type of this.types) if (await this.delivery.hasCreated(type)) return true;
    } catch (cause) {
      // The next commit reports the failure. Until then the records count as not sent, which is safe: they were refused.
      if (!(cause instanceof JournalError)) throw cause;
    }
    return false;
  }

  private judged(): Settled[] {
    const judged: Settled[] = [];
    const { held } = this;
    this.held = [];
    for (const each of held) {
      const isTarget = this.watch.blamesTarget(each.outcome);
      if (isTarget === null) this.held.push(each);
      else judged.push(isTarget ? { ...each, outcome: { ...each.outcome, state: 'not_sent' } } : each);
    }
    return judged;
  }
}

/**
 * DELIVER: what is written down is sent, and each answer is written down before it is told. Records come from the
 * journal and never from the file. While several requests are under way, outcomes wait for a common commit: one durable
 * write stores many outcomes and makes the next claims.
 */
import { JournalError } from '../errors.js';
import type { Claim, ClaimedRecord, DoubtRules, Outbox, Unclaimed, SettledRecord } from '../journal/delivery.js';
import type { Outcome } from '../journal/record.js';
import type { World } from '../world.js';
import { type ClaimAhead, startClaimAhead } from './claim-ahead.js';
import type { Sender } from './sender.js';

export interface DeliverOptions {
  readonly outbox: Outbox;
  readonly sender: Sender;
  readonly concurrency: number;
  readonly rules: DoubtRules;
  /** Aborts when nothing new may start. */
  readonly stop: AbortSignal;
  /** Makes {@link stop} abort: the journal cannot be written, or something else went wrong in this process. */
  readonly halt: (cause: Error) => void;
  /** What is known of a record; called after it is durable. `fresh`: this call sent it. */
  readonly onKnown: (index: number, outcome: Outcome, fresh: boolean) => void;
  readonly world: World;
}

/** A commit is made for this many outcomes, or when a worker has nothing to do, or after the time below. */
const OUTCOMES_PER_COMMIT = 512;
/** How long an outcome waits for others to share its commit, milliseconds. */
const COMMIT_WAIT_MS = 10;
/** For each worker: the most keyed records that wait for it, and the most records of others in one revisit. */
const ROUNDS = 16;
/** How often records that another process has under way are looked at again, milliseconds. */
const REVISIT_MS = 50;
/** When other processes settle none of the awaited records for this long, these are told as they are. Milliseconds. */
const LONGEST_STANDSTILL = 20 * 60_000;

/**
 * Resolves when everything that may be sent has been sent and written down, or the stop signal has been obeyed.
 * @throws JournalError when the journal cannot be written, but only after everything under way has ended: what could
 *   not be written down stays claimed, which is doubt
 */
export async function deliver(options: DeliverOptions): Promise<void> {
  const delivery = new Delivery(options);
  await delivery.run();
  leave(options.outbox);
}

/** Everything is durable already. Recovery removes a delivery that stays on the list once its process has ended. */
function leave(outbox: Outbox): void {
  try {
    outbox.leave();
  } catch (cause) {
    if (!(cause instanceof JournalError)) throw cause;
  }
}

class Delivery {
  private readonly options: DeliverOptions;
  private readonly queue: ClaimedRecord[] = [];
  private readonly claimAhead: ClaimAhead;
  private settled: SettledRecord[] = [];
  private readonly elsewhere = new Set<number>();
  private underWay = 0;
  private scanned = false;
  private wake: (() => void) | null = null;
  private due = false;
  private timer: NodeJS.Timeout | null = null;
  private failure: Error | null = null;

  constructor(options: DeliverOptions) {
    this.options = options;
    this.claimAhead = startClaimAhead(options.concurrency * ROUNDS, options.world.monotonic);
    options.stop.addEventListener('abort', () => this.awake(), { once: true });
  }

  async run(): Promise<void> {
    await this.work(() => this.isDone());
    await this.waitForOthers();
    if (this.failure === null) return;
    // The disk may have room again: then nothing is lost, and no record stays in doubt needlessly.
    if (this.settled.length > 0) this.commit();
    throw this.failure;
  }

  /** Sends and commits until `done`; after a failure, until nothing is under way any more. */
  private async work(done: () => boolean): Promise<void> {
    for (;;) {
      this.start();
      if (this.failure !== null ? this.underWay === 0 : done()) return;
      if (this.mustCommit()) this.commit();
      else await this.sleep();
    }
  }

  private get stopped(): boolean {
    return this.options.stop.aborted;
  }

  /** Keyed records that may be claimed before a worker is free for them, so that a commit claims for many. */
  private get ahead(): number {
    return Math.max(0, this.claimAhead.most - this.queue.length);
  }

  private get free(): number {
    return Math.max(0, this.options.concurrency - this.underWay - this.queue.length);
  }

  /** Starts what is claimed; after a stop, gives it back unsent. */
  private start(): void {
    while (this.queue.length > 0 && (this.stopped || this.underWay < this.options.concurrency)) {
      const record = this.queue.shift() as ClaimedRecord;
      if (this.stopped) this.giveBack(record);
      else void this.send(record);
    }
  }

  private giveBack({ id, index, intent, earlier }: ClaimedRecord): void {
    this.settled.push({ id, index, intent, outcome: earlier ?? NOT_SENT, twins: false });
  }

  private async send(record: ClaimedRecord): Promise<void> {
    this.underWay++;
    try {
      const outcome = await this.options.sender.send(record);
      const twins = outcome.state === 'created' && (record.earlier?.doubtSince ?? null) !== null;
      const { id, index, intent } = record;
      this.settled.push({ id, index, intent, outcome, twins });
    } catch (cause) {
      this.fail(cause);
    }
    this.underWay--;
    this.start();
    this.awakeSoon();
  }

  /** Nothing new starts, and waits end. Requests under way finish: their outcomes may still be written down. */
  private fail(cause: unknown): void {
    if (this.failure !== null) return;
    this.failure = cause instanceof Error ? cause : new Error(String(cause));
    this.options.halt(this.failure);
  }

  private mustCommit(): boolean {
    if (this.failure !== null) return false;
    if (this.settled.length >= OUTCOMES_PER_COMMIT || (this.due && this.settled.length > 0)) return true;
    if (this.wantsMore() && this.free > 0) return true;
    return this.settled.length > 0 && this.underWay === 0 && this.queue.length === 0;
  }

  private wantsMore(): boolean {
    return !this.scanned && !this.stopped;
  }

  private commit(): void {
    const { outbox, rules, world } = this.options;
    const { settled } = this;
    this.settled = [];
    this.due = false;
    this.claimAhead.sent(settled.length);
    if (settled.length > 0) world.reached('outcome:before-commit');
    const more = this.wantsMore();
    if (more) world.reached('intent:before-commit');
    const claim = this.written(() =>
      outbox.exchange(settled, more ? { free: this.free, ahead: this.ahead, rules } : null),
    );
    if (claim === null) {
      this.settled = [...settled, ...this.settled];
      return;
    }
    if (settled.length > 0) world.reached('outcome:after-commit');
    this.tell(settled);
    if (more) this.take(claim);
  }

  /** Null when the journal could not be written. */
  private written(write: () => Claim): Claim | null {
    try {
      return write();
    } catch (cause) {
      this.fail(cause);
      return null;
    }
  }

  private take({ claimed, unclaimed, end }: Claim): void {
    if (claimed.length > 0) this.options.world.reached('intent:after-commit');
    for (const record of claimed) this.queue.push(record);
    this.tellUnclaimed(unclaimed);
    this.scanned ||= end;
  }

  private tellUnclaimed(unclaimed: readonly Unclaimed[]): void {
    for (const record of unclaimed) {
      // Moved to the end of the line, so that each record has its turn when not all are looked at in one go.
      this.elsewhere.delete(record.id);
      if (record.why === 'elsewhere') this.elsewhere.add(record.id);
      else {
        this.options.onKnown(record.index, record.outcome, false);
      }
    }
  }

  private tell(settled: readonly SettledRecord[]): void {
    for (const { index, outcome } of settled) this.options.onKnown(index, outcome, true);
  }

  private isIdle(): boolean {
    return this.underWay === 0 && this.queue.length === 0 && this.settled.length === 0;
  }

  private isDone(): boolean {
    return this.isIdle() && (this.scanned || this.stopped);
  }

  private sleep(): Promise<void> {
    if (this.timer === null && this.settled.length > 0) {
      this.timer = setTimeout(() => {
        this.timer = null;
        this.due = true;
        this.awake();
      }, COMMIT_WAIT_MS);
    }
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private awake(): void {
    const { wake } = this;
    this.wake = null;
    wake?.();
  }

  /** Wakes only for something to do: waking for every answer would make a commit of each. */
  private awakeSoon(): void {
    if (this.failure !== null || this.mustCommit() || this.timer === null) this.awake();
  }

  /** Revisits what other processes had under way until it is settled: by them, or by this process if they died. */
  private async waitForOthers(): Promise<void> {
    const { world, outbox, rules, concurrency } = this.options;
    let standstill = 0;
    while (this.elsewhere.size > 0 && !this.stopped && standstill < LONGEST_STANDSTILL) {
      const before = this.elsewhere.size;
      const ids = [...this.elsewhere].slice(0, concurrency * ROUNDS);
      const claim = this.written(() => outbox.revisit(ids, { free: concurrency, ahead: 0, rules }));
      if (claim === null) return;
      this.take(claim);
      if (this.queue.length > 0) {
        for (const { id } of this.queue) this.elsewhere.delete(id);
        await this.work(() => this.isIdle());
      }
      if (this.elsewhere.size < before) standstill = 0;
      else {
        await world.sleep(REVISIT_MS, this.options.stop);
        standstill += REVISIT_MS;
      }
    }
  }
}

const NOT_SENT: Outcome = {
  state: 'not_sent',
  httpStatus: null,
  attempts: 0,
  response: null,
  error: null,
  doubtSince: null,
};

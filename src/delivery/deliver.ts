/**
 * DELIVER: sends the stored payments of a run and stores each answer before it is reported. Bodies come from the
 * journal, never from the file.
 *
 * Payments go from `toSend` to the journal (`outstanding`), come back claimed (`readyToSend`), are sent, and
 * wait as `unsavedOutcomes` for the next commit. One commit stores many outcomes and claims the next payments.
 */
import { JournalError } from '../errors.js';
import type { Claimed, Claims, Delivery, NewOutcome } from '../journal/plan.js';
import type { Outcome, PaymentId, StoredOutcome, ToSend } from '../journal/payment.js';
import { RECORD_INFO, type RecordType } from '../records/types.js';
import type { World } from '../world.js';
import type { CircuitBreaker } from './circuit-breaker.js';

export interface DeliveryEvents {
  /** A record's outcome, once it is durable. `fresh`: this call sent it. */
  readonly onOutcome: (index: number, outcome: StoredOutcome, fresh: boolean) => void;
  /** After a failure: a record that may be under way, as far as this process knows. */
  readonly onMaybeInFlight: (index: number) => void;
  /** Called after each commit. Nothing new is claimed until its promise is fulfilled; null: no need to wait. */
  readonly onCommitted: () => Promise<void> | null;
}

export interface DeliverOptions extends DeliveryEvents {
  readonly delivery: Delivery;
  /** In the order of sending. */
  readonly toSend: Iterable<ToSend>;
  /** @param index place of the record in the input, from 0 */
  readonly sendRecord: (record: Claimed, index: number) => Promise<Outcome>;
  /** The most requests at a time. */
  readonly concurrency: number;
  readonly breaker: CircuitBreaker;
  /** Aborts when nothing new may start. */
  readonly stop: AbortSignal;
  /** Makes {@link stop} abort: the journal cannot be written, or another failure happened in this process. */
  readonly halt: (cause: Error) => void;
  readonly world: World;
}

/** A commit is made when a worker is free; an outcome waits no longer for others to share it, milliseconds. */
const COMMIT_WAIT_MS = 10;
/**
 * Keyed records are claimed before a worker is free for them, so that one commit claims many. After a crash each of
 * them counts as in doubt although it never left. So only this many times the number of the commit's outcomes are
 * claimed: the amount that is sent within the time of a few commits.
 */
const CLAIMS_PER_OUTCOME = 2;
/** For each worker: the most keyed records that wait for it, however fast it is. */
const ROUNDS = 16;

/**
 * Resolves when everything is sent and stored, or when the run has stopped and all open requests have ended.
 * @throws JournalError when the journal cannot be written. Records whose outcome could not be stored stay claimed, so
 *   they are in doubt.
 */
export async function deliver(options: DeliverOptions): Promise<void> {
  await new DeliveryLoop(options).run();
  try {
    await options.delivery.leave();
  } catch (cause) {
    // Everything is durable already. Recovery ends the delivery of a process that is gone.
    if (!(cause instanceof JournalError)) throw cause;
  }
}

class DeliveryLoop {
  private readonly options: DeliverOptions;
  private readonly source: Iterator<ToSend>;
  /** The next record of the source; null after the last one. */
  private next: ToSend | null;
  /** Records that the journal was asked for and whose outcomes are not reported yet. */
  private readonly outstanding = new Map<PaymentId, ToSend>();
  /** Claimed, and waiting for a worker. */
  private readonly readyToSend: Claimed[] = [];
  private inFlight = 0;
  /** Gigs that the journal was asked for and that have no answer yet; those of them that are under way. */
  private gigsAsked = 0;
  private gigsUnderWay = 0;
  /** Outcomes for the next commit. */
  private unsavedOutcomes: NewOutcome[] = [];
  /** Number of pending waits for slow readers. */
  private slowReaders = 0;
  private failure: Error | null = null;
  private wake = (): void => undefined;

  constructor(options: DeliverOptions) {
    this.options = options;
    this.source = options.toSend[Symbol.iterator]();
    this.next = this.pull();
    options.stop.addEventListener('abort', () => this.wake(), { once: true });
  }

  async run(): Promise<void> {
    for (;;) {
      this.start();
      if (this.hasEnded) this.unsavedOutcomes.push(...(await this.options.breaker.ended()));
      if (this.failure !== null ? this.inFlight === 0 : this.hasEnded && this.unsavedOutcomes.length === 0) break;
      if (this.mustCommit() || (await this.waitForWork())) await this.commit(this.nextToClaim());
    }
    if (this.failure === null) return;
    // The disk may have room again: then nothing is lost, and no record stays in doubt needlessly.
    if (this.unsavedOutcomes.length > 0) await this.commit([]);
    for (const { index } of this.outstanding.values()) this.options.onMaybeInFlight(index);
    throw this.failure;
  }

  private pull(): ToSend | null {
    return (this.source.next().value as ToSend | undefined) ?? null;
  }

  private get isStopped(): boolean {
    return this.options.stop.aborted;
  }

  /** No answer will come any more. */
  private get hasEnded(): boolean {
    return this.inFlight === 0 && this.readyToSend.length === 0 && (this.next === null || this.isStopped);
  }

  private get mayClaim(): boolean {
    return (
      this.next !== null && !this.isStopped && this.slowReaders === 0 && !this.mustWait(this.next.type, this.gigsAsked)
    );
  }

  /** Whether it is a gig that waits for another one. */
  private mustWait(type: RecordType, otherGigs: number): boolean {
    return otherGigs > 0 && !RECORD_INFO[type].keyed && this.options.breaker.sendsGigsAlone;
  }

  private get freeWorkers(): number {
    return this.options.concurrency - this.inFlight - this.readyToSend.length;
  }

  /** Starts claimed records; after a stop, gives them back unsent. */
  private start(): void {
    while (this.readyToSend.length > 0 && (this.isStopped || this.inFlight < this.options.concurrency)) {
      // While gigs were claimed, another one may have come into doubt.
      if (!this.isStopped && this.mustWait((this.readyToSend[0] as Claimed).type, this.gigsUnderWay)) return;
      const claimed = this.readyToSend.shift() as Claimed;
      const { id, claim, earlier } = claimed;
      if (this.isStopped) this.unsavedOutcomes.push({ id, claim, outcome: earlier ?? NEVER_SENT });
      else void this.send(claimed);
    }
  }

  private async send(claimed: Claimed): Promise<void> {
    this.inFlight++;
    const gigs = RECORD_INFO[claimed.type].keyed ? 0 : 1;
    this.gigsUnderWay += gigs;
    let isFirst = true;
    try {
      const { index } = this.outstanding.get(claimed.id) as ToSend;
      const outcome = await this.options.sendRecord(claimed, index);
      isFirst = this.unsavedOutcomes.length === 0;
      this.unsavedOutcomes.push(...this.options.breaker.settled(claimed, outcome));
    } catch (cause) {
      this.fail(cause);
    }
    this.inFlight--;
    this.gigsUnderWay -= gigs;
    this.gigsAsked -= gigs;
    this.start();
    // Waking for every answer would cause a commit for each. The first one starts the wait for others.
    if (isFirst || this.mustCommit() || this.failure !== null) this.wake();
  }

  /** Nothing new starts. Open requests finish: their outcomes may still be stored. */
  private fail(cause: unknown): void {
    if (this.failure !== null) return;
    this.failure = cause instanceof Error ? cause : new Error(String(cause));
    this.options.halt(this.failure);
  }

  private mustCommit(): boolean {
    if (this.failure !== null) return false;
    if (this.mayClaim && this.freeWorkers > 0) return true;
    // Once a signal has come, the next one may end the process: known outcomes are stored at once.
    const waitsForNobody = this.isStopped || (this.inFlight === 0 && this.readyToSend.length === 0);
    return this.unsavedOutcomes.length > 0 && waitsForNobody;
  }

  /** Sleeps until there is something to do; returns true when outcomes have waited long enough for others. */
  private waitForWork(): Promise<boolean> {
    return new Promise((resolve) => {
      const isWaited = this.unsavedOutcomes.length > 0 && this.failure === null;
      const timer = isWaited ? setTimeout(resolve, COMMIT_WAIT_MS, true) : null;
      this.wake = () => {
        if (timer !== null) clearTimeout(timer);
        resolve(false);
      };
    });
  }

  /** As many records as there are free workers, and keyed ones ahead. Gigs never: a crash would put them in doubt. */
  private nextToClaim(): ToSend[] {
    const wanted: ToSend[] = [];
    const free = this.freeWorkers;
    const waiting = Math.min(this.options.concurrency * ROUNDS, this.unsavedOutcomes.length * CLAIMS_PER_OUTCOME);
    const ahead = Math.max(0, free) + Math.max(0, waiting - this.readyToSend.length);
    while (this.next !== null && this.mayClaim) {
      if (wanted.length >= (RECORD_INFO[this.next.type].keyed ? ahead : free)) break;
      wanted.push(this.next);
      if (!RECORD_INFO[this.next.type].keyed) this.gigsAsked++;
      this.next = this.pull();
    }
    return wanted;
  }

  /** Stores outcomes and claims wanted records, in one commit. */
  private async commit(wanted: readonly ToSend[]): Promise<void> {
    const { delivery, world } = this.options;
    const outcomes = this.unsavedOutcomes;
    this.unsavedOutcomes = [];
    for (const each of wanted) this.outstanding.set(each.payment, each);
    if (outcomes.length > 0) world.failpoint('outcome:before-commit');
    if (wanted.length > 0) world.failpoint('intent:before-commit');
    const payments = wanted.map(({ payment }) => payment);
    let claims: Claims;
    try {
      claims = await delivery.storeAndClaim(outcomes, payments);
    } catch (cause) {
      this.fail(cause);
      this.unsavedOutcomes = [...outcomes, ...this.unsavedOutcomes];
      return;
    }
    if (outcomes.length > 0) world.failpoint('outcome:after-commit');
    const { number } = delivery.run;
    for (const { id, outcome } of outcomes) this.tell(id, storedOutcome(outcome, number, claims.at), true);
    if (claims.claimed.length > 0) world.failpoint('intent:after-commit');
    this.readyToSend.push(...claims.claimed);
    for (const each of claims.unclaimed) {
      const { type } = this.outstanding.get(each.id) as ToSend;
      if (!RECORD_INFO[type].keyed) this.gigsAsked--;
      if (each.why === 'settled') this.tell(each.id, each.outcome, false);
      else this.tell(each.id, { ...NEVER_SENT, run: number, at: claims.at, error: UNSENDABLE[each.why] }, false);
    }
    this.waitForReader();
  }

  private tell(id: PaymentId, outcome: StoredOutcome, fresh: boolean): void {
    const record = this.outstanding.get(id);
    if (record === undefined) return;
    this.outstanding.delete(id);
    this.options.onOutcome(record.index, outcome, fresh);
  }

  private waitForReader(): void {
    const told = this.options.onCommitted();
    if (told === null) return;
    this.slowReaders++;
    const goOn = (): void => {
      this.slowReaders--;
      this.wake();
    };
    void told.catch((cause: unknown) => this.fail(cause)).then(goOn);
  }
}

/** Member by member: V8 keeps objects that were made by spreading until it collects old ones. */
function storedOutcome(outcome: Outcome, run: number, at: number): StoredOutcome {
  const { state, httpStatus, attempts, response, error, requestId, doubtSince } = outcome;
  return { state, httpStatus, attempts, response, error, requestId, doubtSince, run, at };
}

const NEVER_SENT: Outcome = {
  state: 'not_sent',
  httpStatus: null,
  attempts: 0,
  response: null,
  error: null,
  requestId: null,
  doubtSince: null,
};

/** Why a wanted payment cannot be sent, as the error of its outcome. */
const UNSENDABLE = { replaced: 'another payment replaced it', pruned: 'batch prune removed its body' } as const;

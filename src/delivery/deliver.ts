/**
 * DELIVER: what is written down is sent, and each answer is written down before it is told. Bodies come from the
 * ledger and never from the file. While several requests are under way, outcomes wait for a common commit: one durable
 * write stores many outcomes and makes the next claims.
 */
import { JournalError } from '../errors.js';
import type { Claimed, ClaimRules, Claims, Delivery, Owner, Settled, Unclaimed } from '../ledger/ledger.js';
import type { Outcome, PaymentId, ToSend } from '../ledger/payment.js';
import { KINDS } from '../records/kinds.js';
import type { World } from '../world.js';
import { type ClaimAhead, startClaimAhead } from './claim-ahead.js';
import { type Order, startOrder } from './order.js';
import type { Sender } from './sender.js';

export interface DeliverOptions {
  readonly delivery: Delivery;
  /** In the order in which it is sent. */
  readonly toSend: Iterable<ToSend>;
  readonly sender: Sender;
  readonly concurrency: number;
  readonly rules: ClaimRules;
  /** Whether the target is at fault for a refusal, and not the record; null while that is open. */
  readonly blamesTarget: (outcome: Outcome) => boolean | null;
  /** Aborts when nothing new may start. */
  readonly stop: AbortSignal;
  /** Makes {@link stop} abort: the ledger cannot be written, or something else went wrong in this process. */
  readonly halt: (cause: Error) => void;
  /** What is known of a record; called after it is durable. `fresh`: this call sent it. */
  readonly onKnown: (index: number, outcome: Outcome, fresh: boolean) => void;
  /** In the end, of each record that may be under way for all that this process knows; the ledger knows more. */
  readonly onOpen: (index: number) => void;
  /**
   * Called after a few hundred of these. Until what it gives is fulfilled, nothing new is claimed: whoever is told is
   * slower than the service. Null where nobody has to be waited for.
   */
  readonly onTold: () => Promise<void> | null;
  /** Told while payments that others have under way are waited for: how many, and whose one of them is; null when that ends. */
  readonly onElsewhere: (count: number, owner: Owner | null) => void;
  readonly world: World;
}

/** A commit is made for this many outcomes, or when a worker has nothing to do, or after the time below. */
const OUTCOMES_PER_COMMIT = 512;
/** How long an outcome waits for others to share its commit, milliseconds. */
const COMMIT_WAIT_MS = 10;
/** For each worker: the most keyed records that wait for it. */
const ROUNDS = 16;
/** How often records that another process has under way are looked at again, and so many at once; milliseconds. */
const [REVISIT_MS, LONGEST_REVISIT_MS, REVISITED] = [50, 1000, 512];
/** The most records that are asked for at once where others have some of them. */
const LONGEST_REACH = 512;
/** When other processes settle none of the awaited records for this long, these are told as they are. Milliseconds. */
const LONGEST_STANDSTILL = 20 * 60_000;

/**
 * Resolves when everything that may be sent has been sent and written down, or the stop signal has been obeyed.
 * @throws JournalError when the ledger cannot be written, but only after everything under way has ended: what could not
 *   be written down stays claimed, which is doubt
 */
export async function deliver(options: DeliverOptions): Promise<void> {
  await new Delivering(options).run();
  try {
    await options.delivery.leave();
  } catch (cause) {
    // Everything is durable already. Recovery ends the delivery of a process that is gone.
    if (!(cause instanceof JournalError)) throw cause;
  }
}

interface Wanted {
  readonly records: readonly ToSend[];
  /** How many of them are to be claimed. */
  readonly most: number;
}

const NOTHING: Wanted = { records: [], most: 0 };

/** How many records had to be asked for, for each that was claimed; twice as many as before where none was. */
function reachAfter(reach: number, asked: number, { claimed, unclaimed }: Claims): number {
  const free = unclaimed.filter(({ why }) => why === 'free').length;
  if (asked === 0) return reach;
  return claimed.length === 0 ? Math.min(LONGEST_REACH, reach * 2) : (asked - free) / claimed.length;
}

/** Another process is at the same records. */
function isCrowded({ claimed, unclaimed }: Claims): boolean {
  return unclaimed.filter(({ why }) => why === 'elsewhere').length > claimed.length;
}

class Delivering {
  private readonly options: DeliverOptions;
  private readonly order: Order;
  /** How many records are asked for, for each that is to be claimed: more where others deliver the run, too. */
  private reach = 1;
  /** Others had so much of what was asked for last that less was claimed than was to be. */
  private isShort = false;
  /** Entries by payment, of all that was asked for and is not told yet. */
  private readonly asked = new Map<PaymentId, ToSend>();
  private readonly queue: Claimed[] = [];
  private readonly claimAhead: ClaimAhead;
  private settled: Settled[] = [];
  /** Refusals of which it is not known yet whether they are about the records: the first few answers of a run at most. */
  private suspended: Settled[] = [];
  /** Others deliver the run, or have. */
  private hasMet = false;
  private readonly elsewhere = new Map<PaymentId, Owner | null>();
  private underWay = 0;
  /** How many times the ones who are told are still being waited for. */
  private behind = 0;
  private wake: (() => void) | null = null;
  private due = false;
  private timer: NodeJS.Timeout | null = null;
  private failure: Error | null = null;

  constructor(options: DeliverOptions) {
    this.options = options;
    this.order = startOrder(options.toSend, options.world.random);
    this.claimAhead = startClaimAhead(options.concurrency * ROUNDS, options.world.monotonic);
    options.stop.addEventListener('abort', () => this.awake(), { once: true });
  }

  async run(): Promise<void> {
    await this.work();
    await this.waitForOthers();
    // The disk may have room again: then nothing is lost, and no record stays in doubt needlessly.
    if (this.failure !== null && this.settled.length > 0) await this.commit(NOTHING);
    this.tellOpen();
    if (this.failure !== null) throw this.failure;
  }

  /** What was asked for may have been claimed, also where no answer came; what was not, others may be sending. */
  private tellOpen(): void {
    for (const { index } of this.asked.values()) this.options.onOpen(index);
    for (; this.hasMet && this.next !== null; this.order.pass()) this.options.onOpen(this.next.index);
  }

  /** Sends and commits until all have come; after a failure, until nothing is under way any more. */
  private async work(): Promise<void> {
    for (;;) {
      this.start();
      if (this.underWay === 0 && this.queue.length === 0 && (this.next === null || this.stopped))
        this.judgeRefusals(true);
      if (this.failure !== null ? this.underWay === 0 : this.isIdle() && (this.next === null || this.stopped)) return;
      if (this.mustCommit()) await this.commit(this.wanted());
      else await this.sleep();
    }
  }

  private get stopped(): boolean {
    return this.options.stop.aborted;
  }

  private get free(): number {
    return Math.max(0, this.options.concurrency - this.underWay - this.queue.length);
  }

  private get next(): ToSend | null {
    return this.order.next;
  }

  /**
   * What is claimed next: as many records as can be sent at once, and keyed ones that will be sent within a moment, so
   * that one commit claims for many. Gigs never are claimed ahead: a crash would put them in doubt. More is asked for than
   * is to be claimed where others have some of it.
   */
  private wanted(): Wanted {
    const records: ToSend[] = [];
    const { free } = this;
    const ahead = Math.max(0, this.claimAhead.most - this.queue.length);
    let most = free + ahead;
    while (!this.stopped && this.next !== null && this.behind === 0) {
      const mostWithIt = KINDS[this.next.type].keyed ? most : free;
      if (records.length >= Math.min(mostWithIt * this.reach, Math.max(most, LONGEST_REACH))) break;
      most = mostWithIt;
      records.push(this.next);
      this.order.pass();
    }
    return { records, most };
  }

  /** Starts what is claimed; after a stop, gives it back unsent. */
  private start(): void {
    while (this.queue.length > 0 && (this.stopped || this.underWay < this.options.concurrency)) {
      const claimed = this.queue.shift() as Claimed;
      if (this.stopped) this.settle(claimed, claimed.earlier ?? NOT_SENT);
      else void this.send(claimed);
    }
  }

  private settle({ id, claim }: Claimed, outcome: Outcome): void {
    this.settled.push({ id, claim, outcome });
  }

  private async send(claimed: Claimed): Promise<void> {
    this.underWay++;
    try {
      const { index } = this.asked.get(claimed.id) as ToSend;
      const outcome = await this.options.sender.send(claimed, index);
      this.suspended.push({ id: claimed.id, claim: claimed.claim, outcome });
      this.judgeRefusals(false);
    } catch (cause) {
      this.fail(cause);
    }
    this.underWay--;
    this.start();
    this.awakeSoon();
  }

  /**
   * When the first answers all say that there is nothing at this address, the target is wrong and not the records: these
   * go out when the run goes on. Before that is known, a refusal is not written down.
   * @param isLast no answer will come any more
   */
  private judgeRefusals(isLast: boolean): void {
    const { suspended } = this;
    this.suspended = [];
    for (const each of suspended) {
      const isTarget = this.options.blamesTarget(each.outcome);
      if (isTarget === null && !isLast) this.suspended.push(each);
      else this.settled.push(isTarget === true ? { ...each, outcome: { ...each.outcome, state: 'not_sent' } } : each);
    }
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
    if (this.next !== null && !this.stopped && this.behind === 0 && (this.free > 0 || this.isShort)) return true;
    return this.settled.length > 0 && this.underWay === 0 && this.queue.length === 0;
  }

  /** Writes down what is settled and claims what is wanted, in one commit. */
  private async commit({ records, most }: Wanted): Promise<void> {
    const { delivery, rules, world } = this.options;
    const { settled } = this;
    this.settled = [];
    this.due = false;
    this.claimAhead.sent(settled.length);
    for (const each of records) this.asked.set(each.payment, each);
    if (settled.length > 0) world.reached('outcome:before-commit');
    if (records.length > 0) world.reached('intent:before-commit');
    let claims: Claims;
    try {
      claims = await delivery.exchange(
        settled,
        records.map(({ payment }) => payment),
        rules,
        most,
      );
    } catch (cause) {
      this.fail(cause);
      this.settled = [...settled, ...this.settled];
      return;
    }
    if (settled.length > 0) world.reached('outcome:after-commit');
    for (const { id, outcome } of settled) this.tell(id, outcome, true);
    if (claims.claimed.length > 0) world.reached('intent:after-commit');
    for (const claimed of claims.claimed) {
      this.elsewhere.delete(claimed.id);
      this.queue.push(claimed);
    }
    this.order.back(claims.unclaimed.flatMap((each) => this.tellUnclaimed(each)));
    this.isShort = records.length > 0 && claims.claimed.length < most;
    if (isCrowded(claims)) this.order.evade();
    this.reach = reachAfter(this.reach, records.length, claims);
    this.waitForReader();
  }

  private waitForReader(): void {
    const told = this.options.onTold();
    if (told === null) return;
    this.behind++;
    const goOn = (): void => {
      this.behind--;
      this.awake();
    };
    told.then(goOn, (cause: unknown) => {
      this.fail(cause);
      goOn();
    });
  }

  private tell(id: PaymentId, outcome: Outcome, fresh: boolean): void {
    const record = this.asked.get(id);
    if (record === undefined) return;
    this.asked.delete(id);
    this.options.onKnown(record.index, outcome, fresh);
  }

  /** Gives the record if it is still to be claimed. */
  private tellUnclaimed(unclaimed: Unclaimed): ToSend[] {
    const { id, why } = unclaimed;
    this.hasMet ||= why === 'elsewhere' || why === 'settled';
    // Moved to the end of the line, so that each record has its turn when not all are looked at in one go.
    this.elsewhere.delete(id);
    if (unclaimed.why === 'elsewhere') this.elsewhere.set(id, unclaimed.owner ?? null);
    else if (unclaimed.why === 'settled') this.tell(id, unclaimed.outcome, false);
    else if (unclaimed.why === 'unsendable') this.tell(id, { ...NOT_SENT, error: unclaimed.reason }, false);
    else {
      const record = this.asked.get(id) as ToSend;
      this.asked.delete(id);
      return [record];
    }
    return [];
  }

  private isIdle(): boolean {
    return this.underWay === 0 && this.queue.length === 0 && this.settled.length + this.suspended.length === 0;
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

  /** Asks again for what other processes had under way, until it is settled: by them, or by this one if they died. */
  private async waitForOthers(): Promise<void> {
    const { world, onElsewhere } = this.options;
    let standstill = 0;
    while (this.elsewhere.size > 0 && !this.stopped && this.failure === null && standstill < LONGEST_STANDSTILL) {
      const before = this.elsewhere.size;
      const again = [...this.elsewhere.keys()].slice(0, REVISITED);
      this.order.back(again.map((id) => this.asked.get(id) as ToSend));
      await this.work();
      if (this.elsewhere.size < before) standstill = 0;
      else {
        const owner = [...this.elsewhere.values()].find((each) => each !== null);
        if (owner !== undefined) onElsewhere(this.elsewhere.size, owner);
        const wait = Math.min(LONGEST_REVISIT_MS, REVISIT_MS + standstill / 10);
        await world.sleep(wait, this.options.stop);
        standstill += wait;
      }
    }
    onElsewhere(0, null);
  }
}

const NOT_SENT: Outcome = {
  state: 'not_sent',
  httpStatus: null,
  attempts: 0,
  response: null,
  error: null,
  requestId: null,
  doubtSince: null,
};

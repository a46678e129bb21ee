/** Waiting for a live call that has accepted what this one would send. CONTRACT: "One call at a time sends a payment". */
import type { Ledger } from '../ledger/ledger.js';
import type { LiveCall } from '../ledger/plan.js';
import type { KnownPayment } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import { personWords } from '../report/table.js';
import type { World } from '../world.js';

/** How often it is looked whether the other call has ended. Milliseconds. */
const [SHORTEST_MS, LONGEST_MS] = [20, 1000];

export class WaitForOthers {
  private readonly world: World;
  private readonly signal: AbortSignal;
  private readonly note: (text: string) => void;
  /** The longest that is waited in all, milliseconds: a dead process has lost its lease by then. */
  private readonly most: number;
  private waited = 0;
  private readonly told = new Set<string>();

  constructor({ journal }: RunOptions, world: World, signal: AbortSignal, note: (text: string) => void) {
    this.world = world;
    this.signal = signal;
    this.note = note;
    this.most = world.leaseMs + journal.timeoutMs;
  }

  /** Resolves when the call has ended, or at a signal. @returns why it was waited for in vain; null where it has ended */
  async until({ run }: KnownPayment, ledger: Ledger): Promise<string | null> {
    for (let wait = SHORTEST_MS; !this.signal.aborted; wait = Math.min(wait * 2, LONGEST_MS)) {
      const call = (await ledger.liveCalls()).find((each) => each.run === run.number);
      if (call === undefined) return null;
      if (this.waited >= this.most)
        return `${callWords(call)} is still sending some of these records, so nothing was sent. Run the same command again`;
      if (!this.told.has(call.name))
        this.note(
          `${callWords(call)} is sending some of these records. Waiting for it, ${Math.ceil(this.most / 1000)} seconds at most.`,
        );
      this.told.add(call.name);
      const before = this.world.monotonic();
      await this.world.sleep(wait, this.signal);
      this.waited += this.world.monotonic() - before;
    }
    return null;
  }
}

/** `Run 20261120-a1b2c3 of anna on desk-2, since 10:03:07 UTC,` */
function callWords({ name, by, since }: LiveCall): string {
  return `Run ${name} of ${personWords(by)} (since ${new Date(since).toISOString().slice(11, 19)} UTC)`;
}

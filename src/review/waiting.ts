/** Waiting for a live call that has accepted the same payments. CONTRACT: "One call at a time sends a payment". */
import type { Journal } from '../journal/journal.js';
import type { LiveCall } from '../journal/plan.js';
import type { StoredPayment } from '../journal/payment.js';
import { personText } from '../report/table.js';
import { localTime } from '../util/local-time.js';
import type { World } from '../world.js';

/** How often to check whether the other call has ended. Milliseconds. */
const SHORTEST_MS = 20;
const LONGEST_MS = 1000;

/** Resolves when the call has ended, or at a signal. @returns why waiting was in vain; null if the call has ended */
export type WaitFor = (payment: StoredPayment, journal: Journal) => Promise<string | null>;

/** @param mostMs limit for all waits together: a dead process has lost its lease by then */
export function createLiveRunWaiter(
  mostMs: number,
  world: World,
  signal: AbortSignal,
  note: (text: string) => void,
): WaitFor {
  const told = new Set<string>();
  let waited = 0;
  return async ({ run }, journal) => {
    for (let wait = SHORTEST_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_MS)) {
      const call = (await journal.liveCalls()).find((each) => each.run === run.number);
      if (call === undefined) return null;
      if (waited >= mostMs)
        return `${callText(call)} is still sending some of these records. Run the same command again`;
      if (!told.has(call.name))
        note(
          `${callText(call)} is sending some of these records. Waiting for it, ${Math.ceil(mostMs / 1000)} seconds at most.`,
        );
      told.add(call.name);
      const before = world.monotonic();
      await world.sleep(wait, signal);
      waited += world.monotonic() - before;
    }
    return null;
  };
}

/** `Run 20261120-a1b2c3 of anna on desk-2 (since 2026-11-20 10:03 +01:00)` */
function callText({ name, by, since }: LiveCall): string {
  return `Run ${name} of ${personText(by)} (since ${localTime(since)})`;
}

/** What the tests of several processes have in common, on one machine or on several. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { gigs, payouts, type Row } from '../support/builders.js';
import type { CliResult, RunningInside } from '../support/cli.js';
import { states } from '../support/crash.js';
import type { Reply, Service } from '../support/service.js';

export const KINDS = [
  { command: 'payout create', rows: (n: number): Row[] => payouts(n) },
  { command: 'gig create', rows: (n: number): Row[] => gigs(n) },
];

/** Every row was carried out once. */
export function expectOnce(service: Service, records: number): void {
  expect(service.executions.size).toBe(records);
  expect([...service.executions.values()].filter((times) => times !== 1)).toEqual([]);
}

/** Resolves when so many requests have arrived. Rejects when the run ends before. */
export async function requested(service: Service, count: number, run: Pick<RunningInside, 'result'>): Promise<void> {
  const ended = new AbortController();
  void run.result.catch(() => undefined).then(() => ended.abort());
  while (service.requestCount < count && !ended.signal.aborted) await delay(20);
  if (service.requestCount >= count) return;
  const { code, stderr } = await run.result;
  throw new Error(`it ended with ${code} after ${service.requestCount} of ${count} requests:\n${stderr}`);
}

/** Calls at the same time ended so, in whichever order: exit codes with how many records are in each state. */
export function expectEnds(
  calls: readonly CliResult[],
  ...ends: readonly (readonly [number, Record<string, number>])[]
): void {
  expect(calls.map((call) => [call.code, states(call)])).toEqual(expect.arrayContaining([...ends]));
  expect(calls).toHaveLength(ends.length);
}

/** Answers as usual, but holds some answers back until they are let go. @param count so many have arrived when all have */
export function holding(isHeld: (n: number) => boolean, count = 1, reply: Reply = { default: true }) {
  let held = 0;
  const arrival = gate();
  const release = gate();
  const respond = async ({ n }: { n: number }): Promise<Reply> => {
    if (!isHeld(n)) return { default: true };
    if (++held === count) arrival.open();
    await release.opened;
    return reply;
  };
  return { respond, arrived: arrival.opened, release: release.open };
}

/** What one side waits for until the other opens it. */
export function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

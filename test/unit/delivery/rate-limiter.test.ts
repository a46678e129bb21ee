import { describe, expect, it } from 'vitest';
import { RateLimiter } from '../../../src/delivery/rate-limiter.js';

/** A clock that stands still until it is moved; who sleeps, wakes when it has come that far. */
class FakeClock {
  private time = 0;
  private sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  monotonic(): number {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake) => {
      if (signal?.aborted) return wake();
      this.sleepers.push({ until: this.time + ms, wake });
      signal?.addEventListener('abort', () => wake(), { once: true });
    });
  }

  /** Moves on from one awakening to the next. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await settle();
      const due = this.sleepers.filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
      if (due === undefined) break;
      this.time = Math.max(this.time, due.until);
      this.sleepers = this.sleepers.filter((sleeper) => sleeper !== due);
      due.wake();
    }
    this.time = end;
  }
}

/** Lets everything run that waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

/** Asks for so many turns and writes down when each may start. */
function ask(
  rateLimiter: RateLimiter,
  clock: FakeClock,
  turns: number,
  signal = new AbortController().signal,
): number[] {
  const started: number[] = [];
  for (let i = 0; i < turns; i++) {
    const turn = rateLimiter.acquire(signal);
    if (turn === null) started.push(clock.monotonic());
    else void turn.then(() => started.push(clock.monotonic()));
  }
  return started;
}

describe('without a rate', () => {
  it('a hold keeps everybody back until it is over, and nobody after that', async () => {
    const clock = new FakeClock();
    const rateLimiter = new RateLimiter(null, clock);
    rateLimiter.pauseFor(1000);
    expect(rateLimiter.held()).toBe(1000);
    const started = ask(rateLimiter, clock, 3);
    await clock.pass(999);
    expect(started).toEqual([]);
    expect(rateLimiter.held()).toBe(1);
    await clock.pass(1);
    expect(started).toEqual([1000, 1000, 1000]);
    expect(rateLimiter.held()).toBe(0);
    expect(rateLimiter.acquire(new AbortController().signal)).toBeNull();
  });

  it('a hold is lengthened for those who wait already, and never shortened', async () => {
    const clock = new FakeClock();
    const rateLimiter = new RateLimiter(null, clock);
    rateLimiter.pauseFor(1000);
    const started = ask(rateLimiter, clock, 2);
    await clock.pass(500);
    rateLimiter.pauseFor(2000);
    rateLimiter.pauseFor(10);
    await clock.pass(1999);
    expect(started).toEqual([]);
    await clock.pass(1);
    expect(started).toEqual([2500, 2500]);
  });
});

describe('with a rate', () => {
  it('spreads the turns evenly, the first at once', async () => {
    const clock = new FakeClock();
    // Turns are not saved up while nobody asks.
    await clock.pass(60_000);
    const started = ask(new RateLimiter(4, clock), clock, 3);
    await clock.pass(1000);
    expect(started).toEqual([60_000, 60_250, 60_500]);
  });

  it('keeps to the rate when a hold is over, for those who waited before it and those who came during it', async () => {
    const clock = new FakeClock();
    const rateLimiter = new RateLimiter(10, clock);
    const before = ask(rateLimiter, clock, 4);
    await clock.pass(50);
    rateLimiter.pauseFor(1000);
    const during = ask(rateLimiter, clock, 2);
    await clock.pass(5000);
    const started = [...before, ...during].sort((a, b) => a - b);
    expect(started.slice(0, 2)).toEqual([0, 1050]);
    for (const [i, at] of started.slice(2).entries())
      expect(at - (started[i + 1] as number)).toBeGreaterThanOrEqual(100);
  });
});

describe('when the run stops', () => {
  it.each([null, 1])('with rate %j, those who wait go on at once, and see the signal', async (rate) => {
    const clock = new FakeClock();
    const rateLimiter = new RateLimiter(rate, clock);
    const stop = new AbortController();
    rateLimiter.pauseFor(60_000);
    const started = ask(rateLimiter, clock, 3, stop.signal);
    await clock.pass(10);
    expect(started).toEqual([]);
    stop.abort();
    await settle();
    expect(started).toEqual([10, 10, 10]);
  });
});

import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Output } from '../../../src/util/output.js';

/** A reader that takes what was written when the test says so. */
class Reader extends Writable {
  readonly taken: string[] = [];
  private taking: (() => void) | null = null;

  constructor() {
    super({ highWaterMark: 8, decodeStrings: false });
  }

  override _write(text: string, _encoding: string, done: () => void): void {
    this.taking = () => {
      this.taken.push(text);
      done();
    };
  }

  /** Takes all that was written until now. */
  async take(): Promise<void> {
    while (this.taking !== null) {
      const take = this.taking;
      this.taking = null;
      take();
      await settled();
    }
  }

  fail(code: string): void {
    this.destroy(Object.assign(new Error(`${code}: it is so`), { code }));
  }
}

/** All that is ready to happen has happened. */
async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await turn();
}

/** More than a reader takes at once. */
const MUCH = 'more than enough';

function opened() {
  let now = 5000;
  const reader = new Reader();
  const output = new Output(reader, () => now);
  /** Whether it has been fulfilled. */
  const watched = (promise: Promise<void>): { over: boolean } => {
    const seen = { over: false };
    promise.then(
      () => (seen.over = true),
      (cause: unknown) => expect.unreachable(String(cause)),
    );
    return seen;
  };
  const pass = async (ms: number): Promise<void> => {
    await settled();
    now += ms;
    vi.advanceTimersByTime(ms);
    await settled();
  };
  return { reader, output, watched, pass };
}

describe('whoever writes', () => {
  test('waits until the reader has taken it', async () => {
    const { reader, output, watched } = opened();
    output.write(MUCH);
    const ready = watched(output.ready());
    await settled();
    expect(ready.over).toBe(false);
    await reader.take();
    expect([ready.over, reader.taken]).toEqual([true, [MUCH]]);
  });

  test('hears signals in between where all is taken at once', async () => {
    const output = new Output(new Writable({ write: (_chunk, _encoding, done) => done() }), () => 0);
    const heard: string[] = [];
    setImmediate(() => heard.push('signal'));
    output.write(MUCH);
    await output.ready();
    expect(heard).toEqual(['signal']);
  });

  test('has all of it taken before the end, also what there was room for', async () => {
    const { reader, output, watched } = opened();
    output.write('few');
    output.write(MUCH);
    const flushed = [watched(output.flushed()), watched(output.flushed())];
    await settled();
    expect(flushed.map(({ over }) => over)).toEqual([false, false]);
    await reader.take();
    expect([flushed.map(({ over }) => over), reader.taken.join('')]).toEqual([[true, true], `few${MUCH}`]);
  });
});

describe.each([
  ['EPIPE', 'the program that read it has ended'],
  ['ENOSPC', 'ENOSPC: it is so'],
])('a reader that fails with %s', (code, reason) => {
  test('is lost, for this reason: nobody waits for it, and nothing more is written to it', async () => {
    const { reader, output, watched } = opened();
    output.write(MUCH);
    const waiting = [watched(output.ready()), watched(output.flushed())];
    await settled();
    reader.fail(code);
    await settled();
    expect([output.lost, ...waiting.map(({ over }) => over)]).toEqual([reason, true, true]);
    const write = vi.spyOn(reader, 'write');
    output.write(MUCH);
    expect(write).not.toHaveBeenCalled();
    await output.ready();
    await output.flushed();
  });
});

describe('after a stop signal', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  test('a reader that takes nothing is given up after 2 seconds, also where it was waited for already', async () => {
    const { output, watched, pass } = opened();
    output.write(MUCH);
    const flushed = watched(output.flushed());
    await pass(60_000);
    output.hurry();
    await pass(1999);
    expect([output.lost, flushed.over]).toEqual([null, false]);
    await pass(1);
    expect([output.lost, flushed.over]).toEqual(['nobody has read it', true]);
  });

  test('all waits together take 2 seconds, and time without a wait does not count', async () => {
    const { reader, output, watched, pass } = opened();
    output.hurry();
    for (const ms of [1200, 700]) {
      output.write(MUCH);
      const ready = watched(output.ready());
      await pass(ms);
      await reader.take();
      expect([ready.over, output.lost]).toEqual([true, null]);
      await pass(10_000);
    }
    output.write(MUCH);
    const last = watched(output.ready());
    await pass(99);
    expect(last.over).toBe(false);
    await pass(1);
    expect([last.over, output.lost]).toEqual([true, 'nobody has read it']);
  });

  test('those who wait at the same time wait once', async () => {
    const { reader, output, watched, pass } = opened();
    output.hurry();
    output.write(MUCH);
    const waiting = [output.ready(), output.ready(), output.ready(), output.flushed()].map(watched);
    await pass(1500);
    await reader.take();
    expect(waiting.every(({ over }) => over)).toBe(true);
    output.write(MUCH);
    const next = watched(output.ready());
    await pass(499);
    expect([output.lost, next.over]).toEqual([null, false]);
    await reader.take();
    // None of those waits goes on.
    await pass(10_000);
    expect([output.lost, next.over]).toEqual([null, true]);
  });

  test('a reader that takes all of it in time is not given up', async () => {
    const { reader, output, watched, pass } = opened();
    output.write(MUCH);
    output.hurry();
    const flushed = watched(output.flushed());
    await pass(1900);
    await reader.take();
    await pass(10_000);
    expect([output.lost, flushed.over, reader.taken]).toEqual([null, true, [MUCH, '']]);
  });
});

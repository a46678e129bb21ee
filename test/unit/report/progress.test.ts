import { PassThrough } from 'node:stream';
import { Output } from '../../../src/util/output.js';
import { describe, expect, it } from 'vitest';
import { durationText, progressLine, startProgress } from '../../../src/report/progress.js';
import type { ProgressState } from '../../../src/report/reporter.js';
import { textWidth } from '../../../src/report/table.js';

const WAIT = { why: 'the service answered 429', heldMs: () => 12_000 };
const STATE: ProgressState = {
  doing: 'sending',
  done: 1200,
  total: 10_000,
  counts: { created: 1190, rejected: 10, unknown: 0 },
  waiting: null,
};

describe('a line of progress', () => {
  const HEAD = 'sending 1,200/10,000  12%';
  it.each<[string, ProgressState, number, number, string]>([
    ['everything', STATE, 310.4, 84, `${HEAD}  310/s  29 s left  1,190 created, 10 rejected`],
    ['what fits', STATE, 310, 57, `${HEAD}  310/s  29 s left  1,190 creat…`],
    ['reading, without an end', { doing: 'reading', done: 5000, total: null }, 2500, 80, 'reading 5,000  2,500/s'],
    ['nothing known of the speed', { ...STATE, done: 0, counts: {} }, 0, 40, 'sending 0/10,000  0%'],
    ['all that is done', { ...STATE, done: 10_000, counts: {} }, 10, 47, 'sending 10,000/10,000  100%  10/s'],
    ['a wait of all', { ...STATE, waiting: WAIT }, 0, 63, `${HEAD}  waiting 12 s: the service answered …`],
    [
      'a wait of one',
      { ...STATE, counts: {}, waiting: { ...WAIT, heldMs: () => 0 } },
      0,
      66,
      `${HEAD}  trying again: the service answered 429`,
    ],
  ])('%s', (_name, state, perSecond, width, line) => {
    expect(progressLine(state, perSecond, width)).toBe(line);
  });

  it('never takes more columns than there are', () => {
    for (let width = 1; width < 220; width++) {
      for (const waiting of [null, WAIT])
        expect(textWidth(progressLine({ ...STATE, waiting }, 310, width))).toBeLessThanOrEqual(width);
    }
  });

  it('shows no control characters of a reason', () => {
    expect(progressLine({ ...STATE, waiting: { ...WAIT, why: '\u001b[2J' } }, 1, 200)).not.toContain('\u001b');
  });

  it.each<[number, string]>([
    [0, '0 s'],
    [59, '59 s'],
    [60, '1 min 00 s'],
    [3599, '59 min 59 s'],
    [3660, '1 h 01 min'],
    [360_000, '100 h 00 min'],
  ])('%i seconds are %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

/** A display with a clock that the test moves. */
function display(isTTY: boolean, progress = true) {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 60 });
  let now = 0;
  let wake = (): void => {};
  const asked: number[] = [];
  const world = {
    stderr: new Output(stderr, () => 0),
    env: {},
    monotonic: () => now,
    sleep: (ms: number): Promise<void> => {
      asked.push(ms);
      return new Promise((resolve) => (wake = resolve));
    },
  };
  const shown = startProgress(world, progress);
  return {
    ...shown,
    asked,
    written: (): string => String(stderr.read() ?? ''),
    /** Lets time pass up to the next line. */
    async tick(ms: number) {
      now += ms;
      wake();
      await new Promise(setImmediate);
    },
  };
}

describe('the display', () => {
  it('on a terminal draws over its line, and only what has changed', async () => {
    const { update, tick, written, asked } = display(true);
    update({ ...STATE, done: 0, counts: {} });
    update({ ...STATE, done: 500, counts: {} });
    expect(written()).toBe('');
    await tick(1000);
    expect(written()).toBe('\r\u001b[Ksending 500/10,000  5%  500/s  19 s left');
    await tick(0);
    expect(written()).toBe('');
    expect(asked.every((ms) => ms < 1000)).toBe(true);
  });

  it('makes room for other text, comes back, and is gone when it ends', async () => {
    const { update, tick, written, aside, end } = display(true);
    update(STATE);
    await tick(120);
    written();
    aside(() => undefined);
    expect(written()).toBe('\r\u001b[K');
    await tick(120);
    expect(written()).toMatch(/^\r\u001b\[Ksending /);
    end();
    expect(written()).toBe('\r\u001b[K');
    await tick(120);
    expect(written()).toBe('');
  });

  it('begins anew with what is done next', async () => {
    const { update, tick, written } = display(true);
    update({ doing: 'reading', done: 0, total: null });
    await tick(60_000);
    update({ doing: 'sending', done: 0, total: 10 });
    update({ doing: 'sending', done: 5, total: 10 });
    written();
    await tick(1000);
    expect(written()).toContain('5/s');
  });

  it('elsewhere writes a line now and then', async () => {
    const { update, tick, written, end, asked } = display(false);
    update({ ...STATE, waiting: WAIT });
    await tick(15_000);
    expect(written()).toBe(
      'sending 1,200/10,000  12%  waiting 12 s: the service answered 429  1,190 created, 10 rejected\n',
    );
    end();
    expect(written()).toBe('');
    expect(asked[0]).toBeGreaterThan(10_000);
  });

  it('that nobody wants writes nothing', async () => {
    const { update, tick, written, asked, aside } = display(true, false);
    update(STATE);
    await tick(60_000);
    let written2 = false;
    aside(() => (written2 = true));
    expect([written(), asked, written2]).toEqual(['', [], true]);
  });
});

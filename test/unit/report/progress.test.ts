import { PassThrough } from 'node:stream';
import { Output } from '../../../src/util/output.js';
import { describe, expect, it } from 'vitest';
import { progressLine, startProgress } from '../../../src/report/progress.js';
import type { World } from '../../../src/world.js';
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
  it.each<[string, ProgressState, number, string]>([
    ['everything', STATE, 84, `${HEAD}  1,190 created, 10 rejected`],
    ['what fits', STATE, 37, `${HEAD}  1,190 cre…`],
    ['reading, without an end', { doing: 'reading', done: 5000, total: null }, 80, 'reading 5,000'],
    ['all that is done', { ...STATE, done: 10_000, counts: {} }, 47, 'sending 10,000/10,000  100%'],
    ['a wait of all', { ...STATE, waiting: WAIT }, 63, `${HEAD}  waiting 12 s: the service answered …`],
    [
      'a wait of one',
      { ...STATE, counts: {}, waiting: { ...WAIT, heldMs: () => 0 } },
      66,
      `${HEAD}  trying again: the service answered 429`,
    ],
  ])('%s', (_name, state, width, line) => {
    expect(progressLine(state, width)).toBe(line);
  });

  it('never takes more columns than there are', () => {
    for (let width = 1; width < 220; width++) {
      for (const waiting of [null, WAIT])
        expect(textWidth(progressLine({ ...STATE, waiting }, width))).toBeLessThanOrEqual(width);
    }
  });

  it('shows no control characters of a reason', () => {
    expect(progressLine({ ...STATE, waiting: { ...WAIT, why: '\u001b[2J' } }, 200)).not.toContain('\u001b');
  });
});

/** A display whose waits the test ends. */
function display(isTTY: boolean, progress = true) {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 60 });
  let wake = (): void => {};
  const asked: number[] = [];
  const world = {
    stderr: new Output(stderr, () => 0),
    env: {},
    sleep: (ms: number): Promise<void> => {
      asked.push(ms);
      return new Promise((resolve) => (wake = resolve));
    },
  };
  const shown = startProgress(world as Partial<World> as World, progress);
  return {
    ...shown,
    asked,
    written: (): string => String(stderr.read() ?? ''),
    /** The next line is due. */
    async tick() {
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
    await tick();
    expect(written()).toBe('\r\u001b[Ksending 500/10,000  5%');
    await tick();
    expect(written()).toBe('');
    expect(asked.every((ms) => ms < 1000)).toBe(true);
  });

  it('makes room for other text, comes back, and is gone when it ends', async () => {
    const { update, tick, written, aside, end } = display(true);
    update(STATE);
    await tick();
    written();
    aside(() => undefined);
    expect(written()).toBe('\r\u001b[K');
    await tick();
    expect(written()).toMatch(/^\r\u001b\[Ksending /);
    end();
    expect(written()).toBe('\r\u001b[K');
    await tick();
    expect(written()).toBe('');
  });

  it('elsewhere writes a line now and then', async () => {
    const { update, tick, written, end, asked } = display(false);
    update({ ...STATE, waiting: WAIT });
    await tick();
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
    await tick();
    let written2 = false;
    aside(() => (written2 = true));
    expect([written(), asked, written2]).toEqual(['', [], true]);
  });
});

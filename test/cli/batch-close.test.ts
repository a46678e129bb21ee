/** `batch close`: a person ends an unfinished run for good. CONTRACT: "Sending". */
import { describe, expect, test } from 'vitest';
import type { Reply } from '../support/service.js';
import { type Desk, desk, FIRST, ROWS, SECOND } from '../support/desk.js';

const [, , THIRD] = ROWS as [typeof FIRST, typeof FIRST, typeof FIRST];
const NOTE = ['--note', 'paid by hand'];

/** The first is created, the second in doubt, the third not sent. */
async function stopped(): Promise<Desk & { run: string; close: (...flags: string[]) => ReturnType<Desk['send']> }> {
  const at = await desk((n) => (n === 2 ? { fault: 'reset-after' } : { status: n === 3 ? 401 : 201 }));
  const { summary } = await at.send([FIRST, SECOND, THIRD], '--retries', '0');
  expect(summary.records).toMatchObject({ created: 1, unknown: 1, not_sent: 1 });
  const run = summary.run as string;
  return { ...at, run, close: (...flags) => at.work.run(['batch', 'close', run, ...flags]) };
}

describe('batch close', () => {
  test('says what it leaves, and that it is for good', async () => {
    const { run, close } = await stopped();
    const { code, stdout } = await close(...NOTE);
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        `Run ${run} is closed. This cannot be undone.`,
        'It will not send its 1 open record. To pay it, import it again.',
        expect.stringMatching(
          `^1 record of run ${run} may have been paid \\(in doubt since \\d{4}-\\d\\d-\\d\\d\\)\\..* gigwork batch settle ${run} --state-dir \\S+ --line N --created --note TEXT`,
        ),
        '',
        'Records that need attention:',
        expect.stringMatching(/^file +line +payee or title +amount +state +reason$/),
        expect.stringMatching(/^p\.csv +3 +u2 +52,791 +may have been paid/),
        '',
        'Records that were given up:',
        expect.stringMatching(/^file +line /),
        expect.stringMatching(/^p\.csv +4 +u3 +96,840 +given up/),
        '',
      ],
    ]);
  });

  test('is listed and shown, with its time and note', async () => {
    const { work, run, close, batch } = await stopped();
    expect((await close(...NOTE, '--json')).events[0]).toMatchObject({ run, closed: { note: 'paid by hand' } });
    const [listed] = (await batch('list')).runs;
    expect(listed).toMatchObject({ run, closed: { at: expect.stringMatching(/^\d{4}-.*Z$/), note: 'paid by hand' } });
    expect(listed.records).toMatchObject({ created: 1, unknown: 1, not_sent: 1 });
    expect((await work.run(['batch', 'list'])).stdout).toMatch(/ closed, 1 may have been paid, 1 given up +3 /);
    expect((await work.run(['batch', 'show', run])).stdout).toMatch(
      /^closed {2}\d{4}-[-\d]+ \d\d:\d\d [+-]\d\d:\d\d by .*: paid by hand$/m,
    );
  });

  test.each<[what: string, answer: Reply, ended: number, closed: number]>([
    ['is created', { status: 201 }, 0, 2],
    ['is in doubt', { fault: 'reset-after' }, 5, 2],
    ['is rejected', { status: 422 }, 4, 0],
  ])('a run whose last record %s', async (_what, answer, ended, closed) => {
    const { work, send, batch } = await desk((n) => (n === 2 ? answer : { status: 201 }));
    const { summary } = await send([FIRST, SECOND], '--retries', '0');
    expect(summary.exit_code).toBe(ended);
    expect((await work.run(['batch', 'close', summary.run, ...NOTE])).code).toBe(closed);
    expect((await batch('list')).runs[0].closed !== null).toBe(closed === 0);
  });

  test('with a payment in doubt stays among the open ones until that is settled', async () => {
    const { work, send, batch } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 401 }));
    const { run } = (await send([FIRST, SECOND], '--retries', '0')).summary;
    expect((await work.run(['batch', 'close', run, ...NOTE])).code).toBe(0);
    expect((await batch('list', '--open')).runs).toMatchObject([{ run, records: { unknown: 1 }, next: null }]);
    await work.run(['batch', 'settle', run, '--line', '2', '--created', ...NOTE]);
    expect((await batch('list', '--open')).runs).toEqual([]);
  });

  test('one that is settled as not created can be closed then', async () => {
    const { work, send } = await desk(() => ({ fault: 'reset-after' }));
    const { run } = (await send([FIRST], '--retries', '0')).summary;
    await work.run(['batch', 'settle', run, '--line', '2', '--not-created', ...NOTE]);
    expect((await work.run(['batch', 'close', run, ...NOTE])).code).toBe(0);
  });
});

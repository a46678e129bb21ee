/** `batch close`: a person ends an unfinished run for good. CONTRACT: "Sending". */
import { describe, expect, test } from 'vitest';
import { startSending, TELL } from '../support/crash.js';
import type { Reply } from '../support/service.js';
import { type Desk, desk, expectDone, expectRefused, FIRST, ROWS, SECOND, times } from '../support/desk.js';

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
  test.each([
    ['no note', []],
    ['an empty one', ['--note', '']],
    ['a blank one', ['--note', '  ']],
  ])('is refused with %s: it cannot be taken back', async (_what, flags) => {
    const { close, batch } = await stopped();
    expect(await close(...flags)).toMatchObject({ code: 2, stderr: expect.stringContaining('--note') });
    expect((await batch('list')).runs[0].closed).toBe(null);
  });

  test('says what it leaves, and that it is for good', async () => {
    const { run, close } = await stopped();
    const { code, stdout } = await close(...NOTE);
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        `Run ${run} is closed. This cannot be undone.`,
        'It will not send its 1 open record. To pay it, import it again.',
        expect.stringMatching(
          `^1 record of it may have been paid \\(in doubt since \\d{4}-\\d\\d-\\d\\d\\)\\..* gigwork batch settle ${run}$`,
        ),
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
    expect((await work.run(['batch', 'list'])).stdout).toMatch(/ closed, 1 not sent, 1 in doubt +3 /);
    expect((await work.run(['batch', 'show', run])).stdout).toMatch(
      /^closed {2}\d{4}-[-\d]+ \d\d:\d\d UTC by .*: paid by hand$/m,
    );
  });

  test('a closed run is closed no second time, and not resumed', async () => {
    const { service, run, close, resume } = await stopped();
    expect((await close(...NOTE)).code).toBe(0);
    const before = service.requestCount;
    expect(await close('--note', 'again')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`run ${run} is closed already`),
    });
    const resumed = await resume(run, '--resend-unknown', '--retry-rejected');
    expect(resumed.summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expect(resumed.stderr).toContain(`run ${run} was closed`);
    expect(service.requestCount).toBe(before);
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

  test('one that is settled as not created can be closed then', async () => {
    const { work, send } = await desk(() => ({ fault: 'reset-after' }));
    const { run } = (await send([FIRST], '--retries', '0')).summary;
    await work.run(['batch', 'settle', run, '--line', '2', '--not-created', ...NOTE]);
    expect((await work.run(['batch', 'close', run, ...NOTE])).code).toBe(0);
  });

  test('a run that is being sent at the moment is not closed', async () => {
    const { work, service } = await stopped();
    service.responder(() => ({ fault: 'hang' }));
    work.file('p.csv', `user_id,amount,title,cost_center_key\nu9,1,Other,PP-1\n`);
    const sending = startSending(work, 'payout create', 'p.csv', service, [], { env: TELL });
    await expect.poll(() => service.requestCount, { timeout: 40_000 }).toBe(4);
    const { stdout } = await work.run(['batch', 'list', '--json']);
    const [newest] = JSON.parse(stdout).runs as { run: string }[];
    expect(await work.run(['batch', 'close', newest!.run, ...NOTE])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is being sent at this moment'),
    });
    sending.child.kill('SIGKILL');
    await sending.result.catch(() => undefined);
  });

  test('a name that no run has is refused', async () => {
    const { work } = await stopped();
    expect(await work.run(['batch', 'close', 'x', ...NOTE])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no run "x"'),
    });
  });
});

describe('the records of a closed run', () => {
  test('are imported anew: what was not sent is sent, what was created or is in doubt is asked about', async () => {
    const { service, send, close } = await stopped();
    await close(...NOTE);
    expectDone(await send([THIRD]), { created: 1 });
    expectRefused(await send([FIRST, SECOND]), 'repeats', { 'created-before': 2 });
    const again = await send([FIRST, SECOND], '--skip-created', '--key-lifetime', '0');
    expect(again.summary.records).toMatchObject({ skipped: 1, unknown: 1 });
    expect([FIRST, SECOND, THIRD].map((row) => times(service, row))).toEqual([1, 1, 1]);
  });

  test('in doubt stay so until they are settled, in the closed run', async () => {
    const { work, run, close, batch } = await stopped();
    await close(...NOTE);
    const settled = await work.run(['batch', 'settle', run, '--line', '3', '--created', '--note', 'seen']);
    expect(settled.code).toBe(0);
    expect((await batch('show', run)).records).toMatchObject({ created: 2, unknown: 0, not_sent: 1 });
  });

  test('settled as not created are sent by a new import alone, and the command says so', async () => {
    const { work, run, close, send, resume } = await stopped();
    await close(...NOTE);
    const settled = await work.run(['batch', 'settle', run, '--line', '3', '--not-created', '--note', 'seen']);
    expect([settled.code, settled.stdout]).toEqual([0, expect.stringMatching(/ is closed .* import the record again/)]);
    expect((await resume(run)).code).toBe(2);
    expectDone(await send([SECOND]), { created: 1 });
  });
});

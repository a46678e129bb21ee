/** `batch close`: a person ends an unfinished run for good. CONTRACT: "Sending". */
import { describe, expect, test } from 'vitest';
import { hoursAhead } from '../support/crash.js';
import type { Reply } from '../support/service.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';
import {
  ANSWERS,
  type Desk,
  openDesk,
  expectDone,
  expectRefused,
  FIRST,
  own,
  paid,
  remedyOf,
  SECOND,
  sent,
  sentAt,
  THIRD,
} from '../support/desk.js';

const NOTE = "--note 'paid by hand'";
/** So the service is no longer at what it was sent. */
const A_MINUTE_LATER = hoursAhead(1 / 60);
const close = ({ work }: Desk, run: string, flags = NOTE) => work.run(`batch close ${run} ${flags}`);

/** The first is created, the second in doubt, the third not sent. */
async function stopped(): Promise<Desk & { run: string }> {
  const at = await openDesk((n) => (n === 2 ? ANSWERS.unknown : { status: n === 3 ? 401 : 201 }));
  const { summary } = await at.send([FIRST, SECOND, THIRD], '--retries', '0');
  expect(summary.records).toMatchObject({ created: 1, unknown: 1, not_sent: 1 });
  return { ...at, run: summary.run };
}

describe.skipIf(NO_TERMINAL !== '')(`closing while a person is asked${NO_TERMINAL}`, () => {
  test('the run that is resumed: the total is typed, and nothing is sent', async () => {
    const at = await sent('open', [FIRST]);
    const terminal = openTerminal(at.work, ['batch', 'resume', at.run]);
    await terminal.shows('type its amount (Enter stops): ');
    expect((await close(at, at.run)).code).toBe(0);
    terminal.type(String(FIRST.amount));
    expect(await terminal.ended).toBe(2);
    expect(terminal.output.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(`run ${at.run} was closed on \\d{4}-\\S+ \\S+ \\S+ by \\S+ on \\S+: paid by hand\\. It will not send`),
    );
    expect(terminal.output).not.toContain('Another run has begun');
    expect(paid(at, FIRST)).toEqual([0]);
  });

  test('another run: the review is shown again, and says why', async () => {
    const at = await sent('open', [FIRST]);
    const other = await sentAt(at, 'open', [SECOND]);
    const terminal = openTerminal(at.work, ['batch', 'resume', at.run]);
    await terminal.shows('type its amount (Enter stops): ');
    expect((await close(at, other.run)).code).toBe(0);
    terminal.type(String(FIRST.amount));
    await terminal.shows(`Run ${other.run} was closed during this review`);
    await terminal.shows('type its amount (Enter stops): ');
    terminal.type(String(FIRST.amount));
    expect(await terminal.ended).toBe(0);
    expect(paid(at, FIRST, SECOND)).toEqual([1, 0]);
  });
});

describe('batch close', () => {
  test('says what it leaves, and that it is for good', async () => {
    const at = await stopped();
    const { run } = at;
    const { code, stdout } = await close(at, run);
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        `Run ${run} is closed. This cannot be undone.`,
        'It will not send its 1 open record. To pay it, import it again.',
        expect.stringMatching(
          `^1 record of run ${run} may have been paid \\(in doubt since \\d{4}-\\d\\d-\\d\\d\\)\\..* gigwork batch settle ${run} --state-dir \\S+ --line 3 --created --note TEXT`,
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
    const at = await stopped();
    const { run, work, batch } = at;
    const closed = { at: expect.stringMatching(/^\d{4}-.*Z$/), note: 'paid by hand' };
    expect((await close(at, run, `${NOTE} --json`)).events[0]).toMatchObject({ run, closed });
    const [listed] = (await batch('list')).runs;
    expect(listed).toMatchObject({ run, closed, next: null, records: { created: 1, unknown: 1, not_sent: 1 } });
    expect((await work.run('batch list')).stdout).toMatch(/ closed, 1 may have been paid, 1 given up +3 /);
    expect((await work.run(`batch show ${run}`)).stdout).toMatch(
      /^closed {2}\d{4}-[-\d]+ \d\d:\d\d [+-]\d\d:\d\d by .*: paid by hand$/m,
    );
  });

  test('needs a note, and gives up what is open: the run goes on no more, and what it left open counts as none', async () => {
    const at = await openDesk((n) => ({ status: n === 2 ? 401 : 201 }));
    const { run } = (await at.send([FIRST, SECOND])).summary;
    expect((await close(at, run, '')).code).toBe(2);
    expect((await close(at, run)).code).toBe(0);
    for (const ended of [await at.resume(run), await close(at, run)]) expect(ended.code).toBe(2);
    expectRefused(await at.send([FIRST, SECOND]), 'repeats', { 'created-before': 1 });
    const other = await at.send([FIRST, SECOND], '--skip-created');
    expectDone(other, { skipped: 1, created: 1 });
    expect(other.summary.run).not.toBe(run);
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });

  test('leaves a payment to another run that has accepted it and may still send it', async () => {
    const row = own(FIRST, 'k1');
    const at = await sent('open', [row]);
    const other = await sentAt(at, 'open', [row, own(SECOND, 'k2')]);
    expect((await close(at, other.run)).stdout.split('\n').slice(1, 3)).toEqual([
      'It will not send its 1 open record. To pay it, import it again.',
      expect.stringMatching(
        `^1 record is open in run ${at.run} too, which can still send it\\..* batch show ${at.run} `,
      ),
    ]);
    const dearer = [{ ...row, amount: row.amount + 1 }];
    const refused = await at.send(dearer);
    expectRefused(refused, 'invalid_input', { 'key-conflict': 1 });
    expect(remedyOf(refused, 'close')).toContain(at.run);
    await close(at, at.run);
    expectDone(await at.send(dearer), { created: 1 });
  });

  test('leaves what is in doubt to be settled, and listed as open; not created, it counts as none there', async () => {
    const at = await openDesk((n) => (n === 1 ? ANSWERS.unknown : { status: 401 }));
    const { run } = (await at.send([FIRST, SECOND], '--retries', '0')).summary;
    expect((await close(at, run)).code).toBe(0);
    at.service.responder(undefined);
    expectRefused(await at.send([FIRST, SECOND]), 'repeats', { 'created-before': 1 });
    expect((await at.batch('list', '--open')).runs).toMatchObject([{ run, records: { unknown: 1 }, next: null }]);
    const settled = await at.work.run(`batch settle ${run} --line 2 --not-created ${NOTE}`, { env: A_MINUTE_LATER });
    expect(settled.stdout).toContain(`Run ${run} is closed and will not send it. Only a new import pays it.`);
    expect((await at.batch('list', '--open')).runs).toEqual([]);
    expectDone(await at.send([FIRST, SECOND]), { created: 2 });
  });

  test.each<[what: string, answer: Reply, ended: number, closed: number]>([
    ['is created', { status: 201 }, 0, 2],
    ['is in doubt', ANSWERS.unknown, 5, 2],
    ['is rejected', { status: 422 }, 4, 0],
  ])('a run whose last record %s', async (_what, answer, ended, closed) => {
    const at = await openDesk((n) => (n === 2 ? answer : { status: 201 }));
    const { summary } = await at.send([FIRST, SECOND], '--retries', '0');
    expect([summary.exit_code, (await close(at, summary.run)).code]).toEqual([ended, closed]);
    expect((await at.batch('list')).runs[0].closed !== null).toBe(closed === 0);
  });

  test('one that is settled as not created is open again, and can be closed then', async () => {
    const at = await sent('unknown', [FIRST], '--key-lifetime', '0');
    await at.work.run(`batch settle ${at.run} --line 2 --not-created ${NOTE}`, { env: A_MINUTE_LATER });
    expectRefused(await at.send([FIRST, SECOND]), 'repeats', { 'open-before': 1 });
    expect((await close(at, at.run)).code).toBe(0);
  });
});

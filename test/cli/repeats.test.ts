/** What of an input the target's history knows already, and how a person is told. CONTRACT: "Keys and repeats". */
import { describe, expect, test } from 'vitest';
import { csv, gigs, payouts } from '../support/builders.js';
import type { CliResult } from '../support/cli.js';
import {
  DEARER,
  desk,
  EDITED,
  expectDone,
  expectRefused,
  FIRST,
  issues,
  issuesOf,
  own,
  ROWS,
  SECOND,
  statesOf,
  times,
  withKeys,
} from '../support/desk.js';

const [, , THIRD] = ROWS as [typeof FIRST, typeof FIRST, typeof FIRST];
/** What a person is offered, a line each. */
function remedies({ stderr }: CliResult): string[] {
  return stderr.split('\n').filter((line) => /^\s*- /.test(line));
}

describe('created-before: the same content key', () => {
  test.each([
    ['a row is removed', ROWS.slice(1), 3],
    ['rows are reordered', ROWS.toReversed(), 4],
    ['there are old rows and new ones', payouts(6), 4],
  ])('%s: nothing is sent', async (_what, rows, repeated) => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    const refused = await send(rows);
    expectRefused(refused, 'repeats', { 'created-before': repeated });
    // Repeats are valid records that were not sent.
    expect(refused.summary.records).toMatchObject({ valid: rows.length, invalid: 0, not_sent: rows.length });
    expect(service.requestCount).toBe(4);
  });

  test('a payment in doubt counts as well, within and beyond the life of its key', async () => {
    const { service, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    expect((await send([FIRST], '--retries', '0')).summary.records).toMatchObject({ unknown: 1 });
    for (const flags of [[], ['--key-lifetime', '0']])
      expectRefused(await send([FIRST, SECOND], ...flags), 'repeats', { 'created-before': 1 });
    expect(service.requestCount).toBe(1);
  });

  test('one that was rejected is none: it is sent again, under its key', async () => {
    const { service, send } = await desk((n) => (n === 1 ? { status: 422 } : { status: 201 }));
    expect((await send([FIRST])).summary).toMatchObject({ exit_code: 4, records: { rejected: 1 } });
    expectDone(await send([FIRST, SECOND]), { created: 2 });
    const [rejected, again] = service.requests;
    expect(again?.body).toBe(rejected?.body);
    expect(times(service, FIRST)).toBe(1);
  });

  test('in another file of another format and name, with one more record', async () => {
    const { work, service, sendFiles } = await desk();
    work.file('a.csv', csv([FIRST, SECOND]));
    work.file('b.json', JSON.stringify([FIRST, SECOND, THIRD]));
    expectDone(await sendFiles(['a.csv']), { created: 2 });
    expectRefused(await sendFiles(['b.json']), 'repeats', { 'created-before': 2 });
    expect(service.requestCount).toBe(2);
  });

  test('under --dry-run, with the same words and without a trace', async () => {
    const { send, batch } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    const dry = await send([FIRST, SECOND], '--dry-run');
    expect(dry.summary).toMatchObject({ exit_code: 3, stop_reason: 'repeats', dry_run: true });
    const real = await send([FIRST, SECOND]);
    expect(issuesOf(dry, 'created-before')).toEqual(issuesOf(real, 'created-before'));
    expect((await batch('list')).runs).toHaveLength(1);
  });
});

describe('open-before: the same content key, open in another run', () => {
  /** A run whose first record is created and whose second is open. */
  async function stopped() {
    const at = await desk((n) => (n === 2 ? { status: 401 } : { status: 201 }));
    const run = await at.send([FIRST, SECOND]);
    expect(run.summary).toMatchObject({ exit_code: 5, records: { created: 1, not_sent: 1 } });
    return { ...at, run: run.summary.run as string };
  }

  test('is asked about, and the first remedy is to go on with that run', async () => {
    const { service, send, run } = await stopped();
    const refused = await send([SECOND, THIRD]);
    expectRefused(refused, 'repeats', { 'open-before': 1 });
    expect(issuesOf(refused, 'open-before')[0]).toMatchObject({
      record: 1,
      earlier: { run, file: 'p.csv', record: 2, line: 3, status: 'not_sent' },
    });
    const [first, second] = remedies(refused);
    expect(first).toContain(`gigwork batch resume ${run}`);
    expect(first).toContain('1 of these records open');
    // Nobody has paid them yet.
    expect(second).toMatch(/^- they are to be paid by this run: --skip-created sends them, each once/);
    expect(service.requestCount).toBe(2);
  });

  test('is no repeat any more once that run is closed', async () => {
    const { work, service, send, run } = await stopped();
    expect((await work.run(['batch', 'close', run, '--note', 'a new file comes'])).code).toBe(0);
    expectDone(await send([SECOND, THIRD]), { created: 2 });
    expect([SECOND, THIRD].map((row) => times(service, row))).toEqual([1, 1]);
    const resumed = await work.run(['batch', 'resume', run, '--yes', '--json']);
    expect(resumed.code).toBe(2);
    expect(times(service, SECOND)).toBe(1);
  });

  test('is created-before once that run has gone on', async () => {
    const { service, send, resume, run } = await stopped();
    expectDone(await resume(run), { already_created: 1, created: 1 });
    expectRefused(await send([SECOND, THIRD]), 'repeats', { 'created-before': 1 });
    expect(times(service, SECOND)).toBe(1);
  });
});

describe('same-content: another key, while the history holds as many payments of it as the input', () => {
  test.each([
    ['a key of its own is given', [SECOND], withKeys([SECOND])],
    ['a key of its own is taken away', withKeys([SECOND]), [SECOND]],
    ['a key of its own is another one', withKeys([SECOND]), [own(SECOND, 'other')]],
  ])('%s', async (_what, before, after) => {
    const { service, send } = await desk();
    expectDone(await send(before), { created: 1 });
    expectRefused(await send(after), 'repeats', { 'same-content': 1 });
    expect(times(service, SECOND)).toBe(1);
  });

  test('other key columns, or the batch is not named any more', async () => {
    const { service, send } = await desk();
    const columns = (names: string): string[] => ['--key-columns', names];
    expectDone(await send([FIRST], ...columns('user_id')), { created: 1 });
    expectDone(await send([SECOND], '--batch-id', 'x'), { created: 1 });
    expectRefused(await send([FIRST], ...columns('user_id,title')), 'repeats', { 'same-content': 1 });
    expectRefused(await send([FIRST, SECOND]), 'repeats', { 'same-content': 2 });
    expect(service.requestCount).toBe(2);
  });

  test('in doubt, too; rejected ones do not count', async () => {
    const { service, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: n === 2 ? 422 : 201 }));
    expect((await send([own(FIRST, 'a')], '--retries', '0')).summary.records).toMatchObject({ unknown: 1 });
    expect((await send([own(SECOND, 'b')])).summary.records).toMatchObject({ rejected: 1 });
    expectRefused(await send([FIRST, SECOND]), 'repeats', { 'same-content': 1 });
    expect(service.requestCount).toBe(2);
  });

  test.each([
    [1, 1, { 'same-content': 1 }],
    [1, 2, { 'same-content': 1 }],
    [2, 1, { 'same-content': 1 }],
    [2, 3, { 'same-content': 2 }],
  ])('the history holds %i of them, the input %i', async (held, coming, found) => {
    const { service, send } = await desk();
    const before = Array.from({ length: held }, (_, i) => own(FIRST, `key-${i}`));
    expectDone(await send(before), { created: held });
    const after = Array.from({ length: coming }, () => FIRST);
    const refused = await send(after);
    expectRefused(refused, 'repeats', found);
    const repeated = Math.min(held, coming);
    // The first ones of the input are those that were paid.
    expect(issuesOf(refused, 'same-content').map(({ record }) => record)).toEqual(
      after.slice(0, repeated).map((_, i) => i + 1),
    );
    expectDone(await send(after, '--skip-created'), { skipped: repeated, created: coming - repeated });
    expect(times(service, FIRST)).toBe(Math.max(held, coming));
  });

  test('a payment that an earlier record of the input names counts for that record', async () => {
    const { service, send } = await desk();
    const keyed = own(FIRST, 'bonus-1');
    expectDone(await send([keyed]), { created: 1 });
    expectDone(await send([keyed, own(FIRST, '')]), { already_created: 1, created: 1 });
    expect(times(service, FIRST)).toBe(2);
  });

  test('of two identical rows, the first was rejected and the second created: one that comes alone could be either', async () => {
    const { service, send } = await desk((n) => (n === 1 ? { status: 422 } : { status: 201 }));
    expect((await send([FIRST, FIRST])).summary.records).toMatchObject({ rejected: 1, created: 1 });
    expectRefused(await send([FIRST]), 'repeats', { 'same-content': 1 });
    expectDone(await send([FIRST], '--skip-created'), { skipped: 1 });
    expect(times(service, FIRST)).toBe(1);
  });

  test('of two identical rows, the first was rejected and the second created: both and another one', async () => {
    const { service, send } = await desk((n) => (n === 1 ? { status: 422 } : { status: 201 }));
    await send([FIRST, FIRST]);
    expectRefused(await send([FIRST, FIRST, SECOND]), 'repeats', { 'created-before': 1 });
    expectDone(await send([FIRST, FIRST, SECOND], '--skip-created'), { skipped: 1, created: 2 });
    expect([times(service, FIRST), times(service, SECOND)]).toEqual([2, 1]);
  });

  test('a re-export holds one more of a row that it had: that one is new', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    expectRefused(await send([...ROWS, FIRST]), 'repeats', { 'created-before': 4 });
    expectDone(await send([...ROWS, FIRST], '--skip-created'), { skipped: 4, created: 1 });
    expect(times(service, FIRST)).toBe(2);
  });
});

describe('similar-record: other content, the same user and title', () => {
  const dated = (row: object, reference: string, date: string): object => ({
    ...row,
    reference_id: reference,
    billing_date: date,
  });
  const DAY = new Date().toISOString().slice(0, 10);
  const EVE = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

  test('another amount, beside what is the same', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    expectRefused(await send(EDITED), 'repeats', { 'created-before': 3, 'similar-record': 1 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('another cost center for all, set by a flag', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS, '--set', 'cost_center_key=PP-8'), { created: 4 });
    expectRefused(await send(ROWS, '--set', 'cost_center_key=PP-9'), 'repeats', { 'similar-record': 4 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test.each([
    ['letter case', 'bonus münchen', 'BONUS MÜNCHEN'],
    ['spaces', 'Bonus November', '  Bonus \u00a0 Nov ember '],
    ['composition', 'Bonus Mu\u0308nchen', 'Bonus M\u00fcnchen'],
    ['look-alikes', 'Office 1', '\uff2f\ufb03ce \u2460'],
  ])('the title without regard to %s', async (_what, before, after) => {
    const { service, send } = await desk();
    expectDone(await send([{ ...FIRST, title: before }]), { created: 1 });
    expectRefused(await send([{ ...FIRST, title: after }]), 'repeats', { 'similar-record': 1 });
    expect(service.requestCount).toBe(1);
  });

  test('the user without regard to letter case', async () => {
    const { send } = await desk();
    expectDone(await send([{ ...FIRST, user_id: 'usr-a' }]), { created: 1 });
    expectRefused(await send([{ ...FIRST, user_id: 'USR-A' }]), 'repeats', { 'similar-record': 1 });
  });

  test('another user, or another title, is another payment', async () => {
    const { send } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    const others = [
      { ...FIRST, user_id: 'u77' },
      { ...FIRST, title: 'Other' },
    ];
    expectDone(await send(others), { created: 2 });
  });

  test.each([
    ['both have a reference and they differ', dated(FIRST, 'g1', ''), dated(FIRST, 'g2', ''), false],
    ['both have a date and they differ', dated(FIRST, '', DAY), dated(FIRST, '', EVE), false],
    ['one alone has a reference', FIRST, dated(FIRST, 'g2', ''), true],
    ['one alone has a date', dated(FIRST, '', DAY), FIRST, true],
    ['the one has a reference, the other a date', dated(FIRST, 'g1', ''), dated(FIRST, '', DAY), true],
    ['the dates differ, the references do not', dated(FIRST, 'g1', DAY), dated(FIRST, 'g1', EVE), false],
    ['the references read the same', dated(FIRST, 'g-a', DAY), dated({ ...FIRST, amount: 7 }, 'G-A', DAY), true],
  ])('%s', async (_what, before, after, isSimilar) => {
    const { service, send } = await desk();
    expectDone(await send([before]), { created: 1 });
    const result = await send([after]);
    if (isSimilar) expectRefused(result, 'repeats', { 'similar-record': 1 });
    else expectDone(result, { created: 1 });
    expect(service.requestCount).toBe(isSimilar ? 1 : 2);
  });

  test('to a payment in doubt; not to one that was rejected', async () => {
    const { send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: n === 2 ? 422 : 201 }));
    expect((await send([SECOND], '--retries', '0')).summary.records).toMatchObject({ unknown: 1 });
    expect((await send([FIRST])).summary.records).toMatchObject({ rejected: 1 });
    const refused = await send([{ ...FIRST, amount: FIRST.amount + 1 }, DEARER]);
    expectRefused(refused, 'repeats', { 'similar-record': 1 });
    expect(issuesOf(refused, 'similar-record')[0]).toMatchObject({ record: 2, earlier: { status: 'unknown' } });
    expect(refused.stderr).toContain('its outcome is unknown');
  });

  test('a gig of the same title and start; another start is another gig', async () => {
    const { work, service } = await desk();
    const [gig] = gigs(1) as [ReturnType<typeof gigs>[number]];
    const send = (row: object) => {
      work.file('g.json', JSON.stringify([row]));
      return work.run(['gig', 'create', 'g.json', '--base-url', service.url, '--yes', '--json']);
    };
    expectDone(await send(gig), { created: 1 });
    expectRefused(await send({ ...gig, description: 'Otherwise' }), 'repeats', { 'similar-record': 1 });
    expectDone(await send({ ...gig, start_at: gig.start_at + 3600 }), { created: 1 });
  });
});

describe('a repeat is shown with', () => {
  test('the newest payment, in how many runs, and for how much it was paid in all', async () => {
    const at = await desk();
    expectDone(await at.send([FIRST]), { created: 1 });
    const monthLater = at.later(31 * 24);
    expectDone(await monthLater.send([THIRD, FIRST], '--batch-id', '2026-10'), { created: 2 });
    const yearLater = at.later(365 * 24);
    expectDone(await yearLater.send([FIRST], '--batch-id', '2026-11'), { created: 1 });
    const newest = (await at.batch('list')).runs[0];
    const refused = await at.later(366 * 24).send([SECOND, FIRST]);
    expectRefused(refused, 'repeats', { 'created-before': 1 });
    const total = String(3 * FIRST.amount);
    expect(issuesOf(refused, 'created-before')[0]).toMatchObject({
      record: 2,
      earlier: {
        run: newest.run,
        at: expect.stringContaining(newest.started_at.slice(0, 10)),
        file: 'p.csv',
        record: 1,
        line: 2,
        key: expect.any(String),
        status: 'created',
        amount: String(FIRST.amount),
        batch_id: '2026-11',
        target: at.service.url,
        times: 3,
        total,
      },
    });
    expect(refused.stderr).toContain(newest.run);
    expect(refused.stderr).toContain(newest.started_at.slice(0, 10));
    expect(refused.stderr).toContain('p.csv, line 2');
    expect(refused.stderr).toContain('3 times');
  });

  test('the newest payment under another key, too', async () => {
    const at = await desk();
    expectDone(await at.send([own(FIRST, 'a')]), { created: 1 });
    expectDone(await at.later(48).send([own(FIRST, 'b')], '--batch-id', 'b'), { created: 1 });
    const refused = await at.later(72).send([FIRST]);
    expect(issuesOf(refused, 'same-content')[0].earlier).toMatchObject({
      key: 'b',
      batch_id: 'b',
      times: 2,
      total: String(2 * FIRST.amount),
    });
  });

  test('the newest of what is similar, whose sum has different amounts', async () => {
    const at = await desk();
    expectDone(await at.send([own(SECOND, 'a')]), { created: 1 });
    expectDone(await at.later(48).send([own(DEARER, 'b')], '--batch-id', 'b'), { created: 1 });
    const refused = await at.later(72).send([{ ...SECOND, amount: 1 }]);
    expect(issuesOf(refused, 'similar-record')[0].earlier).toMatchObject({
      key: 'b',
      amount: String(DEARER.amount),
      times: 2,
      total: String(SECOND.amount + DEARER.amount),
    });
  });

  test('two payments of one run are one time, and their sum is that of both', async () => {
    const { send } = await desk();
    expectDone(await send([own(FIRST, 'a'), own(FIRST, 'b')]), { created: 2 });
    const refused = await send([FIRST]);
    expect(issuesOf(refused, 'same-content')[0].earlier).toMatchObject({ times: 1, total: String(2 * FIRST.amount) });
  });

  test('no sum over different currencies', async () => {
    const { send } = await desk();
    expectDone(await send([{ ...FIRST, currency: 'EUR' }]), { created: 1 });
    expectDone(await send([{ ...FIRST, currency: 'GBP' }], '--batch-id', 'b'), { created: 1 });
    const refused = await send([FIRST]);
    expect(issuesOf(refused, 'similar-record')[0].earlier).toMatchObject({ times: 2, total: null });
  });

  test('a rejected attempt is no time that it was paid', async () => {
    const { send } = await desk((n) => ({ status: n === 1 ? 422 : 201 }));
    expect((await send([own(FIRST, 'a')])).summary.records).toMatchObject({ rejected: 1 });
    expectDone(await send([own(FIRST, 'b')]), { created: 1 });
    const refused = await send([FIRST]);
    expect(issuesOf(refused, 'same-content')[0].earlier).toMatchObject({
      key: 'b',
      times: 1,
      total: String(FIRST.amount),
    });
  });
});

describe('a refusal names its remedies, each with the case that it is for', () => {
  test('for what is the same', async () => {
    const { send } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    expect(remedies(await send([FIRST, SECOND]))).toEqual([
      expect.stringMatching(/they were paid already: --skip-created /),
      expect.stringMatching(/another period or purpose: .*--batch-id/),
    ]);
  });

  test('for what is similar', async () => {
    const { send } = await desk();
    expectDone(await send([SECOND]), { created: 1 });
    expect(remedies(await send([DEARER]))).toEqual([
      expect.stringMatching(/they were paid already: --skip-similar /),
      expect.stringMatching(/another period or purpose: .*--batch-id/),
      expect.stringMatching(/payments of their own: --send-similar 1 /),
    ]);
  });

  test('an unfinished run that has records of the input open comes first', async () => {
    const { send } = await desk((n) => (n > 1 ? { status: 401 } : { status: 201 }));
    const stopped = await send(ROWS);
    const [first, ...others] = remedies(await send(ROWS.toReversed()));
    expect(first).toContain(`batch resume ${stopped.summary.run}`);
    expect(first).toContain('3 of these records open');
    expect(others).toHaveLength(2);
  });

  test('where both the input is invalid and it repeats, it is refused as invalid, and both are told', async () => {
    const { service, send } = await desk();
    expectDone(await send([FIRST, THIRD]), { created: 2 });
    const refused = await send([FIRST, { ...SECOND, amount: 'x' }]);
    expectRefused(refused, 'invalid_input', { 'bad-number': 1, 'created-before': 1 });
    expect(refused.summary.records).toMatchObject({ read: 2, invalid: 1, not_sent: 1 });
    expect(refused.stderr).toContain('--skip-created');
    expect(service.requestCount).toBe(2);
  });

  test('repeats come before a control total that is missed', async () => {
    const { send } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    expectRefused(await send([FIRST, SECOND], '--expect-count', '7'), 'repeats', { 'created-before': 1 });
    expectRefused(await send([FIRST, SECOND], '--expect-count', '7', '--skip-created'), 'control_total', {});
  });
});

describe('the same rows in two files', () => {
  test('of one run', async () => {
    const { work, service, sendFiles } = await desk();
    work.file('a.csv', csv(ROWS));
    work.file('b.csv', csv(ROWS.slice(2)));
    expectRefused(await sendFiles(['a.csv', 'b.csv']), 'invalid_input', { 'duplicate-key': 4 });
    // Leaving out what is invalid leaves out both: nobody can tell which of them is meant.
    const skipped = await sendFiles(['a.csv', 'b.csv'], '--skip-invalid');
    expect(skipped.summary).toMatchObject({ exit_code: 4, records: { invalid: 4, created: 2 } });
    expect(service.ledgerTotal()).toBe(2);
  });

  test('of two runs', async () => {
    const { work, service, sendFiles } = await desk();
    work.file('a.csv', csv(ROWS));
    work.file('b.csv', csv(ROWS.slice(2)));
    expectDone(await sendFiles(['a.csv']), { created: 4 });
    expectRefused(await sendFiles(['b.csv']), 'repeats', { 'created-before': 2 });
    expectDone(await sendFiles(['b.csv'], '--skip-created'), { skipped: 2 });
    expect(service.ledgerTotal()).toBe(4);
  });
});

test.each([
  ['before', (rows: object[]) => rows],
  ['after', (rows: object[]) => rows.toReversed()],
])('a key is given twice, %s a record that is invalid for another reason', async (_where, order) => {
  const { service, send } = await desk();
  const rows = order([own({ ...FIRST, title: '' }, 'K'), own(SECOND, 'K')]);
  const result = await send(rows, '--skip-invalid');
  expect(result.summary).toMatchObject({ records: { invalid: 2 } });
  expect(issues(result)).toEqual({ 'missing-field': 1, 'duplicate-key': 1 });
  expect(statesOf(result)).toEqual(['invalid', 'invalid']);
  expect(service.requestCount).toBe(0);
});

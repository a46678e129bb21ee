/** Keys that identify: the record's own, and those computed from key columns. CONTRACT: "Keys and repeats", "One payment". */
import { describe, expect, test } from 'vitest';
import { csv, gigs, type PayoutRow } from '../support/builders.js';
import {
  DEARER,
  type Desk,
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

const [, , THIRD] = ROWS as [PayoutRow, PayoutRow, PayoutRow];
const ONCE = ['--retries', '0'];
const COLUMNS = ['--key-columns', 'user_id'];

/** The same rows, whose keys identify in the one way and in the other. */
const WAYS = [
  { way: 'keys of their own', flags: [], rows: withKeys },
  { way: 'key columns', flags: COLUMNS, rows: (rows: readonly PayoutRow[]): object[] => [...rows] },
];

describe.each(WAYS)('$way: the same key with the same content is already created, without a question', (each) => {
  const { flags, rows } = each;

  test.each([
    ['in another order', ROWS.toReversed(), { already_created: 4 }],
    ['a row is removed', ROWS.slice(1), { already_created: 3 }],
    ['rows are added', [...ROWS, { ...FIRST, user_id: 'u9', title: 'New' }], { already_created: 4, created: 1 }],
  ])('%s', async (_what, after, records) => {
    const { service, send } = await desk();
    expectDone(await send(rows(ROWS), ...flags), { created: 4 });
    const again = await send(rows(after), ...flags);
    expectDone(again, { ...records, skipped: 0 });
    expect(issues(again, 'warning')).toEqual({});
    expect(ROWS.map((row) => times(service, row))).toEqual([1, 1, 1, 1]);
  });

  test('a day and a year later, and by whatever file it comes', async () => {
    const at = await desk();
    expectDone(await at.send(rows([FIRST, SECOND]), ...flags), { created: 2 });
    at.work.file('q.json', JSON.stringify(rows([SECOND, THIRD])));
    expectDone(await at.later(25).sendFiles(['q.json'], ...flags), { already_created: 1, created: 1 });
    expectDone(await at.later(24 * 365).send(rows([FIRST, SECOND, THIRD]), ...flags), { already_created: 3 });
    expect(at.service.requestCount).toBe(3);
  });

  test('its answer is repeated', async () => {
    const { service, send } = await desk();
    service.responder(() => ({ status: 201, body: '{"id":"pay_7"}' }));
    expectDone(await send(rows([FIRST]), ...flags), { created: 1 });
    const again = await send(rows([FIRST, SECOND]), ...flags);
    expect(again.events.find(({ record }) => record === 1)).toMatchObject({
      status: 'already_created',
      http_status: 201,
      response: { id: 'pay_7' },
    });
  });

  test('with other content, a payment that was created is a key-conflict', async () => {
    const { service, send } = await desk();
    expectDone(await send(rows(ROWS), ...flags), { created: 4 });
    const refused = await send(rows(EDITED), ...flags);
    expectRefused(refused, 'invalid_input', { 'key-conflict': 1 });
    expect(statesOf(refused)).toEqual(['not_sent', 'invalid', 'not_sent', 'not_sent']);
    expect(issuesOf(refused, 'key-conflict')[0]).toMatchObject({ record: 2, field: 'idempotency_key' });
    // No decision is one about that.
    expectRefused(await send(rows(EDITED), ...flags, '--skip-similar'), 'invalid_input', { 'key-conflict': 1 });
    const others = await send(rows(EDITED), ...flags, '--skip-invalid');
    expect(others.summary).toMatchObject({ exit_code: 4, records: { invalid: 1, already_created: 3 } });
    expect(service.requestCount).toBe(4);
  });

  test('with other content, a payment in doubt is a key-conflict, within and beyond the life of its key', async () => {
    const { service, send } = await desk((n) => (n === 2 ? { fault: 'reset-after' } : { default: true }));
    expect((await send(rows(ROWS), ...flags, ...ONCE)).summary.records).toMatchObject({ unknown: 1 });
    for (const more of [[], ['--key-lifetime', '0'], ['--resend-unknown']])
      expectRefused(await send(rows(EDITED), ...flags, ...more), 'invalid_input', { 'key-conflict': 1 });
    // The file as it was settles it: the same key, the same bytes.
    expectDone(await send(rows(ROWS), ...flags), { already_created: 3, created: 1 });
    expect([SECOND, DEARER].map((row) => times(service, row))).toEqual([1, 0]);
  });

  test('in doubt, it is sent again under its key in any run; and waits where that does not protect it', async () => {
    const { service, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    expect((await send(rows([FIRST]), ...flags, ...ONCE)).summary.records).toMatchObject({ unknown: 1 });
    const forgotten = await send(rows([FIRST, SECOND]), ...flags, '--key-lifetime', '0');
    expect(forgotten.summary).toMatchObject({ exit_code: 5, records: { unknown: 1, created: 1 } });
    expectDone(await send(rows([FIRST, THIRD]), ...flags), { created: 2 });
    expectDone(await send(rows([FIRST, SECOND]), ...flags), { already_created: 2 });
    expect(times(service, FIRST)).toBe(1);
  });

  test('open in another run, it is sent by this one, without a question', async () => {
    const { service, send, resume } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
    const stopped = await send(rows([FIRST, SECOND]), ...flags);
    expect(stopped.summary.records).toMatchObject({ created: 1, not_sent: 1 });
    expectDone(await send(rows([SECOND, THIRD]), ...flags), { created: 2 });
    expectDone(await resume(stopped.summary.run), { already_created: 2 });
    expect([FIRST, SECOND, THIRD].map((row) => times(service, row))).toEqual([1, 1, 1]);
  });

  test('rejected, it passes on to other content', async () => {
    const { service, send, batch } = await desk((n) => ({ status: n === 2 ? 422 : 201 }));
    const first = await send(rows([FIRST, SECOND]), ...flags);
    expect(first.summary.records).toMatchObject({ created: 1, rejected: 1 });
    expectDone(await send(rows([FIRST, DEARER]), ...flags), { already_created: 1, created: 1 });
    expect((await batch('show', first.summary.run)).outcomes[1]).toMatchObject({ status: 'rejected' });
    expectRefused(await send(rows([SECOND, THIRD]), ...flags), 'invalid_input', { 'key-conflict': 1 });
    expect([SECOND, DEARER].map((row) => times(service, row))).toEqual([0, 1]);
  });

  test('open in a stopped run, it passes on to other content: resuming the first finds the conflict', async () => {
    const { service, send, resume } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
    const stopped = await send(rows([FIRST, SECOND]), ...flags);
    expectDone(await send(rows([DEARER]), ...flags), { created: 1 });
    const resumed = await resume(stopped.summary.run);
    expect(issues(resumed)).toEqual({ 'key-conflict': 1 });
    expect(resumed.summary.records).toMatchObject({ already_created: 1, invalid: 1, created: 0 });
    expect([SECOND, DEARER].map((row) => times(service, row))).toEqual([0, 1]);
  });

  test('settled as not created, it is open to other content', async () => {
    const { work, service, send, resume } = await desk((n) => (n === 1 ? { fault: 'reset-before' } : { status: 201 }));
    const { summary } = await send(rows([SECOND]), ...flags, ...ONCE);
    expect(summary.records).toMatchObject({ unknown: 1 });
    const settle = ['batch', 'settle', summary.run, '--record', '1', '--not-created', '--note', 'asked'];
    expect((await work.run(settle)).code).toBe(0);
    expectDone(await send(rows([DEARER]), ...flags), { created: 1 });
    expect(issues(await resume(summary.run))).toEqual({ 'key-conflict': 1 });
    expect([SECOND, DEARER].map((row) => times(service, row))).toEqual([0, 1]);
  });

  test('given twice in an input, all its records are invalid', async () => {
    const { service, send } = await desk();
    const twins = [FIRST, { ...FIRST, title: 'Other', amount: 3 }, SECOND];
    expectRefused(await send(rows(twins), ...flags), 'invalid_input', { 'duplicate-key': 2 });
    const skipped = await send(rows(twins), ...flags, '--skip-invalid');
    expect(skipped.summary).toMatchObject({ exit_code: 4, records: { invalid: 2, created: 1 } });
    expect(service.requestCount).toBe(1);
  });

  test('another key of the same content, or of a similar one, is asked about', async () => {
    const { service, send } = await desk();
    expectDone(await send(rows([FIRST, SECOND]), ...flags), { created: 2 });
    const others = [own(FIRST, 'other-1'), own(DEARER, 'other-2')];
    expectRefused(await send(others), 'repeats', { 'same-content': 1, 'similar-record': 1 });
    expect(service.requestCount).toBe(2);
  });
});

describe('batches', () => {
  test('a key of its own is the same payment in every batch', async () => {
    const { service, send } = await desk();
    expectDone(await send(withKeys([FIRST]), '--batch-id', 'a'), { created: 1 });
    for (const flags of [[], ['--batch-id', 'b']])
      expectDone(await send(withKeys([FIRST]), ...flags), { already_created: 1 });
    expectRefused(await send([own(DEARER, `key-${FIRST.user_id}`)], '--batch-id', 'c'), 'invalid_input', {
      'key-conflict': 1,
    });
    expect(service.requestCount).toBe(1);
  });

  test('a rejected key of its own is sent again in another batch', async () => {
    const { service, send } = await desk((n) => ({ status: n === 1 ? 422 : 201 }));
    expect((await send([own(FIRST, 'one')])).summary.records).toMatchObject({ rejected: 1 });
    const november = ['--batch-id', 'november'];
    expectDone(await send([own(FIRST, 'one')], ...november), { created: 1 });
    expect(times(service, FIRST)).toBe(1);
  });

  test('key columns are computed with the batch: another batch is another payment', async () => {
    const { service, send } = await desk();
    expectDone(await send([FIRST], ...COLUMNS, '--batch-id', 'a'), { created: 1 });
    expectDone(await send([FIRST], ...COLUMNS, '--batch-id', 'b'), { created: 1 });
    expectDone(await send([FIRST, SECOND], ...COLUMNS, '--batch-id', 'a'), { already_created: 1, created: 1 });
    expect(times(service, FIRST)).toBe(2);
  });
});

test('key columns: a record without one of them is invalid', async () => {
  const { service, send } = await desk();
  const rows = [
    { ...FIRST, reference_id: 'g1' },
    { ...SECOND, reference_id: '' },
  ];
  expectRefused(await send(rows, '--key-columns', 'reference_id'), 'invalid_input', { 'missing-field': 1 });
  expect(service.requestCount).toBe(0);
});

test('a gig’s own key is for the journal: it identifies, and is never sent', async () => {
  const { work, service } = await desk();
  const [one, two] = gigs(2).map((gig, i) => own(gig, `gig-${i}`));
  const send = (...rows: (object | undefined)[]) => {
    work.file('g.json', JSON.stringify(rows));
    return work.run(['gig', 'create', 'g.json', '--base-url', service.url, '--yes', '--json']);
  };
  expectDone(await send(one), { created: 1 });
  expectDone(await send(two, one), { already_created: 1, created: 1 });
  expectRefused(await send({ ...one, description: 'Other' }), 'invalid_input', { 'key-conflict': 1 });
  expect(service.requestCount).toBe(2);
  for (const { body } of service.requests) expect(body).not.toContain('idempotency_key');
});

describe('runs that share keys', () => {
  /** Two files that share their middle record. */
  function files({ work }: Desk): void {
    work.file('a.csv', csv(withKeys([FIRST, SECOND]) as PayoutRow[]));
    work.file('b.csv', csv(withKeys([SECOND, THIRD]) as PayoutRow[]));
  }

  test('at the same moment: each payment once, and each run tells what became of all of its own', async () => {
    const at = await desk();
    files(at);
    const results = await Promise.all([at.sendFiles(['a.csv']), at.sendFiles(['b.csv'])]);
    for (const { summary } of results) {
      expect(summary).toMatchObject({ exit_code: 0, stop_reason: null });
      expect(summary.records.created + summary.records.already_created).toBe(2);
    }
    expect(results.reduce((sum, { summary }) => sum + summary.records.created, 0)).toBe(3);
    expect([FIRST, SECOND, THIRD].map((row) => times(at.service, row))).toEqual([1, 1, 1]);
  });

  test('a doubt that is settled through one of them is settled in both', async () => {
    const at = await desk((n) => (n <= 2 ? { fault: 'reset-after' } : { status: 201 }));
    const flags = [...ONCE, '--key-lifetime', '0'];
    files(at);
    const one = await at.sendFiles(['a.csv'], ...flags);
    const other = await at.sendFiles(['b.csv'], ...flags);
    expect(other.summary.records).toMatchObject({ unknown: 1, created: 1 });
    const settle = ['batch', 'settle', other.summary.run, '--record', '1', '--created', '--note', 'seen'];
    expect((await at.work.run(settle)).code).toBe(0);
    const shown = await at.batch('show', one.summary.run);
    expect(shown.outcomes.map(({ status }: { status: string }) => status)).toEqual([
      'unknown',
      expect.stringContaining('created'),
    ]);
    expect((await at.sendFiles(['a.csv'], ...flags)).summary.records).toMatchObject({ unknown: 1, already_created: 1 });
    expect(at.service.requestCount).toBe(3);
  });

  test('closing one takes nothing from the other', async () => {
    const at = await desk((n) => ({ status: n <= 2 ? 401 : 201 }));
    files(at);
    const one = await at.sendFiles(['a.csv']);
    const other = await at.sendFiles(['b.csv']);
    expect(other.summary.records).toMatchObject({ not_sent: 2 });
    expect((await at.work.run(['batch', 'close', one.summary.run, '--note', 'over'])).code).toBe(0);
    expectDone(await at.resume(other.summary.run), { created: 2 });
    expect([FIRST, SECOND, THIRD].map((row) => times(at.service, row))).toEqual([0, 1, 1]);
  });
});

test('the same file twice at the same moment: each payment once, and one run', async () => {
  const at = await desk();
  at.work.file('p.csv', csv(ROWS));
  const results = await Promise.all([at.sendFiles(['p.csv']), at.sendFiles(['p.csv'])]);
  for (const { summary } of results) {
    expect(summary).toMatchObject({ exit_code: 0, stop_reason: null });
    expect(summary.records.created + summary.records.already_created).toBe(4);
  }
  expect(new Set(results.map(({ summary }) => summary.run)).size).toBe(1);
  expect(ROWS.map((row) => times(at.service, row))).toEqual([1, 1, 1, 1]);
});

test('equal content under other keys at the same moment: whoever comes second is asked', async () => {
  const at = await desk();
  at.work.file('a.csv', csv(ROWS));
  at.work.file('b.csv', csv(withKeys(ROWS) as PayoutRow[]));
  const results = await Promise.all([at.sendFiles(['a.csv']), at.sendFiles(['b.csv'])]);
  expect(results.map(({ code }) => code)).toEqual(expect.arrayContaining([0, 3]));
  const refused = results.find(({ code }) => code === 3);
  expect(refused?.summary).toMatchObject({ stop_reason: 'repeats', run: null });
  expect(ROWS.map((row) => times(at.service, row))).toEqual([1, 1, 1, 1]);
});

/** Batches, and warnings about what the history has beside the input. CONTRACT: "Keys and repeats". */
import { describe, expect, test } from 'vitest';
import { csv, gigs, type PayoutRow } from '../support/builders.js';
import { testService } from '../support/fixtures.js';
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
  times,
} from '../support/desk.js';

const [, , THIRD] = ROWS as [PayoutRow, PayoutRow, PayoutRow];
const batch = (name: string): string[] => ['--batch-id', name];
const ONCE = ['--retries', '0'];
const DAY = 24;

describe('a batch that was named', () => {
  test('is the word for another period: the same content is another payment there', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS, ...batch('2026-10')), { created: 4 });
    const next = await send(ROWS, ...batch('2026-11'));
    expectDone(next, { created: 4 });
    expect(next.summary.batch_id).toBe('2026-11');
    expect(ROWS.map((row) => times(service, row))).toEqual([2, 2, 2, 2]);
    expect(
      new Set(service.requests.map(({ json }) => (json as { idempotency_key: string }).idempotency_key)).size,
    ).toBe(8);
  });

  test('knows its own payments as repeats', async () => {
    const { send } = await desk();
    const november = batch('2026-11');
    expectDone(await send([FIRST, own(SECOND, 'a'), THIRD], ...november), { created: 3 });
    const refused = await send([FIRST, SECOND, { ...THIRD, amount: 1 }], ...november);
    expectRefused(refused, 'repeats', { 'created-before': 1, 'same-content': 1, 'similar-record': 1 });
    expect(issuesOf(refused, 'same-content')[0].earlier).toMatchObject({ batch_id: '2026-11' });
  });

  test('is warned about payments of others, under the same codes', async () => {
    const { send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    const other = await send(EDITED, ...batch('2026-11'));
    expectDone(other, { created: 4 });
    expect(issues(other, 'warning')).toEqual({ 'same-content': 3, 'similar-record': 1 });
    expect(other.summary.warnings).toBe(4);
    expect(issuesOf(other, 'similar-record')[0]).toMatchObject({
      severity: 'warning',
      record: 2,
      earlier: { batch_id: 'default', amount: String(SECOND.amount), status: 'created' },
    });
  });

  test('for people, that is one line: how many, in which batch, and when the last of them was paid', async () => {
    const at = await desk();
    expectDone(await at.send([FIRST, SECOND], ...batch('2026-09')), { created: 2 });
    const later = at.later(30 * DAY);
    expectDone(await later.send([SECOND, THIRD], ...batch('2026-10')), { created: 2 });
    const { runs } = await later.batch('list');
    const [october, september] = runs.map(({ started_at }: { started_at: string }) => started_at.slice(0, 10));
    const { stderr } = await at.later(60 * DAY).send(ROWS, ...batch('2026-11'));
    const lines = stderr.split('\n').filter((line) => line.includes('in batch 2026'));
    // What was paid in both is shown with the newest.
    expect(lines).toEqual([
      expect.stringMatching(new RegExp(`1 record .* in batch 2026-09, the last on ${september}`)),
      expect.stringMatching(new RegExp(`2 records .* in batch 2026-10, the last on ${october}`)),
    ]);
    expect(stderr).not.toContain('p.csv, line 2');
  });

  test('a payment of its own batch that is a repeat is shown, and not those of others', async () => {
    const at = await desk();
    expectDone(await at.send([own(FIRST, 'a')], ...batch('x')), { created: 1 });
    expectDone(await at.later(48).send([own(FIRST, 'b')], ...batch('y')), { created: 1 });
    const refused = await at.later(72).send([FIRST], ...batch('x'));
    expectRefused(refused, 'repeats', { 'same-content': 1 });
    expect(issuesOf(refused, 'same-content')[0].earlier).toMatchObject({
      key: 'a',
      batch_id: 'x',
      times: 1,
      total: String(FIRST.amount),
    });
  });

  test('what is the same in another batch does not hide what is similar in this one', async () => {
    const { service, send } = await desk();
    expectDone(await send([SECOND]), { created: 1 });
    expectDone(await send([DEARER], ...batch('november')), { created: 1 });
    expectRefused(await send([SECOND], ...batch('november')), 'repeats', { 'similar-record': 1 });
    expect(service.requestCount).toBe(2);
  });

  test('an older payment of another batch does not hide one in doubt of this one', async () => {
    const { service, send } = await desk((n) => (n === 2 ? { fault: 'reset-before' } : { status: 201 }));
    expectDone(await send([SECOND]), { created: 1 });
    const november = batch('november');
    expect((await send([SECOND], ...november, ...ONCE)).summary.records).toMatchObject({ unknown: 1 });
    const refused = await send([SECOND, FIRST], ...november);
    expectRefused(refused, 'repeats', { 'created-before': 1 });
    expect(issuesOf(refused, 'created-before')[0].earlier).toMatchObject({ status: 'unknown', batch_id: 'november' });
    expect(times(service, SECOND)).toBe(1);
  });

  test.each([
    ['content', FIRST],
    ['a key of its own', own(FIRST, 'k')],
  ])('one more of a content than its own payments, by %s, is told by those of others', async (_what, paid) => {
    const at = await desk();
    expectDone(await at.send([FIRST], ...batch('x')), { created: 1 });
    expectDone(await at.later(1).send([paid], ...batch('y')), { created: 1 });
    const both = await at.later(2).send([FIRST, FIRST], ...batch('y'), '--skip-created');
    expectDone(both, { skipped: 1, created: 1 });
    const told = issuesOf(both, 'same-content').find(({ record }) => record === 2);
    expect(told).toMatchObject({ severity: 'warning', earlier: { batch_id: 'x', times: 1 } });
    expect(both.stderr).toContain('in batch x');
    expect(both.stderr).not.toContain('in batch y');
    expect(times(at.service, FIRST)).toBe(3);
  });
});

describe('a batch that was not named', () => {
  test('payments of all batches are repeats', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS, ...batch('2026-11')), { created: 4 });
    expectRefused(await send(EDITED), 'repeats', { 'same-content': 3, 'similar-record': 1 });
    expectDone(await send(EDITED, '--skip-similar'), { skipped: 4 });
    expect(service.requestCount).toBe(4);
  });

  test('the refusal names a batch that is not this one', async () => {
    const { send } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    const month = new Date().toISOString().slice(0, 7);
    expect((await send([FIRST, SECOND])).stderr).toContain(`--batch-id ${month}`);
    expectDone(await send([FIRST, SECOND], ...batch(month)), { created: 2 });
    const { stderr } = await send([FIRST, SECOND, THIRD], ...batch(month));
    expect(stderr).toContain('--batch-id ');
    expect(stderr).not.toMatch(new RegExp(`--batch-id ${month}\\b(?!-)`));
  });
});

describe('the same content again: a second batch name is the record of that decision', () => {
  test('each batch once, and no more', async () => {
    const { service, send } = await desk();
    for (const name of ['1', '2', '3']) expectDone(await send([FIRST], ...batch(name)), { created: 1 });
    for (const name of ['1', '2', '3']) expectDone(await send([FIRST], ...batch(name)), { already_created: 1 });
    expectRefused(await send([FIRST, SECOND], ...batch('2')), 'repeats', { 'created-before': 1 });
    expect(times(service, FIRST)).toBe(3);
  });

  test('a third month’s call pays, whatever runs there were before it', async () => {
    const at = await desk();
    for (const [month, name] of ['2026-09', '2026-10', '2026-11'].entries())
      expectDone(await at.later(month * 30 * DAY).send(ROWS, ...batch(name)), { created: 4, already_created: 0 });
    expect(ROWS.map((row) => times(at.service, row))).toEqual([3, 3, 3, 3]);
  });

  test('names that differ in anything are different batches', async () => {
    const { service, send } = await desk();
    expectDone(await send([FIRST], ...batch('a')), { created: 1 });
    expectDone(await send([FIRST], ...batch('A')), { created: 1 });
    expect(times(service, FIRST)).toBe(2);
  });
});

describe('--strict', () => {
  test('refuses a run beside payments of other batches that were paid less than 6 days ago', async () => {
    const at = await desk();
    expectDone(await at.send([FIRST, SECOND], ...batch('2026-10')), { created: 2 });
    const soon = at.later(6 * DAY - 1);
    const refused = await soon.send([FIRST, THIRD], ...batch('2026-11'), '--strict');
    expectRefused(refused, 'repeats', {});
    // No record is invalid.
    expect(refused.summary.records).toMatchObject({ invalid: 0, not_sent: 2 });
    expect(refused.stderr).toContain('--strict: 1 warning about earlier payments (above), so nothing is sent;');
    expect(at.service.requestCount).toBe(2);
    const lax = await soon.send([FIRST, THIRD], ...batch('2026-11'));
    expectDone(lax, { created: 2 });
    // What is said of the other batch is true of both.
    const words =
      /^1 record was paid, or one like it, in batch 2026-10, the last on \d{4}-\d\d-\d\d: under the name of this batch, it is a payment of its own$/m;
    expect(refused.stderr).toMatch(words);
    expect(lax.stderr).toMatch(words);
  });

  test('does not doubt last month’s', async () => {
    const at = await desk();
    expectDone(await at.send([FIRST, SECOND], ...batch('2026-10')), { created: 2 });
    const later = at.later(6 * DAY + 1);
    const result = await later.send([FIRST, DEARER], ...batch('2026-11'), '--strict');
    expectDone(result, { created: 2 });
    expect(issues(result, 'warning')).toEqual({ 'same-content': 1, 'similar-record': 1 });
  });

  test('counts the days from the newest payment', async () => {
    const at = await desk();
    expectDone(await at.send([FIRST], ...batch('2026-10')), { created: 1 });
    expectDone(await at.later(29 * DAY).send([FIRST], ...batch('2026-10b')), { created: 1 });
    expectRefused(await at.later(30 * DAY).send([FIRST], ...batch('2026-11'), '--strict'), 'repeats', {});
  });

  test('refuses beside a payment in doubt that is not in the input', async () => {
    const { service, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    await send([FIRST], ...ONCE);
    expectRefused(await send([SECOND], '--strict'), 'repeats', {});
    expect(service.requestCount).toBe(1);
  });

  test('is told in a dry run as well', async () => {
    const { send } = await desk();
    expectDone(await send([FIRST], ...batch('a')), { created: 1 });
    const dry = await send([FIRST], ...batch('b'), '--strict', '--dry-run');
    expect(dry.summary).toMatchObject({ exit_code: 3, stop_reason: 'repeats' });
  });

  test('what a person has decided about is no doubt', async () => {
    const { send } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    expectDone(await send([FIRST, SECOND], '--skip-created', '--strict'), { skipped: 1, created: 1 });
  });
});

describe('open-unknown: payments in doubt of this batch that are not in the input', () => {
  test('are named, with their run and the day since when', async () => {
    const { service, send } = await desk((n) => (n === 2 ? { fault: 'reset-after' } : { status: 201 }));
    const lost = await send(ROWS, ...ONCE);
    const without = await send(
      ROWS.filter((row) => row !== SECOND),
      '--skip-created',
    );
    expectDone(without, { skipped: 3 });
    const found = issuesOf(without, 'open-unknown');
    expect(found).toMatchObject([{ severity: 'warning', file: 'p.csv', record: null, line: null }]);
    const day = new Date().toISOString().slice(0, 10);
    expect(found[0].message).toContain(`unknown since ${day}`);
    expect(found[0].message).toContain(`gigwork batch settle ${lost.summary.run}`);
    expect(found[0].message).toContain('line 3');
    expect(service.ledgerTotal()).toBe(4);
  });

  test('not those of other batches, and not those that are in it', async () => {
    const { send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    await send([FIRST], ...batch('a'), ...ONCE);
    expect(issues(await send([SECOND], ...batch('b')), 'warning')).toEqual({});
    expect(issues(await send([FIRST, SECOND], ...batch('a'), '--skip-created'), 'warning')).toEqual({
      'created-before': 1,
      'same-content': 1,
    });
  });

  test('not once they are settled', async () => {
    const { work, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    const { summary } = await send([FIRST], ...ONCE);
    expect(issues(await send([SECOND]), 'warning')).toEqual({ 'open-unknown': 1 });
    const settle = ['batch', 'settle', summary.run, '--record', '1', '--created', '--note', 'seen'];
    expect((await work.run(settle)).code).toBe(0);
    expect(issues(await send([THIRD]), 'warning')).toEqual({});
  });
});

describe('known-elsewhere: records that were created at another target', () => {
  test('are warned about: the same account may have another address', async () => {
    const { work, service, send, sendFiles } = await desk();
    expectDone(await send([FIRST, SECOND]), { created: 2 });
    const other = await testService();
    work.file('q.csv', csv([FIRST, THIRD]));
    const result = await sendFiles(['q.csv'], '--base-url', other.url);
    expectDone(result, { created: 2 });
    expect(issuesOf(result, 'known-elsewhere')).toMatchObject([{ severity: 'warning', file: 'q.csv', record: 1 }]);
    expect(issuesOf(result, 'known-elsewhere')[0].message).toContain(service.url);
    expect(times(other, FIRST)).toBe(1);
  });

  test('refuse the run under --strict', async () => {
    const { send } = await desk();
    expectDone(await send([FIRST]), { created: 1 });
    const other = await testService();
    expectRefused(await send([FIRST], '--base-url', other.url, '--strict'), 'repeats', {});
    expect(other.requestCount).toBe(0);
  });

  test('not those of the sandbox, and not from there', async () => {
    const { work, send } = await desk();
    work.file('s.csv', csv([FIRST]));
    const inSandbox = await work.run(['payout', 'create', 's.csv', '--sandbox', '--json']);
    expectDone(inSandbox, { created: 1 });
    const real = await send([FIRST]);
    expectDone(real, { created: 1 });
    expect(issues(real, 'warning')).toEqual({});
    work.file('s.csv', csv([FIRST, SECOND]));
    expectDone(await send([SECOND]), { created: 1 });
    const again = await work.run(['payout', 'create', 's.csv', '--sandbox', '--skip-created', '--json']);
    expectDone(again, { skipped: 1, created: 1 });
    expect(issues(again, 'warning')).toEqual({ 'created-before': 1 });
  });

  test('not what was only tried there', async () => {
    const { send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 422 }));
    await send([FIRST], ...ONCE);
    await send([SECOND]);
    const other = await testService();
    const result = await send([FIRST, SECOND], '--base-url', other.url);
    expectDone(result, { created: 2 });
    expect(issues(result, 'warning')).toEqual({});
  });

  test('another account at the same address is another target', async () => {
    const { service, send } = await desk();
    expectDone(await send([FIRST], '--account', 'one'), { created: 1 });
    service.responder(() => ({ status: 201 }));
    const result = await send([FIRST], '--account', 'two');
    expectDone(result, { created: 1 });
    expect(issues(result, 'warning')).toEqual({ 'known-elsewhere': 1 });
  });
});

test('gigs have batches too', async () => {
  const { work, service } = await desk();
  work.file('g.json', JSON.stringify(gigs(2)));
  const send = (...flags: string[]) =>
    work.run(['gig', 'create', 'g.json', '--base-url', service.url, '--yes', '--json', ...flags]);
  expectDone(await send(...batch('spring')), { created: 2 });
  const refused = await send();
  expectRefused(refused, 'repeats', { 'same-content': 2 });
  expectDone(await send(...batch('autumn')), { created: 2 });
  expect([...service.executions.values()]).toEqual([2, 2]);
});

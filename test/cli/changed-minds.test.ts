import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import type { CliResult } from '../support/cli.js';
import {
  type Desk,
  desk,
  DEARER,
  EDITED,
  expectDone,
  expectRefused,
  FIRST,
  issues,
  ROWS,
  SECOND,
  times,
  withKeys,
} from '../support/desk.js';

// People change files, flags and their minds between two runs. No path pays a business row a second time, or leaves one
// out, without a word from the user.

test('a rejected record whose body was pruned is sent again when its file is run again', async () => {
  const { work, service, send } = await desk((n) => (n === 2 ? { status: 422 } : { status: 201 }));
  expect((await send(ROWS)).summary).toMatchObject({ exit_code: 4, records: { created: 3, rejected: 1 } });
  const pruned = await work.run(['batch', 'prune', '--before', '2100-01-01', '--json']);
  expect(pruned.code).toBe(0);
  const again = await send(ROWS);
  expectDone(again, { already_created: 3, created: 1 });
  expect(ROWS.map((row) => times(service, row))).toEqual([1, 1, 1, 1]);
});

test('a run that left a record out in doubt goes on from the journal alone', async () => {
  const { work, service, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
  expect((await send([FIRST], '--retries', '0')).summary.records).toMatchObject({ unknown: 1 });
  const under = { ...FIRST, idempotency_key: 'own' };
  const left = await send([under, { ...SECOND, idempotency_key: '' }], '--skip-created');
  expect(left.summary).toMatchObject({ exit_code: 5, records: { unknown: 1, created: 1 } });
  expect(left.stderr).toMatch(/batch resume \S+ .*--skip-created/);
  const resumed = await work.run(['batch', 'resume', left.summary.run, '--json']);
  expect(resumed.summary).toMatchObject({
    exit_code: 5,
    stop_reason: null,
    records: { unknown: 1, already_created: 1 },
  });
  expect(times(service, FIRST)).toBe(1);
});

test('a record whose key was created with other content meanwhile stays invalid when its run is resumed', async () => {
  const { work, service, send, sendFiles } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
  const [one, two, three] = withKeys(ROWS) as [object, object, object];
  const left = await send([one, two, three]);
  expect(left.summary.records).toMatchObject({ created: 1, not_sent: 2 });
  work.file('other.csv', csv([{ ...two, amount: 1 }]));
  expectDone(await sendFiles(['other.csv']), { created: 1 });
  const resumed = await work.run(['batch', 'resume', left.summary.run, '--json', '--yes']);
  const told = resumed.events.filter(({ event }) => event === 'record').map(({ status }) => status);
  expect(resumed.summary.records).toMatchObject({ invalid: told.filter((status) => status === 'invalid').length });
  expect(times(service, SECOND)).toBe(0);
});

test('what a run has created is a repeat again once a conflict makes another run of its file', async () => {
  const { work, send, sendFiles } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
  const [one, two] = withKeys(ROWS) as [object, object];
  expect((await send([one, two])).summary.records).toMatchObject({ created: 1, not_sent: 1 });
  work.file('other.csv', csv([{ ...two, amount: 1 }]));
  expectDone(await sendFiles(['other.csv']), { created: 1 });
  const again = await send([one, two]);
  expectRefused(again, 'invalid_input', { 'created-before': 1, 'key-conflict': 1 });
  expect(again.summary.records).toMatchObject({ already_created: 1, invalid: 1 });
});

test('what is the same in another batch does not hide what is similar in this one', async () => {
  const { service, send } = await desk();
  expectDone(await send([SECOND]), { created: 1 });
  expectDone(await send([DEARER], '--batch-id', 'november'), { created: 1 });
  const back = await send([SECOND], '--batch-id', 'november');
  expectRefused(back, 'repeats', { 'similar-record': 1 });
  expect(service.ledgerTotal()).toBe(2);
});

describe('a run that pays again', () => {
  test('is not the one that goes on when records are left out', async () => {
    const { service, send } = await desk((n) => (n === 2 ? { status: 307 } : { status: 201 }));
    expectDone(await send([FIRST]), { created: 1 });
    const stopped = await send([FIRST], '--pay-again', '1');
    expect(stopped.summary).toMatchObject({ exit_code: 5, records: { not_sent: 1 } });
    expectDone(await send([FIRST], '--skip-created'), { already_created: 1 });
    const again = await send([FIRST], '--pay-again', '1');
    expectDone(again, { created: 1 });
    expect(again.summary.run).toBe(stopped.summary.run);
    expect(service.requestCount).toBe(3);
  });

  test('and left records out goes on only for one that leaves them out too', async () => {
    const { service, send } = await desk();
    expectDone(await send([FIRST, SECOND]), { created: 2 });
    const both = ['--skip-created', '--pay-again', '1'];
    expectDone(await send([FIRST, DEARER], ...both), { already_created: 1, created: 1 });
    expectDone(await send([FIRST, DEARER], ...both), { already_created: 2 });
    expectRefused(await send([FIRST, DEARER], '--pay-again', '1'), 'repeats', { 'created-before': 2 });
    expectDone(await send([FIRST, DEARER], '--pay-again', '2'), { created: 2 });
    expect(service.requestCount).toBe(5);
  });

  test('finds its key taken by another run: the record was created before, and is no other', async () => {
    const { service, send } = await desk((n) => (n === 2 ? { status: 307 } : { status: 201 }));
    expectDone(await send([FIRST]), { created: 1 });
    expect((await send([FIRST], '--pay-again', '1')).summary.records).toMatchObject({ not_sent: 1 });
    expectDone(await send([FIRST, SECOND], '--pay-again', '1'), { created: 2 });
    expectRefused(await send([FIRST]), 'repeats', { 'created-before': 1 });
    const refused = await send([FIRST], '--pay-again', '1');
    expectRefused(refused, 'repeats', { 'created-before': 1 });
    expect(refused.stderr).toContain('since this run was allowed to send it, it was sent or settled elsewhere');
    expect(refused.stderr).not.toContain('--pay-again 1 sends');
    expect(service.requestCount).toBe(4);
  });
});

describe('a record in doubt, beside a payment that may stand for it', () => {
  test('that is similar', async () => {
    const { service, send } = await desk((n) => ({ status: n === 1 ? 500 : 201 }));
    expect((await send([SECOND], '--retries', '0')).summary.records).toMatchObject({ unknown: 1 });
    expectDone(await send([DEARER], '--pay-again', '1'), { created: 1 });
    const grown = await send([SECOND, FIRST], '--skip-created');
    expectRefused(grown, 'repeats', { 'similar-record': 1 });
    expect(grown.stderr).toContain('the outcome of this one is unknown itself');
    // Sent all the same, it is sent as it was: if it was carried out, the service knows its key.
    expectDone(await send([SECOND, FIRST], '--pay-again', '1'), { created: 2 });
    const [lost, , again] = service.requests;
    expect(again?.body).toBe(lost?.body);
    expect(service.requestCount).toBe(4);
  });

  test('that is in the input itself', async () => {
    const { service, send } = await desk((n) => ({ status: n === 2 ? 500 : 201 }));
    expect((await send([DEARER, SECOND], '--retries', '0')).summary.records).toMatchObject({ unknown: 1 });
    expectDone(await send([DEARER, SECOND, FIRST], '--skip-created'), { already_created: 1, created: 2 });
    expect(service.requestCount).toBe(4);
  });

  test('of the same content', async () => {
    const { service, send } = await desk((n) => ({ status: n === 1 ? 500 : 201 }));
    expect((await send([SECOND], '--retries', '0')).summary.records).toMatchObject({ unknown: 1 });
    expectDone(await send([{ ...SECOND, idempotency_key: 'own' }], '--pay-again', '1'), { created: 1 });
    expectRefused(await send([SECOND, FIRST]), 'repeats', { 'same-content': 1 });
    expectDone(await send([SECOND, FIRST], '--skip-created'), { already_created: 1, created: 1 });
    expect(times(service, SECOND)).toBe(1);
  });
});

test('a record that was left out in doubt and then settled is no payment of its own', async () => {
  const { work, service, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
  const one = await send([{ ...FIRST, idempotency_key: 'one' }], '--retries', '0');
  const other = await send([{ ...FIRST, idempotency_key: 'other' }], '--skip-created');
  expect([one, other].map(({ summary }) => summary.records.unknown)).toEqual([1, 1]);
  for (const { summary } of [one, other]) {
    expect((await work.run(['batch', 'settle', summary.run, '--record', '1', '--created'])).code).toBe(0);
  }
  expectDone(await send([FIRST, FIRST], '--skip-created'), { already_created: 1, created: 1 });
  expect(times(service, FIRST)).toBe(2);
});

test('a record that is invalid when its run is resumed leaves the others in their places', async () => {
  const { work, send, sendFiles } = await desk((n) => ({ status: n === 1 ? 422 : 201 }));
  const [one, two] = withKeys(ROWS) as [object, object];
  const first = await send([one, two]);
  expect(first.summary.records).toMatchObject({ rejected: 1, created: 1 });
  work.file('other.csv', csv([{ ...one, amount: 1 }]));
  expectDone(await sendFiles(['other.csv']), { created: 1 });
  const resumed = await work.run(['batch', 'resume', first.summary.run, '--json', '--yes']);
  expect(resumed.summary).toMatchObject({ exit_code: 4, records: { invalid: 1, already_created: 1 } });
  const again = await send([one, two]);
  expectRefused(again, 'invalid_input', { 'key-conflict': 1, 'created-before': 1 });
  const told = again.events.filter(({ event }) => event === 'record');
  expect(told.map(({ record, status }) => [record, status])).toEqual([
    [1, 'invalid'],
    [2, 'already_created'],
  ]);
});

describe('a run that goes on with rows in other places', () => {
  const BROKEN = { ...FIRST, amount: 'x' };

  test('settles the record that it told of', async () => {
    const { work, service, send } = await desk((n) => (n === 2 ? { fault: 'reset-after' } : { status: 500 }));
    const flags = ['--key-lifetime', '0', '--retries', '0'];
    expect((await send([FIRST, SECOND], ...flags)).summary.records).toMatchObject({ unknown: 2 });
    const again = await send([BROKEN, FIRST, SECOND], ...flags, '--skip-invalid');
    const place = again.events.find(
      ({ event, key, status }) => event === 'record' && status === 'unknown' && key,
    ).record;
    expect(place).toBe(2);
    const settle = ['batch', 'settle', again.summary.run, '--record', '2', '--not-created', '--note', 'asked'];
    const settled = JSON.parse((await work.run([...settle, '--json'])).stdout);
    expect(settled.key).toBe(again.events.find(({ event, record }) => event === 'record' && record === 2).key);
    service.responder(() => ({ status: 201 }));
    await work.run(['batch', 'resume', again.summary.run, '--yes']);
    expect([FIRST, SECOND].map((row) => times(service, row))).toEqual([1, 1]);
  });

  test('names the files as they are now', async () => {
    const { work, send, sendFiles } = await desk((n) => ({ status: n === 2 ? 307 : 201 }));
    const left = await send([FIRST, SECOND]);
    expect(left.summary.records).toMatchObject({ created: 1, not_sent: 1 });
    work.file('a.csv', csv([FIRST]));
    work.file('b.csv', csv([SECOND]));
    expectDone(await sendFiles(['a.csv', 'b.csv']), { already_created: 1, created: 1 });
    const shown = JSON.parse((await work.run(['batch', 'show', left.summary.run, '--json'])).stdout);
    expect(shown.files.map(({ path }: { path: string }) => path)).toEqual(['a.csv', 'b.csv']);
    expect(shown.outcomes.map(({ file, record }: Record<string, unknown>) => [file, record])).toEqual([
      ['a.csv', 1],
      ['b.csv', 1],
    ]);
  });
});

test('a batch is one of its own, also for records with keys of their own', async () => {
  const { service, send } = await desk((n) => ({ status: n === 1 ? 422 : 201 }));
  const [own, other] = ['one', 'other'].map((key) => [{ ...FIRST, idempotency_key: key }]) as [object[], object[]];
  expect((await send(own)).summary.records).toMatchObject({ rejected: 1 });
  const named = await send(own, '--batch-id', 'november');
  expectDone(named, { created: 1 });
  expectRefused(await send(other, '--batch-id', 'november'), 'repeats', { 'same-content': 1 });
  expect(times(service, FIRST)).toBe(1);
});

test('repeats that are to be paid again, beside a row that is invalid', async () => {
  const { service, send } = await desk();
  expectDone(await send([FIRST]), { created: 1 });
  const result = await send([FIRST, { ...SECOND, amount: 'x' }], '--pay-again', '1');
  expect(result.summary).toMatchObject({
    exit_code: 3,
    stop_reason: 'invalid_input',
    records: { read: 2, invalid: 1 },
  });
  expect(service.requestCount).toBe(1);
});

describe('a record is edited', () => {
  test('after it was created', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    expectRefused(await send(EDITED), 'repeats', { 'created-before': 3, 'similar-record': 1 });
    // A similar record is not the same one: leaving out what was created does not leave it out.
    expectRefused(await send(EDITED, '--skip-created'), 'repeats', { 'similar-record': 1 });
    expect(service.ledgerTotal()).toBe(4);
    expectDone(await send(EDITED, '--skip-created', '--pay-again', '1'), { already_created: 3, created: 1 });
    expect(times(service, DEARER)).toBe(1);
    expect(service.ledgerTotal()).toBe(5);
  });

  test('after it was created, with a key of its own', async () => {
    const { service, send } = await desk();
    expectDone(await send(withKeys(ROWS)), { created: 4 });
    expectRefused(await send(withKeys(EDITED)), 'invalid_input', { 'created-before': 3, 'key-conflict': 1 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('after its outcome became unknown', async () => {
    const { service, send } = await desk((n) => (n === 2 ? { fault: 'reset-after' } : { default: true }));
    const first = await send(ROWS, '--retries', '0');
    expect(first.summary).toMatchObject({ exit_code: 5, records: { created: 3, unknown: 1 } });
    expectRefused(await send(EDITED, '--skip-created'), 'repeats', { 'similar-record': 1 });
    expect(service.ledgerTotal()).toBe(4);
    // The file as it was settles it: the same key, the same bytes.
    expectDone(await send(ROWS), { already_created: 3, created: 1 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('after its outcome became unknown, with a key of its own', async () => {
    const { service, send } = await desk((n) => (n === 2 ? { fault: 'reset-after' } : { default: true }));
    await send(withKeys(ROWS), '--retries', '0');
    expectRefused(await send(withKeys(EDITED), '--skip-created'), 'invalid_input', { 'key-conflict': 1 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('after it was rejected: it may come again with its key', async () => {
    const { service, send } = await desk((n) => (n === 2 ? { status: 422 } : { default: true }));
    const first = await send(withKeys(ROWS));
    expect(first.summary).toMatchObject({ exit_code: 4, records: { created: 3, rejected: 1 } });
    expectDone(await send(withKeys(EDITED), '--skip-created'), { already_created: 3, created: 1 });
    expect([times(service, SECOND), times(service, DEARER)]).toEqual([0, 1]);
  });
});

describe('the same file with other flags', () => {
  test('under another --batch-id: that is the word, and what was sent elsewhere is a warning', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    const other = await send(ROWS, '--batch-id', '2026-11');
    expectDone(other, { created: 4 });
    expect(issues(other, 'warning')).toEqual({ 'same-content': 4 });
    expect(service.ledgerTotal()).toBe(8);
    // Each batch goes on where it was.
    expectDone(await send(ROWS), { already_created: 4 });
    expectDone(await send(ROWS, '--batch-id', '2026-11'), { already_created: 4 });
  });

  test('without the --batch-id that it had', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS, '--batch-id', '2026-11'), { created: 4 });
    expectRefused(await send(ROWS), 'repeats', { 'same-content': 4 });
    expectDone(await send(ROWS, '--skip-created'), { already_created: 4 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('with other --key-columns', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    expectRefused(await send(ROWS, '--key-columns', 'user_id,title'), 'repeats', { 'same-content': 4 });
    expectDone(await send(ROWS, '--key-columns', 'user_id,title', '--skip-created'), { already_created: 4 });
    expectRefused(await send(ROWS, '--key-columns', 'user_id'), 'repeats', { 'same-content': 4 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('with --key-columns, and a record was edited', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS, '--key-columns', 'user_id'), { created: 4 });
    expectRefused(await send(EDITED, '--key-columns', 'user_id'), 'invalid_input', {
      'created-before': 3,
      'key-conflict': 1,
    });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('with another --set', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS, '--set', 'cost_center_key=PP-8'), { created: 4 });
    expectRefused(await send(ROWS, '--set', 'cost_center_key=PP-9'), 'repeats', { 'similar-record': 4 });
    expectRefused(await send(ROWS), 'repeats', { 'similar-record': 4 });
    expect(service.ledgerTotal()).toBe(4);
  });
});

describe('rejected records', () => {
  async function rejected(): Promise<Desk> {
    const table = await desk((n) => (n === 2 ? { status: 422 } : { default: true }));
    const first = await table.send(ROWS, '--rejects', 'rejects.csv');
    expect(first.summary).toMatchObject({ exit_code: 4, records: { created: 3, rejected: 1 } });
    return table;
  }

  test('mended in the rejects file and imported again', async () => {
    const { work, service, sendFiles } = await rejected();
    work.file('mended.csv', work.read('rejects.csv').replace(String(SECOND.amount), String(DEARER.amount)));
    expectDone(await sendFiles(['mended.csv']), { read: 1, created: 1 });
    expectDone(await sendFiles(['mended.csv']), { read: 1, already_created: 1 });
    expect([times(service, SECOND), times(service, DEARER)]).toEqual([0, 1]);
    expect(service.ledgerTotal()).toBe(4);
  });

  test('mended in the file itself', async () => {
    const { service, send } = await rejected();
    expectRefused(await send(EDITED), 'repeats', { 'created-before': 3 });
    expectDone(await send(EDITED, '--skip-created'), { already_created: 3, created: 1 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('imported again as they were, when the reason is gone', async () => {
    const { service, sendFiles } = await rejected();
    expectDone(await sendFiles(['p.csv']), { already_created: 3, created: 1 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('mended so that one now equals a created one', async () => {
    const { work, service, sendFiles } = await rejected();
    const header = work.read('rejects.csv').split('\n')[0]!;
    work.file('mended.csv', `${header}\n${csv([FIRST]).split('\n')[1]},,\n`);
    expectRefused(await sendFiles(['mended.csv']), 'repeats', { 'created-before': 1 });
    expectDone(await sendFiles(['mended.csv'], '--skip-created'), { already_created: 1 });
    expect(times(service, FIRST)).toBe(1);
    // The person means it: a second payment of the same content, once.
    expectDone(await sendFiles(['mended.csv'], '--pay-again', '1'), { created: 1 });
    expectDone(await sendFiles(['mended.csv'], '--pay-again', '1'), { already_created: 1 });
    expect(times(service, FIRST)).toBe(2);
  });
});

describe('the file changes', () => {
  test('a row is removed', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    expectRefused(await send(ROWS.slice(1)), 'repeats', { 'created-before': 3 });
    expectDone(await send(ROWS.slice(1), '--skip-created'), { already_created: 3 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('a row is removed that was in doubt: it is named', async () => {
    const { service, send } = await desk((n) => (n === 2 ? { fault: 'reset-after' } : { default: true }));
    await send(ROWS, '--retries', '0');
    const without = await send(
      ROWS.filter((row) => row !== SECOND),
      '--skip-created',
    );
    expectDone(without, { already_created: 3 });
    expect(issues(without, 'warning')).toMatchObject({ 'open-unknown': 1 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('rows are reordered', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    expectRefused(await send(ROWS.toReversed()), 'repeats', { 'created-before': 4 });
    expectDone(await send(ROWS.toReversed(), '--skip-created'), { already_created: 4 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('rows are reordered while some are not sent yet', async () => {
    const { service, send } = await desk((n) => (n > 2 ? { status: 401 } : { default: true }));
    const first = await send(ROWS);
    expect(first.summary).toMatchObject({ exit_code: 5, records: { created: 2, not_sent: 2 } });
    service.responder(undefined);
    expectDone(await send(ROWS.toReversed(), '--skip-created'), { already_created: 2, created: 2 });
    // The first run would go on, and finds that others have done the rest by now.
    expectRefused(await send(ROWS), 'repeats', { 'created-before': 2 });
    expectDone(await send(ROWS, '--skip-created'), { already_created: 4 });
    expectDone(await send(ROWS), { already_created: 4 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('a re-export holds the old rows and new ones', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    const more = payouts(6);
    expect(more.slice(0, 4)).toEqual(ROWS);
    expectRefused(await send(more), 'repeats', { 'created-before': 4 });
    expectDone(await send(more, '--skip-created'), { already_created: 4, created: 2 });
    expect([...service.executions.values()]).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('a re-export holds one more of a row that it had: that one is new', async () => {
    const { service, send } = await desk();
    expectDone(await send(ROWS), { created: 4 });
    expectDone(await send([...ROWS, FIRST], '--skip-created'), { already_created: 4, created: 1 });
    expect(times(service, FIRST)).toBe(2);
    expectDone(await send([...ROWS, FIRST], '--skip-created'), { already_created: 5 });
    expect(service.ledgerTotal()).toBe(5);
  });
});

describe('identical rows', () => {
  const TWINS = [FIRST, FIRST];

  test('the first was rejected, the second created: the first is open, also under another file', async () => {
    const { service, send } = await desk((n) => (n === 1 ? { status: 422 } : { default: true }));
    const first = await send(TWINS);
    expect(first.summary).toMatchObject({ exit_code: 4, records: { rejected: 1, created: 1 } });
    expectRefused(await send([...TWINS, SECOND]), 'repeats', { 'created-before': 1 });
    expectDone(await send([...TWINS, SECOND], '--skip-created'), { already_created: 1, created: 2 });
    expect([times(service, FIRST), times(service, SECOND)]).toEqual([2, 1]);
  });

  test('the first was rejected, the second created: one of them alone could be either, and is named', async () => {
    const { service, send } = await desk((n) => (n === 1 ? { status: 422 } : { default: true }));
    await send(TWINS);
    expectRefused(await send([FIRST]), 'repeats', { 'same-content': 1 });
    expectDone(await send([FIRST], '--skip-created'), { already_created: 1 });
    expect(times(service, FIRST)).toBe(1);
  });

  test('one was sent under a key of its own: it stands for one of them, whichever comes first', async () => {
    const { service, send } = await desk();
    const own = { ...FIRST, idempotency_key: 'bonus-1' };
    expectDone(await send([own]), { created: 1 });
    expectRefused(await send(TWINS), 'repeats', { 'same-content': 1 });
    expectDone(await send([{ ...FIRST, idempotency_key: '' }, own, SECOND], '--skip-created'), {
      already_created: 1,
      created: 2,
    });
    expect(times(service, FIRST)).toBe(2);
  });

  test('a run that stopped before the second goes on: one paid under another key meanwhile is named', async () => {
    const { service, send, sendFiles, work } = await desk((n) => (n === 2 ? { status: 401 } : { default: true }));
    expect((await send(TWINS)).summary).toMatchObject({ exit_code: 5, records: { created: 1, not_sent: 1 } });
    work.file('other.csv', csv([{ ...FIRST, idempotency_key: 'bonus-1' }]));
    expectRefused(await sendFiles(['other.csv']), 'repeats', { 'same-content': 1 });
    expectDone(await sendFiles(['other.csv'], '--pay-again', '1'), { created: 1 });
    expectRefused(await send(TWINS), 'repeats', { 'same-content': 1 });
    expect(times(service, FIRST)).toBe(2);
  });

  test('a run that left out the first and stopped before the second goes on with it', async () => {
    const { service, send, sendFiles, work } = await desk((n) => (n === 2 ? { status: 401 } : { default: true }));
    work.file('other.csv', csv([{ ...FIRST, idempotency_key: 'bonus-1' }]));
    expectDone(await sendFiles(['other.csv']), { created: 1 });
    const stopped = await send(TWINS, '--skip-created');
    expect(stopped.summary).toMatchObject({ exit_code: 5, records: { already_created: 1, not_sent: 1 } });
    expectDone(await send(TWINS, '--skip-created'), { already_created: 1, created: 1 });
    expect(times(service, FIRST)).toBe(2);
  });

  test('a run that pays one again and stopped before the second goes on, unless there is news', async () => {
    const { service, send, sendFiles, work } = await desk((n) => (n === 3 ? { status: 401 } : { default: true }));
    work.file('other.csv', csv([{ ...FIRST, idempotency_key: 'bonus-1' }]));
    work.file('third.csv', csv([{ ...FIRST, idempotency_key: 'bonus-3' }]));
    expectDone(await sendFiles(['other.csv']), { created: 1 });
    const stopped = await send(TWINS, '--pay-again', '1');
    expect(stopped.summary).toMatchObject({ exit_code: 5, records: { created: 1, not_sent: 1 } });
    expectDone(await sendFiles(['third.csv'], '--pay-again', '1'), { created: 1 });
    expectRefused(await send(TWINS, '--pay-again', '1'), 'repeats', { 'same-content': 1 });
    expect(times(service, FIRST)).toBe(3);
  });

  test('the same, without news', async () => {
    const { service, send, sendFiles, work } = await desk((n) => (n === 3 ? { status: 401 } : { default: true }));
    work.file('other.csv', csv([{ ...FIRST, idempotency_key: 'bonus-1' }]));
    expectDone(await sendFiles(['other.csv']), { created: 1 });
    await send(TWINS, '--pay-again', '1');
    expectDone(await send(TWINS, '--pay-again', '1'), { already_created: 1, created: 1 });
    expect(times(service, FIRST)).toBe(3);
  });
});

describe('a key of its own, given or taken away later', () => {
  test.each([
    ['given', [SECOND], withKeys([SECOND])],
    ['taken away', withKeys([SECOND]), [SECOND]],
  ])('%s', async (_what, before, after) => {
    const { service, send } = await desk();
    expectDone(await send(before), { created: 1 });
    expectRefused(await send(after), 'repeats', { 'same-content': 1 });
    expectDone(await send(after, '--skip-created'), { already_created: 1 });
    expect(times(service, SECOND)).toBe(1);
  });
});

describe('a key of its own, given or taken away while the first run is unfinished', () => {
  test.each([
    ['given', ROWS, withKeys(ROWS)],
    ['taken away', withKeys(ROWS), ROWS],
  ])('%s', async (_what, before, after) => {
    // The first is created, the second in doubt, the others are not sent.
    const { service, send } = await desk((n) =>
      n === 1 ? { default: true } : n === 2 ? { fault: 'reset-after' } : { status: 401 },
    );
    const first = await send(before, '--retries', '0');
    expect(first.summary.records).toMatchObject({ created: 1, unknown: 1, not_sent: 2 });
    service.responder(undefined);
    expectRefused(await send(after), 'repeats', { 'same-content': 2 });
    const rest = await send(after, '--skip-created');
    expect(rest.summary).toMatchObject({ exit_code: 5, records: { already_created: 1, unknown: 1, created: 2 } });
    expect([...service.executions.values()]).toEqual([1, 1, 1, 1]);
    // The first run goes on with its own: its doubt is settled, and what the other did is named.
    expectRefused(await send(before), 'repeats', { 'same-content': 2 });
    expectDone(await send(before, '--skip-created'), { already_created: 3, created: 1 });
    expect([...service.executions.values()]).toEqual([1, 1, 1, 1]);
  });
});

test.each([
  ['before', (rows: object[]) => rows],
  ['after', (rows: object[]) => rows.toReversed()],
])('a key is given twice, %s a record that is invalid for another reason', async (_where, order) => {
  const { service, send } = await desk();
  const rows = order([
    { ...FIRST, title: '', idempotency_key: 'K' },
    { ...SECOND, idempotency_key: 'K' },
  ]);
  const result = await send(rows, '--skip-invalid');
  expect(result.summary).toMatchObject({ records: { invalid: 2 } });
  expect(issues(result)).toEqual({ 'missing-field': 1, 'duplicate-key': 1 });
  expect(service.requestCount).toBe(0);
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
    expectDone(await sendFiles(['b.csv'], '--skip-created'), { already_created: 2 });
    expect(service.ledgerTotal()).toBe(4);
  });

  test('under another name, format and order of columns', async () => {
    const { work, service, sendFiles } = await desk();
    work.file('a.csv', csv(ROWS));
    work.file('b.json', JSON.stringify(ROWS));
    expectDone(await sendFiles(['a.csv']), { created: 4 });
    expectDone(await sendFiles(['b.json']), { already_created: 4 });
    expect(service.ledgerTotal()).toBe(4);
  });
});

test('the journal is deleted: the keys are the same, so the service answers as before', async () => {
  const { work, service, send } = await desk();
  const first = await send(ROWS);
  rmSync(work.stateDir, { recursive: true });
  const second = await send(ROWS);
  expectDone(second, { created: 4 });
  const responses = (result: CliResult): unknown[] =>
    result.events.filter(({ event }) => event === 'record').map(({ response }) => response);
  expect(responses(second)).toEqual(responses(first));
  expect(service.ledgerTotal()).toBe(4);
});

describe('identical records that are paid again get a key each', () => {
  test('all of them', async () => {
    const { service, send } = await desk();
    expectDone(await send([FIRST, FIRST]), { created: 2 });
    expectDone(await send([FIRST, FIRST], '--pay-again', '2'), { created: 2 });
    expect(times(service, FIRST)).toBe(4);
  });

  test('and none that another record of the file has', async () => {
    const { service, send } = await desk();
    expectDone(await send([FIRST, FIRST]), { created: 2 });
    expectDone(await send([FIRST, FIRST, FIRST], '--pay-again', '2'), { created: 3 });
    expect(times(service, FIRST)).toBe(5);
  });
});

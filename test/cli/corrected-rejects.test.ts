/** Rejected records that are mended and come again. CONTRACT: "Keys and repeats", "Rejected, mended". */
import { describe, expect, test } from 'vitest';
import { csv, type PayoutRow, type Row } from '../support/builders.js';
import type { CliResult } from '../support/cli.js';
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
/** The row as the rejects file has it: with the key of the payment that it replaces. */
const correcting = (row: object, key: string): Row => ({ ...row, gigwork_key: key, gigwork_error: 'HTTP 422' });

interface Rejected extends Desk {
  /** The run whose second record was rejected, and that record's key. */
  readonly run: string;
  readonly key: string;
}

/** @param rows of which the second is rejected, as are the requests of the given numbers */
async function rejected(rows: readonly object[] = [FIRST, SECOND], ...also: number[]): Promise<Rejected> {
  const at = await desk((n) => ({ status: n === 2 || also.includes(n) ? 422 : 201 }));
  const result = await at.send(rows, '--rejects', 'rejects.csv');
  expect(result.summary).toMatchObject({ exit_code: 4, records: { rejected: 1 } });
  return { ...at, run: result.summary.run, key: recordOf(result, 2).key };
}

function recordOf({ events }: CliResult, number: number) {
  return events.find(({ event, record }) => event === 'record' && record === number);
}

/** Mends the amount in the rejects file, and imports that. */
function sendMended({ work, sendFiles }: Desk, ...flags: string[]): Promise<CliResult> {
  work.file('mended.csv', work.read('rejects.csv').replace(String(SECOND.amount), String(DEARER.amount)));
  return sendFiles(['mended.csv'], ...flags);
}

/** Every way to let the old input be sent again: none of them may pay the row that was replaced. */
const EVERY_FLAG = [
  [],
  ['--retry-rejected'],
  ['--resend-unknown', '--retry-rejected'],
  ['--key-lifetime', '0', '--retry-rejected', '--resend-unknown'],
];

describe('a row of the rejects file', () => {
  test('carries the key of the rejected payment in gigwork_key', async () => {
    const { work, key } = await rejected();
    const [header, row] = work.read('rejects.csv').trimEnd().split('\n');
    expect(header).toBe('user_id,amount,title,cost_center_key,gigwork_key,gigwork_error');
    expect(row).toContain(`,${key},`);
  });

  test('mended and imported, is paid once; imported again, it is so already', async () => {
    const at = await rejected();
    expectDone(await sendMended(at), { read: 1, created: 1 });
    expectDone(await sendMended(at), { read: 1, already_created: 1 });
    expect([SECOND, DEARER].map((row) => times(at.service, row))).toEqual([0, 1]);
    expect(at.service.ledgerTotal()).toBe(2);
  });

  test.each(EVERY_FLAG)('mended and imported: the old input is safe with %s %s %s %s', async (...flags) => {
    const at = await rejected();
    expectDone(await sendMended(at), { created: 1 });
    const words = flags.filter((flag) => flag !== undefined);
    for (const old of [await at.send([FIRST, SECOND], ...words), await at.resume(at.run, ...words)]) {
      expect(old.summary).toMatchObject({ exit_code: 4, records: { already_created: 1, rejected: 1 } });
      expect(recordOf(old, 2).error).toContain('replaced by');
    }
    // In a new run, beside other records.
    const grown = await at.send([FIRST, SECOND, THIRD], '--skip-similar', ...words);
    expect(grown.summary).toMatchObject({ exit_code: 4, records: { skipped: 1, rejected: 1, created: 1 } });
    const nextDay = await at.later(25).send([FIRST, SECOND], '--skip-similar', ...words);
    expect(nextDay.summary.records).toMatchObject({ skipped: 1, rejected: 1 });
    expect([FIRST, SECOND, DEARER].map((row) => times(at.service, row))).toEqual([1, 0, 1]);
  });

  test('mended and imported: batch show says what replaced the payment', async () => {
    const at = await rejected();
    const mended = await sendMended(at);
    const { outcomes } = await at.batch('show', at.run);
    expect(outcomes[1]).toMatchObject({ status: 'rejected', error: expect.stringContaining('replaced by') });
    expect(outcomes[1].error).toContain(mended.summary.run);
    expect((await at.work.run(['batch', 'show', at.run])).stdout).toContain('replaced by');
  });

  test('replaces the payment although nothing else would show that it is the same one', async () => {
    const at = await rejected();
    at.work.file('m.csv', csv([correcting({ ...THIRD, title: 'Quite another title' }, at.key)]));
    expectDone(await at.sendFiles(['m.csv']), { created: 1 });
    const before = at.service.requestCount;
    for (const flags of EVERY_FLAG) await at.send([FIRST, SECOND], ...flags);
    await at.resume(at.run, '--retry-rejected');
    expect(at.service.requestCount).toBe(before);
  });

  test('replaces it at the gate: not in a dry run, and not when the run is refused', async () => {
    const at = await rejected();
    const dry = await sendMended(at, '--dry-run');
    expectDone(dry, { planned: 1 });
    expectRefused(await sendMended(at, '--expect-count', '7'), 'control_total', {});
    expectDone(await at.send([FIRST, SECOND], '--retry-rejected'), { already_created: 1, created: 1 });
    expect([SECOND, DEARER].map((row) => times(at.service, row))).toEqual([1, 0]);
  });

  test('replaces it at the gate, also where the run stops before its turn', async () => {
    const at = await rejected();
    at.service.responder(() => ({ status: 401 }));
    const stopped = await sendMended(at);
    expect(stopped.summary.records).toMatchObject({ not_sent: 1 });
    at.service.responder(undefined);
    expect((await at.send([FIRST, SECOND], '--retry-rejected')).summary.records).toMatchObject({ rejected: 1 });
    expectDone(await at.resume(stopped.summary.run), { created: 1 });
    expect([SECOND, DEARER].map((row) => times(at.service, row))).toEqual([0, 1]);
  });

  test('replaces it when the same records go on that were sent without saying so', async () => {
    const at = await rejected();
    at.service.responder(() => ({ status: 401 }));
    const other = { ...SECOND, title: 'Otherwise' };
    const stopped = await at.send([other]);
    expect(stopped.summary.records).toMatchObject({ not_sent: 1 });
    at.service.responder(undefined);
    const again = await at.send([correcting(other, at.key)]);
    expectDone(again, { created: 1 });
    expect(again.summary.run).toBe(stopped.summary.run);
    expect((await at.resume(at.run, '--retry-rejected')).summary.records).toMatchObject({ rejected: 1 });
    expect([SECOND, other].map((row) => times(at.service, row))).toEqual([0, 1]);
  });

  test('that was rejected again is mended again', async () => {
    const at = await rejected([FIRST, SECOND], 3);
    const second = await sendMended(at, '--rejects', 'again.csv');
    expect(second.summary).toMatchObject({ exit_code: 4, records: { rejected: 1 } });
    const dearest = { ...DEARER, amount: DEARER.amount + 1 };
    at.work.file('third.csv', at.work.read('again.csv').replace(String(DEARER.amount), String(dearest.amount)));
    expectDone(await at.sendFiles(['third.csv']), { created: 1 });
    for (const flags of EVERY_FLAG) {
      await at.send([FIRST, SECOND], ...flags);
      await sendMended(at, ...flags);
      await at.resume(at.run, ...flags);
      await at.resume(second.summary.run, ...flags);
    }
    expect([SECOND, DEARER, dearest].map((row) => times(at.service, row))).toEqual([0, 0, 1]);
  });

  test('in JSON, too', async () => {
    const { work, service, sendFiles, send } = await desk((n) => ({ status: n === 2 ? 422 : 201 }));
    work.file('p.ndjson', `${JSON.stringify(FIRST)}\n${JSON.stringify(SECOND)}\n`);
    await sendFiles(['p.ndjson'], '--rejects', 'r.ndjson');
    const row = JSON.parse(work.read('r.ndjson'));
    expect(row).toMatchObject({ gigwork_key: expect.stringMatching(/^[\da-f-]{36}$/), amount: SECOND.amount });
    work.file('m.ndjson', JSON.stringify({ ...row, amount: DEARER.amount }));
    expectDone(await sendFiles(['m.ndjson']), { created: 1 });
    expect((await send([FIRST, SECOND], '--retry-rejected')).summary.records).toMatchObject({ rejected: 1 });
    expect([SECOND, DEARER].map((each) => times(service, each))).toEqual([0, 1]);
  });

  test('in another batch: the payment is replaced there', async () => {
    const at = await rejected();
    expectDone(await sendMended(at, '--batch-id', 'x'), { created: 1 });
    expect((await at.send([FIRST, SECOND], '--retry-rejected')).summary.records).toMatchObject({ rejected: 1 });
    expect(times(at.service, SECOND)).toBe(0);
  });
});

describe('a row that replaces nothing any more', () => {
  test('whose payment was replaced already, is created-before', async () => {
    const at = await rejected();
    const mended = await sendMended(at);
    const refused = await at.send([correcting({ ...SECOND, amount: 1 }, at.key)]);
    expectRefused(refused, 'repeats', { 'created-before': 1 });
    expect(issuesOf(refused, 'created-before')[0].earlier).toMatchObject({
      run: mended.summary.run,
      amount: String(DEARER.amount),
      status: 'created',
    });
    expectDone(await at.send([correcting({ ...SECOND, amount: 1 }, at.key)], '--skip-created'), { skipped: 1 });
    expect(at.service.ledgerTotal()).toBe(2);
  });

  test('whose replacement is still open: skipped, nothing is sent that the input does not hold', async () => {
    const at = await rejected();
    at.service.responder(() => ({ status: 401 }));
    const stopped = await sendMended(at);
    at.service.responder(undefined);
    const other = [correcting({ ...SECOND, amount: 1 }, at.key)];
    expectRefused(await at.send(other), 'repeats', { 'created-before': 1 });
    expect((await at.send(other, '--skip-created')).summary.records).toMatchObject({ not_sent: 1, created: 0 });
    expect([DEARER, { ...SECOND, amount: 1 }].map((row) => times(at.service, row))).toEqual([0, 0]);
    expectDone(await at.resume(stopped.summary.run), { created: 1 });
    expect(times(at.service, DEARER)).toBe(1);
  });

  test('whose replacement is in doubt: it is not sent again by a row of other content', async () => {
    const at = await desk((n) => (n === 3 ? { fault: 'reset-after' } : { status: n === 2 ? 422 : 201 }));
    const first = await at.send([FIRST, SECOND], '--rejects', 'rejects.csv');
    const { key } = recordOf(first, 2);
    expect((await sendMended(at, '--retries', '0')).summary.records).toMatchObject({ unknown: 1 });
    const other = [correcting({ ...SECOND, amount: 1 }, key)];
    expectRefused(await at.send(other), 'repeats', { 'created-before': 1 });
    expect((await at.send(other, '--skip-created')).summary.records).toMatchObject({ unknown: 1, created: 0 });
    expect(at.service.requestCount).toBe(3);
  });

  test('whose payment was created by another try, is created-before', async () => {
    const at = await rejected();
    expectDone(await at.resume(at.run, '--retry-rejected'), { already_created: 1, created: 1 });
    expectRefused(await sendMended(at), 'repeats', { 'created-before': 1 });
    expectDone(await sendMended(at, '--skip-created'), { skipped: 1 });
    expect([SECOND, DEARER].map((row) => times(at.service, row))).toEqual([1, 0]);
  });

  test('whose payment is in doubt after another try, is created-before', async () => {
    const at = await rejected();
    at.service.responder(() => ({ fault: 'reset-after' }));
    const tried = await at.resume(at.run, '--retry-rejected', '--retries', '0');
    expect(tried.summary.records).toMatchObject({ unknown: 1 });
    at.service.responder(undefined);
    expectRefused(await sendMended(at), 'repeats', { 'created-before': 1 });
    const left = await sendMended(at, '--skip-created');
    expect(left.summary.records).toMatchObject({ unknown: 1 });
    expect(times(at.service, DEARER)).toBe(0);
  });

  test('with another one that replaces the same payment: both are duplicate-key', async () => {
    const at = await rejected();
    const rows = [correcting(DEARER, at.key), correcting({ ...SECOND, amount: 1 }, at.key)];
    expectRefused(await at.send(rows), 'invalid_input', { 'duplicate-key': 2 });
    const skipped = await at.send([...rows, THIRD], '--skip-invalid');
    expect(skipped.summary).toMatchObject({ exit_code: 4, records: { invalid: 2, created: 1 } });
    expect(issuesOf(skipped, 'duplicate-key')[0].field).toBe('gigwork_key');
    expect([SECOND, DEARER].map((row) => times(at.service, row))).toEqual([0, 0]);
  });

  test('since the journal does not know it at this target: a warning', async () => {
    const { service, send } = await desk();
    const result = await send([correcting(FIRST, 'never-seen')]);
    expectDone(result, { created: 1 });
    expect(issuesOf(result, 'replaces-unknown')).toMatchObject([
      { severity: 'warning', record: 1, field: 'gigwork_key', value: 'never-seen' },
    ]);
    expectRefused(await send([correcting(SECOND, 'never-seen')], '--strict'), 'repeats', {});
    expect(service.requestCount).toBe(1);
  });

  test('an empty gigwork_key is none', async () => {
    const { send } = await desk();
    const result = await send([correcting(FIRST, ''), correcting(SECOND, ' ')]);
    expectDone(result, { created: 2 });
    expect(issues(result, 'warning')).toEqual({});
  });
});

describe('a rejected record that comes again in a new run', () => {
  test('as it was, from the rejects file: it is sent again under its key, and replaces itself', async () => {
    const at = await rejected();
    expectDone(await at.sendFiles(['rejects.csv']), { created: 1 });
    const [, refused, again] = at.service.requests;
    expect(again?.body).toBe(refused?.body);
    const { outcomes } = await at.batch('show', at.run);
    expect(outcomes[1]).toMatchObject({ status: 'already_created' });
    expectDone(await at.resume(at.run, '--retry-rejected'), { already_created: 2 });
    expect(times(at.service, SECOND)).toBe(1);
  });

  test('as it was, in the whole file with one more row', async () => {
    const at = await rejected();
    expectRefused(await at.send([FIRST, SECOND, THIRD]), 'repeats', { 'created-before': 1 });
    expectDone(await at.send([FIRST, SECOND, THIRD], '--skip-created'), { skipped: 1, created: 2 });
    expect(times(at.service, SECOND)).toBe(1);
  });

  test('mended in the file itself: the old run is not closed, and asks before it sends the old one too', async () => {
    const at = await rejected();
    expectRefused(await at.send([FIRST, DEARER]), 'repeats', { 'created-before': 1 });
    expectDone(await at.send([FIRST, DEARER], '--skip-created'), { skipped: 1, created: 1 });
    expectRefused(await at.resume(at.run, '--retry-rejected'), 'repeats', { 'similar-record': 1 });
    expect([SECOND, DEARER].map((row) => times(at.service, row))).toEqual([0, 1]);
  });

  test('with its own key and other content: it is sent under that key, and the first run still says rejected', async () => {
    const at = await rejected(withKeys([FIRST, SECOND]));
    expectDone(await at.send(withKeys([FIRST, DEARER])), { already_created: 1, created: 1 });
    const { outcomes } = await at.batch('show', at.run);
    expect(outcomes[1]).toMatchObject({ status: 'rejected', key: `key-${SECOND.user_id}` });
    for (const flags of EVERY_FLAG) {
      const resumed = await at.resume(at.run, ...flags);
      expect(resumed.summary).toMatchObject({ exit_code: 4, records: { already_created: 1, rejected: 1 } });
    }
    // The key is that of the other content now.
    expectRefused(await at.send(withKeys([FIRST, SECOND, THIRD])), 'invalid_input', { 'key-conflict': 1 });
    expect([SECOND, DEARER].map((row) => times(at.service, row))).toEqual([0, 1]);
  });

  test('with its own key and other content, from the rejects file', async () => {
    const at = await rejected(withKeys([FIRST, SECOND]));
    expectDone(await sendMended(at), { created: 1 });
    expectDone(await sendMended(at), { already_created: 1 });
    expect((await at.resume(at.run, '--retry-rejected')).summary.records).toMatchObject({ rejected: 1 });
    expect([SECOND, DEARER].map((row) => times(at.service, row))).toEqual([0, 1]);
  });

  test('with another key of its own', async () => {
    const at = await rejected(withKeys([FIRST, SECOND]));
    expectDone(await at.send([correcting(own(DEARER, 'other'), at.key)]), { created: 1 });
    for (const flags of EVERY_FLAG) await at.resume(at.run, ...flags);
    expect([SECOND, DEARER].map((row) => times(at.service, row))).toEqual([0, 1]);
  });

  test('with other content under --key-columns', async () => {
    const at = await desk((n) => ({ status: n === 2 ? 422 : 201 }));
    const columns = ['--key-columns', 'user_id'];
    const first = await at.send(ROWS, ...columns);
    expect(first.summary).toMatchObject({ exit_code: 4, records: { created: 3, rejected: 1 } });
    expectDone(await at.send(EDITED, ...columns), { already_created: 3, created: 1 });
    expect((await at.resume(first.summary.run, '--retry-rejected')).summary.records).toMatchObject({ rejected: 1 });
    expect([SECOND, DEARER].map((row) => times(at.service, row))).toEqual([0, 1]);
  });

  test('whose body was pruned: the input brings it', async () => {
    const at = await rejected();
    expect((await at.work.run(['batch', 'prune', '--before', '2100-01-01'])).code).toBe(0);
    expectDone(await at.send([FIRST, SECOND, THIRD], '--skip-created'), { skipped: 1, created: 2 });
    expect(times(at.service, SECOND)).toBe(1);
  });

  test('of one that is mended so that it now equals a created one, is asked about', async () => {
    const at = await rejected();
    const mended = [correcting(FIRST, at.key)];
    expectRefused(await at.send(mended), 'repeats', { 'created-before': 1 });
    expectDone(await at.send(mended, '--skip-created'), { skipped: 1 });
    // Whoever has mended it has said what it is: it is closed, although nothing was sent.
    for (const flags of EVERY_FLAG)
      expect((await at.resume(at.run, ...flags)).summary.records).toMatchObject({ already_created: 1, rejected: 1 });
    expect([FIRST, SECOND].map((row) => times(at.service, row))).toEqual([1, 0]);
  });

  test('of one that is mended so that it now equals a created one, and is meant: it has a batch of its own', async () => {
    const at = await rejected();
    const mended = [correcting(FIRST, at.key)];
    expectDone(await at.send(mended, '--batch-id', 'extra'), { created: 1 });
    expectDone(await at.send(mended, '--batch-id', 'extra'), { already_created: 1 });
    expect((await at.resume(at.run, '--retry-rejected')).summary.records).toMatchObject({ rejected: 1 });
    expect([FIRST, SECOND].map((row) => times(at.service, row))).toEqual([2, 0]);
  });

  test('of one that is mended so that it equals another rejected one: that one is sent, and this one replaced', async () => {
    const at = await desk((n) => ({ status: n === 2 || n === 3 ? 422 : 201 }));
    const first = await at.send([FIRST, SECOND, THIRD]);
    expect(first.summary.records).toMatchObject({ created: 1, rejected: 2 });
    expectDone(await at.send([correcting(THIRD, recordOf(first, 2).key)]), { created: 1 });
    const resumed = await at.resume(first.summary.run, '--retry-rejected');
    expect(resumed.summary.records).toMatchObject({ already_created: 2, rejected: 1 });
    expect(recordOf(resumed, 2).error).toContain('replaced by');
    expect([SECOND, THIRD].map((row) => times(at.service, row))).toEqual([0, 1]);
  });
});

test('of two identical rows, the one that was rejected comes again alone as it was: it is sent, and the other is not', async () => {
  const at = await rejected([FIRST, FIRST]);
  const again = await at.sendFiles(['rejects.csv']);
  expectDone(again, { created: 1 });
  expect(times(at.service, FIRST)).toBe(2);
  expect((await at.send([FIRST, FIRST], '--retry-rejected')).summary.records).toMatchObject({ already_created: 2 });
  expect(times(at.service, FIRST)).toBe(2);
});

test('two rejected payments that are corrected to the same content are two payments, and the second is asked about', async () => {
  const at = await desk((n) => ({ status: n <= 2 ? 422 : 201 }));
  const [one, other] = [await at.send([SECOND]), await at.send([THIRD])];
  expectDone(await at.send([correcting(FIRST, recordOf(one, 1).key)]), { created: 1 });
  // It has the digest of the run before, and is another one all the same.
  const second = [correcting(FIRST, recordOf(other, 1).key)];
  expectRefused(await at.send(second), 'repeats', { 'created-before': 1 });
  expectDone(await at.send(second, '--batch-id', 'second'), { created: 1 });
  expect([FIRST, SECOND, THIRD].map((row) => times(at.service, row))).toEqual([2, 0, 0]);
});

test('rows of a results file that were paid pay nobody, in every batch, and where the journal does not know them', async () => {
  const { work, service, sendFiles } = await desk();
  const told = (row: object, status: string): object => ({
    ...row,
    gigwork_status: status,
    gigwork_id: '',
    gigwork_key: '',
    gigwork_at: '',
    gigwork_error: '',
  });
  work.file('results.csv', csv([told(FIRST, 'created'), told(SECOND, 'already_created')] as PayoutRow[]));
  for (const flags of [[], ['--batch-id', 'x']])
    expectRefused(await sendFiles(['results.csv'], ...flags), 'invalid_input', { 'created-before': 2 });
  expect(statesOf(await sendFiles(['results.csv'], '--dry-run'))).toEqual(['invalid', 'invalid']);
  expect(service.requestCount).toBe(0);
  // What was not paid is a record like any other.
  work.file('results.csv', csv([told(FIRST, 'not_sent'), told(SECOND, 'rejected')] as PayoutRow[]));
  expectDone(await sendFiles(['results.csv']), { created: 2 });
});

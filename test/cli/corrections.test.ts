/** Rejected payments that are corrected in the rejects file. CONTRACT: "Keys and repeats", "Rejected, corrected". */
import { describe, expect, test } from 'vitest';
import type { Row } from '../support/builders.js';
import {
  correcting,
  DEARER,
  openDesk,
  type Desk,
  expectDone,
  expectRefused,
  FIRST,
  issuesOf,
  paid,
  recordsOf,
  SECOND,
  sent,
  type Sent,
  sentAt,
  statesOf,
  THIRD,
} from '../support/desk.js';
import { sheet } from '../support/workbook.js';

const DEAREST = { ...DEARER, amount: DEARER.amount + 1 };
const EVERY_FLAG = ['--retry-rejected', '--resend-unknown', '--key-lifetime', '0'];

/** FIRST was created and SECOND rejected, in batch x; the rejects are in rejects.csv. */
async function rejected(): Promise<Sent> {
  const at = await openDesk((n) => ({ status: n === 2 ? 422 : 201 }));
  const result = await at.send([FIRST, SECOND], '--batch-id', 'x', '--overwrite', '--rejects', 'rejects.csv');
  expect(result.summary).toMatchObject({ exit_code: 4, records: { created: 1, rejected: 1 } });
  return { ...at, run: result.summary.run, key: recordsOf(result)[1].key };
}

/** Corrects the amount in a rejects file, as a person does, and imports that. */
function importCorrected({ work, sendFiles }: Desk, to = DEARER, from = 'rejects.csv', ...flags: string[]) {
  const [header, row] = work.read(from).split('\n') as [string, string];
  work.file('corrected.csv', `${header}\n${row.replace(/^(u2,)\d+/, `$1${to.amount}`)}\n`);
  return sendFiles(['corrected.csv'], ...flags);
}

test('a corrected row without a key is keyed by what it corrects: the known answer', async () => {
  const at = await openDesk(() => ({ status: 422 }));
  const row = { user_id: 'u1', amount: 1200, title: 'Bonus', cost_center_key: 'PP-7' };
  const first = await at.send([row]);
  expect(recordsOf(first)[0].key).toBe('4e353669-d28d-8c9e-99b3-1e2c9de495dd');
  const dry = await at.send([correcting({ ...row, user_id: 'u2' }, recordsOf(first)[0].key)], '--dry-run');
  expect(recordsOf(dry)[0].key).toBe('8c013cd3-ae5a-8f9a-a8d7-752e339c0ffd');
});

describe('a corrected row replaces the rejected payment', () => {
  test('in its batch, without a flag: paid once, and once more imported it is so already', async () => {
    const at = await rejected();
    const corrected = await importCorrected(at);
    expectDone(corrected, { created: 1 });
    expect(corrected.summary.batch_id).toBe('x');
    // The same input, and with another record.
    expectDone(await importCorrected(at), { already_created: 1 });
    expectDone(await at.later(48).send([correcting(DEARER, at.key), THIRD]), { already_created: 1, created: 1 });
    expect(paid(at, SECOND, DEARER, THIRD)).toEqual([0, 1, 1]);
  });

  test('at the gate: not in a dry run, and not where the run is refused', async () => {
    const at = await rejected();
    expectDone(await importCorrected(at, DEARER, 'rejects.csv', '--dry-run'), { planned: 1 });
    expectRefused(await importCorrected(at, DEARER, 'rejects.csv', '--expect-count', '7'), 'control_total', {});
    expectDone(await at.send([FIRST, SECOND], '--batch-id', 'x', '--retry-rejected'), { created: 1 });
    expect(paid(at, SECOND, DEARER)).toEqual([1, 0]);
  });

  test.each([[[]], [EVERY_FLAG]])('for good: the original never pays it, with %s', async (flags) => {
    const at = await rejected();
    expectDone(await importCorrected(at), { created: 1 });
    const inX = ['--batch-id', 'x'];
    for (const old of [await at.send([FIRST, SECOND], ...inX, ...flags), await at.resume(at.run, ...flags)]) {
      expect(old.summary).toMatchObject({ exit_code: 0, records: { already_created: 1, skipped: 1 } });
    }
    const grown = await at.send([FIRST, SECOND, THIRD], ...inX, '--skip-created', ...flags);
    expect(grown.summary).toMatchObject({ exit_code: 0, records: { skipped: 2, created: 1 } });
    expectRefused(await at.later(1).send([SECOND], '--batch-id', 'y', ...flags), 'repeats', { 'similar-record': 1 });
    expect(paid(at, FIRST, SECOND, DEARER)).toEqual([1, 0, 1]);
    const { outcomes } = await at.batch('show', at.run);
    const error = expect.stringContaining('replaced by');
    expect(outcomes[1]).toMatchObject({ amount: String(SECOND.amount), error });
  });

  test.each(['import', 'resume'])('which find and report still tell, after an %s that sends the rest', async (how) => {
    const at = await openDesk((n) => ({ status: n === 2 ? 422 : n === 3 ? 500 : 201 }));
    const rows = [FIRST, SECOND, THIRD];
    const flags = ['--batch-id', 'x', '--retries', '0', '--overwrite', '--rejects', 'rejects.csv'];
    const { summary, ...first } = await at.send(rows, ...flags);
    const { key } = recordsOf({ ...first, summary })[1];
    expectDone(await importCorrected(at), { created: 1 });
    const rest = how === 'import' ? await at.send(rows, ...flags) : await at.resume(summary.run);
    expectDone(rest, { created: 1, already_created: 1, skipped: 1 });
    for (const words of [['u2'], ['--key', key]]) {
      const { payments } = await at.batch('find', ...words);
      const old = payments.filter((payment: { key: string }) => payment.key === key);
      expect(old).toMatchObject([{ run: summary.run, status: 'skipped', amount: String(SECOND.amount) }]);
    }
    for (const words of [[summary.run], ['--batch-id', 'x']]) {
      await at.batch('report', ...words, '--overwrite', '--report', 'page.html');
      expect(at.work.read('page.html')).toContain('1 corrected since');
    }
  });

  test('that equals a sibling of its run is asked about, and a person can send it', async () => {
    const at = await rejected();
    const rows = [correcting(FIRST, at.key)];
    expectRefused(await at.send(rows), 'repeats', { 'similar-record': 1 });
    expect(paid(at, FIRST, SECOND)).toEqual([1, 0]);
    expectDone(await at.send(rows, '--send-similar', '1'), { created: 1 });
    expect(paid(at, FIRST, SECOND)).toEqual([2, 0]);
  });

  test('for the same payee is not held against the other payments of its run, and for another payee it is', async () => {
    const rows = [FIRST, SECOND].map((row) => ({ ...row, user_id: 'u9', title: 'Wage' }));
    const at = await openDesk((n) => ({ status: n === 2 ? 422 : 201 }));
    const { key } = recordsOf(await at.send(rows))[1];
    expectDone(await at.send([correcting({ ...rows[1], amount: 77 }, key)]), { created: 1 });
    const other = await openDesk((n) => ({ status: n === 2 ? 422 : 201 }));
    const { key: otherKey } = recordsOf(await other.send([FIRST, SECOND]))[1];
    const toFirst = correcting({ ...SECOND, user_id: FIRST.user_id, title: FIRST.title }, otherKey);
    expectRefused(await other.send([toFirst]), 'repeats', { 'similar-record': 1 });
  });

  test('and stays open where the run stops before it; closing that run gives the rejected payment back', async () => {
    const at = await rejected();
    at.service.responder(() => ({ status: 401 }));
    const stopped = await importCorrected(at);
    at.service.responder(undefined);
    expect(stopped.summary.records).toMatchObject({ not_sent: 1 });
    const old = await at.send([FIRST, SECOND], '--batch-id', 'x', '--retry-rejected');
    expect(old.summary).toMatchObject({ exit_code: 4, records: { rejected: 1 } });
    expectDone(await at.runPrinted((await at.batch('show', stopped.summary.run)).next, '--yes'), { created: 1 });
    const again = await rejected();
    again.service.responder(() => ({ status: 401 }));
    const { summary } = await importCorrected(again);
    again.service.responder(undefined);
    expect((await again.work.run(['batch', 'close', summary.run, '--note', 'x'])).code).toBe(0);
    expectDone(await importCorrected(again), { created: 1 });
    await again.send([FIRST, SECOND], '--batch-id', 'x', ...EVERY_FLAG);
    for (const each of [at, again]) expect(paid(each, SECOND, DEARER)).toEqual([0, 1]);
  });

  test('that was rejected again is corrected again, by its own rejects; the first ones lead nowhere', async () => {
    const at = await rejected();
    at.service.responder(() => ({ status: 422 }));
    const second = await importCorrected(at, DEARER, 'rejects.csv', '--rejects', 'again.csv');
    at.service.responder(undefined);
    expect(second.summary).toMatchObject({ exit_code: 4, records: { rejected: 1 } });
    const early = await importCorrected(at, DEAREST);
    const flagged = await importCorrected(at, DEAREST, 'rejects.csv', ...EVERY_FLAG, '--skip-created');
    for (const refused of [early, flagged]) expectRefused(refused, 'repeats', { 'not-rejected': 1 });
    expect(JSON.stringify(early.summary.remedies)).toContain(second.summary.run);
    // Unchanged, it is that correction; by --retry-rejected or its own rejects it is sent again.
    expect((await importCorrected(at)).summary.records).toMatchObject({ rejected: 1 });
    expectDone(await importCorrected(at, DEAREST, 'again.csv'), { created: 1 });
    for (const rows of [
      [FIRST, SECOND],
      [correcting(DEARER, at.key), THIRD],
    ] as object[][])
      await at.send(rows, '--batch-id', 'x', '--skip-created', ...EVERY_FLAG);
    expect(paid(at, SECOND, DEARER, DEAREST)).toEqual([0, 0, 1]);
  });
});

describe('a row that was not changed is that payment', () => {
  test('and is sent again, under its key', async () => {
    const at = await rejected();
    expectDone(await at.sendFiles(['rejects.csv']), { created: 1 });
    expect(at.service.requests[2]?.body).toBe(at.service.requests[1]?.body);
    expectDone(await at.resume(at.run, '--retry-rejected'), { already_created: 2 });
    expectDone(await at.sendFiles(['rejects.csv']), { already_created: 1 });
    // Later it is another run, with a row that stands for the payment.
    const left = await at.later(48).sendFiles(['rejects.csv'], '--skip-created');
    expectDone(left, { skipped: 1 });
    expect(recordsOf(left)[0]).toMatchObject({ amount: String(SECOND.amount), stands_for: { key: at.key } });
    expect(paid(at, SECOND)).toEqual([1]);
  });
});

describe('a row whose payment is not rejected any more', () => {
  test('it or its last correction is created: created-before, and left out by --skip-created', async () => {
    const corrected = await rejected();
    const by = await importCorrected(corrected);
    const retried = await rejected();
    expectDone(await retried.resume(retried.run, '--retry-rejected'), { created: 1 });
    for (const [at, amount, run] of [
      [corrected, DEARER.amount, by.summary.run],
      [retried, SECOND.amount, retried.run],
    ] as const) {
      const refused = await importCorrected(at, DEAREST);
      expectRefused(refused, 'repeats', { 'created-before': 1 });
      const earlier = { run, amount: String(amount), status: 'created' };
      expect(issuesOf(refused, 'created-before')).toMatchObject([{ earlier }]);
      expectDone(await importCorrected(at, DEAREST, 'rejects.csv', '--skip-created'), { skipped: 1 });
      expect(paid(at, DEAREST)).toEqual([0]);
    }
  });

  test.each(['open', 'unknown'] as const)(
    'it, or its correction, is %s: not-rejected, which no flag skips',
    async (state) => {
      const at = await sent('rejected', [SECOND]);
      const by = await sentAt(at, state, [correcting(DEARER, at.key)], '--key-lifetime', '0');
      for (const flags of [[], ['--skip-created', '--skip-similar', '--skip-invalid', ...EVERY_FLAG]]) {
        const refused = await at.send([correcting(DEAREST, at.key), THIRD], ...flags);
        expectRefused(refused, 'repeats', { 'not-rejected': 1 });
        expect(JSON.stringify(refused.summary.remedies)).toContain(by.run);
      }
      expect(paid(at, SECOND, DEAREST, THIRD)).toEqual([0, 0, 0]);
    },
  );
});

describe('a row is invalid', () => {
  test.each<[string, (key: string) => Row[], string[], number]>([
    ['duplicate-key', (key) => [correcting(DEARER, key), correcting(DEAREST, key)], [], 2],
    ['replaces-unknown', () => [correcting(DEARER, 'never-seen')], [], 1],
    ['wrong-batch', (key) => [correcting(DEARER, key)], ['--batch-id', 'y'], 1],
  ])('%s', async (code, rows, flags, count) => {
    const at = await rejected();
    const refused = await at.send([...rows(at.key), THIRD], ...flags);
    expectRefused(refused, 'invalid_input', { [code]: count });
    expect(statesOf(refused)).toEqual([...Array<string>(count).fill('invalid'), 'not_sent']);
    if (code === 'wrong-batch') expect(issuesOf(refused, code)[0].message).toMatch(/\bx\b/);
    expect(at.service.requestCount).toBe(2);
  });

  test('lost-zeros: a spreadsheet took them from the ID', async () => {
    const at = await sent('rejected', [{ ...SECOND, user_id: '00123' }]);
    at.work.file('c.csv', at.work.read('rejects.csv').replace('00123', '123'));
    const refused = await at.sendFiles(['c.csv']);
    expectRefused(refused, 'invalid_input', { 'lost-zeros': 1 });
    expect(issuesOf(refused, 'lost-zeros')[0].message).toContain('write the rejects as a workbook');
    const row = correcting({ ...SECOND, user_id: '123', amount: '7' }, at.key);
    at.work.file('c.xlsx', sheet([Object.keys(row), Object.values(row) as string[]]));
    const [again] = issuesOf(await at.sendFiles(['c.xlsx']), 'lost-zeros');
    expect(again.message).toMatch(/Format the column as text, and type 00123 again$/);
    expect(at.service.requestCount).toBe(1);
    // Once the ID that it had is gone, nothing shows it.
    expect((await at.work.run(['batch', 'prune', '--before', '2100-01-01'])).code).toBe(0);
    at.service.responder(undefined);
    expectDone(await at.sendFiles(['c.csv']), { created: 1 });
  });

  test('lost-zeros: in a row that was invalid, if the target knows the ID only with its zeros', async () => {
    const at = await sent('created', [
      { ...FIRST, user_id: '00123' },
      { ...SECOND, user_id: '0077' },
    ]);
    const other = await sentAt(at, 'created', [{ ...THIRD, user_id: '77' }]);
    const mended = (user: string): object => ({ ...THIRD, title: 'Mended', user_id: user, gigwork_key: '' });
    const refused = await other.send([mended('123'), mended('77')]);
    expectRefused(refused, 'invalid_input', { 'lost-zeros': 1 });
    expect(issuesOf(refused, 'lost-zeros')[0]).toMatchObject({
      line: 2,
      field: 'user_id',
      message: expect.stringContaining('00123'),
    });
    at.work.file('r.ndjson', JSON.stringify(mended('123')));
    expectRefused(await other.sendFiles(['r.ndjson']), 'invalid_input', { 'lost-zeros': 1 });
    // A file without the column is no rejects file, and an ID with its zeros is right.
    expectDone(await other.send([mended('00123'), mended('77')]), { created: 2 });
    expectDone(await other.send([{ ...THIRD, title: 'Other', user_id: '123' }]), { created: 1 });
  });

  test('payments of two batches in one file: exit 2, as two commands they are paid', async () => {
    const at = await sent('rejected', [SECOND], '--batch-id', 'x');
    const other = await sentAt(at, 'rejected', [THIRD], '--batch-id', 'y');
    const rows = [correcting(DEARER, at.key), correcting({ ...THIRD, amount: 7 }, other.key)];
    expect((await at.send(rows)).summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    // Rows that correct nothing are for the batch of the others, wherever they stand.
    const first = await at.send([FIRST, rows[0]!]);
    expectDone(first, { created: 2 });
    expect(first.summary.batch_id).toBe('x');
    expectDone(await at.send([rows[1]!]), { created: 1 });
  });
});

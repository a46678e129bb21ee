/** What worlds have found, each as short as it can be told. */
import { expect, test } from 'vitest';
import { csv } from '../support/builders.js';
import type { CliResult } from '../support/cli.js';
import { type Desk, desk, expectDone, expectRefused, FIRST, SECOND, times } from '../support/desk.js';
import type { Reply } from '../support/service.js';

test('a record whose key belongs to other content does not hide that a similar one was paid', async () => {
  const { send, service } = await desk();
  const paid = { ...FIRST, idempotency_key: 'own', billing_date: '2026-12-01' };
  expectDone(await send([paid]), { created: 1 });
  // The key is another user's now, which is an error; and the first user is to be paid the same again.
  const result = await send([{ ...paid, user_id: 'u9' }, FIRST], '--skip-invalid');
  expectRefused(result, 'repeats', { 'key-conflict': 1, 'similar-record': 1 });
  expect(times(service, FIRST)).toBe(0);
});

test('a row that is mended a second time never sends what was mended first', async () => {
  const answers: Reply[] = [{ status: 422 }, { status: 503 }];
  const { send, service } = await desk((n) => answers[n - 1] ?? { default: true });
  const first = await send([FIRST]);
  const [rejected] = first.events.filter(({ event }) => event === 'record');
  const mended = (amount: number): object => ({ ...FIRST, amount, gigwork_key: rejected.key });
  const doubtful = await send([mended(700), SECOND], '--retries', '0');
  expect(doubtful.summary).toMatchObject({ exit_code: 5, records: { unknown: 1, created: 1 } });
  const again = await send([mended(800)], '--skip-created');
  // It stands for the payment of 700, which may have been made: and that is told, and nothing is sent.
  expect(again.summary).toMatchObject({ exit_code: 5, records: { unknown: 1 } });
  expect(service.requestCount).toBe(3);
});

/** Resumes a run and gives its events. */
function resume({ work }: Desk, run: string, ...flags: string[]): Promise<CliResult> {
  return work.run(['batch', 'resume', run, '--yes', '--json', ...flags]);
}

test('a record of a resumed run whose key has passed on does not move the others to each other’s payments', async () => {
  const answers: Reply[] = [{ status: 401 }];
  const at = await desk((n) => answers[n - 1] ?? { default: true });
  const { send, service } = at;
  const stopped = await send([{ ...FIRST, idempotency_key: 'own' }, SECOND]);
  expect(stopped.summary).toMatchObject({ stop_reason: 'unauthorized', records: { not_sent: 2 } });
  expectDone(await send([{ ...FIRST, user_id: 'u9', idempotency_key: 'own' }]), { created: 1 });
  const result = await resume(at, stopped.summary.run);
  expect(result.summary).toMatchObject({ exit_code: 4, records: { invalid: 1, created: 1 } });
  expect([times(service, FIRST), times(service, SECOND)]).toEqual([0, 1]);
});

test('a run that has ended can be closed when another run has put a payment of it in doubt', async () => {
  const answers: Reply[] = [{ status: 422 }, { status: 503 }];
  const { send, work } = await desk((n) => answers[n - 1] ?? { default: true });
  const own = { ...FIRST, idempotency_key: 'own' };
  const rejected = await send([own]);
  expect(rejected.summary).toMatchObject({ exit_code: 4 });
  const close = (): Promise<CliResult> => work.run(['batch', 'close', rejected.summary.run, '--note', 'not needed']);
  expect((await close()).code).toBe(2);
  expect((await send([own, SECOND], '--retries', '0')).summary).toMatchObject({ records: { unknown: 1, created: 1 } });
  expect((await close()).code).toBe(0);
});

test('another file with the records of a run that goes on is told that it pays nobody', async () => {
  const { work, sendFiles } = await desk();
  work.file('week-1.csv', csv([FIRST]));
  work.file('week-2.csv', csv([FIRST]));
  expectDone(await sendFiles(['week-1.csv']), { created: 1 });
  const again = await sendFiles(['week-1.csv']);
  expect(again.stderr).not.toContain('--batch-id');
  const other = await sendFiles(['week-2.csv']);
  expectDone(other, { already_created: 1 });
  expect(other.stderr).toMatch(/\(week-1\.csv\), which goes on: .* name it with --batch-id, such as --batch-id \S+$/m);
});

test('a batch is not proposed for a file of which some rows are left out: these would be paid again in it', async () => {
  const { send } = await desk();
  expectDone(await send([FIRST, SECOND], '--batch-id', '2026-01'), { created: 2 });
  const dearer = { ...SECOND, amount: SECOND.amount + 1 };
  const asked = await send([FIRST, dearer], '--skip-created');
  expect(asked.summary).toMatchObject({ exit_code: 3, stop_reason: 'repeats' });
  expect(asked.stderr).toMatch(
    /another period or purpose: put these records alone into a file of their own, import it .* and leave them out here with --skip-similar$/m,
  );
  // Where all that is not new is asked about, the batch is for the whole file.
  expect((await send([FIRST, dearer])).stderr).toMatch(/another period or purpose: name it with --batch-id/);
});

test('a record of a run that goes on has its batch: where it is similar to a new payment, no other one is proposed', async () => {
  const answers: Reply[] = [{ status: 401 }];
  const at = await desk((n) => answers[n - 1] ?? { default: true });
  const stopped = await at.send([FIRST]);
  expectDone(await at.send([{ ...FIRST, amount: FIRST.amount + 1 }]), { created: 1 });
  const result = await resume(at, stopped.summary.run);
  expectRefused(result, 'repeats', { 'similar-record': 1 });
  expect(result.stderr).not.toContain('--batch-id');
  expect(result.stderr).toMatch(/^- they are payments of their own: --send-similar 1 /m);
});

test('one of two identical rows, rejected, pruned and imported as it was, is not called sent again', async () => {
  const answers: Reply[] = [{ default: true }, { status: 422 }];
  const { send, service, work } = await desk((n) => answers[n - 1] ?? { default: true });
  const first = await send([FIRST, FIRST]);
  const rejected = first.events.find(({ status }) => status === 'rejected');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect((await work.run(['batch', 'prune', '--before', tomorrow])).code).toBe(0);
  const row = { ...FIRST, gigwork_key: rejected.key };
  // Its own key is that of the row that was created, so a person is asked; and has a way to have it sent.
  expectRefused(await send([row]), 'repeats', { 'created-before': 1 });
  expectDone(await send([row], '--batch-id', 'again'), { created: 1 });
  expect(times(service, FIRST)).toBe(2);
});

test('a word that corrects an earlier one is news to a run that began between the two', async () => {
  const answers: Reply[] = [{ status: 503 }, { status: 401 }];
  const at = await desk((n) => answers[n - 1] ?? { default: true });
  const { send, work } = at;
  const doubtful = await send([{ ...FIRST, idempotency_key: 'own' }], '--retries', '0');
  const settle = async (...words: string[]): Promise<void> => {
    const { code, stderr } = await work.run(['batch', 'settle', doubtful.summary.run, '--record', '1', ...words]);
    expect(code, stderr).toBe(0);
  };
  await settle('--not-created', '--note', 'looked it up');
  const stopped = await send([FIRST]);
  expect(stopped.summary).toMatchObject({ stop_reason: 'unauthorized', records: { not_sent: 1 } });
  await settle('--created', '--note', 'looked again');
  expectRefused(await resume(at, stopped.summary.run), 'repeats', { 'same-content': 1 });
  expect(at.service.requestCount).toBe(2);
});

test('a row that has to be imported anew, since another like it was corrected, is to be imported alone', async () => {
  const answers: Reply[] = [{ status: 422 }];
  const at = await desk((n) => answers[n - 1] ?? { default: true });
  const first = await at.send([FIRST]);
  const [rejected] = first.events.filter(({ event }) => event === 'record');
  expectDone(await at.send([{ ...FIRST, gigwork_key: rejected.key }], '--batch-id', 'corrected'), { created: 1 });
  const others = await at.later(25).send([FIRST, SECOND]);
  expect(others.summary).toMatchObject({ exit_code: 4, records: { created: 1, rejected: 1 } });
  // With its batch named, the whole file would pay the second row once more.
  expect(others.stderr).toMatch(
    /^1 record was rejected before, and corrected .* import it alone, its gigwork_key empty, .* such as --batch-id \S+$/m,
  );
  expectDone(await at.later(25).send([{ ...FIRST, gigwork_key: '' }], '--batch-id', 'another'), { created: 1 });
  expect([times(at.service, FIRST), times(at.service, SECOND)]).toEqual([2, 1]);
});

test('a run that holds only some of the records is gone on with first; and the others are not forgotten over it', async () => {
  const answers: Reply[] = [{ default: true }, { status: 401 }];
  const at = await desk((n) => answers[n - 1] ?? { default: true });
  const stopped = await at.send([FIRST, SECOND]);
  const refused = await at.later(1).send([SECOND, { ...FIRST, user_id: 'u9' }]);
  expectRefused(refused, 'repeats', { 'open-before': 1 });
  expect(refused.stderr).toContain(
    `Go on with it first, then run this again: gigwork batch resume ${stopped.summary.run}`,
  );
  // The same records once more are done with it.
  expect((await at.later(25).send([FIRST, SECOND])).stderr).toContain(
    `has 1 of these records open. To go on with it: gigwork batch resume ${stopped.summary.run}`,
  );
});

test('a payment that an unfinished run has put back is open there, though the run that brought it about has ended', async () => {
  const answers: Reply[] = [{ status: 422 }, { status: 401 }];
  const { send, service } = await desk((n) => answers[n - 1] ?? { default: true });
  expect((await send([FIRST])).summary).toMatchObject({ exit_code: 4 });
  const stopped = await send([FIRST, SECOND], '--concurrency', '1');
  expect(stopped.summary).toMatchObject({ stop_reason: 'unauthorized', records: { not_sent: 2 } });
  const refused = await send([FIRST, { ...SECOND, title: 'Other' }]);
  expectRefused(refused, 'repeats', { 'open-before': 1 });
  expect(service.requestCount).toBe(2);
});

test('a row that corrects what was corrected already is left out beside that payment in doubt, and does not send it', async () => {
  const answers: Reply[] = [{ status: 422 }, { status: 503 }];
  const { send, service } = await desk((n) => answers[n - 1] ?? { default: true });
  const [rejected] = (await send([FIRST])).events.filter(({ event }) => event === 'record');
  const corrected = { ...FIRST, amount: 700, gigwork_key: rejected.key };
  const doubtful = await send([corrected], '--retries', '0', '--batch-id', 'x');
  expect(doubtful.summary).toMatchObject({ records: { unknown: 1 } });
  const again = await send([corrected], '--batch-id', 'y', '--skip-created');
  expect(again.summary).toMatchObject({ exit_code: 5, records: { unknown: 1 } });
  expect(service.requestCount).toBe(2);
});

test('records that are to be paid elsewhere take those along that equal them, which would be left out beside them', async () => {
  const { send } = await desk(() => ({ default: true }));
  const own = { ...SECOND, idempotency_key: 'own' };
  expectDone(await send([FIRST, own]), { created: 2 });
  const refused = await send([FIRST, FIRST, own]);
  expectRefused(refused, 'repeats', { 'created-before': 1 });
  expect(refused.stderr).toContain('put these records, and those that equal them, alone into a file of their own');
  const other = await send([FIRST, own, { ...FIRST, user_id: 'u9' }]);
  expect(other.stderr).toContain('put these records alone into a file of their own');
});

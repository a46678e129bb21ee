/** What worlds have found, each as short as it can be told. */
import { expect, test } from 'vitest';
import { hoursAhead } from '../support/crash.js';
import { openDesk, expectDone, expectRefused, FIRST, own, SECOND, times } from '../support/desk.js';
import type { Reply } from '../support/service.js';

const REJECTED: Reply = { status: 422 };
const LOST: Reply = { status: 503 };
const STOPPED: Reply = { status: 401 };

/** A desk whose service answers so at first. */
function deskWith(...answers: Reply[]): ReturnType<typeof openDesk> {
  return openDesk((n) => answers[n - 1] ?? { default: true });
}

test('a record whose key belongs to other content does not hide that a similar one was paid', async () => {
  const { send, service } = await openDesk();
  const paid = { ...own(FIRST, 'own'), billing_date: '2026-12-01' };
  expectDone(await send([paid]), { created: 1 });
  // The key is another user's now, which is an error; and the first user is to be paid the same again.
  const result = await send([{ ...paid, user_id: 'u9' }, FIRST], '--skip-invalid');
  expectRefused(result, 'repeats', { 'key-conflict': 1, 'similar-record': 1 });
  expect(times(service, FIRST)).toBe(0);
});

test('one of two identical rows, rejected, pruned and imported as it was, is that payment', async () => {
  const { send, service, work } = await deskWith({ default: true }, REJECTED);
  const rejected = (await send([FIRST, FIRST])).events.find(({ status }) => status === 'rejected');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect((await work.run(['batch', 'prune', '--before', tomorrow])).code).toBe(0);
  expectDone(await send([{ ...FIRST, gigwork_key: rejected.key }]), { created: 1 });
  expect(times(service, FIRST)).toBe(2);
});

test('a word that corrects an earlier one is news to a run that began between the two', async () => {
  const at = await deskWith(LOST, STOPPED);
  const doubtful = await at.send([own(FIRST, 'own')], '--retries', '0');
  const settle = async (word: string): Promise<void> => {
    const words = ['batch', 'settle', doubtful.summary.run, '--record', '1', word, '--note', 'looked it up'];
    expect(await at.work.run(words, { env: hoursAhead(1) })).toMatchObject({ code: 0 });
  };
  await settle('--not-created');
  const stopped = await at.send([FIRST], '--batch-id', 'y');
  expect(stopped.summary).toMatchObject({ stop_reason: 'unauthorized', exit_code: 6, records: { not_sent: 1 } });
  await settle('--created');
  expectRefused(await at.resume(stopped.summary.run), 'repeats', { 'similar-record': 1 });
  expect(at.service.requestCount).toBe(2);
});

test('a payment that an unfinished run has put back is open there, though the run that brought it about has ended', async () => {
  const { send, service } = await deskWith(REJECTED, STOPPED);
  expect((await send([FIRST])).summary).toMatchObject({ exit_code: 4 });
  const stopped = await send([FIRST, SECOND], '--retry-rejected');
  expect(stopped.summary).toMatchObject({ stop_reason: 'unauthorized', records: { not_sent: 2 } });
  expectRefused(await send([FIRST, { ...SECOND, title: 'Other' }]), 'repeats', { 'open-before': 1 });
  expect(service.requestCount).toBe(2);
});

test('what a run has left out is known to it also after the same command has gone on with it', async () => {
  const { send, service, work } = await deskWith({ default: true }, STOPPED, STOPPED);
  expectDone(await send([FIRST]), { created: 1 });
  const flags = ['--batch-id', 'bonus', '--skip-similar'];
  const stopped = await send([FIRST, SECOND], ...flags);
  expect(stopped.summary).toMatchObject({ exit_code: 6, records: { skipped: 1, not_sent: 1 } });
  expect((await send([FIRST, SECOND], ...flags)).summary.run).toBe(stopped.summary.run);
  expectDone(await work.run(['batch', 'resume', stopped.summary.run, '--yes', '--json', '--skip-similar']), {
    skipped: 1,
    created: 1,
  });
  expect(times(service, FIRST)).toBe(1);
});

test('a correction of a payment that was rejected twice does not resemble what its first run has paid', async () => {
  const { send, service } = await deskWith(REJECTED, { default: true }, REJECTED);
  const [rejected] = (await send([FIRST, { ...FIRST, amount: 700 }])).events.filter(
    ({ status }) => status === 'rejected',
  );
  await send([{ ...FIRST, gigwork_key: rejected.key }]);
  expectDone(await send([{ ...FIRST, amount: 800, gigwork_key: rejected.key }]), { created: 1 });
  expect(service.requestCount).toBe(4);
});

test('of two records that resemble one payment, --skip-similar leaves one out, and nothing is sent', async () => {
  const { send, service } = await openDesk();
  expectDone(await send([FIRST]), { created: 1 });
  const both = [
    { ...FIRST, amount: 700 },
    { ...FIRST, amount: 800 },
  ];
  expectRefused(await send(both, '--skip-similar'), 'repeats', { 'similar-record': 1 });
  expect(service.requestCount).toBe(1);
});

test('a corrected row that keeps its own key, and now equals what its first run has paid, is asked about', async () => {
  const { send, service } = await deskWith({ default: true }, REJECTED);
  await send([FIRST, own({ ...FIRST, amount: 700 }, 'own')]);
  expectRefused(await send([{ ...own(FIRST, 'own'), gigwork_key: 'own' }]), 'repeats', { 'similar-record': 1 });
  expect(times(service, FIRST)).toBe(1);
});

test('a run whose open row was retitled and paid by a later one is asked about it when it is resumed', async () => {
  const { send, resume, service } = await deskWith({ default: true }, STOPPED);
  const stopped = await send([own(SECOND, 'own'), FIRST]);
  expect(stopped.summary).toMatchObject({ exit_code: 6, records: { created: 1, not_sent: 1 } });
  // The later run lists the first payment too: so its other rows are of the same file, mended.
  const retitled = { ...FIRST, title: 'Other' };
  expectDone(await send([own(SECOND, 'own'), retitled]), { already_created: 1, created: 1 });
  expectRefused(await resume(stopped.summary.run), 'repeats', { 'similar-record': 1 });
  expect(times(service, FIRST)).toBe(0);
});

test('another payment under the own key of a corrected one is a key-conflict; the same correction is left out', async () => {
  const { send, service } = await deskWith(REJECTED);
  const corrected = { ...FIRST, amount: 777 };
  await send([own(FIRST, 'k')]);
  expectDone(await send([{ ...own(corrected, 'new'), gigwork_key: 'k' }]), { created: 1 });
  const others = [
    { ...FIRST, user_id: 'u9' },
    { ...FIRST, title: 'Other', amount: 999 },
  ];
  for (const flags of [[], ['--batch-id', 'next']])
    for (const other of others)
      expectRefused(await send([own(other, 'k')], ...flags), 'invalid_input', { 'key-conflict': 1 });
  for (const same of [FIRST, corrected]) expectDone(await send([own(same, 'k')]), { skipped: 1 });
  expect(service.requestCount).toBe(2);
});

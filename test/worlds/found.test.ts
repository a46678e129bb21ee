/** What worlds have found, each as short as it can be told. */
import { expect, test } from 'vitest';
import { desk, expectDone, expectRefused, FIRST, SECOND, times } from '../support/desk.js';
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

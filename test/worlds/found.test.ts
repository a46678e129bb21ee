/** What worlds have found, each as short as it can be told. */
import { expect, test } from 'vitest';
import { desk, expectDone, expectRefused, FIRST, times } from '../support/desk.js';

test('a record whose key belongs to other content does not hide that a similar one was paid', async () => {
  const { send, service } = await desk();
  const paid = { ...FIRST, idempotency_key: 'own', billing_date: '2026-12-01' };
  expectDone(await send([paid]), { created: 1 });
  // The key is another user's now, which is an error; and the first user is to be paid the same again.
  const result = await send([{ ...paid, user_id: 'u9' }, FIRST], '--skip-invalid');
  expectRefused(result, 'repeats', { 'key-conflict': 1, 'similar-record': 1 });
  expect(times(service, FIRST)).toBe(0);
});

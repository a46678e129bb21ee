import { expect, test } from 'vitest';
import { testService } from '../../support/fixtures.js';
import { businessRow, startService } from '../../support/service.js';
import { post } from './wire.js';

const bonus = { amount: 1200, title: 'Bonus', user_id: 'u1', cost_center_key: 'PP-7' };

test('answers 201 with the fields and an id, and writes the ledger', async () => {
  const service = await testService({ basePath: '/base' });
  const answers = [
    await post(`${service.url}/api/v2/payouts`, bonus),
    await post(`${service.url}/api/v2/gig_results`, { gig_task_id: 't1', quantity: 2 }),
    await post(`${service.url}/api/v2/gigs`, { title: 'Gig' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(answers.map(({ body }) => JSON.parse(body))).toEqual([
    { ...bonus, id: 'payout-1' },
    { gig_task_id: 't1', quantity: 2, id: 'result-2' },
    { title: 'Gig', id: 'gig-3' },
  ]);
  expect(service.executions).toEqual(
    new Map([
      ['["payout","u1","Bonus",1200,null,null,null,null]', 1],
      ['["result",null,null,2,"t1",null,null,null]', 1],
      ['["gig","Gig",null,null]', 1],
    ]),
  );
  expect(service.ledgerTotal()).toBe(3);
});

test('refuses other paths, other methods and other bodies', async () => {
  const service = await testService();
  expect((await post(`${service.url}/api/v2/other`, bonus)).status).toBe(404);
  expect((await post(`${service.url}/api/v2/payouts`, '[]')).status).toBe(400);
  expect((await post(`${service.url}/api/v2/payouts`, '{')).status).toBe(400);
  expect((await fetch(`${service.url}/api/v2/payouts`)).status).toBe(405);
  expect(service.ledgerTotal()).toBe(0);
});

test('the same key gets the first answer again, with another body a 409, and neither executes', async () => {
  const service = await testService();
  const url = `${service.url}/api/v2/payouts`;
  const first = await post(url, { ...bonus, idempotency_key: 'k' });
  const again = await post(url, { ...bonus, idempotency_key: 'k' });
  const other = await post(url, { ...bonus, amount: 1, idempotency_key: 'k' });
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(other.status).toBe(409);
  expect([...service.executions.values()]).toEqual([1]);
});

test('the ledger counts business rows, so another key does not hide a second payment', async () => {
  const service = await testService();
  const url = `${service.url}/api/v2/payouts`;
  await post(url, { ...bonus, idempotency_key: 'k1' });
  await post(url, { ...bonus, idempotency_key: 'k2' });
  await post(url, bonus);
  await post(url, { ...bonus, billing_date: '2026-11-01' });
  expect(service.executions.get(businessRow('payout', bonus))).toBe(3);
  expect(service.executions.get(businessRow('payout', { ...bonus, billing_date: '2026-11-01' }))).toBe(1);
  expect(service.ledgerTotal()).toBe(4);
});

test('a key protects no gig, and with keyMemory off it protects nothing', async () => {
  const forgetful = await testService({ keyMemory: false });
  const keyed = { ...bonus, idempotency_key: 'k' };
  const first = await post(`${forgetful.url}/api/v2/payouts`, keyed);
  expect((await post(`${forgetful.url}/api/v2/payouts`, keyed)).body).not.toBe(first.body);
  expect(forgetful.ledgerTotal()).toBe(2);
  const remembering = await testService();
  await post(`${remembering.url}/api/v2/gigs`, { title: 'Gig', idempotency_key: 'k' });
  await post(`${remembering.url}/api/v2/gigs`, { title: 'Gig', idempotency_key: 'k' });
  expect(remembering.executions.get(businessRow('gig', { title: 'Gig' }))).toBe(2);
});

test('a scripted status executes under 2xx only, unless the script says otherwise', async () => {
  const service = await testService();
  const url = `${service.url}/api/v2/payouts`;
  const cases = [
    { reply: { status: 503 }, executed: 0 },
    { reply: { status: 500, execute: true }, executed: 1 },
    { reply: { status: 200 }, executed: 1 },
    { reply: { status: 201, execute: false }, executed: 0 },
  ];
  for (const [index, { reply, executed }] of cases.entries()) {
    service.responder(() => reply);
    const row = { ...bonus, user_id: `u${index}` };
    expect((await post(url, row)).status).toBe(reply.status);
    expect(service.executions.get(businessRow('payout', row)) ?? 0).toBe(executed);
  }
});

test('a record that was carried out under an error is not carried out again', async () => {
  const service = await testService({ respond: ({ n }) => (n === 1 ? { status: 500, execute: true } : undefined) });
  const keyed = { ...bonus, idempotency_key: 'k' };
  await post(`${service.url}/api/v2/payouts`, keyed);
  const again = await post(`${service.url}/api/v2/payouts`, keyed);
  expect(again).toMatchObject({ status: 201, body: JSON.stringify({ ...keyed, id: 'payout-1' }) });
  expect(service.ledgerTotal()).toBe(1);
});

test('sends scripted headers and bodies as they are, and waits for a responder that waits', async () => {
  let release = (): void => {};
  const service = await testService({
    respond: async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return { status: 429, headers: { 'retry-after': '7' }, body: 'slow down' };
    },
  });
  const url = `${service.url}/api/v2/payouts`;
  const waiting = fetch(url, { method: 'POST', body: JSON.stringify(bonus) });
  await expect.poll(() => service.requestCount).toBe(1);
  release();
  const answer = await waiting;
  expect([answer.status, answer.headers.get('retry-after'), await answer.text()]).toEqual([429, '7', 'slow down']);
});

test('an error in a responder comes out of close', async () => {
  const service = await startService({
    respond: () => {
      throw new Error('a mistake in the test');
    },
  });
  await expect(post(`${service.url}/api/v2/payouts`, bonus)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(service.close()).rejects.toThrow('a mistake in the test');
});

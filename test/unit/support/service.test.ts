/** The service of the tests: its ledger is what shows that nobody is paid twice. */
import { describe, expect, test } from 'vitest';
import { testService } from '../../support/fixtures.js';
import { businessRow, startService } from '../../support/service.js';
import { post } from './wire.js';

const bonus = { amount: 1200, title: 'Bonus', user_id: 'u1', cost_center_key: 'PP-7' };
const keyed = { ...bonus, idempotency_key: 'k' };

describe('the ledger', () => {
  test('has what was answered with 201, by its fields; other paths, methods and bodies are refused', async () => {
    const service = await testService({ basePath: '/base' });
    const answers = [
      await post(`${service.url}/api/v2/payouts`, bonus),
      await post(`${service.url}/api/v2/gig_results`, { gig_task_id: 't1', quantity: 2 }),
      await post(`${service.url}/api/v2/gigs`, { title: 'Gig' }),
    ];
    expect(answers.map(({ status, body }) => [status, JSON.parse(body)])).toEqual([
      [201, { ...bonus, id: 'payout-1' }],
      [201, { gig_task_id: 't1', quantity: 2, id: 'result-2' }],
      [201, { title: 'Gig', id: 'gig-3' }],
    ]);
    expect((await post(`${service.url}/api/v2/other`, bonus)).status).toBe(404);
    expect((await post(`${service.url}/api/v2/payouts`, '[]')).status).toBe(400);
    expect((await fetch(`${service.url}/api/v2/payouts`)).status).toBe(405);
    expect(service.executions).toEqual(
      new Map([
        ['["payout","u1","Bonus",1200,null,null,null,null]', 1],
        ['["result",null,null,2,"t1",null,null,null]', 1],
        ['["gig","Gig",null,null]', 1],
      ]),
    );
  });

  test('counts business rows, so another key does not hide a second payment', async () => {
    const service = await testService();
    const url = `${service.url}/api/v2/payouts`;
    for (const row of [keyed, { ...bonus, idempotency_key: 'l' }, bonus, { ...bonus, billing_date: '2026-11-01' }])
      await post(url, row);
    expect(service.executions.get(businessRow('payout', bonus))).toBe(3);
    expect(service.ledgerTotal()).toBe(4);
  });

  test('has a key once: the first answer again, or a 409; but not of gigs, nor without memory', async () => {
    const service = await testService();
    const forgetful = await testService({ keyMemory: false });
    const url = `${service.url}/api/v2/payouts`;
    const first = await post(url, keyed);
    expect(await post(url, keyed)).toMatchObject({ status: 201, body: first.body });
    expect((await post(url, { ...keyed, amount: 1 })).status).toBe(409);
    expect([...service.executions.values()]).toEqual([1]);
    for (const _ of [1, 2]) {
      await post(`${forgetful.url}/api/v2/payouts`, keyed);
      await post(`${service.url}/api/v2/gigs`, { title: 'Gig', idempotency_key: 'k' });
    }
    expect(forgetful.ledgerTotal()).toBe(2);
    expect(service.executions.get(businessRow('gig', { title: 'Gig' }))).toBe(2);
  });
});

test('an error in a responder comes out of close', async () => {
  const service = await startService({ respond: () => Promise.reject(new Error('a mistake')) });
  await expect(post(`${service.url}/api/v2/payouts`, bonus)).rejects.toThrow(/socket hang up|ECONNRESET/);
  await expect(service.close()).rejects.toThrow('a mistake');
});

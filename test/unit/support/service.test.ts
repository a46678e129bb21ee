/** The service of the tests: its ledger is what shows that nobody is paid twice. */
import { Agent } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testService } from '../../support/fixtures.js';
import { businessRow, type Fault, startService } from '../../support/service.js';
import { post, rawPost } from './wire.js';

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
    const [service, forgetful] = [await testService(), await testService({ keyMemory: false })];
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

  test('has what a script carries out: under 2xx only, unless it says otherwise, and never a second time', async () => {
    const service = await testService();
    const url = `${service.url}/api/v2/payouts`;
    for (const [i, [reply, executed]] of [
      [{ status: 503 }, 0],
      [{ status: 500, execute: true }, 1],
      [{ status: 200 }, 1],
      [{ status: 201, execute: false }, 0],
    ].entries() as IterableIterator<[number, [{ status: number; execute?: boolean }, number]]>) {
      service.responder(() => reply);
      const row = { ...keyed, user_id: `u${i}`, idempotency_key: `k${i}` };
      expect((await post(url, row)).status).toBe(reply.status);
      expect(service.executions.get(businessRow('payout', row)) ?? 0).toBe(executed);
      service.responder(undefined);
      await post(url, row);
      expect(service.executions.get(businessRow('payout', row))).toBe(1);
    }
  });
});

test('an error in a responder comes out of close', async () => {
  const service = await startService({ respond: () => Promise.reject(new Error('a mistake')) });
  await expect(post(`${service.url}/api/v2/payouts`, bonus)).rejects.toThrow(/socket hang up|ECONNRESET/);
  await expect(service.close()).rejects.toThrow('a mistake');
});

describe('a fault', () => {
  const MUCH = 1_048_576;
  test.each<[fault: Fault, executed: number, ended: string, enough: (text: string, chunks: number) => boolean]>([
    ['reset-before', 0, 'ECONNRESET', () => false],
    ['reset-after', 1, 'ECONNRESET', () => false],
    ['truncate', 1, 'end', () => false],
    ['garbage', 1, 'end', () => false],
    ['bad-chunk', 1, 'end', () => false],
    ['dribble', 1, 'enough', (_text, chunks) => chunks === 4],
    ['huge', 1, 'enough', (text) => text.includes('\r\n\r\n') && text.length > MUCH],
    ['endless-headers', 1, 'enough', (text) => !text.includes('\r\n\r\n') && text.length > MUCH],
  ])(
    '%s: the record was carried out %i times, and the same key does not pay again',
    async (fault, executed, ended, enough) => {
      const service = await testService({ respond: ({ n }) => (n === 1 ? { fault } : undefined) });
      const url = `${service.url}/api/v2/payouts`;
      expect((await rawPost(url, keyed, enough)).ended).toBe(ended);
      expect(service.ledgerTotal()).toBe(executed);
      expect((await post(url, keyed)).status).toBe(201);
      expect(service.ledgerTotal()).toBe(1);
    },
  );

  test('hang sends nothing, while others are answered, until the service is closed', async () => {
    const service = await testService({ respond: ({ n }) => (n === 1 ? { fault: 'hang' } : undefined) });
    const url = `${service.url}/api/v2/payouts`;
    const hanging = rawPost(url, keyed);
    await expect.poll(() => service.requestCount).toBe(1);
    expect((await post(url, keyed)).status).toBe(201);
    await service.close();
    expect([(await hanging).received, service.ledgerTotal()]).toEqual(['', 1]);
  });
});

test('it refuses connections, drops idle ones, and accepts again on the same port', async () => {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const service = await testService();
  const url = `${service.url}/api/v2/payouts`;
  await post(url, bonus, agent);
  await service.refuse();
  await expect(post(url, bonus)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expect.poll(() => Object.keys(agent.freeSockets)).toEqual([]);
  await service.accept();
  expect((await post(url, bonus, agent)).status).toBe(201);
});

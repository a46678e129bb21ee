import { Agent } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { testService, testServiceProcess } from '../../support/fixtures.js';
import { businessRow, type Service } from '../../support/service.js';
import { post, rawPost } from './wire.js';

const bonus = { amount: 1200, title: 'Bonus', user_id: 'u1', cost_center_key: 'PP-7' };

function keepAliveAgent(): Agent {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return agent;
}

test('refuses connections, drops idle ones, and accepts again on the same port', async () => {
  const agent = keepAliveAgent();
  const service = await testService();
  const url = `${service.url}/api/v2/payouts`;
  await post(url, bonus, agent);
  expect((await post(url, bonus, agent)).reusedConnection).toBe(true);
  await service.refuse();
  await expect(post(url, bonus)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expect.poll(() => Object.keys(agent.freeSockets)).toEqual([]);
  await service.accept();
  expect((await post(url, bonus, agent)).status).toBe(201);
  expect(service.ledgerTotal()).toBe(3);
});

test('answers what is under way when it refuses, and then closes that connection', async () => {
  const agent = keepAliveAgent();
  const service: Service = await testService({
    respond: async () => {
      await service.refuse();
      return undefined;
    },
  });
  const url = `${service.url}/api/v2/payouts`;
  expect((await post(url, bonus, agent)).status).toBe(201);
  expect(agent.freeSockets).toEqual({});
  await expect(post(url, bonus, agent)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('closes with a request that hangs', async () => {
  const service = await testService({ respond: () => ({ fault: 'hang' }) });
  const hanging = rawPost(`${service.url}/api/v2/payouts`, bonus);
  await expect.poll(() => service.requestCount).toBe(1);
  await service.close();
  expect((await hanging).received).toBe('');
});

test('runs in a process of its own, with a script', async () => {
  const service = await testServiceProcess({ basePath: '/base' });
  const url = `${service.url}/api/v2/payouts`;
  await service.script([{ status: 503 }, { fault: 'reset-after' }, { default: true }], { status: 401 });
  expect((await post(url, bonus)).status).toBe(503);
  await expect(post(url, bonus)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect((await post(url, bonus)).status).toBe(201);
  expect((await post(url, bonus)).status).toBe(401);
  await service.refuse();
  await expect(post(url, bonus)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await service.accept();
  await service.script([]);
  expect((await post(url, bonus)).status).toBe(201);
  expect(await service.executions()).toEqual(new Map([[businessRow('payout', bonus), 3]]));
  expect([await service.ledgerTotal(), await service.requestCount()]).toEqual([3, 5]);
  expect((await service.requests())[4]).toMatchObject({ n: 5, path: '/base/api/v2/payouts', json: bonus });
});

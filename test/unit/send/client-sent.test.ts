import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { testService } from '../../support/fixtures.js';
import { testClient } from './client-kit.js';

const PATH = '/api/v2/payouts';
const KILLED_WHEN_SENT = fileURLToPath(new URL('killed-when-sent.js', import.meta.url));

describe('the moment at which a request is sent', () => {
  it('is told once for each attempt that reaches the service', async () => {
    let sent = 0;
    const service = await testService({ respond: ({ n }) => (n === 1 ? { fault: 'reset-before' } : undefined) });
    const client = await testClient(service.url, { sent: () => sent++ });
    await client.post(PATH, '{"title":"Bonus"}', false);
    await client.post(PATH, '{"title":"Bonus"}', true);
    expect(sent).toBe(2);
  });

  it('is not told where no connection is made', async () => {
    let sent = 0;
    const service = await testService();
    await service.refuse();
    const client = await testClient(service.url, { sent: () => sent++ });
    await client.post(PATH, '{"title":"Bonus"}', false);
    expect(sent).toBe(0);
  });

  it('comes when the whole request is on its way: a process that is killed then has sent it', async () => {
    const service = await testService();
    const body = JSON.stringify({ title: 'Bonus', description: 'x'.repeat(2000) });
    const child = spawn(process.execPath, [KILLED_WHEN_SENT, service.url, body], { stdio: 'inherit' });
    expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
    await expect.poll(() => service.requests.map((request) => request.body), { timeout: 10_000 }).toEqual([body]);
  });
});

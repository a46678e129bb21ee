import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AttemptResult } from '../../../../src/delivery/http/attempt.js';
import { testService } from '../../../support/fixtures.js';
import { testClient } from './client-fixtures.js';

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

describe('an answer that came while this process stood still', () => {
  /** A service on a thread of its own, which sets the flag when it has answered. */
  async function answeringBeside(flag: Int32Array): Promise<string> {
    const code = `
      const { createServer } = require('node:http');
      const { parentPort, workerData } = require('node:worker_threads');
      const server = createServer((request, response) => {
        request.resume().on('end', () =>
          response.writeHead(201, { connection: 'close' }).end('{"id":"p1"}', () => {
            Atomics.store(workerData, 0, 1);
            Atomics.notify(workerData, 0);
          }),
        );
      });
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
    const worker = new Worker(code, { eval: true, workerData: flag });
    onTestFinished(async () => void (await worker.terminate()));
    const [port] = (await once(worker, 'message')) as [number];
    return `http://127.0.0.1:${port}`;
  }

  /** @param before what the process does once the request is sent, before it stands still */
  async function postThenStandStill(before: () => void = () => undefined): Promise<AttemptResult> {
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const url = await answeringBeside(flag);
    let now = 0;
    /** As a commit does that waits for another process; and long enough for the sweep to be due. */
    const standStill = (): void => {
      before();
      Atomics.wait(flag, 0, 0, 20_000);
      Atomics.wait(flag, 0, 1, 200);
      now += 31_000;
    };
    const client = await testClient(url, { monotonic: () => now, sent: standStill });
    return client.post(PATH, '{"title":"Bonus"}', true);
  }

  it('is read, although its time was over before anybody looked', async () => {
    expect(await postThenStandStill()).toMatchObject({ kind: 'answer', status: 201 });
  });

  it('is read, although the process was paused between the timer and what the timer asks for', async () => {
    const timers = vi.spyOn(globalThis, 'setInterval');
    onTestFinished(() => timers.mockRestore());
    const fire = (): void => timers.mock.calls.forEach(([sweep]) => sweep());
    expect(await postThenStandStill(fire)).toMatchObject({ kind: 'answer', status: 201 });
  });
});

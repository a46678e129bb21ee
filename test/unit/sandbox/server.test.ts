import { DatabaseSync } from '@photostructure/sqlite';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pickFault, NO_FAULTS } from '../../../src/sandbox/faults.js';
import { readSandboxId } from '../../../src/sandbox/store.js';
import { startSandbox } from '../../../src/sandbox/server.js';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/server.js';

const NOW = Date.parse('2026-11-01T08:30:00Z');
const payout = { amount: 1200, title: 'Bonus', user_id: 'u1', cost_center_key: 'PP-7', idempotency_key: 'k1' };

let folder: string;
let file: string;
let running: Sandbox[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'gigwork-sandbox-'));
  file = path.join(folder, 'sandbox.db');
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((sandbox) => sandbox.close()));
  rmSync(folder, { recursive: true, force: true });
});

async function start(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ file, now: () => NOW, random: () => 0, ...options });
  running.push(sandbox);
  return sandbox;
}

/** Sends text and bytes as they are, anything else as JSON. */
function post(sandbox: Sandbox, type: string, body: unknown): Promise<Response> {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return fetch(`${sandbox.url}/api/v2/${type}`, { method: 'POST', body: text });
}

/** How many payouts the file holds, as another process sees it. */
function storedPayouts(): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const { count } = database.prepare('SELECT count(*) AS count FROM payouts').get() as { count: number };
  database.close();
  return count;
}

describe('creation', () => {
  it('answers a payout with its fields, the defaults, an id and the time', async () => {
    const answer = await post(await start(), 'payouts', payout);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const created_at = '2026-11-01T08:30:00.000Z';
    expect(await answer.json()).toEqual({ id: 'payout_000001', ...payout, billing_date: '2026-11-01', created_at });
  });
});

describe('refusals', () => {
  it('names the problems of a body, and does not use up its key', async () => {
    const sandbox = await start();
    const answer = await post(sandbox, 'payouts', { ...payout, amount: '12', colour: 'red' });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ details: [{ field: 'amount' }, { field: 'colour' }] });
    expect((await post(sandbox, 'payouts', payout)).status).toBe(201);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"amount":'],
    ['an array', '[]'],
    ['bytes that are no UTF-8', Buffer.from('{"title":"B\xf6nus"}', 'latin1')],
  ])('answers 400 to %s', async (_name, body) => {
    const answer = await post(await start(), 'payouts', body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: expect.any(String) });
  });

  it.each(['/', '/api/v2/payouts/'])('answers 404 to %s', async (where) => {
    const { url } = await start();
    expect((await fetch(url + where, { method: 'POST', body: '{}' })).status).toBe(404);
  });

  it('answers 405 to anything but POST', async () => {
    const answer = await fetch(`${(await start()).url}/api/v2/payouts`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('answers 413 to more than 10 MiB, and takes 10 MiB', async () => {
    const sandbox = await start();
    const rest = JSON.stringify({ ...payout, description: '' }).length;
    const padded = (bytes: number) => ({ ...payout, description: 'x'.repeat(bytes - rest) });
    expect((await post(sandbox, 'payouts', padded(10 * 1024 * 1024))).status).toBe(201);
    expect((await post(sandbox, 'payouts', padded(10 * 1024 * 1024 + 1))).status).toBe(413);
  });
});

describe('idempotency keys', () => {
  it('give the first answer again, whatever the order of keys, spaces and time', async () => {
    let time = NOW;
    const sandbox = await start({ now: () => time });
    const data = { legal_entity: 'L', inhouse: 'Yes', partner_project_code: 'P' };
    const first = await post(sandbox, 'payouts', { ...payout, cost_center_data: data });
    time += 86_400_000;
    const turned = Object.fromEntries(Object.entries(data).reverse());
    const body = Object.fromEntries(Object.entries({ ...payout, cost_center_data: turned }).reverse());
    const again = await post(sandbox, 'payouts', JSON.stringify(body, null, 2).replace('1200', '1.2e3'));
    expect(again.status).toBe(201);
    expect(await again.text()).toBe(await first.text());
    expect(storedPayouts()).toBe(1);
  });

  it('refuse another body with 409', async () => {
    const sandbox = await start();
    await post(sandbox, 'payouts', payout);
    expect((await post(sandbox, 'payouts', { ...payout, amount: 1201 })).status).toBe(409);
    expect(storedPayouts()).toBe(1);
  });

  it('last over a restart', async () => {
    const before = await start();
    const first = await (await post(before, 'payouts', payout)).text();
    await before.close();
    const after = await start({ now: () => NOW + 1 });
    expect(await (await post(after, 'payouts', payout)).text()).toBe(first);
    expect(after.id).toBe(before.id);
    expect(readSandboxId(file)).toBe(after.id);
  });
});

describe('faults', () => {
  it.each([
    [0.3, 0.5, 'none'],
    [0.29, 0.5, 'fail'],
    [0.3, 0.49, 'drop'],
    [0, 0, 'fail'],
  ] as const)('are drawn twice each, whatever the rates are: %d and %d is %s', (first, second, mishap) => {
    const draws = [first, second];
    const faults = { ...NO_FAULTS, failRate: 0.3, dropRate: 0.5 };
    expect([pickFault(faults, () => draws.shift() ?? 0), draws]).toEqual([mishap, []]);
  });

  it('fail with 503 and create nothing', async () => {
    const answer = await post(await start({ faults: { failRate: 1 } }), 'payouts', payout);
    expect(answer.status).toBe(503);
    expect(storedPayouts()).toBe(0);
  });

  it('drop the connection after the record was created', async () => {
    // The first request draws twice: no failure, a drop. The second: neither.
    const draws = [0.9, 0.1, 0.9, 0.9];
    const sandbox = await start({ faults: { failRate: 0.5, dropRate: 0.5 }, random: () => draws.shift()! });
    await expect(post(sandbox, 'payouts', payout)).rejects.toThrow('fetch failed');
    expect(storedPayouts()).toBe(1);
    const again = await post(sandbox, 'payouts', payout);
    expect([again.status, await again.json()]).toMatchObject([201, { id: 'payout_000001' }]);
    expect(storedPayouts()).toBe(1);
  });

  it('limit the rate by the given clock', async () => {
    let time = NOW;
    const sandbox = await start({ faults: { rateLimit: 1 }, now: () => time });
    expect((await post(sandbox, 'payouts', payout)).status).toBe(201);
    const over = await post(sandbox, 'payouts', { ...payout, idempotency_key: 'k2' });
    expect([over.status, over.headers.get('retry-after')]).toEqual([429, '1']);
    expect(storedPayouts()).toBe(1);
    time += 1000;
    expect((await post(sandbox, 'payouts', { ...payout, idempotency_key: 'k2' })).status).toBe(201);
    // A clock that is set back begins a new second.
    time = NOW - 5000;
    expect((await post(sandbox, 'payouts', { ...payout, idempotency_key: 'k3' })).status).toBe(201);
  });
});

describe('start and close', () => {
  it('finishes a request under way when it is closed, without waiting out its latency', async () => {
    const sandbox = await start({ faults: { latency: 3_600_000 } });
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    const text = JSON.stringify(payout);
    const head = `POST /api/v2/payouts HTTP/1.1\r\nHost: sandbox\r\nContent-Length: ${text.length}\r\n`;
    socket.write(`${head}Expect: 100-continue\r\n\r\n`);
    // "100 Continue": the request has arrived, its body has not.
    await new Promise((resolve) => socket.once('data', resolve));
    const answer = new Promise<string>((resolve, reject) => {
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString()));
      socket.on('end', () => resolve(received)).on('error', reject);
    });
    socket.write(text);
    await sandbox.close();
    expect(await answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(await answer).toMatch(/connection: close/i);
    expect(storedPayouts()).toBe(1);
  });

  it('says what to do about a port in use', async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    await expect(start({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use. Choose another with --port`);
  });

  it('says what to do about a file that is none of its own', async () => {
    writeFileSync(file, 'user_id,amount\n'.repeat(100));
    await expect(start()).rejects.toThrow(/Move it away, or choose another/);
  });
});

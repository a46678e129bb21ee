import { expect, test } from 'vitest';
import { testService } from '../../support/fixtures.js';
import type { Fault, Service } from '../../support/service.js';
import { post, rawPost } from './wire.js';

const bonus = { amount: 1200, title: 'Bonus', user_id: 'u1', cost_center_key: 'PP-7', idempotency_key: 'k' };
const MEBIBYTE = 1_048_576;

async function faulty(fault: Fault): Promise<{ service: Service; url: string }> {
  const service = await testService({ respond: ({ n }) => (n === 1 ? { fault } : undefined) });
  return { service, url: `${service.url}/api/v2/payouts` };
}

/** After the fault the service must work as ever, and the same key must not pay again. */
async function worksAgain({ service, url }: { service: Service; url: string }): Promise<void> {
  expect((await post(url, bonus)).status).toBe(201);
  expect(service.ledgerTotal()).toBe(1);
}

test.each([
  { fault: 'reset-before', executed: 0 },
  { fault: 'reset-after', executed: 1 },
] as const)('$fault resets the connection without a byte', async ({ fault, executed }) => {
  const started = await faulty(fault);
  expect(await rawPost(started.url, bonus)).toEqual({ received: '', chunks: 0, ended: 'ECONNRESET' });
  expect(started.service.ledgerTotal()).toBe(executed);
  await worksAgain(started);
});

test('truncate announces more than it sends', async () => {
  const started = await faulty('truncate');
  const { received, ended } = await rawPost(started.url, bonus);
  const [head = '', body = ''] = received.split('\r\n\r\n');
  const announced = Number(/content-length: (\d+)/.exec(head)?.[1]);
  expect(head).toMatch(/^HTTP\/1\.1 201 /);
  expect(ended).toBe('end');
  expect(body.length).toBeGreaterThan(0);
  expect(body.length).toBeLessThan(announced);
  expect(started.service.ledgerTotal()).toBe(1);
  await worksAgain(started);
});

test('truncate, garbage and bad-chunk are errors to an HTTP client', async () => {
  for (const fault of ['truncate', 'garbage', 'bad-chunk'] as const) {
    const started = await faulty(fault);
    await expect(post(started.url, bonus)).rejects.toMatchObject({
      code: { truncate: 'ECONNRESET', garbage: 'HPE_INVALID_CONSTANT', 'bad-chunk': 'HPE_INVALID_CHUNK_SIZE' }[fault],
    });
    expect(started.service.ledgerTotal()).toBe(1);
    await worksAgain(started);
  }
});

test('hang sends nothing, while others are answered', async () => {
  const started = await faulty('hang');
  const hanging = rawPost(started.url, bonus);
  await expect.poll(() => started.service.requestCount).toBe(1);
  expect(started.service.ledgerTotal()).toBe(0);
  await worksAgain(started);
  await started.service.close();
  expect((await hanging).received).toBe('');
});

test('dribble sends the head at once and then a byte at a time', async () => {
  const started = await faulty('dribble');
  const { received, chunks } = await rawPost(started.url, bonus, (_, count) => count === 4);
  const [head = '', body] = received.split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 201 /);
  expect(head).toMatch(/content-length: 36000/);
  expect([chunks, body]).toEqual([4, '{"a']);
  await worksAgain(started);
});

test('huge never ends its body', async () => {
  const started = await faulty('huge');
  const { received } = await rawPost(started.url, bonus, (text) => text.length > 4 * MEBIBYTE);
  expect(received).toMatch(/^HTTP\/1\.1 201 /);
  expect(received).toContain('{"amount":1200,');
  expect(received.length).toBeGreaterThan(4 * MEBIBYTE);
  await worksAgain(started);
});

test('endless-headers never reaches a body', async () => {
  const started = await faulty('endless-headers');
  const { received } = await rawPost(started.url, bonus, (text) => text.length > MEBIBYTE);
  expect(received).toMatch(/^HTTP\/1\.1 201 /);
  expect(received).not.toContain('\r\n\r\n');
  await worksAgain(started);
});

test('a script decides whether a fault executes', async () => {
  const service = await testService({ respond: () => ({ fault: 'truncate', execute: false }) });
  await expect(post(`${service.url}/api/v2/payouts`, bonus)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(service.ledgerTotal()).toBe(0);
  service.responder(() => ({ fault: 'hang', execute: true }));
  void post(`${service.url}/api/v2/payouts`, bonus).catch(() => {});
  await expect.poll(() => service.ledgerTotal()).toBe(1);
});

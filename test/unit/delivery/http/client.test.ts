import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '../../../../src/delivery/http/attempt.js';
import { selfSigned } from '../../../support/certificate.js';
import { testService } from '../../../support/fixtures.js';
import { rawServer } from '../../../support/raw-server.js';
import type { Reply } from '../../../support/service.js';
import { testClient } from './client-fixtures.js';

const PATH = '/api/v2/payouts';
const BODY = '{"amount":1200,"cost_center_key":"PP-7","idempotency_key":"k1","title":"Prämie – 5 €","user_id":"u1"}';
const MEBIBYTE = 1024 * 1024;

function expectAnswer(result: AttemptResult, status: number): AttemptResult & { kind: 'answer' } {
  expect(result).toMatchObject({ kind: 'answer', status });
  return result as AttemptResult & { kind: 'answer' };
}

/** Answers every request on a connection with the same pieces of bytes, each written when the one before has gone. */
function answering(...pieces: readonly (string | Buffer)[]): (socket: Socket) => void {
  return (socket) => {
    socket.on('data', () => {
      const write = (next: number): void => {
        const piece = pieces[next];
        if (piece !== undefined) socket.write(piece, () => setImmediate(() => write(next + 1)));
      };
      write(0);
    });
  };
}

describe('what is sent', () => {
  it('is the body byte for byte, below the base path, with the headers that are set', async () => {
    const service = await testService({ basePath: '/base' });
    const client = await testClient(service.url, {
      headers: { Authorization: 'Bearer secret', 'X-Tenant': 'a', 'Content-Type': 'text/plain' },
    });
    expectAnswer(await client.post(PATH, BODY, false), 201);
    const [request] = service.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/base/api/v2/payouts', body: BODY });
    expect(request?.headers).toEqual({
      host: `127.0.0.1:${service.port}`,
      connection: 'keep-alive',
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(BODY)),
      'x-tenant': 'a',
    });
  });
});

describe('an answer', () => {
  it('is its status, body and Retry-After', async () => {
    const body = '{"error":"slow down – 5 €"}';
    const service = await testService({ respond: () => ({ status: 429, body, headers: { 'retry-after': '7' } }) });
    const client = await testClient(service.url);
    expect(await client.post(PATH, BODY, false)).toEqual({ kind: 'answer', status: 429, body, retryAfter: '7' });
  });

  it.each([
    [201, '/api/v2/payouts/17'],
    [204, '/api/v2/payouts/17'],
    [422, undefined],
    [503, undefined],
  ])('%i names its place: %s', async (status, place) => {
    const headers = { location: '/api/v2/payouts/17' };
    const service = await testService({ respond: () => ({ status, body: '', headers }) });
    const client = await testClient(service.url);
    expect(expectAnswer(await client.post(PATH, BODY, false), status).location).toBe(place);
  });

  it.each(['gzip', 'zstd', 'Identity', ''])('is as it came where it is not encoded as it says: %j', async (sent) => {
    const headers = { 'content-encoding': sent };
    const service = await testService({ respond: () => ({ status: 200, body: 'x', headers }) });
    const client = await testClient(service.url);
    expect(expectAnswer(await client.post(PATH, BODY, false), 200).body).toBe('x');
  });

  it.each([
    ['of one mebibyte is read', MEBIBYTE, MEBIBYTE],
    ['of one byte more is not', MEBIBYTE + 1, null],
  ])('%s', async (_what, size, read) => {
    const service = await testService({ respond: () => ({ status: 200, body: '.'.repeat(size) }) });
    const client = await testClient(service.url);
    expect(expectAnswer(await client.post(PATH, BODY, false), 200).body?.length ?? null).toBe(read);
  });

  const euro = Buffer.from('{"a":"€"}');
  it.each<readonly [string, (string | Buffer)[]]>([
    [
      'in pieces that cut a character',
      ['HTTP/1.1 201 Created\r\ncontent-length: 11\r\n\r\n', euro.subarray(0, 7), euro.subarray(7)],
    ],
    [
      'in chunks',
      ['HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n', '6\r\n{"a":"\r\n', '5\r\n€"}\r\n', '0\r\n\r\n'],
    ],
  ])('is whole %s', async (_how, pieces) => {
    const { port } = await rawServer(answering(...pieces));
    const client = await testClient(`http://127.0.0.1:${port}`);
    expect(expectAnswer(await client.post(PATH, BODY, false), 201).body).toBe('{"a":"€"}');
  });
});

describe('a broken attempt', () => {
  it('has the name that the answer gave it before it broke off', async () => {
    const { port } = await rawServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 201 Created\r\nx-request-id: r1\r\ncontent-length: 9\r\n\r\n{'));
    });
    const client = await testClient(`http://127.0.0.1:${port}`);
    expect(await client.post(PATH, BODY, false)).toMatchObject({ kind: 'broken', requestId: 'r1' });
  });

  it('is broken off when its time is over, however often a byte comes', async () => {
    let now = 0;
    const service = await testService({
      respond: ({ n }) => {
        if (n > 1) return undefined;
        now = 30_000;
        return { fault: 'dribble' };
      },
    });
    const client = await testClient(service.url, { concurrency: 1, monotonic: () => now });
    expect(await client.post(PATH, BODY, false)).toEqual({ kind: 'broken', reason: 'no whole answer within 30 s' });
    expectAnswer(await client.post(PATH, BODY, false), 201);
    expect(service.connectionCount).toBe(2);
  });

  it('is what is under way when the client closes', async () => {
    const service = await testService({ respond: () => ({ fault: 'hang' }) });
    const client = await testClient(service.url);
    const results = Promise.all([client.post(PATH, BODY, false), client.post(PATH, BODY, true)]);
    await expect.poll(() => service.requestCount).toBe(2);
    await client.close();
    expect((await results).map(({ kind }) => kind)).toEqual(['broken', 'broken']);
  });
});

describe('a request that must not leave any more once there is a connection', () => {
  it.each([false, true])('leaves no byte, then or later; over a connection of its own: %s', async (fresh) => {
    const service = await testService();
    const client = await testClient(service.url, { concurrency: 1 });
    expectAnswer(await client.post(PATH, BODY, fresh), 201);
    const asked: number[] = [];
    const late = await client.post(PATH, BODY, fresh, () => asked.push(service.requestCount) === 0);
    expect(late).toMatchObject({ kind: 'withheld' });
    expect([asked, service.requestCount]).toEqual([[1], 1]);
    // With one connection, what had left would be there before this one.
    expectAnswer(await client.post(PATH, BODY, fresh), 201);
    expect(service.requestCount).toBe(2);
  });
});

describe('connections', () => {
  it('are kept from one keyed record to the next', async () => {
    const service = await testService();
    const client = await testClient(service.url, { concurrency: 1 });
    for (let i = 0; i < 4; i++) expectAnswer(await client.post(PATH, BODY, false), 201);
    expect(service.connectionCount).toBe(1);
  });

  it('are new for each record that no key protects, and for it alone', async () => {
    const service = await testService();
    const client = await testClient(service.url, { concurrency: 1 });
    for (const fresh of [false, true, true, false, true]) expectAnswer(await client.post(PATH, BODY, fresh), 201);
    expect(service.connectionCount).toBe(4);
    expect(service.requests.map(({ headers }) => headers['connection'])).toEqual([
      'keep-alive',
      'close',
      'close',
      'keep-alive',
      'close',
    ]);
  });

  it('that were kept and are gone put no record in doubt that no key protects', async () => {
    const service = await testService();
    const client = await testClient(service.url);
    expectAnswer(await client.post(PATH, BODY, false), 201);
    await service.refuse();
    await service.accept();
    expectAnswer(await client.post('/api/v2/gigs', '{"title":"Gig"}', true), 201);
  });
});

it('TLS that breaks when the request has left is no failure of TLS alone: it may have been carried out', async () => {
  const tls = selfSigned();
  let isDone = false;
  const respond = (): Reply => {
    isDone = true;
    return { default: true };
  };
  const service = await testService({ tls, respond });
  const { port } = await rawServer((socket) => {
    const through = connect(service.port, '127.0.0.1');
    through.on('error', () => socket.destroy());
    socket.on('close', () => through.destroy());
    socket.pipe(through);
    // Once the service has done the work, what it says does not come through.
    through.on('data', (chunk) => socket.write(isDone ? 'HTTP/1.1 502 Bad Gateway\r\n\r\n' : chunk));
  });
  const client = await testClient(`https://127.0.0.1:${port}`, { tls: { ca: tls.cert } });
  const result = await client.post(PATH, BODY, true);
  expect(result).toMatchObject({ kind: 'broken', reason: expect.stringMatching(/SSL|TLS/i) });
  expect(service.ledgerTotal()).toBe(1);
});

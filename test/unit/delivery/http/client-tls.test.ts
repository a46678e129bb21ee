import { createServer as createHttpServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { selfSigned } from '../../../support/certificate.js';
import { testService } from '../../../support/fixtures.js';
import { rawServer, testClient } from './client-kit.js';

const PATH = '/api/v2/payouts';
const BODY = '{"amount":1200,"cost_center_key":"PP-7","idempotency_key":"k1","title":"Bonus","user_id":"u1"}';
const CONFIRMED = { kind: 'answer', status: 201 };

describe('TLS', () => {
  it('to a service whose authority is trusted', async () => {
    const tls = selfSigned();
    const service = await testService({ tls });
    const client = await testClient(service.url, { tls: { ca: tls.cert } });
    expect(await client.post(PATH, BODY, false)).toMatchObject(CONFIRMED);
    expect(await client.post(PATH, BODY, true)).toMatchObject(CONFIRMED);
  });

  it.each([
    ['unknown', {}],
    ['another than the trusted one', { ca: selfSigned().cert }],
  ])('to a service whose authority is %s fails before a byte of the request leaves', async (_what, tls) => {
    const service = await testService({ tls: selfSigned() });
    const client = await testClient(service.url, { tls });
    for (const fresh of [false, true]) {
      expect(await client.post(PATH, BODY, fresh)).toMatchObject({
        kind: 'tls',
        reason: expect.stringMatching(/certificate/i),
      });
    }
    expect(service.requestCount).toBe(0);
  });

  // Only Linux answers at all of 127.0.0.0/8, and the certificate names nothing but 127.0.0.1 and localhost.
  it.runIf(process.platform === 'linux')('to another host than the certificate names fails', async () => {
    const tls = selfSigned();
    const service = await testService({ tls });
    const port = await rawServer((socket) => {
      const through = connect(service.port, '127.0.0.1');
      through.on('error', () => socket.destroy());
      socket.pipe(through).pipe(socket);
    }, '127.0.0.2');
    const client = await testClient(`https://127.0.0.2:${port}`, { tls: { ca: tls.cert } });
    expect(await client.post(PATH, BODY, false)).toMatchObject({
      kind: 'tls',
      reason: expect.stringContaining('127.0.0.2'),
    });
    expect(service.requestCount).toBe(0);
  });

  it('to a service that speaks none fails', async () => {
    const service = await testService();
    const client = await testClient(service.url.replace('http:', 'https:'));
    expect(await client.post(PATH, BODY, false)).toMatchObject({ kind: 'tls' });
    expect(service.requestCount).toBe(0);
  });

  it('with a trusted authority that is no certificate fails', async () => {
    const service = await testService({ tls: selfSigned() });
    const client = await testClient(service.url, {
      tls: { ca: '-----BEGIN CERTIFICATE-----\nbm8=\n-----END CERTIFICATE-----\n' },
    });
    expect(await client.post(PATH, BODY, false)).toMatchObject({ kind: 'tls' });
    expect(service.requestCount).toBe(0);
  });

  it('that is never agreed on is no connection', async () => {
    const port = await rawServer((socket) => socket.resume());
    const client = await testClient(`https://127.0.0.1:${port}`, { timeoutMs: 200 });
    expect(await client.post(PATH, BODY, false)).toMatchObject({ kind: 'not-connected' });
  });

  it('that is cut off before it is agreed on is no connection', async () => {
    const port = await rawServer((socket) => socket.once('data', () => socket.destroy()));
    const client = await testClient(`https://127.0.0.1:${port}`);
    expect(await client.post(PATH, BODY, false)).toMatchObject({ kind: 'not-connected' });
  });

  it('that breaks when the request has left is no failure of TLS alone: it may have been carried out', async () => {
    const tls = selfSigned();
    let isDone = false;
    const service = await testService({
      tls,
      respond: () => {
        isDone = true;
        return { default: true };
      },
    });
    const port = await rawServer((socket) => {
      const through = connect(service.port, '127.0.0.1');
      through.on('error', () => socket.destroy());
      socket.on('close', () => through.destroy());
      socket.pipe(through);
      // Once the service has done the work, what it says does not come through.
      through.on('data', (chunk) => socket.write(isDone ? 'HTTP/1.1 502 Bad Gateway\r\n\r\n' : chunk));
    });
    const client = await testClient(`https://127.0.0.1:${port}`, { tls: { ca: tls.cert } });
    expect(await client.post(PATH, BODY, true)).toMatchObject({
      kind: 'broken',
      reason: expect.stringMatching(/SSL|TLS/i),
    });
    expect(service.ledgerTotal()).toBe(1);
  });

  it('shows the certificate that the service asks for', async () => {
    const [server, own] = [selfSigned(), selfSigned('payroll')];
    const service = await testService({
      tls: { ...server, ca: own.cert, requestCert: true, rejectUnauthorized: true },
    });
    const client = await testClient(service.url, { tls: { ca: server.cert, ...own } });
    expect(await client.post(PATH, BODY, false)).toMatchObject(CONFIRMED);
  });

  it('without the certificate that the service asks for is refused, and nothing was carried out', async () => {
    const server = selfSigned();
    const service = await testService({
      tls: { ...server, ca: selfSigned('payroll').cert, requestCert: true, rejectUnauthorized: true },
    });
    const client = await testClient(service.url, { tls: { ca: server.cert } });
    for (const fresh of [false, true]) expect(await client.post(PATH, BODY, fresh)).toMatchObject({ kind: 'tls' });
    expect(service.requestCount).toBe(0);
  });
});

/** A proxy that opens tunnels, or answers with a status of its own. */
async function startProxy(status = 200): Promise<{ url: string; tunnels: string[] }> {
  const tunnels: string[] = [];
  const proxy = createHttpServer((_request, response) => response.writeHead(500).end());
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    socket.on('error', () => undefined);
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const [host = '', port] = (request.url ?? '').split(':');
    const through = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(through).pipe(socket);
    });
    through.on('error', () => socket.destroy());
    onTestFinished(() => void through.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, tunnels };
}

describe('a proxy', () => {
  it('opens a tunnel to the service', async () => {
    const tls = selfSigned();
    const service = await testService({ tls });
    const proxy = await startProxy();
    const client = await testClient(service.url, { tls: { ca: tls.cert }, proxy: { https: proxy.url, no: '' } });
    expect(await client.post(PATH, BODY, false)).toMatchObject(CONFIRMED);
    expect(await client.post(PATH, BODY, true)).toMatchObject(CONFIRMED);
    expect(new Set(proxy.tunnels)).toEqual(new Set([`127.0.0.1:${service.port}`]));
    expect(service.requests[0]?.body).toBe(BODY);
  });

  it('is left aside for hosts that are excepted', async () => {
    const tls = selfSigned();
    const service = await testService({ tls });
    const proxy = await startProxy();
    const client = await testClient(service.url, {
      tls: { ca: tls.cert },
      proxy: { https: proxy.url, no: '127.0.0.1' },
    });
    expect(await client.post(PATH, BODY, false)).toMatchObject(CONFIRMED);
    expect(proxy.tunnels).toEqual([]);
  });

  it.each([403, 407, 502])('that answers %i is no connection', async (status) => {
    const service = await testService({ tls: selfSigned() });
    const proxy = await startProxy(status);
    const client = await testClient(service.url, { proxy: { https: proxy.url, no: '' } });
    expect(await client.post(PATH, BODY, false)).toMatchObject({
      kind: 'not-connected',
      reason: expect.stringContaining(`${status}`),
    });
    expect(service.requestCount).toBe(0);
  });

  it('that is not there is no connection', async () => {
    const service = await testService({ tls: selfSigned() });
    const gone = await testService();
    await gone.refuse();
    const client = await testClient(service.url, { proxy: { https: gone.url, no: '' } });
    expect(await client.post(PATH, BODY, false)).toMatchObject({ kind: 'not-connected' });
    expect(service.requestCount).toBe(0);
  });

  it('does not hide that the service is not who it should be', async () => {
    const service = await testService({ tls: selfSigned() });
    const proxy = await startProxy();
    const client = await testClient(service.url, { proxy: { https: proxy.url, no: '' } });
    expect(await client.post(PATH, BODY, false)).toMatchObject({ kind: 'tls' });
    expect(service.requestCount).toBe(0);
  });
});

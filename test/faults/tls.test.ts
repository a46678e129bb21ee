import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { selfSigned } from '../support/certificate.js';
import type { CliResult } from '../support/cli.js';
import { NO_WAITS } from '../support/crash.js';
import { rawServer } from '../support/raw-server.js';
import { startClerk, expectEnded, TYPES } from './clerk.js';
import { expectOnce } from './together.js';

/** Nothing left, nothing is in doubt, and the message can be used. */
function expectNotSent(result: CliResult, stop: 'tls' | 'unreachable'): void {
  expectEnded(result, stop === 'tls' ? 6 : 5, { not_sent: 3, unknown: 0 }, { stop_reason: stop });
  expect(result.stderr).not.toMatch(/\n\s+at |Internal error in gigwork/);
}

describe('a service that is not who it should be gets nothing', () => {
  const own = selfSigned();
  const other = selfSigned('localhost', { host: 'gigs.example' });
  const old = selfSigned('localhost', { end: '010101000000Z' });

  test.each([
    [
      'whose authority is not known',
      own,
      undefined,
      /signed by no authority that Node\.js trusts: if it has a separate authority, name that with --ca \[self-signed certificate\]/,
    ],
    [
      'whose authority is another than --ca',
      own,
      selfSigned().cert,
      /signed by no authority in the file of --ca: name the one that signed it \[/,
    ],
    [
      'with a certificate for another host',
      other,
      other.cert,
      /certificate is for another host: check the base URL \[.*altnames/,
    ],
    [
      'with a certificate that has ended',
      old,
      old.cert,
      /certificate, or the authority of --ca, has ended: ask those who run it \[certificate has expired\]/,
    ],
  ])('%s', async (_what, tls, ca, words) => {
    const { work, service, send } = await startClerk(3, { tls });
    if (ca !== undefined) work.file('ca.pem', ca);
    for (const type of TYPES) {
      const result = await send(type, ca === undefined ? [] : ['--ca', 'ca.pem']);
      expectNotSent(result, 'tls');
      expect(result.stderr).toMatch(words);
      const [record] = result.events.filter(({ event }) => event === 'record');
      expect(record.error).toMatch(words);
    }
    expect(service.requestCount).toBe(0);
  });

  test('that speaks no TLS', async () => {
    const { service, send } = await startClerk(3);
    for (const type of TYPES) {
      const result = await send(type, [], { to: service.url.replace('http:', 'https:') });
      expectNotSent(result, 'tls');
      expect(result.stderr).toContain('no TLS is spoken there: check the base URL and its port [');
    }
    expect(service.requestCount).toBe(0);
  });
});

describe('a client certificate', () => {
  const AUTHORITY = ['--ca', 'ca.pem'];
  const RIGHT = [...AUTHORITY, '--cert', 'own.pem', '--key', 'own.key'];

  async function strictService() {
    const server = selfSigned();
    const payroll = selfSigned('payroll');
    const stranger = selfSigned('stranger');
    const tls = { ...server, ca: payroll.cert, requestCert: true, rejectUnauthorized: true };
    const at = await startClerk(3, { tls });
    at.work.file('ca.pem', server.cert);
    for (const [name, { cert, key }] of Object.entries({ own: payroll, stranger })) {
      at.work.file(`${name}.pem`, cert);
      at.work.file(`${name}.key`, key);
    }
    return at;
  }

  test('that is missing: refused, and with the right one the same command goes on', async () => {
    const { service, send } = await strictService();
    for (const type of TYPES) {
      const without = await send(type, AUTHORITY);
      expectNotSent(without, 'tls');
      expect(without.stderr).toMatch(
        /asks for a client certificate: name yours with --cert, and its key with --key \[/,
      );
      expectEnded(await send(type, RIGHT), 0, { created: 3 });
    }
    expectOnce(service, 6);
  });

  // A service may end the connection without a word when the request has been written already: that is doubt.
  test('of a stranger: nothing is carried out, and with the right one the same command pays once', async () => {
    const { service, send } = await strictService();
    const wrong = [...AUTHORITY, '--cert', 'stranger.pem', '--key', 'stranger.key', '--retries', '1'];
    expectEnded(await send('payout', wrong, { env: NO_WAITS }), 5, { created: 0, rejected: 0 });
    expect(service.requestCount).toBe(0);
    expectEnded(await send('payout', RIGHT), 0, { created: 3 });
    expectOnce(service, 3);
  });

  // RFC 8446, 6.2: a record of type 21 with a fatal alert, as the first answer to the client.
  test.each([
    [42, 'bad certificate'],
    [45, 'certificate expired'],
    [48, 'unknown ca'],
    [116, 'certificate required'],
  ])('refused with the alert %i: the error names --cert, and says what the service said', async (alert, said) => {
    const { work, send } = await strictService();
    const server = await rawServer((socket) =>
      socket.once('data', () => socket.end(Buffer.of(21, 3, 3, 0, 2, 2, alert))),
    );
    const to = server.url.replace('http:', 'https:');
    const result = await send('payout', RIGHT, { to });
    expectNotSent(result, 'tls');
    const words = new RegExp(`does not accept the client certificate of --cert \\[.*${said}`);
    expect(result.stderr).toMatch(words);
    const doctor = await work.run(['doctor', '--base-url', to, ...RIGHT]);
    expect([doctor.code, doctor.stdout]).toEqual([2, expect.stringMatching(words)]);
  });
});

describe('an agreement that never comes is no connection: not in doubt', () => {
  test.each<[what: string, serve: (socket: Socket) => void]>([
    ['bounded by --timeout', (socket) => void socket.resume()],
    ['cut off in the middle', (socket) => void socket.once('data', () => socket.destroy())],
  ])('%s', async (_what, serve) => {
    const { send } = await startClerk(3);
    const to = (await rawServer(serve)).url.replace('http:', 'https:');
    for (const type of TYPES) {
      const result = await send(type, ['--timeout', '0.5', '--retries', '1'], { to, env: NO_WAITS });
      expectNotSent(result, 'unreachable');
    }
  });
});

test('a service that speaks TLS only, asked without: in doubt at worst, never created', async () => {
  const { service, send } = await startClerk(3, { tls: selfSigned() });
  const to = service.url.replace('https:', 'http:');
  const result = await send('payout', ['--retries', '1'], { to, env: NO_WAITS });
  expectEnded(result, 5, { created: 0, rejected: 0 });
  expect(result.stderr).not.toMatch(/\n\s+at |Internal error in gigwork/);
  expect(service.requestCount).toBe(0);
});

import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts } from '../support/builders.js';
import { selfSigned } from '../support/certificate.js';
import { type CliResult, type Workspace, workspace } from '../support/cli.js';
import { NO_WAITS, send } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import { rawServer } from '../support/raw-server.js';
import type { Service } from '../support/service.js';

function withRecords(): Workspace {
  const work = workspace();
  work.file('p.csv', csv(payouts(3)));
  work.file('g.ndjson', ndjson(gigs(3)));
  return work;
}

/** Nothing left, nothing is in doubt, and the message can be used. */
function expectNotSent({ code, summary, stderr }: CliResult, stop: string): void {
  expect(code).toBe(stop === 'tls' ? 6 : 5);
  expect(summary).toMatchObject({ stop_reason: stop, records: { not_sent: 3, unknown: 0 } });
  expect(stderr).not.toMatch(/\n\s+at |Internal error in gigwork/);
}

const RECORDS = [
  ['payout create', 'p.csv'],
  ['gig create', 'g.ndjson'],
] as const;

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
    const work = withRecords();
    const service = await testService({ tls });
    if (ca !== undefined) work.file('ca.pem', ca);
    const flags = ca === undefined ? [] : ['--ca', 'ca.pem'];
    for (const [command, file] of RECORDS) {
      const result = await send(work, command, file, service, flags);
      expectNotSent(result, 'tls');
      expect(result.stderr).toMatch(words);
      const [record] = result.events.filter(({ event }) => event === 'record');
      expect(record.error).toMatch(words);
    }
    expect(service.requestCount).toBe(0);
  });

  test('that speaks no TLS', async () => {
    const work = withRecords();
    const service = await testService();
    for (const [command, file] of RECORDS) {
      const result = await send(work, command, file, service.url.replace('http:', 'https:'));
      expectNotSent(result, 'tls');
      expect(result.stderr).toContain('no TLS is spoken there: check the base URL and its port [');
    }
    expect(service.requestCount).toBe(0);
  });
});

describe('a client certificate', () => {
  async function strictService(): Promise<{ work: Workspace; service: Service }> {
    const work = withRecords();
    const [server, payroll, stranger] = [selfSigned(), selfSigned('payroll'), selfSigned('stranger')];
    work.file('ca.pem', server.cert);
    work.file('own.pem', payroll.cert);
    work.file('own.key', payroll.key);
    work.file('stranger.pem', stranger.cert);
    work.file('stranger.key', stranger.key);
    const tls = { ...server, ca: payroll.cert, requestCert: true, rejectUnauthorized: true };
    return { work, service: await testService({ tls }) };
  }

  test('that is missing: refused, and with the right one the same command goes on', async () => {
    const { work, service } = await strictService();
    for (const [command, file] of RECORDS) {
      const without = await send(work, command, file, service, ['--ca', 'ca.pem']);
      expectNotSent(without, 'tls');
      expect(without.stderr).toMatch(
        /asks for a client certificate: name yours with --cert, and its key with --key \[/,
      );
      const right = ['--ca', 'ca.pem', '--cert', 'own.pem', '--key', 'own.key'];
      const again = await send(work, command, file, service, right);
      expect(again.summary).toMatchObject({ exit_code: 0, records: { created: 3 } });
    }
    expect(service.ledgerTotal()).toBe(6);
    expect([...service.executions.values()].filter((times) => times !== 1)).toEqual([]);
  });

  // A service may end the connection without a word when the request has been written already: that is doubt.
  test('of a stranger: nothing is carried out, and with the right one the same command pays once', async () => {
    const { work, service } = await strictService();
    const wrong = ['--ca', 'ca.pem', '--cert', 'stranger.pem', '--key', 'stranger.key', '--retries', '1'];
    const refused = await send(work, 'payout create', 'p.csv', service, wrong, { env: NO_WAITS });
    expect(refused.code).toBe(5);
    expect(refused.summary.records).toMatchObject({ created: 0, rejected: 0 });
    expect(service.requestCount).toBe(0);
    const right = ['--ca', 'ca.pem', '--cert', 'own.pem', '--key', 'own.key'];
    const again = await send(work, 'payout create', 'p.csv', service, right);
    expect(again.summary).toMatchObject({ exit_code: 0, records: { created: 3 } });
    expect([...service.executions.values()]).toEqual([1, 1, 1]);
  });

  // RFC 8446, 6.2: a record of type 21 with a fatal alert, as the first answer to the client.
  test.each([
    [42, 'bad certificate'],
    [45, 'certificate expired'],
    [48, 'unknown ca'],
    [116, 'certificate required'],
  ])('refused with the alert %i: the error names --cert, and says what the service said', async (alert, said) => {
    const { work } = await strictService();
    const server = await rawServer((socket) =>
      socket.once('data', () => socket.end(Buffer.of(21, 3, 3, 0, 2, 2, alert))),
    );
    const url = server.url.replace('http:', 'https:');
    const flags = ['--ca', 'ca.pem', '--cert', 'own.pem', '--key', 'own.key'];
    const result = await send(work, 'payout create', 'p.csv', url, flags);
    expectNotSent(result, 'tls');
    const words = new RegExp(`does not accept the client certificate of --cert \\[.*${said}`);
    expect(result.stderr).toMatch(words);
    const doctor = await work.run(['doctor', '--base-url', url, ...flags]);
    expect([doctor.code, doctor.stdout]).toEqual([2, expect.stringMatching(words)]);
  });
});

describe('an agreement that never comes is no connection: not in doubt', () => {
  test.each<[what: string, serve: (socket: Socket) => void]>([
    ['bounded by --timeout', (socket) => void socket.resume()],
    ['cut off in the middle', (socket) => void socket.once('data', () => socket.destroy())],
  ])('%s', async (_what, serve) => {
    const work = withRecords();
    const { url } = await rawServer(serve);
    const flags = ['--timeout', '0.5', '--retries', '1'];
    for (const [command, file] of RECORDS) {
      const result = await send(work, command, file, url.replace('http:', 'https:'), flags, { env: NO_WAITS });
      expectNotSent(result, 'unreachable');
    }
  });
});

test('a service that speaks TLS only, asked without: in doubt at worst, never created', async () => {
  const work = withRecords();
  const service = await testService({ tls: selfSigned() });
  const url = service.url.replace('https:', 'http:');
  const result = await send(work, 'payout create', 'p.csv', url, ['--retries', '1'], { env: NO_WAITS });
  expect(result.code).toBe(5);
  expect(result.summary.records).toMatchObject({ created: 0, rejected: 0 });
  expect(result.stderr).not.toMatch(/\n\s+at |Internal error in gigwork/);
  expect(service.requestCount).toBe(0);
});

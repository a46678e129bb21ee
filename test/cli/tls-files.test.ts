/** `ca`, `cert` and `key`, in flags, the config file and profiles; and what is refused before anything is sent. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { selfSigned } from '../support/certificate.js';
import { type CliResult, CONFIG, type Workspace } from '../support/cli.js';
import { paying, testService } from '../support/fixtures.js';

const server = selfSigned();
const own = selfSigned('payroll');

/** A workspace with good files beside the config file, and nothing of that name where the person is. */
function space(config: object = {}): Workspace {
  const work = paying(1, config);
  work.file('config/gigwork/tls/ca.pem', server.cert);
  work.file('config/gigwork/tls/own.pem', own.cert);
  work.file('config/gigwork/tls/own.key', own.key);
  return work;
}

const strictService = () =>
  testService({ tls: { ...server, ca: own.cert, requestCert: true, rejectUnauthorized: true } });

const run = (work: Workspace, url: string, flags = ''): Promise<CliResult> =>
  work.run(`payout create p.csv --base-url ${url} --yes --json ${flags}`);

const FILES = { ca: 'tls/ca.pem', cert: 'tls/own.pem', key: 'tls/own.key' };

describe('ca, cert and key are settings', () => {
  test.each([
    ['the config file', FILES, ''],
    ['a profile', { ca: 'none.pem', profiles: { p: FILES } }, '--profile p'],
    ['both', { ca: 'tls/ca.pem', profiles: { p: { ...FILES, ca: undefined } } }, '--profile p'],
  ])('of %s, where relative paths start from its folder', async (_what, config, flags) => {
    const service = await strictService();
    const { summary, stderr } = await run(space(config), service.url, flags);
    expect(summary, stderr).toMatchObject({ exit_code: 0, records: { created: 1 } });
  });

  test('doctor and batch resume use them too, and flags win, from where the person is', async () => {
    const work = space({ ...FILES, ca: 'none.pem' });
    const service = await strictService();
    const { code, stderr } = await run(work, service.url);
    const config = work.path(CONFIG);
    const path = work.path('config/gigwork/none.pem');
    expect([code, stderr]).toEqual([2, `ca in ${config}: cannot read the file ${path}: there is no such file\n`]);
    work.file('here.pem', selfSigned().cert);
    const stopped = await run(work, service.url, '--ca here.pem');
    expect(stopped.summary).toMatchObject({ exit_code: 6, stop_reason: 'tls' });
    work.file('here.pem', server.cert);
    const doctor = await work.run(`doctor --base-url ${service.url} --ca here.pem`);
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining('--cert: valid until')]);
    const resumed = await work.run(`batch resume ${stopped.summary.run} --yes --json --ca here.pem`);
    expect(resumed.summary).toMatchObject({ exit_code: 0, records: { created: 1 } });
  });
});

describe('what can be known to be wrong is refused before anything is sent', () => {
  const key = createPrivateKey(own.key);
  const locked = { cipher: 'aes-256-cbc', passphrase: 'pass-word' } as const;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const ENCRYPTED = /: the file x\.key holds an encrypted key.*write it out decrypted/;

  const cutOff = (pem: string): string => pem.replace(/\n.{20}/, '\n');
  const UNREADABLE = /: the file x\.pem holds a certificate that cannot be read/;

  test.each<[what: string, content: string | Buffer, words: RegExp]>([
    ['an encrypted key', key.export({ format: 'pem', type: 'pkcs8', ...locked }), ENCRYPTED],
    ['an encrypted key of the older form', rsa.export({ format: 'pem', type: 'pkcs1', ...locked }), ENCRYPTED],
    [
      'a key of another certificate',
      selfSigned().key,
      /x\.key does not belong to the certificate in own\.pem \(--cert\)/,
    ],
    ['a certificate', own.cert, /x\.key holds no private key in PEM, which begins with -----BEGIN PRIVATE KEY-----/],
    ['a key in binary form', key.export({ format: 'der', type: 'pkcs8' }), /holds no private key in PEM/],
    ['nothing', '', /holds no private key in PEM/],
    ['a damaged key', cutOff(own.key), /x\.key holds a private key that cannot be read: it may be cut off or damaged/],
  ])('--key with %s', async (_what, content, words) => {
    const work = space();
    const service = await strictService();
    work.file('own.pem', own.cert);
    work.file('x.key', content);
    const { code, stderr, summary } = await run(work, service.url, '--cert own.pem --key x.key');
    expect([code, summary.stop_reason, service.connectionCount]).toEqual([2, 'usage', 0]);
    expect(stderr).toMatch(words);
    expect(stderr).toMatch(/^--key: /);
    expect(stderr).not.toContain('pass-word');
  });

  test.each<[what: string, content: string | Buffer, words: RegExp]>([
    ['a key', own.key, /x\.pem holds no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----/],
    ['a file in binary form', Buffer.from([0x30, 0x82, 0xff, 0xfe]), /holds no certificate in PEM.*\(\.der, \.p12\)/],
    ['a damaged certificate', cutOff(own.cert), UNREADABLE],
    ['a damaged second certificate', own.cert + cutOff(own.cert), UNREADABLE],
  ])('--ca and --cert with %s', async (_what, content, words) => {
    const work = space();
    work.file('own.key', own.key);
    work.file('x.pem', content);
    for (const flags of ['--ca x.pem', '--cert x.pem --key own.key']) {
      const { code, stderr } = await run(work, 'https://gigs.invalid', flags);
      expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
      expect(stderr).toMatch(new RegExp(`^${flags.split(' ')[0]}: `));
    }
  });

  test.each([
    [{}, '--cert own.pem', '--cert is given, and no --key'],
    [{}, '--key own.key', '--key is given, and no --cert'],
    [{ profiles: { p: { cert: 'own.pem' } } }, '--profile p', 'cert in the profile p is given, and no --key'],
  ])('one without the other: %j %s', async (config, flags, words) => {
    const { code, stderr } = await run(space(config), 'https://gigs.invalid', `--dry-run ${flags}`);
    expect([code, stderr]).toEqual([2, `--cert and --key belong together: ${words}\n`]);
  });
});

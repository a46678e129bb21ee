import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { fleetingFileSystem } from '../../src/ledger/sqlite/file-system.js';
import { selfSigned } from '../support/certificate.js';
import { payouts } from '../support/builders.js';
import { type Workspace, workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly remedy: string | null;
}

interface Diagnosis {
  readonly code: number | null;
  readonly checks: readonly Check[];
  /** The first check of a name. */
  of(name: string): Check | undefined;
}

async function doctor(
  space: Workspace,
  args: string[] = [],
  env: Record<string, string> = {},
  run: Workspace['run' | 'process'] = space.run,
): Promise<Diagnosis> {
  const { code, events, stderr } = await run(['doctor', '--json', ...args], { env });
  expect([stderr, events.length, events[0].exit_code]).toEqual(['', 1, code]);
  const { checks } = events[0] as { checks: Check[] };
  return { code, checks, of: (wanted) => checks.find(({ name }) => name === wanted) };
}

async function withJournal(): Promise<Workspace> {
  const space = workspace();
  const input = JSON.stringify(payouts(2));
  const { code } = await space.run(['payout', 'create', '-', '--sandbox', '--json'], { input });
  expect(code).toBe(0);
  return space;
}

const PATHS = ['/api/v2/payouts', '/api/v2/gig_results', '/api/v2/gigs'];
/** Workspaces may be in memory. */
const FLEETING = process.platform === 'linux' && fleetingFileSystem(statfsSync(tmpdir()).type) !== null;

describe('gigwork doctor', () => {
  test('finds nothing wrong but that the journal would be new, asks nothing that creates, and makes nothing', async () => {
    const service = await testService({ basePath: '/base', respond: () => ({ status: 204, body: '' }) });
    const space = workspace();
    const { code, checks, of } = await doctor(space, ['--base-url', service.url]);
    expect(checks.map(({ name, state }) => `${name} ${state}`)).toEqual([
      ...['settings ok', `state directory ${FLEETING ? 'warn' : 'ok'}`, 'journal warn', 'proxy ok', 'TLS ok'],
      ...['base URL ok', 'service ok'],
    ]);
    expect([code, of('service')?.message]).toEqual([0, `${service.url}: ${PATHS.join(', ')} answer HEAD with 204`]);
    expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      PATHS.map((path) => `HEAD /base${path}`),
    );
    expect([service.ledgerTotal(), existsSync(space.stateDir)]).toEqual([0, false]);
  });

  test('without a base URL, warns and goes on', async () => {
    const { code, of } = await doctor(workspace());
    expect([code, of('base URL')?.state, of('service')]).toEqual([0, 'warn', undefined]);
  });
});

describe('settings', () => {
  test.each([
    ['{"base_ur":"x"}', /unknown key "base_ur"\. Did you mean "base_url"\?/],
    ['{', /not valid JSON/],
    ['{"token":{"env":"THERE_IS_NONE"}}', /THERE_IS_NONE is not set/],
    ['{"base_url":"http://pay.example"}', /use https/],
  ])('%s fails', async (config, message) => {
    const space = workspace();
    space.file('config/gigwork/config.json', config);
    const { code, checks } = await doctor(space);
    expect([code, checks.find(({ state }) => state === 'fail')?.message]).toEqual([2, expect.stringMatching(message)]);
  });

  test.skipIf(process.platform === 'win32')('a secret that others may read is doubted', async () => {
    const space = workspace();
    const file = space.file('config/gigwork/config.json', '{"token":"tok-123456"}');
    chmodSync(file, 0o644);
    expect((await doctor(space)).of('settings')).toMatchObject({
      state: 'warn',
      remedy: expect.stringContaining(`chmod go= ${file}`),
    });
    chmodSync(file, 0o600);
    expect((await doctor(space)).of('settings')?.state).toBe('ok');
  });
});

describe('state and journal', () => {
  test('a journal is opened and checked, and left as it is', async () => {
    const space = await withJournal();
    const files = (): [string, Buffer][] =>
      readdirSync(space.stateDir).map((name) => [name, readFileSync(`${space.stateDir}/${name}`)]);
    // The third file is shared memory, in which readers note that they read.
    const kept = (): [string, Buffer][] => files().filter(([name]) => !name.endsWith('-shm'));
    const before = kept();
    const { code, of } = await doctor(space);
    expect([code, of('journal')]).toEqual([
      0,
      expect.objectContaining({ state: 'ok', message: expect.stringMatching(/version \d+, integrity check passed/) }),
    ]);
    expect(kept()).toEqual(before);
  });

  test('a file that is no journal fails', async () => {
    const space = workspace();
    space.file('state/journal.db', 'not a database, and long enough to be looked at as one. '.repeat(100));
    const { code, of } = await doctor(space);
    expect([code, of('journal')?.state, of('journal')?.message]).toEqual([
      2,
      'fail',
      expect.stringContaining('damaged'),
    ]);
  });

  describe('a journal that would be new', () => {
    const SERVICE = ['--base-url', 'https://gigs.invalid'];
    const refused = (space: Workspace): object => ({
      state: 'fail',
      message: expect.stringContaining(`there is no journal of earlier payments in ${space.stateDir}`),
    });

    test('is said for a service, with what to do if it should not be', async () => {
      const space = workspace();
      const { of } = await doctor(space, SERVICE);
      expect(of('journal')).toEqual({
        name: 'journal',
        state: 'warn',
        message: `there is none in ${space.stateDir}: a run would begin a new journal, which does not know of any earlier payments`,
        remedy:
          'if payments were made before, name their journal with GIGWORK_STATE_DIR: otherwise people may be paid twice',
      });
      expect((await doctor(space, ['--sandbox'])).of('journal')?.state).toBe('ok');
    });

    test('fails where one is required, but for the sandbox', async () => {
      const space = workspace();
      space.file('config/gigwork/config.json', '{"require_journal": true}');
      const { code, of } = await doctor(space, SERVICE);
      expect([code, of('journal')]).toEqual([2, expect.objectContaining(refused(space))]);
      expect((await doctor(space, ['--sandbox'])).code).toBe(0);
      // Nor one that a failed restore has left without a byte; one that a person has made will do.
      const empty = space.file('state/journal.db', '');
      const words = { state: 'fail', message: expect.stringContaining('journal.db is empty (0 bytes)') };
      expect((await doctor(space, SERVICE)).of('journal')).toMatchObject(words);
      rmSync(empty);
      expect((await space.run(['journal', 'init'])).code).toBe(0);
      expect((await doctor(space, SERVICE)).of('journal')).toMatchObject({ state: 'ok' });
    });
  });
});

describe('the way to the service', () => {
  const { key, cert } = selfSigned();

  test('a service whose certificate nobody vouches for fails, and --ca mends it', async () => {
    const service = await testService({ tls: { key, cert } });
    const space = workspace();
    const ca = space.file('ca.pem', cert);
    const stranger = await doctor(space, ['--base-url', service.url]);
    expect([stranger.code, stranger.of('service')]).toEqual([
      2,
      expect.objectContaining({ state: 'fail', message: expect.stringContaining('name that with --ca') }),
    ]);
    const trusted = await doctor(space, ['--base-url', service.url, '--ca', ca]);
    expect([trusted.code, trusted.of('service')?.state, trusted.of('TLS')?.message]).toEqual([
      0,
      'warn',
      expect.stringContaining('--ca: valid until'),
    ]);
  });

  test('certificates that are not looked at are doubted', async () => {
    const space = workspace();
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
    const { of } = await doctor(space, [], env, space.process);
    expect(of('TLS')).toMatchObject({ state: 'warn', remedy: expect.stringContaining('--ca') });
  });

  test.runIf(FLEETING)('a journal that is thrown away is doubted, but for rehearsals', async () => {
    const space = workspace();
    expect((await doctor(space)).of('state directory')).toMatchObject({
      state: 'warn',
      message: expect.stringMatching(/is on (tmpfs|overlay).*paid again.*--state-dir/),
    });
    expect((await doctor(space, ['--sandbox'])).of('state directory')?.state).toBe('ok');
  });

  test('each path is asked, and one that refuses is enough', async () => {
    const service = await testService({
      respond: ({ path }) => ({ status: path.endsWith('/gigs') ? 403 : 204, body: '' }),
    });
    const { code, checks } = await doctor(workspace(), ['--base-url', service.url]);
    const found = checks.filter(({ name }) => name === 'service').map(({ state, message }) => [state, message]);
    expect([code, found]).toEqual([
      2,
      [
        ['ok', `${service.url}: /api/v2/payouts, /api/v2/gig_results answer HEAD with 204`],
        ['fail', `${service.url}: /api/v2/gigs answers HEAD with 403: the service does not accept these credentials`],
      ],
    ]);
  });

  test.each([
    [404, {}, 'warn', /does not prove/],
    [405, {}, 'warn', /does not prove/],
    [302, { location: 'https://login.example/' }, 'warn', /redirect to https:\/\/login\.example/],
    [503, {}, 'warn', /503/],
    [200, {}, 'ok', /200/],
  ])('any answer will do: %i', async (status, headers, state, message) => {
    const service = await testService({ respond: () => ({ status, headers, body: '' }) });
    const { code, of } = await doctor(workspace(), ['--base-url', service.url], { GIGWORK_TOKEN: 'tok-123456' });
    expect([code, of('service')?.state, of('service')?.message]).toEqual([0, state, expect.stringMatching(message)]);
    expect(service.requests[0]?.headers['authorization']).toBe('Bearer tok-123456');
  });

  test.each([
    [401, ['GIGWORK_TOKEN'], { GIGWORK_TOKEN: 'tok-123456' }],
    [403, ['GIGWORK_TOKEN'], { GIGWORK_TOKEN: 'tok-123456' }],
    [401, [], {}],
    [403, [], {}],
  ])('%i fails: every record would be answered so, with %j', async (status, given, env) => {
    const service = await testService({ respond: () => ({ status, body: '' }) });
    const { code, of } = await doctor(workspace(), ['--base-url', service.url], env);
    expect([code, of('service')]).toEqual([
      2,
      {
        name: 'service',
        state: 'fail',
        message: `${service.url}: ${PATHS.join(', ')} answer HEAD with ${status}: the service does not accept these credentials`,
        remedy: expect.stringMatching(
          given.length > 0 ? /^check GIGWORK_TOKEN, and/ : /^give a token with GIGWORK_TOKEN/,
        ),
      },
    ]);
  });

  test('a proxy is named without its password, and its failure is a failure', async () => {
    const space = workspace();
    const env = { HTTPS_PROXY: 'http://me:proxy-word@127.0.0.1:1', GIGWORK_TOKEN: 'tok-123456' };
    const { code, stdout } = await space.run(['doctor', '--base-url', 'https://gigs.example'], { env });
    expect(code).toBe(2);
    expect(stdout).toContain('ok    proxy: https through http://[hidden]@127.0.0.1:1');
    expect(stdout).toContain('fail  service:');
    expect(stdout).not.toMatch(/proxy-word|tok-123456/);
    const wrong = await doctor(space, [], { HTTPS_PROXY: 'proxy.example:3128' });
    expect([wrong.code, wrong.of('proxy')?.state]).toEqual([2, 'fail']);
  });
});

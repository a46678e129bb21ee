import { chmodSync, existsSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { fleetingFileSystem } from '../../src/journal/sqlite/file-system.js';
import { selfSigned } from '../support/certificate.js';
import { CONFIG, type Workspace, workspace, workspaceWith } from '../support/cli.js';
import { paying, testService } from '../support/fixtures.js';
import { checkDocument } from '../support/schemas.js';

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
  flags = '',
  env: Record<string, string> = {},
  run: Workspace['run' | 'process'] = space.run,
): Promise<Diagnosis> {
  const { code, events, stderr } = await run(`doctor --json ${flags}`, { env });
  expect([stderr, events.length, events[0].exit_code]).toEqual(['', 1, code]);
  checkDocument('doctor', events[0]);
  const { checks } = events[0] as { checks: Check[] };
  return { code, checks, of: (wanted) => checks.find(({ name }) => name === wanted) };
}

const has = (state: Check['state'], message: string | RegExp, remedy?: string): object => ({
  state,
  message: expect.stringMatching(message),
  ...(remedy === undefined ? {} : { remedy: expect.stringContaining(remedy) }),
});

const PATHS = ['/api/v2/payouts', '/api/v2/gig_results', '/api/v2/gigs'];
/** Workspaces may be in memory. */
const FLEETING = process.platform === 'linux' && fleetingFileSystem(statfsSync(tmpdir()).type) !== null;
const TOKEN = { GIGWORK_TOKEN: 'tok-123456' };

describe('gigwork doctor', () => {
  test('finds nothing wrong but that the journal would be new, asks nothing that creates, and makes nothing', async () => {
    const service = await testService({ basePath: '/base', respond: () => ({ status: 204, body: '' }) });
    const space = workspace();
    const { code, checks, of } = await doctor(space, `--base-url ${service.url}`);
    expect(checks.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'settings ok',
      `state directory ${FLEETING ? 'warn' : 'ok'}`,
      'journal warn',
      'proxy ok',
      'TLS ok',
      'base URL ok',
      'service ok',
    ]);
    expect([code, of('service')?.message]).toEqual([0, `${service.url}: ${PATHS.join(', ')} answer HEAD with 204`]);
    const asked = service.requests.map(({ method, path }) => `${method} ${path}`);
    expect(asked).toEqual(PATHS.map((path) => `HEAD /base${path}`));
    expect([service.ledgerTotal(), existsSync(space.stateDir)]).toEqual([0, false]);
  });

  test('without a base URL, warns and goes on', async () => {
    const { code, of } = await doctor(workspace());
    expect([code, of('base URL')?.state, of('service')]).toEqual([0, 'warn', undefined]);
  });

  test.each(['--ca none.pem', '--profile none', '--base-url http://127.0.0.1:1'])('fails with %s', async (flags) => {
    const { code, checks } = await doctor(workspace(), flags);
    expect([code, checks.some(({ state }) => state === 'fail')]).toEqual([2, true]);
  });
});

describe('settings', () => {
  test.each([
    ['{"base_ur":"x"}', /unknown key "base_ur"\. Did you mean "base_url"\?/],
    ['{', /not valid JSON/],
    ['{"token":{"env":"THERE_IS_NONE"}}', /THERE_IS_NONE is not set/],
    ['{"base_url":"http://pay.example"}', /use https/],
  ])('%s fails', async (config, message) => {
    const { code, checks } = await doctor(workspaceWith({ [CONFIG]: config }));
    expect([code, checks.find(({ state }) => state === 'fail')?.message]).toEqual([2, expect.stringMatching(message)]);
  });

  test.skipIf(process.platform === 'win32')('a secret that others may read is doubted', async () => {
    const space = workspaceWith({ [CONFIG]: { token: 'tok-123456' } });
    const file = space.path(CONFIG);
    chmodSync(file, 0o644);
    expect((await doctor(space)).of('settings')).toMatchObject(has('warn', '', `chmod go= ${file}`));
    chmodSync(file, 0o600);
    expect((await doctor(space)).of('settings')?.state).toBe('ok');
  });
});

describe('state and journal', () => {
  test('a journal is opened and checked, and left as it is', async () => {
    const space = paying(2);
    expect((await space.run('payout create p.csv --sandbox --json')).code).toBe(0);
    // The third file is shared memory, in which readers note that they read.
    const kept = (): [string, string][] =>
      readdirSync(space.stateDir)
        .filter((name) => !name.endsWith('-shm'))
        .map((name) => [name, space.read(`state/${name}`)]);
    const before = kept();
    const { code, of } = await doctor(space);
    expect([code, of('journal')]).toMatchObject([0, has('ok', /version \d+, integrity check passed/)]);
    expect(kept()).toEqual(before);
  });

  test('a file that is no journal fails', async () => {
    const damaged = 'not a database, and long enough to be looked at as one. '.repeat(100);
    const { code, of } = await doctor(workspaceWith({ 'state/journal.db': damaged }));
    expect([code, of('journal')]).toMatchObject([2, has('fail', 'damaged')]);
  });

  const SERVICE = '--base-url https://gigs.invalid';

  test('a journal that would be new is said for a service, with what to do if it should not be', async () => {
    const space = workspace();
    expect((await doctor(space, SERVICE)).of('journal')).toEqual({
      name: 'journal',
      state: 'warn',
      message: `there is none in ${space.stateDir}: a run would begin a new journal, which does not know of any earlier payments`,
      remedy:
        'if payments were made before, name their journal with GIGWORK_STATE_DIR: otherwise people may be paid twice',
    });
    expect((await doctor(space, '--sandbox')).of('journal')?.state).toBe('ok');
  });

  test('it fails where one is required, but for the sandbox', async () => {
    const space = workspaceWith({ [CONFIG]: { require_journal: true } });
    const journal = async () => (await doctor(space, SERVICE)).of('journal');
    const { code } = await doctor(space, SERVICE);
    expect(code).toBe(2);
    expect(await journal()).toMatchObject(has('fail', `there is no journal of earlier payments in ${space.stateDir}`));
    expect((await doctor(space, '--sandbox')).code).toBe(0);
    // Nor one that a failed restore has left without a byte; one that a person has made will do.
    const empty = space.file('state/journal.db', '');
    expect(await journal()).toMatchObject(has('fail', /journal\.db is empty \(0 bytes\)/));
    rmSync(empty);
    expect((await space.run('journal init')).code).toBe(0);
    expect(await journal()).toMatchObject(has('ok', ''));
  });

  test.runIf(FLEETING)('a journal that is thrown away is doubted, but for rehearsals', async () => {
    const found = has('warn', /is on (tmpfs|overlay).*paid again.*--state-dir/);
    expect((await doctor(workspace())).of('state directory')).toMatchObject(found);
    expect((await doctor(workspace(), '--sandbox')).of('state directory')?.state).toBe('ok');
  });
});

describe('the way to the service', () => {
  test('a service whose certificate nobody vouches for fails, and --ca mends it', async () => {
    const { key, cert } = selfSigned();
    const service = await testService({ tls: { key, cert } });
    const space = workspaceWith({ 'ca.pem': cert });
    const stranger = await doctor(space, `--base-url ${service.url}`);
    expect([stranger.code, stranger.of('service')]).toMatchObject([2, has('fail', 'name that with --ca')]);
    const trusted = await doctor(space, `--base-url ${service.url} --ca ca.pem`);
    expect([trusted.code, trusted.of('service')?.state]).toEqual([0, 'warn']);
    expect(trusted.of('TLS')?.message).toContain('--ca: valid until');
  });

  test('certificates that are not looked at are doubted', async () => {
    const space = workspace();
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
    expect((await doctor(space, '', env, space.process)).of('TLS')).toMatchObject(has('warn', '', '--ca'));
  });

  test('each path is asked, and one that refuses is enough', async () => {
    const service = await testService({
      respond: ({ path }) => ({ status: path.endsWith('/gigs') ? 403 : 204, body: '' }),
    });
    const { code, checks } = await doctor(workspace(), `--base-url ${service.url}`);
    const found = checks.filter(({ name }) => name === 'service').map(({ state, message }) => [state, message]);
    expect([code, ...found]).toEqual([
      2,
      ['ok', `${service.url}: /api/v2/payouts, /api/v2/gig_results answer HEAD with 204`],
      ['fail', `${service.url}: /api/v2/gigs answers HEAD with 403: the service does not accept these credentials`],
    ]);
  });

  test.each([
    [404, {}, 'warn', /does not prove/],
    [405, {}, 'warn', /does not prove/],
    [302, { location: 'https://login.example/' }, 'warn', /redirect to https:\/\/login\.example/],
    [503, {}, 'warn', /503/],
    [200, {}, 'ok', /200/],
  ] as const)('any answer will do: %i', async (status, headers, state, message) => {
    const service = await testService({ respond: () => ({ status, headers, body: '' }) });
    const { code, of } = await doctor(workspace(), `--base-url ${service.url}`, TOKEN);
    expect([code, of('service')]).toMatchObject([0, has(state, message)]);
    expect(service.requests[0]?.headers['authorization']).toBe('Bearer tok-123456');
  });

  test.each([
    [401, TOKEN, 'check GIGWORK_TOKEN, and'],
    [403, TOKEN, 'check GIGWORK_TOKEN, and'],
    [401, {}, 'give a token with GIGWORK_TOKEN'],
    [403, {}, 'give a token with GIGWORK_TOKEN'],
  ])('%i fails: every record would be answered so, with %j', async (status, env, remedy) => {
    const service = await testService({ respond: () => ({ status, body: '' }) });
    const { code, of } = await doctor(workspace(), `--base-url ${service.url}`, env);
    const answer = `${service.url}: ${PATHS.join(', ')} answer HEAD with ${status}`;
    expect(of('service')).toMatchObject(has('fail', '', remedy));
    expect([code, of('service')?.message]).toEqual([2, `${answer}: the service does not accept these credentials`]);
  });

  test('a proxy is named without its password, and its failure is a failure', async () => {
    const env = { HTTPS_PROXY: 'http://me:proxy-word@127.0.0.1:1', ...TOKEN };
    const { code, stdout } = await workspace().run('doctor --base-url https://gigs.example', { env });
    expect(code).toBe(2);
    expect(stdout).toContain('ok    proxy: https through http://[hidden]@127.0.0.1:1');
    expect(stdout).toContain('fail  service:');
    expect(stdout).not.toMatch(/proxy-word|tok-123456/);
    const wrong = await doctor(workspace(), '', { HTTPS_PROXY: 'proxy.example:3128' });
    expect([wrong.code, wrong.of('proxy')?.state]).toEqual([2, 'fail']);
  });
});

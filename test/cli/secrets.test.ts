import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { selfSigned } from '../support/certificate.js';
import { type CliResult, type RunningCli, type Workspace, workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import { testProxy } from '../support/proxy.js';
import type { Reply, SeenRequest, Service } from '../support/service.js';

// A secret of its own in every place where one can be given. Then everything is done that the program can do, and none
// of them may be found anywhere but where it was put.

/** Signs that JSON, URLs and HTML write differently, and a digit that a JSON number could begin with. */
const SECRETS = {
  token: 'tok/en+1=="&x y',
  headerFlag: 'header-flag/4711',
  configHeader: 'config-header"quote',
  envHeader: '90210335577',
  fileHeader: 'file\\header-7788',
  password: 'hunter2-basic',
  proxyHttp: 'proxyhttp-s3cret',
  proxyHttps: 'proxyhttps-s3cret',
} as const;
const BASIC = Buffer.from(`payroll:${SECRETS.password}`).toString('base64');
const ALL = [...Object.values(SECRETS), BASIC];

/** How an answer may repeat a secret. */
const WRITINGS: ((secret: string) => string)[] = [
  (secret) => JSON.stringify(secret).slice(1, -1),
  (secret) => secret.replace(/./g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  (secret) => encodeURIComponent(secret),
  (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  (secret) => Buffer.from(secret).toString('base64'),
  (secret) => Buffer.from(secret).toString('base64url'),
  (secret) => secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('\\', '\\\\'),
];

function echo(secret: string): string {
  return WRITINGS.map((write) => write(secret)).join(' | ');
}

const ECHO = ALL.map(echo).join(' || ');
const NUMBER = SECRETS.envHeader;

/** One answer after another: each repeats all secrets, in its own way. */
const REPLIES: Reply[] = [
  { status: 422, body: `{"error":"${ECHO}"}` },
  { status: 422, body: `{"errors":[{"detail":"${ECHO}","number":${NUMBER}}]}` },
  { status: 422, body: `<html>${ECHO}</html>` },
  // The message is cut at 300 characters: not within a secret.
  ...ALL.map((secret): Reply => ({ status: 422, body: JSON.stringify({ message: `${'x'.repeat(296)}${secret}` }) })),
  { status: 503, body: ECHO, execute: false },
  {
    status: 201,
    body: `{"id":"${ECHO}","number":${NUMBER},"true":true,"${ECHO}":1}`,
    headers: { location: `/x?${encodeURIComponent(ECHO)}` },
  },
];

interface Planted {
  readonly work: Workspace;
  readonly env: Record<string, string>;
  /** Flags. */
  readonly way: string;
  /** Lines of the key of the client certificate. */
  readonly keyLines: readonly string[];
}

async function plant(): Promise<Planted> {
  const work = workspace();
  const { key, cert } = selfSigned('payroll');
  work.file('p.csv', csv(payouts(REPLIES.length + 2)));
  work.file('bad.csv', 'user_id,amount,title,cost_center_key\nu1,x,T,P\n');
  work.file('own.pem', cert);
  work.file('own.key', key);
  work.file('secrets/header.txt', `${SECRETS.fileHeader}\n`);
  const headers = {
    'X-Config': SECRETS.configHeader,
    'X-Env': { env: 'PLANTED' },
    'X-File': { file: '../secrets/header.txt' },
    'X-Basic': `Basic ${BASIC}`,
  };
  work.file('settings/config.json', JSON.stringify({ headers, profiles: { text: { token: SECRETS.token } } }));
  mkdirSync(work.path('tmp'));
  const env = {
    GIGWORK_TOKEN: SECRETS.token,
    PLANTED: SECRETS.envHeader,
    HTTP_PROXY: `http://payroll:${SECRETS.proxyHttp}@127.0.0.1:9`,
    HTTPS_PROXY: `http://payroll:${SECRETS.proxyHttps}@127.0.0.1:9`,
    NO_PROXY: '127.0.0.1',
  };
  const header = `--header 'X-Flag: ${SECRETS.headerFlag}'`;
  const way = `--config settings/config.json ${header} --debug --cert own.pem --key own.key`;
  const keyLines = key.split('\n').filter((line) => line.length > 20 && !line.startsWith('---'));
  return { work, env, way, keyLines };
}

/** Bytes of everything in the workspace but what the test put there itself. */
function leftIn({ dir }: Workspace): [string, string][] {
  const planted = /^(p\.csv|bad\.csv|own\.pem|own\.key|secrets.*|settings.*)$/;
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 1));
  return paths.filter((path) => !planted.test(path)).map((path) => [path, readFileSync(join(dir, path), 'latin1')]);
}

/** Each way in which a secret would be known again, by whoever reads it. */
function knownAs(secret: string): string[] {
  return [secret, ...WRITINGS.map((write) => write(secret))];
}

function expectClean(where: string, text: string, { keyLines }: Planted): void {
  for (const line of keyLines) expect(text, where).not.toContain(line);
  for (const secret of ALL) {
    for (const writing of knownAs(secret))
      expect(text.includes(writing), `${where}: ${writing}\n${text.slice(0, 2000)}`).toBe(false);
    // Nor half of one, cut off at the end of a message.
    expect(text, where).not.toContain(`xxx${secret.slice(0, 4)}`);
  }
}

function expectResultClean(result: CliResult, planted: Planted, words: string): void {
  expectClean(`${words}: stdout`, result.stdout, planted);
  expectClean(`${words}: stderr`, result.stderr, planted);
  for (const [path, text] of leftIn(planted.work)) expectClean(path, text, planted);
}

/** The command line as the system shows it to others, while the program runs; null where it shows none. */
function titleOf({ child }: RunningCli): string | null {
  const file = `/proc/${child.pid}/cmdline`;
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

const reports = (name: string): string =>
  ['csv', 'ndjson', 'html'].map((extension) => `--report ${name}.${extension}`).join(' ');

describe('secrets are found nowhere', () => {
  test('sent, rejected, repeated, resumed, shown and reported', async () => {
    const planted = await plant();
    const { work, way } = planted;
    // SQLite asks its process for the folder of temporary files.
    const env = { ...planted.env, TMPDIR: work.path('tmp') };
    const replies = [...REPLIES];
    const titles: (string | null)[] = [];
    let running: RunningCli | null = null;
    const service = await testService({
      respond: () => {
        if (running !== null) titles.push(titleOf(running));
        return replies.shift();
      },
    });
    const call = `payout create p.csv --base-url ${service.url} --yes --concurrency 1 --retries 1 ${way}`;
    const words = `${call} ${reports('first')} --rejects rejects.csv --results results.csv`;
    running = work.start(words, { env });
    const first = await running.result;
    expect(first.code, first.stderr).toBe(4);
    expectSeen(service);
    for (const title of titles) expect(title ?? '').not.toContain(SECRETS.token);
    expectResultClean(first, planted, words);
    const [{ run }] = (await work.run('batch list --json', { env: planted.env })).events[0].runs;
    for (const command of [
      `${call} --json`,
      `${call} --json --profile text`,
      'batch list',
      `batch show ${run}`,
      `batch show ${run} --json`,
      `batch report ${run} ${reports('later')}`,
      `batch resume ${run} --yes --json ${way}`,
      `config show ${way}`,
      `config show --json --profile text ${way}`,
      `doctor --base-url ${service.url} ${way}`,
      `doctor --json --base-url ${service.url} ${way}`,
      'completion bash',
      'template payout',
    ])
      expectResultClean(await work.run(command, { env: planted.env }), planted, command);
    expect(JSON.stringify(leftIn(work).map(([path]) => path))).toMatch(/journal\.db/);
  });

  const location = `https://x.example/?t=${encodeURIComponent(ECHO)}`;
  test.each<[what: string, reply: Reply]>([
    ['401', { status: 401, body: `{"error":"${ECHO}"}` }],
    ['a redirect', { status: 302, body: ECHO, headers: { location } }],
    ['5xx', { status: 500, body: `{"message":"${ECHO}"}`, execute: false }],
    ['a page instead of an object', { status: 200, body: `<html>${ECHO}</html>` }],
    ['a list instead of an object', { status: 200, body: `["${ECHO}",${NUMBER}]` }],
    ['a broken connection', { fault: 'reset-before' }],
  ])('%s', async (_what, reply) => {
    const planted = await plant();
    const { work, env, way } = planted;
    const service = await testService({ respond: () => reply });
    const call = `payout create p.csv --base-url ${service.url} --yes --retries 0 ${way} ${reports('r')}`;
    for (const words of [call, `${call} --json`]) {
      const result = await work.run(words, { env });
      expect([5, 6]).toContain(result.code);
      expect(result.stderr).not.toContain('Internal error in gigwork');
      expectResultClean(result, planted, words);
    }
    expectResultClean(await work.run(`doctor --base-url ${service.url} ${way}`, { env }), planted, 'doctor');
  });

  test('no connection, no TLS, a proxy that refuses', async () => {
    const planted = await plant();
    const { work, env, way } = planted;
    const gone = await testService();
    const secure = await testService({ tls: selfSigned() });
    const proxy = await testProxy(407);
    await gone.refuse();
    const own = `http://payroll:${SECRETS.proxyHttps}@127.0.0.1:${proxy.port}`;
    for (const [url, each] of [
      [gone.url, env],
      [secure.url, env],
      [secure.url, { ...env, NO_PROXY: '', HTTPS_PROXY: own }],
      [gone.url, { ...env, NO_PROXY: '' }],
    ] as const) {
      for (const command of ['payout create p.csv --yes --retries 0', 'doctor']) {
        const words = `${command} --base-url ${url} ${way}`;
        const result = await work.run(words, { env: each });
        expect(result.code, result.stderr).not.toBe(0);
        expectResultClean(result, planted, words);
      }
    }
  });

  test('what is refused before anything is sent', async () => {
    const planted = await plant();
    const { work, env, way } = planted;
    const broken = JSON.stringify({ token: SECRETS.token }).slice(0, -1);
    work.file('settings/broken.json', `${broken} x`);
    work.file('settings/short.json', SECRETS.configHeader);
    work.file('settings/unknown.json', JSON.stringify({ tokens: SECRETS.token, token: { envs: SECRETS.envHeader } }));
    const payout = 'payout create p.csv --yes';
    const to = 'payout create p.csv --yes --base-url https://x.example';
    const { headerFlag, password } = SECRETS;
    for (const words of [
      `${payout} ${way}`,
      `${to} --dry-run ${way}`,
      `${payout} --sandbox ${way}`,
      `payout create bad.csv --base-url https://x.example --rejects bad-rejects.csv ${way}`,
      `${payout} --base-url https://payroll:${password}@x.example ${way}`,
      `${payout} --base-url payroll:${password}@x.example ${way}`,
      `${payout} --base-url https://x.example/?t=${encodeURIComponent(password)} ${way}`,
      `${payout} --base-url https://x.example:port/${password}@ ${way}`,
      `${to} --header 'X-Flag ${headerFlag}'`,
      `${to} --header 'Authorization Basic payroll:${password}'`,
      `${to} --header 'X: ${headerFlag}\u20ac'`,
      `${payout} --token=${headerFlag} --debug`,
      `${payout} --tokens ${headerFlag} --debug`,
      ...['broken', 'short', 'unknown'].flatMap((name) =>
        [payout, 'doctor'].map((command) => `${command} --config settings/${name}.json --debug`),
      ),
      'config show --config settings/broken.json --debug',
    ])
      expectResultClean(await work.run(words, { env }), planted, words);
  });
});

/** The secrets were sent, or this test shows nothing. */
function expectSeen({ requests }: Service): void {
  const [{ headers }] = requests as [SeenRequest];
  const { authorization, 'x-flag': flag, 'x-config': config, 'x-env': env, 'x-file': file, 'x-basic': basic } = headers;
  expect([authorization, flag, config, env, file, basic]).toEqual([
    `Bearer ${SECRETS.token}`,
    SECRETS.headerFlag,
    SECRETS.configHeader,
    SECRETS.envHeader,
    SECRETS.fileHeader,
    `Basic ${BASIC}`,
  ]);
}

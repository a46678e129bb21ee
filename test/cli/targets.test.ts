/** Where payments go, and the names that tell payments apart. CONTRACT: "Target flags". */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CONFIG } from '../support/cli.js';
import { paying, testService } from '../support/fixtures.js';

/** Says where the run would have gone; a dry run connects to nothing. */
async function targetOf(url: string): Promise<{ code: number | null; target: string | null; stderr: string }> {
  const { code, summary, stderr } = await paying().run([
    'payout',
    'create',
    'p.csv',
    '--dry-run',
    '--json',
    '--base-url',
    url,
  ]);
  expect(stderr).not.toMatch(/\n\s+at |Internal error in gigwork/);
  return { code, target: summary.target as string | null, stderr };
}

describe('an address that is refused before any connection, with the remedy', () => {
  const beyond = `http://gigs.example http://localhost.evil.example http://gigs.localhost http://127.0.0.1.evil.example
    http://127.0.0.1.nip.example:8080 http://evil.example/127.0.0.1 http://[::ffff:10.0.0.1] http://0.0.0.0
    http://128.0.0.1 http://0xa.1 http:evil.example http:\\\\evil.example http://ｅvil.example`;
  const credentials = `https://user@gigs.example https://:pass@gigs.example http://127.0.0.1@evil.example
    http://127.0.0.1:80@evil.example`;
  const others = `ftp://gigs.example file:///etc/passwd javascript:alert(1) data:text/plain,x ws://127.0.0.1
    unix:/run/gigs.sock localhost:8080`;
  const each = (urls: string, remedy: RegExp): [string, RegExp][] => urls.split(/\s+/).map((url) => [url, remedy]);

  test.each([
    ...each(beyond, /--allow-http/),
    ['http://evil.example\\@127.0.0.1', /--allow-http|credentials/],
    ...each(credentials, /credentials/),
    ['https://user:pass@gigs.example', /credentials.*GIGWORK_TOKEN/],
    ['https://gigs.example%40evil.example', /not a URL|credentials/],
    // What would be lost, or would change the path
    ['https://gigs.example/?tenant=a', /query or a fragment.*--account/s],
    ...each('https://gigs.example/? https://gigs.example/#a https://gigs.example/a#', /query or a fragment/),
    ...each(others, /https:\/\//),
    // No address at all
    ['gigs.example', /did you mean https:\/\/gigs\.example/],
    ['user/pass@gigs.example', /not a URL \(hidden/],
    ['https://exa mple', /not a URL/],
    ...each('//gigs.example https:// https://gigs.example:99999 https://[::1', /not a URL/),
  ])('%s', async (url, remedy) => {
    const { code, target, stderr } = await targetOf(url);
    expect([code, target]).toEqual([2, null]);
    expect(stderr).toMatch(remedy);
    expect(stderr).not.toMatch(/pass\b/);
  });
});

describe('an address that is allowed, and its one name', () => {
  test.each([
    ['https://GIGS.Example:443/base/', 'https://gigs.example/base'],
    ['HTTPS://gigs.example', 'https://gigs.example'],
    ['http://127.1', 'http://127.0.0.1'],
    ['http://0x7f.1:8080', 'http://127.0.0.1:8080'],
    ['http://2130706433', 'http://127.0.0.1'],
    ['http://127.8.9.10', 'http://127.8.9.10'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
    ['http://LOCALHOST/a', 'http://localhost/a'],
    ['https://gigs.example/a/../b', 'https://gigs.example/b'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('%s is %s', async (url, name) => {
    expect(await targetOf(url)).toMatchObject({ code: 0, target: name });
  });
});

describe.each(['', '--dry-run'])('the sandbox has no accounts: %s', (mode) => {
  test('--account beside it is refused, and nothing is sent', async () => {
    const work = paying();
    const { code, stderr, summary } = await work.run(`payout create p.csv --sandbox --account berlin --json ${mode}`);
    expect([code, summary.stop_reason, existsSync(work.stateDir)]).toEqual([2, 'usage', false]);
    expect(stderr).toBe('--account tells apart accounts at one service, and the sandbox has none; leave it out\n');
  });
});

describe('a run goes on at its own target only, wherever the settings that make another one come from', () => {
  const OTHER = 'https://gigs.example';

  /** In each, `URL` stands for the run's own address. */
  test.each<[flags: string, Record<string, string>, object, string]>([
    ['--base-url https://gigs.example', {}, {}, OTHER],
    ['--base-url URL/deeper', {}, {}, 'URL/deeper'],
    ['--base-url URL', {}, {}, 'URL'],
    ['--base-url URL --account two', {}, {}, 'URL#two'],
    ['--account one-and-more', {}, {}, 'URL#one-and-more'],
    ['--sandbox', {}, {}, 'sandbox'],
    ['', { GIGWORK_BASE_URL: OTHER }, {}, OTHER],
    ['', {}, { base_url: OTHER }, OTHER],
    ['', {}, { account: 'two' }, 'URL#two'],
    ['--profile p', {}, { profiles: { p: { base_url: 'URL', account: 'p' } } }, 'URL#p'],
    ['', { GIGWORK_PROFILE: 'p' }, { profiles: { p: { base_url: OTHER } } }, OTHER],
  ])('"%s" %j %j: another one is refused, and nothing is sent', async (flags, env, config, other) => {
    const work = paying();
    const service = await testService({ respond: ({ n }) => ({ status: n === 1 ? 307 : 201 }) });
    const call = `payout create p.csv --base-url ${service.url} --account one --yes --json`;
    const { run, records } = (await work.run(call)).summary;
    expect(records).toMatchObject({ not_sent: 1 });
    const own = (text: string): string => text.replaceAll('URL', service.url);
    work.file(CONFIG, own(JSON.stringify(config)));
    const { code, stderr, summary } = await work.run(`batch resume ${run} --json --yes ${own(flags)}`, { env });
    expect([code, summary.stop_reason, service.requestCount]).toEqual([2, 'usage', 1]);
    expect(stderr).toContain(
      `run ${run} went to ${service.url}#one, and the settings in force make the target ${own(other)}: `,
    );
  });
});

test('a redirect leads nowhere: neither to another host, nor to another scheme', async () => {
  const elsewhere = await testService();
  const places = [`${elsewhere.url}/api/v2/payouts`, 'file:///etc/passwd', '//127.0.0.1:9/x', 'https://127.0.0.1:9/'];
  for (const location of places) {
    const service = await testService({ respond: () => ({ status: 307, headers: { location } }) });
    const words = `payout create p.csv --base-url ${service.url} --yes --json --concurrency 1`;
    const { code, summary } = await paying(2).run(words);
    expect([code, summary.stop_reason, summary.records.not_sent]).toEqual([6, 'redirected', 2]);
    expect(service.requestCount).toBe(1);
  }
  expect(elsewhere.requestCount).toBe(0);
});

test.each([
  '--retries=x',
  '--report=report.doc',
  '--decimal=dot',
  '--expect-total=much',
  '--expect-total=EUR=24,438',
  '--journal-timeout=-1',
  '--ca=none.pem',
  '--log-file=none/x',
  '--set=foo=1',
  '--map=amount=foo',
  '--key-columns=user_id,foo',
  '--prices=none.csv',
  '--account=',
  '--encoding=foo',
  '--header=Host: x',
])('the value of a flag is checked before a missing target is named: %s', async (flag) => {
  const { code, stderr } = await paying().run(['payout', 'create', 'p.csv', flag]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(flag.split('=')[0] as string)]);
  expect(stderr).not.toContain('no target');
});

// Only the columns of the file show the type, where no flag does.
test.each(['--type payout', '--base-url https://gigs.example --dry-run'])(
  'a field that no record of the input has is refused, and not ignored: batch import %s',
  async (flags) => {
    const { code, stderr } = await paying().run(`batch import p.csv --set quantity=3 ${flags}`);
    const words = '--set quantity: there is no field "quantity" in a payout.';
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  },
);

test('NODE_TLS_REJECT_UNAUTHORIZED=0 is for loopback alone', async () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
  // The database of a journal is as important, also where it is only read.
  const list = (host: string): string =>
    `batch list --journal postgresql://u@${host}/x?sslmode=verify-full --journal-timeout 0`;
  for (const [words, code] of [
    ['payout create p.csv --dry-run --base-url https://gigs.example', 2],
    ['payout create p.csv --dry-run --base-url https://localhost:9', 0],
    [list('gone.example'), 2],
    [list('127.0.0.1:9'), 5],
  ] as const) {
    const ended = await paying().process(words, { env });
    expect([words, ended.code]).toEqual([words, code]);
    expect(ended.stderr.includes('NODE_TLS_REJECT_UNAUTHORIZED=0')).toBe(code === 2);
  }
});

// Names that tell payments apart: two that look the same would be two batches, or two accounts, and pay twice.
describe.each(['--batch-id', '--account'])('%s', (flag) => {
  test.each([
    ['2026-11 ', /begins or ends with a space \(U\+0020\)/],
    [' 2026-11', /begins or ends with a space \(U\+0020\)/],
    ['2026-11\u200b', /holds a character that nobody sees \(U\+200B\)/],
    ['\ufeff2026-11', /U\+FEFF/],
    ['2026\u00a011', /U\+00A0/],
    ['2026\u200d-11', /U\+200D/],
    ['2026\t11', /U\+0009/],
    ['2026-11\u202e', /U\+202E/],
  ])('%j is refused, and the character is named', async (name, words) => {
    const call = `payout create p.csv --json --base-url http://127.0.0.1:1 --retries 0 --yes ${flag} '${name}'`;
    const { code, stdout, stderr, summary } = await paying().run(call);
    expect([code, summary.stop_reason, summary.records.read]).toEqual([2, 'usage', 0]);
    expect(stderr).toMatch(words);
    expect(stderr).toContain(flag);
    // The summary names the batch as it was given, without a control character.
    expect(summary.batch_id).toBe(flag === '--batch-id' ? name : 'default');
    expect(stdout).not.toMatch(/[\u202e\t]/);
  });

  test.each(['2026 11', 'Zürich', '給与', '-', 'a/b'])('%j is a name', async (name) => {
    expect((await paying().run(`payout create p.csv --dry-run ${flag} '${name}'`)).code).toBe(0);
  });
});

test('an account in the config file is read in the same way', async () => {
  const work = paying(1, { base_url: 'https://gigs.example', account: 'acme\u200b' });
  const { code, stderr } = await work.run('payout create p.csv --dry-run');
  expect(code).toBe(2);
  expect(stderr).toMatch(/account in .*config\.json holds a character that nobody sees \(U\+200B\)/);
});

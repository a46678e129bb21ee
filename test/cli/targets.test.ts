import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';

/** Says where the run would have gone; a dry run connects to nothing. */
async function targetOf(url: string): Promise<{ code: number | null; target: string | null; stderr: string }> {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  const { code, summary, stderr } = await work.run([
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

describe('the sandbox has no accounts', () => {
  function space(config: object = {}) {
    const work = workspace();
    work.file('p.csv', csv(payouts(1)));
    work.file('config/gigwork/config.json', JSON.stringify(config));
    return work;
  }
  const REFUSAL = '--account tells apart accounts at one service, and the sandbox has none; leave it out\n';

  test.each([[[]], [['--dry-run']]])('--account beside it is refused, and nothing is sent: %j', async (mode) => {
    const work = space();
    const args = ['payout', 'create', 'p.csv', '--sandbox', '--account', 'berlin', '--json', ...mode];
    const { code, stderr, summary } = await work.run(args);
    expect([code, stderr, summary.stop_reason]).toEqual([2, REFUSAL, 'usage']);
    expect(existsSync(work.stateDir)).toBe(false);
  });
});

describe('a run goes on at its own target only, wherever the settings that make another one come from', () => {
  /** A run whose only record was not sent, to `url#one`. */
  async function stopped() {
    const work = workspace();
    work.file('p.csv', csv(payouts(1)));
    const service = await testService({ respond: ({ n }) => ({ status: n === 1 ? 307 : 201 }) });
    const { summary } = await work.run([
      ...['payout', 'create', 'p.csv', '--base-url', service.url, '--account', 'one', '--yes', '--json'],
    ]);
    expect(summary.records).toMatchObject({ not_sent: 1 });
    const resume = (flags: readonly string[] = [], env: Record<string, string> = {}) =>
      work.run(['batch', 'resume', summary.run, '--json', '--yes', ...flags], { env });
    return { work, service, run: summary.run as string, resume };
  }

  /** In each, `URL` stands for the run's own address. */
  test.each<[string, string[], Record<string, string>, object, string]>([
    ['--base-url', ['--base-url', 'https://gigs.example'], {}, {}, 'https://gigs.example'],
    ['a deeper --base-url', ['--base-url', 'URL/deeper'], {}, {}, 'URL/deeper'],
    ['--base-url without the account', ['--base-url', 'URL'], {}, {}, 'URL'],
    ['--base-url with another account', ['--base-url', 'URL', '--account', 'two'], {}, {}, 'URL#two'],
    ['--account', ['--account', 'one-and-more'], {}, {}, 'URL#one-and-more'],
    ['--sandbox', ['--sandbox'], {}, {}, 'sandbox'],
    ['GIGWORK_BASE_URL', [], { GIGWORK_BASE_URL: 'https://gigs.example' }, {}, 'https://gigs.example'],
    ['the config file', [], {}, { base_url: 'https://gigs.example' }, 'https://gigs.example'],
    ['an account of the config file', [], {}, { account: 'two' }, 'URL#two'],
    ['a profile', ['--profile', 'p'], {}, { profiles: { p: { base_url: 'URL', account: 'p' } } }, 'URL#p'],
    [
      'a profile of the environment',
      [],
      { GIGWORK_PROFILE: 'p' },
      { profiles: { p: { base_url: 'https://gigs.example' } } },
      'https://gigs.example',
    ],
  ])('%s that makes another one is refused, and nothing is sent', async (_name, flags, env, config, other) => {
    const { work, service, run, resume } = await stopped();
    const own = (text: string): string => text.replaceAll('URL', service.url);
    work.file('config/gigwork/config.json', own(JSON.stringify(config)));
    const { code, stderr, summary } = await resume(flags.map(own), env);
    expect([code, summary.stop_reason, stderr]).toEqual([
      2,
      'usage',
      expect.stringContaining(
        `run ${run} went to ${service.url}#one, and the settings in force make the target ${own(other)}: `,
      ),
    ]);
    expect(service.requestCount).toBe(1);
  });
});

test('a redirect leads nowhere: neither to another host, nor to another scheme', async () => {
  const work = workspace();
  work.file('p.csv', csv(payouts(2)));
  const elsewhere = await testService();
  for (const location of [
    `${elsewhere.url}/api/v2/payouts`,
    'file:///etc/passwd',
    '//127.0.0.1:9/x',
    'https://127.0.0.1:9/',
  ]) {
    const service = await testService({ respond: () => ({ status: 307, headers: { location } }) });
    const args = ['payout', 'create', 'p.csv', '--base-url', service.url, '--yes', '--json', '--concurrency', '1'];
    const { code, summary } = await work.run(args);
    expect([code, summary.stop_reason, summary.records.not_sent]).toEqual([6, 'redirected', 2]);
    expect(service.requestCount).toBe(1);
  }
  expect(elsewhere.requestCount).toBe(0);
});

test.each([
  ['--retries', 'x'],
  ['--report', 'report.doc'],
  ['--decimal', 'dot'],
  ['--expect-total', 'much'],
  ['--journal-timeout', '-1'],
  ['--ca', 'none.pem'],
  ['--log-file', 'none/x'],
  ['--set', 'foo=1'],
  ['--map', 'amount=foo'],
  ['--key-columns', 'user_id,foo'],
  ['--prices', 'none.csv'],
  ['--account', ''],
  ['--encoding', 'foo'],
  ['--header', 'Host: x'],
])('the value of a flag is checked before a missing target is named: %s %s', async (flag, value) => {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  const { code, stderr } = await work.run(['payout', 'create', 'p.csv', `${flag}=${value}`]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(flag)]);
  expect(stderr).not.toContain('no target');
});

test.each([
  [['--type', 'payout']],
  // Only the columns of the file show the type.
  [['--base-url', 'https://gigs.example', '--dry-run']],
])('a field that no record of the input has is refused, and not ignored: batch import %j', async (flags) => {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  const { code, stderr } = await work.run(['batch', 'import', 'p.csv', '--set', 'quantity=3', ...flags]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--set quantity: there is no field "quantity" in a payout.'),
  ]);
});

test('NODE_TLS_REJECT_UNAUTHORIZED=0 is for loopback alone', async () => {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
  const codes = [];
  for (const url of ['https://gigs.example', 'https://localhost:9'])
    codes.push((await work.process(['payout', 'create', 'p.csv', '--dry-run', '--base-url', url], { env })).code);
  expect(codes).toEqual([2, 0]);
  // The database of a journal is as important, also where it is only read.
  for (const [host, isRefused] of [
    ['gone.example', true],
    ['127.0.0.1:9', false],
  ] as const) {
    const flags = ['--journal', `postgresql://u@${host}/x?sslmode=verify-full`, '--journal-timeout', '0'];
    const { code, stderr } = await work.process(['batch', 'list', ...flags], { env });
    expect([code, stderr.includes('NODE_TLS_REJECT_UNAUTHORIZED=0')]).toEqual([isRefused ? 2 : 5, isRefused]);
  }
});

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
  expect(stderr).not.toMatch(/\n\s+at |fault of its own/);
  return { code, target: summary.target as string | null, stderr };
}

describe('an address that is refused before any connection, with the remedy', () => {
  test.each([
    // Plain http beyond this machine
    ['http://gigs.example', /--allow-http/],
    ['http://localhost.evil.example', /--allow-http/],
    ['http://gigs.localhost', /--allow-http/],
    ['http://127.0.0.1.evil.example', /--allow-http/],
    ['http://127.0.0.1.nip.example:8080', /--allow-http/],
    ['http://evil.example/127.0.0.1', /--allow-http/],
    ['http://[::ffff:10.0.0.1]', /--allow-http/],
    ['http://0.0.0.0', /--allow-http/],
    ['http://128.0.0.1', /--allow-http/],
    ['http://0xa.1', /--allow-http/],
    ['http://evil.example\\@127.0.0.1', /--allow-http|credentials/],
    ['http:evil.example', /--allow-http/],
    ['http:\\\\evil.example', /--allow-http/],
    ['http://ｅvil.example', /--allow-http/],
    // Credentials and tricks with them
    ['https://user:pass@gigs.example', /credentials.*GIGWORK_TOKEN/],
    ['https://user@gigs.example', /credentials/],
    ['https://:pass@gigs.example', /credentials/],
    ['http://127.0.0.1@evil.example', /credentials/],
    ['http://127.0.0.1:80@evil.example', /credentials/],
    ['https://gigs.example%40evil.example', /no URL|credentials/],
    // What would be lost, or would change the path
    ['https://gigs.example/?tenant=a', /query or a fragment.*--account/s],
    ['https://gigs.example/?', /query or a fragment/],
    ['https://gigs.example/#a', /query or a fragment/],
    ['https://gigs.example/a#', /query or a fragment/],
    // Other schemes
    ['ftp://gigs.example', /https:\/\//],
    ['file:///etc/passwd', /https:\/\//],
    ['javascript:alert(1)', /https:\/\//],
    ['data:text/plain,x', /https:\/\//],
    ['ws://127.0.0.1', /https:\/\//],
    ['unix:/run/gigs.sock', /https:\/\//],
    ['localhost:8080', /https:\/\//],
    // No address at all
    ['gigs.example', /did you mean https:\/\/gigs\.example/],
    ['//gigs.example', /no URL/],
    ['user/pass@gigs.example', /no URL \(hidden/],
    ['https://', /no URL/],
    ['https://gigs.example:99999', /no URL/],
    ['https://exa mple', /no URL/],
    ['https://[::1', /no URL/],
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

test('a run that went to the sandbox goes on there only, and an address that is refused is not repeated', async () => {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  const { summary } = await work.run(['payout', 'create', 'p.csv', '--sandbox', '--json']);
  const other = ['--base-url', 'https://user:pass@gigs.example'];
  const { code, stderr } = await work.run(['batch', 'resume', summary.run, ...other]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/went to the sandbox/);
  expect(stderr).not.toMatch(/pass\b/);
});

test('a run that went to a service goes on there only: at no other address, path, account or sandbox', async () => {
  const work = workspace();
  work.file('p.csv', csv(payouts(1)));
  const elsewhere = await testService();
  const service = await testService({ respond: ({ n }) => ({ status: n === 1 ? 307 : 201 }) });
  const { summary } = await work.run([
    ...['payout', 'create', 'p.csv', '--base-url', service.url, '--account', 'one', '--yes', '--json'],
  ]);
  expect(summary.records).toMatchObject({ not_sent: 1 });
  const resume = (...flags: string[]) => work.run(['batch', 'resume', summary.run, '--json', ...flags]);
  for (const flags of [
    ['--base-url', elsewhere.url],
    ['--base-url', `${service.url}/deeper`],
    ['--base-url', service.url, '--account', 'two'],
    ['--account', 'one-and-more'],
    ['--sandbox'],
  ]) {
    const { code, stderr } = await resume(...flags);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`run ${summary.run} went to ${service.url}#one, not to `),
    ]);
  }
  expect([elsewhere.requestCount, service.requestCount]).toEqual([0, 1]);
  const done = await resume('--base-url', `${service.url}/`);
  expect([done.summary.records.created, service.requestCount]).toEqual([1, 2]);
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
    expect([code, summary.stop_reason, summary.records.not_sent]).toEqual([5, 'redirected', 2]);
    expect(service.requestCount).toBe(1);
  }
  expect(elsewhere.requestCount).toBe(0);
});

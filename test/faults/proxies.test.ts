import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { selfSigned } from '../support/certificate.js';
import type { CliResult, Workspace } from '../support/cli.js';
import { NO_WAITS } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import { type ProxyManner, testProxy } from '../support/proxy.js';
import { startClerk, expectEnded, TYPES } from './clerk.js';

/** A clerk and a service with TLS whose authority is in ca.pem; without, on plain HTTP. */
async function withService(secure = true) {
  if (!secure) return { ...(await startClerk(3)), flags: [] };
  const tls = selfSigned();
  const at = await startClerk(3, { tls });
  at.work.file('ca.pem', tls.cert);
  return { ...at, flags: ['--ca', 'ca.pem'] };
}

function expectCreated(result: CliResult): void {
  expectEnded(result, 0, { created: 3 });
}

describe('a proxy that the environment names', () => {
  test.each([
    ['HTTPS_PROXY', true],
    ['https_proxy', true],
    ['HTTP_PROXY', false],
    ['http_proxy', false],
  ])('%s: every request goes through it, in a tunnel', async (name, secure) => {
    const { service, flags, send } = await withService(secure);
    const proxy = await testProxy();
    for (const type of TYPES) {
      expectCreated(await send(type, flags, { env: { [name]: proxy.url } }));
    }
    expect(new Set(proxy.tunnels)).toEqual(new Set([`127.0.0.1:${service.port}`]));
    expect(proxy.tunnels.length).toBe(service.connectionCount);
    expect(proxy.forwarded).toEqual([]);
    expect(service.ledgerTotal()).toBe(6);
  });

  test.each([
    ['HTTP_PROXY', true],
    ['HTTPS_PROXY', false],
  ])('%s says nothing about the other scheme', async (name, secure) => {
    const { flags, send } = await withService(secure);
    const proxy = await testProxy();
    expectCreated(await send('payout', flags, { env: { [name]: proxy.url } }));
    expect(proxy.tunnels).toEqual([]);
  });

  test('the lower-case name wins', async () => {
    const { flags, send } = await withService();
    const lower = await testProxy();
    const upper = await testProxy();
    const env = { https_proxy: lower.url, HTTPS_PROXY: upper.url };
    expectCreated(await send('payout', flags, { env }));
    expect([lower.tunnels.length > 0, upper.tunnels.length]).toEqual([true, 0]);
  });

  test.each([
    ['NO_PROXY', 'other.example, 127.0.0.1:PORT', true],
    ['no_proxy', '0.0.1', true],
    ['no_proxy', '7.0.0.1', false],
  ])('%s=%s', async (name, no, excepted) => {
    const { service, flags, send } = await withService();
    const proxy = await testProxy();
    const env = { HTTPS_PROXY: proxy.url, [name]: no.replace('PORT', String(service.port)) };
    expectCreated(await send('payout', flags, { env }));
    expect(proxy.tunnels.length === 0).toBe(excepted);
  });

  test('does not come between the program and its own sandbox', async () => {
    const { work } = await withService();
    const proxy = await testProxy();
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    const result = await work.run(['payout', 'create', 'p.csv', '--sandbox'], { env });
    expect(result.code, result.stderr).toBe(0);
    expect(proxy.tunnels).toEqual([]);
  });

  test('the doctor asks through it', async () => {
    const { work, service, flags } = await withService();
    const proxy = await testProxy();
    const env = { HTTPS_PROXY: proxy.url };
    expect((await work.run(['doctor', '--base-url', service.url, ...flags], { env })).code).toBe(0);
    expect(proxy.tunnels).toContain(`127.0.0.1:${service.port}`);
  });
});

describe('a proxy that fails before the tunnel is open', () => {
  test.each<[what: string, manner: ProxyManner, says: RegExp]>([
    ['407', 407, /407/],
    ['403', 403, /403/],
    ['502', 502, /502/],
    ['a redirect', 302, /302/],
    ['no answer', 'hang', /\w/],
    ['an end', 'die', /\w/],
  ])(
    '%s is no connection: nothing is in doubt, and with a sound proxy the same command goes on',
    async (_what, manner, says) => {
      const { service, flags, send } = await withService();
      const proxy = await testProxy(manner);
      const env = { HTTPS_PROXY: proxy.url };
      for (const type of TYPES) {
        proxy.manner(manner);
        const few = [...flags, '--retries', '1', ...(manner === 'hang' ? ['--timeout', '0.5'] : [])];
        const result = await send(type, few, { env: { ...env, ...NO_WAITS } });
        // Only a person can correct what the proxy refuses this user for.
        const retry = manner !== 407 && manner !== 403;
        const why = { stop_reason: 'unreachable', retry };
        expectEnded(result, retry ? 5 : 6, { not_sent: 3, unknown: 0 }, why);
        expect(result.stderr).toMatch(says);
        expect(result.stderr).toMatch(
          /the proxy 127\.0\.0\.1:\d+ \(HTTPS_PROXY\) (opens no way to the service|cannot be reached|does not let this user through: correct)/,
        );
        expect(result.stderr).not.toMatch(/\n\s+at |Internal error in gigwork/);
        expect(service.requestCount % 3).toBe(0);
        proxy.manner('open');
        expectCreated(await send(type, flags, { env }));
      }
      expect(service.ledgerTotal()).toBe(6);
    },
  );

  test('a proxy that is not there', async () => {
    const { work, service, flags, send } = await withService();
    const gone = await testService();
    await gone.refuse();
    const env = { ...NO_WAITS, HTTPS_PROXY: gone.url };
    const result = await send('gig', [...flags, '--retries', '1'], { env });
    expectEnded(result, 5, { not_sent: 3 }, { stop_reason: 'unreachable' });
    const words = `the proxy 127.0.0.1:${gone.port} (HTTPS_PROXY) cannot be reached`;
    expect(result.stderr).toContain(`${words}: check the variable`);
    const doctor = await work.run(['doctor', '--base-url', service.url, ...flags], { env });
    expect([doctor.code, doctor.stdout]).toEqual([
      2,
      expect.stringContaining(`fail  service: ${service.url} cannot be reached: ${words}`),
    ]);
  });

  test('where NO_PROXY excepts the service, the service itself is what cannot be reached', async () => {
    const { service, flags, send } = await withService();
    await service.refuse();
    const env = { ...NO_WAITS, HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: `x.example 127.0.0.1:${service.port}` };
    const result = await send('payout', [...flags, '--retries', '0'], { env });
    expect(result.stderr).toContain('The service cannot be reached');
  });
});

describe('a proxy that fails in an open tunnel', () => {
  test.each<ProxyManner>(['cut', 'lie'])('%s: the record is in doubt, and paid once', async (manner) => {
    const { service, send } = await withService(false);
    const proxy = await testProxy(manner);
    const env = { HTTP_PROXY: proxy.url };
    for (const type of TYPES) {
      proxy.manner(manner);
      const result = await send(type, ['--retries', '1'], { env: { ...env, ...NO_WAITS } });
      const isKeyed = type === 'payout';
      expectEnded(result, isKeyed ? 5 : 6, { unknown: 3, rejected: 0 });
      proxy.manner('open');
      const again = await send(type, [], { env });
      expect(again.summary.records).toMatchObject(isKeyed ? { created: 3 } : { unknown: 3, created: 0 });
    }
    expect([...service.executions.values()].filter((times) => times !== 1)).toEqual([]);
  });
});

const PASSWORD = 'pa%24s%2Fw0rd';
const PLAIN_PASSWORD = 'pa$s/w0rd';

/** Everything that the program left in the workspace, bytes as Latin-1. */
function leftIn({ dir }: Workspace): string {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

describe('user name and password of a proxy', () => {
  const user = `payroll:${PASSWORD}`;
  const encoded = Buffer.from(`payroll:${PLAIN_PASSWORD}`).toString('base64');

  function expectHidden(result: CliResult, work: Workspace): void {
    const all = `${result.stdout}\n${result.stderr}\n${leftIn(work)}`;
    for (const secret of [PASSWORD, PLAIN_PASSWORD, encoded]) expect(all).not.toContain(secret);
  }

  test('are sent to the proxy, decoded, and to nobody else', async () => {
    const { service, flags, send } = await withService();
    const proxy = await testProxy('open', user);
    expectCreated(await send('payout', flags, { env: { HTTPS_PROXY: proxy.url } }));
    expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${encoded}`]));
    for (const { headers } of service.requests) expect(headers).not.toHaveProperty('proxy-authorization');
  });

  test('are shown nowhere: sent, refused, repeated, unreachable, wrong', async () => {
    const { work, service, flags } = await withService();
    const proxy = await testProxy('open', user);
    service.responder(({ n }) =>
      n === 1 ? { status: 422, body: JSON.stringify({ error: `no ${PLAIN_PASSWORD} ${encoded}` }) } : undefined,
    );
    const reports = ['--report', 'r.html', '--report', 'r.ndjson'];
    const way = ['--base-url', service.url, ...flags, '--yes', '--debug', '--retries', '0', ...reports];
    const create = ['payout', 'create', 'p.csv', ...way];
    const doctor = ['doctor', '--base-url', service.url, ...flags, '--debug'];
    for (const [HTTPS_PROXY, ...commands] of [
      [proxy.url, create, create, doctor, ['config', 'show']],
      [proxy.url.replace('payroll', 'nobody'), create, doctor],
      [`http://${user}@127.0.0.1:1`, create, doctor],
      [`http://${user}@127.0.0.1:99999`, create, ['config', 'show', '--json']],
      [`ftp://${user}@proxy.example`, create, ['config', 'show', '--json']],
      [`${user}@proxy.example:1`, doctor, ['config', 'show']],
    ] as const) {
      for (const command of commands) {
        const result = await work.run(command, { env: { HTTPS_PROXY } });
        expectHidden(result, work);
        expect(result.stderr).not.toContain('Internal error in gigwork');
      }
    }
  });

  test.each([
    ['no-url', /HTTPS_PROXY/],
    ['proxy.example:3128', /HTTPS_PROXY: proxy\.example:3128 is not a valid proxy address/],
    ['socks5://127.0.0.1:1080', /HTTPS_PROXY: socks5:/],
    ['http://127.0.0.1:3128/path', /HTTPS_PROXY: .*path is not a valid proxy address/],
    ['http://u:p%zz@127.0.0.1:3128', /percent-encoded/],
  ])('%s as a proxy is refused before anything is sent, where it would be needed', async (url, words) => {
    const { work, service, flags, send } = await withService();
    const env = { HTTPS_PROXY: url };
    const result = await send('payout', flags, { env });
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(words);
    expect(result.stderr).toContain('http://proxy.example:3128');
    expect(service.requestCount).toBe(0);
    expect((await work.run(['payout', 'create', 'p.csv', '--dry-run'], { env })).code).toBe(0);
    expect((await work.run(['payout', 'create', 'p.csv', '--sandbox'], { env })).code).toBe(0);
  });

  test('do not belong into a header', async () => {
    const { flags, send } = await withService();
    const result = await send('payout', [...flags, '--header', 'Proxy-Authorization: Basic c2VjcmV0']);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('HTTPS_PROXY');
    expect(result.stderr).not.toContain('c2VjcmV0');
  });
});

/** The ways into the shared journal: TLS as PostgreSQL's programs know it, and passwords. CONTRACT: "The shared journal". */
import { chmodSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { selfSigned } from '../support/certificate.js';
import { csv, payouts } from '../support/builders.js';
import { type Workspace, workspace, workspaceWith } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import { PROGRAMS, sharedServer, startServer, USER } from '../support/postgresql.js';

/** Without TLS there is none; `own` is the authority of the server's certificate, `other` one that has nothing to do with it. */
const AUTHORITIES = { own: selfSigned(), other: selfSigned() };

let servers: ReturnType<typeof start> | null = null;

async function start() {
  const misnamed = selfSigned('elsewhere', { host: 'db.elsewhere.example' });
  const [plain, tls, other] = await Promise.all([
    sharedServer(),
    startServer({ tls: AUTHORITIES.own }),
    startServer({ tls: misnamed }),
  ]);
  return { plain, tls, misnamed: other, certificate: misnamed.cert };
}

interface Way {
  readonly to: 'plain' | 'tls' | 'misnamed';
  /** Parameters of the URL. */
  readonly by: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How the connection is protected; null where there is none. */
  readonly found: string | RegExp | null;
}

const TLS = /TLSv1\.[23]/;
const NONE = /^none, and none needed/;

const WAYS: readonly Way[] = [
  { to: 'plain', by: 'sslmode=disable', found: NONE },
  { to: 'plain', by: 'sslmode=prefer', found: NONE },
  { to: 'plain', by: '', found: NONE },
  { to: 'plain', by: 'sslmode=require', found: null },
  { to: 'plain', by: 'sslmode=verify-full&sslrootcert=own.pem', found: null },
  { to: 'tls', by: 'sslmode=disable', found: NONE },
  { to: 'tls', by: '', found: TLS },
  { to: 'tls', by: 'sslmode=require', found: TLS },
  { to: 'tls', by: 'sslmode=require&sslrootcert=other.pem', found: null },
  { to: 'tls', by: 'sslmode=verify-ca&sslrootcert=own.pem', found: TLS },
  { to: 'tls', by: 'sslmode=verify-ca&sslrootcert=other.pem', found: null },
  { to: 'tls', by: 'sslmode=verify-full&sslrootcert=own.pem', found: TLS },
  { to: 'tls', by: 'sslmode=verify-full', found: null },
  { to: 'tls', by: 'sslmode=verify-full&sslrootcert=none.pem', found: null },
  { to: 'tls', by: '', env: { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'own.pem' }, found: TLS },
  { to: 'tls', by: '', env: { PGSSLMODE: 'verify-full', PGSSLROOTCERT: 'other.pem' }, found: null },
  { to: 'misnamed', by: 'sslmode=verify-ca&sslrootcert=misnamed.pem', found: TLS },
  { to: 'misnamed', by: 'sslmode=verify-full&sslrootcert=misnamed.pem', found: null },
];

async function doctor(work: Workspace, url: string, env: Readonly<Record<string, string>> = {}) {
  // The driver reads the environment for itself.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const { code, events, output } = await work
    .run(['doctor', '--sandbox', '--json', '--journal', url], { env })
    .finally(() => vi.unstubAllEnvs());
  const checks = events[0].checks as { name: string; state: string; message: string }[];
  const find = (name: string) => checks.find((check) => check.name === name);
  return { code, all: output, journal: find('journal'), tls: find('journal TLS') };
}

describe.skipIf(PROGRAMS === null)('the way to the shared journal', () => {
  test.each(WAYS)('$to: $by $env', async ({ to, by, env, found }) => {
    const all = await (servers ??= start());
    const { own, other } = AUTHORITIES;
    const work = workspaceWith({ 'own.pem': own.cert, 'other.pem': other.cert, 'misnamed.pem': all.certificate });
    const { code, journal, tls } = await doctor(work, `${all[to].url(USER)}?schema=ways_in&${by}`, env);
    if (found === null) expect([code, journal?.state], journal?.message).toEqual([2, 'fail']);
    else expect([code, tls?.message]).toEqual([0, expect.stringMatching(found)]);
  });

  test('is opened by a password from the URL, PGPASSWORD or the password file, which nobody gets to see', async () => {
    const server = await startServer({ passwords: true });
    const [right, wrong] = ['p w:%\\1', 'no such word'];
    server.say(`ALTER ROLE ${USER} PASSWORD '${right}'`);
    const url = (password = '') => server.url(`${USER}${password && `:${encodeURIComponent(password)}`}`);
    const work = workspace();
    const line = `127.0.0.1:${server.port}:*:${USER}:${right.replaceAll(/[:\\]/g, '\\$&')}\n`;
    const file = work.file('passwords', line);
    chmodSync(file, 0o600);
    for (const [way, env, expected] of [
      [url(right), {}, 0],
      [url(), { PGPASSWORD: right }, 0],
      [url(), { PGPASSFILE: file }, 0],
      [url(wrong), {}, 2],
      [url(), { PGPASSWORD: wrong }, 2],
      [url(), {}, 2],
    ] as const) {
      const { code, all } = await doctor(work, way, env);
      expect(code, all).toBe(expected);
      for (const secret of [right, wrong]) {
        expect(all).not.toContain(secret);
        expect(all).not.toContain(encodeURIComponent(secret));
      }
      if (expected !== 0) expect(all).toContain('PGPASSWORD');
    }
    // A command that continues has no password, and says how to give one.
    const service = await testService({ respond: ({ n }) => (n === 1 ? { status: 500 } : undefined) });
    work.file('p.csv', csv(payouts(1)));
    const call = `payout create p.csv --base-url ${service.url} --retries 0 --yes --json --journal ${url(right)}`;
    const { summary } = await work.run(call);
    expect([summary.exit_code, summary.next]).toEqual([5, expect.arrayContaining(['--journal', url()])]);
    const without = await work.run(summary.next.slice(1));
    expect([without.code, service.requestCount]).toEqual([2, 1]);
    expect(without.stderr).toContain('Set it with PGPASSWORD or in the password file (~/.pgpass)');
    expect((await work.process(summary.next.slice(1), { env: { PGPASSWORD: right } })).code).toBe(0);
    await server.end();
  });
});

/** The shared journal as `doctor` finds it: what it says, the ways in, and what a look leaves. CONTRACT: "The shared journal". */
import { describe, expect, test, vi } from 'vitest';
import { CONFIG, workspace, type Workspace, workspaceWith } from '../support/cli.js';
import { openDesk, expectDone, ROWS } from '../support/desk.js';
import { DATABASE, PROGRAMS, sharedServer, startServer, USER } from '../support/postgresql.js';
import { chmodSync } from 'node:fs';
import { selfSigned } from '../support/certificate.js';
import { csv, payouts } from '../support/builders.js';
import { testService } from '../support/fixtures.js';

async function place(name: string) {
  const { url, say, runScript } = await sharedServer();
  const schema = `doctor_${process.pid}_${name}`;
  return { schema, say, runScript, as: (user: string) => ['--journal', `${url(user)}?schema=${schema}`] };
}

async function checks(words: readonly string[]) {
  const { code, events } = await workspace().run(['doctor', '--sandbox', '--json', ...words]);
  const all = events[0].checks as { name: string; state: string; message: string }[];
  return { code, found: all.filter(({ name }) => name.startsWith('journal')) };
}

describe.skipIf(PROGRAMS === null)('doctor, on the shared journal', () => {
  test('looks at server, version, rights and TLS, and makes nothing', async () => {
    const { say, schema, as } = await place('plain');
    const none = await checks(as(USER));
    expect(none.found[0]).toMatchObject({ state: 'warn', message: expect.stringContaining('there is none in') });
    const missing = await checks([...as(USER), '--require-journal']);
    expect([missing.code, missing.found[0]?.state]).toEqual([2, 'fail']);
    const { send } = await openDesk();
    expectDone(await send(ROWS, '--dry-run', ...as(USER)), { planned: 4 });
    expect(say(`SELECT count(*) FROM pg_namespace WHERE nspname = '${schema}'`)).toBe('0');
    expectDone(await send(ROWS, ...as(USER)), { created: 4 });
    const { code, found } = await checks(as(USER));
    expect([code, found.map(({ name, state }) => `${name}: ${state}`)]).toEqual([
      0,
      ['journal: ok', 'journal rights: ok', 'journal TLS: ok'],
    ]);
    expect(found[0]?.message).toMatch(/version \d+, on PostgreSQL \d+.* with fsync on/);
  });

  test('says who cannot send, and what an owner can', async () => {
    const { say, schema, runScript, as } = await place('rights');
    await workspace().run(['journal', 'init', ...as(USER)]);
    runScript('docs/operations/grants.sql', [`schema=${schema}`]);
    for (const group of ['reader', 'approver', 'sender']) {
      const role = `CREATE ROLE doc_${group} LOGIN; EXCEPTION WHEN duplicate_object THEN`;
      say(`DO $$ BEGIN ${role} END $$; GRANT gigwork_${group}s TO doc_${group}`);
    }
    const rights = async (user: string) => {
      const { code, found } = await checks(as(user));
      return [code, found.find(({ name }) => name === 'journal rights')?.message];
    };
    const missing = 'not send: the right INSERT on claim is missing';
    expect(await rights('doc_reader')).toEqual([2, `doc_reader may ${missing}`]);
    expect(await rights('doc_approver')).toEqual([2, `doc_approver may approve, and ${missing}`]);
    expect(await rights('doc_sender')).toEqual([0, 'doc_sender may send']);
    const work = workspaceWith({ [CONFIG]: { require_approval: true } });
    const owner = await work.run(['doctor', '--sandbox', ...as(USER)]);
    expect([owner.code, owner.stdout]).toEqual([0, expect.stringMatching(/warn {2}journal rights: .*in any name/)]);
  });

  test('finds a right that is missing, and a run without it sends nothing', async () => {
    const { say, schema, runScript, as } = await place('half');
    await workspace().run(['journal', 'init', ...as(USER)]);
    runScript('docs/operations/grants.sql', [`schema=${schema}`]);
    say('CREATE ROLE doc_half LOGIN IN ROLE gigwork_senders');
    say(`REVOKE UPDATE ON ${schema}.outcome FROM gigwork_senders`);
    const { code, found } = await checks(as('doc_half'));
    const words = 'may not send: the right UPDATE on outcome is missing';
    expect([code, found[1]?.state, found[1]?.message]).toEqual([2, 'fail', `doc_half ${words}`]);
    const { send, service } = await openDesk();
    const { summary } = await send(ROWS, ...as('doc_half'));
    expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'journal' });
    expect([summary.reasons[0], service.requestCount]).toEqual([expect.stringContaining(words), 0]);
    expect(say(`SELECT count(*) FROM ${schema}.process`)).toBe('0');
  });

  test('finds that the administrator has set the database read-only, with a journal in it or none', async () => {
    const { say, as } = await place('held');
    say('CREATE ROLE doc_held LOGIN SUPERUSER; ALTER ROLE doc_held SET default_transaction_read_only = on');
    const look = async () => {
      const { code, found } = await checks(as('doc_held'));
      return [code, found[0]?.state, found[0]?.message];
    };
    const held = [2, 'fail', expect.stringMatching(/has set it read-only: a run could not/)];
    expect(await look()).toEqual(held);
    expect(await workspace().run(['journal', 'init', ...as(USER)])).toMatchObject({ code: 0 });
    expect(await look()).toEqual(held);
  });

  test('finds a newer journal, one that was moved, and a server that would forget', async () => {
    const { say, schema, as } = await place('faults');
    await workspace().run(['journal', 'init', ...as(USER)]);
    say(`UPDATE ${schema}.journal SET moved_to = 'sqlite:/there', moved_at = 1`);
    const moved = await checks(as(USER));
    expect([moved.code, moved.found[0]?.message]).toEqual([2, expect.stringContaining('was moved to sqlite:/there')]);
    say(`UPDATE ${schema}.journal SET version = 99`);
    for (const words of ['doctor --sandbox', 'batch list', 'batch prune --before 2020-01-01']) {
      const newer = await workspace().run([...words.split(' '), ...as(USER)]);
      expect([newer.code, newer.stdout + newer.stderr]).toEqual([2, expect.stringContaining('newer gigwork')]);
    }
    const careless = await startServer({ settings: ['fsync=off'] });
    const forgetful = await checks(['--journal', careless.url(USER, DATABASE)]);
    expect([forgetful.code, forgetful.found[0]?.message ?? '']).toEqual([2, expect.stringContaining('fsync off')]);
    await careless.end();
  });
});

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
  const found = events[0].checks as { name: string; state: string; message: string }[];
  const find = (name: string) => found.find((check) => check.name === name);
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
    const right = 'p w:%\\1';
    const wrong = 'no such word';
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

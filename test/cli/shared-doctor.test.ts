/** What `doctor` says of the shared journal, and what a look at it leaves there. CONTRACT: "The shared journal". */
import { describe, expect, test } from 'vitest';
import { CONFIG, workspace, workspaceWith } from '../support/cli.js';
import { desk, expectDone, ROWS } from '../support/desk.js';
import { DATABASE, PROGRAMS, sharedServer, startServer, USER } from '../support/postgresql.js';

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
    const { send } = await desk();
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
    const { send, service } = await desk();
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

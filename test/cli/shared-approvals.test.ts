/** Approvals and rights in the shared journal, with the users of a real server. CONTRACT: "Approval", "The shared journal". */
import { describe, expect, test } from 'vitest';
import { type CliResult, CONFIG } from '../support/cli.js';
import { openDesk, type Desk, expectDone, recordsOf, ROWS, SECOND } from '../support/desk.js';
import { DATABASE, LEFT_OUT, PROGRAMS, type Server, startServer, USER } from '../support/postgresql.js';
import { jsonLines } from '../support/result.js';
import type { Reply } from '../support/service.js';
import { byAnother } from '../support/approvals.js';

/** Who works with the journal, by the group that each belongs to. Case tells roles apart. */
const PEOPLE = { anna: 'senders', sara: 'senders', bert: 'approvers', Anna: 'approvers', rolf: 'readers' } as const;
type Name = keyof typeof PEOPLE | 'boss';
const password = (name: string): string => `pw of ${name}%/`;

let started: Promise<Server> | null = null;
let schemas = 0;

async function server(): Promise<Server> {
  const made = await (started ??= startServer({ passwords: true }));
  if (made.say("SELECT count(*) FROM pg_roles WHERE rolname = 'boss'") === '0') {
    for (const name of ['boss', ...Object.keys(PEOPLE)])
      made.say(`CREATE ROLE "${name}" LOGIN PASSWORD '${password(name)}'`);
    made.say(`GRANT CREATE ON DATABASE ${DATABASE} TO boss; ALTER ROLE ${USER} PASSWORD '${password(USER)}'`);
  }
  return made;
}

interface Office extends Desk {
  /** The settings by which this person reaches the journal. */
  as(name: Name): readonly string[];
  /** The same without a password in it. */
  shown(name: Name): string;
  say(sql: string): string;
  /** What the person's own words to the database come to. */
  tries(name: Name, sql: string): string;
}

/** A desk with a journal of its own, made by its owner, and the script's rights. */
async function office(respond?: (n: number) => Reply): Promise<Office> {
  const at = await openDesk(respond);
  const { say, port, runScript } = await server();
  const schema = `office_${++schemas}`;
  const url = (name: string, secret: string): string =>
    `postgresql://${name}${secret}@127.0.0.1:${port}/${DATABASE}?schema=${schema}`;
  const as: Office['as'] = (name) => ['--journal', url(name, `:${encodeURIComponent(password(name))}`)];
  const made = await at.work.run(['journal', 'init', ...as('boss')]);
  expect([made.code, made.stderr]).toEqual([0, '']);
  runScript('docs/operations/grants.sql', [`schema=${schema}`]);
  for (const [name, group] of Object.entries(PEOPLE)) say(`GRANT gigwork_${group} TO "${name}"`);
  return {
    ...at,
    as,
    shown: (name) => url(name, ''),
    say: (sql) => say(`SET search_path = ${schema}; ${sql}`),
    tries: (name, sql) => {
      try {
        return say(`SET SESSION AUTHORIZATION "${name}"; SET search_path = ${schema}; ${sql}`);
      } catch (cause) {
        return String(
          (
            cause as {
              stderr?: unknown;
            }
          ).stderr,
        );
      }
    },
  };
}

const requireApproval = ({ work }: Office): string => work.file(CONFIG, '{"require_approval": true}');
const NOT_APPROVED = { exit_code: 2, stop_reason: 'not_approved' };
const JOURNAL = { exit_code: 2, stop_reason: 'journal' };

function expectNoPassword({ stdout, stderr }: CliResult): void {
  for (const name of ['boss', ...Object.keys(PEOPLE)])
    for (const text of [password(name), encodeURIComponent(password(name))])
      expect(stdout + stderr).not.toContain(text);
}

describe.skipIf(PROGRAMS === null)(
  `the shared journal and its people${PROGRAMS === null ? `: ${LEFT_OUT}` : ''}`,
  () => {
    test('one approves with --approve alone, another one sends, and both are named by the database', async () => {
      const at = await office();
      const { work, service, send, as, batch, shown } = at;
      requireApproval(at);
      const refused = await send(ROWS, ...as('anna'));
      expect(refused.summary).toMatchObject(NOT_APPROVED);
      expect(refused.summary.reasons[0]).toMatch(
        /the sender, who is anna on desk; there is none\. .*with --approve, as another user/,
      );
      const approved = await send(ROWS, '--approve', ...as('bert'));
      expectDone(approved, { planned: 4 });
      expect(approved.stderr).toContain('Approval written into the journal, as given by its user bert');
      expect(approved.stderr).toContain(`--journal '${shown('bert').replace('bert@', '')}'`);
      expectNoPassword(approved);
      expect(service.requestCount).toBe(0);
      const sent = await send(ROWS, ...as('anna'));
      expectDone(sent, { created: 4 });
      expect(sent.stderr).toContain('approved by bert on desk, ');
      expectNoPassword(sent);
      const [run] = (await batch('list', ...as('rolf'))).runs;
      expect(run).toMatchObject({ by: { user: 'anna' }, approved_by: { by: { user: 'bert', host: 'desk' } } });
      const page = await work.run(['batch', 'show', sent.summary.run, ...as('rolf')]);
      expect(page.stdout).toMatch(/approved .*bert on desk/);
      const log = jsonLines((await work.run(['journal', 'log', ...as('rolf')])).stdout);
      const facts = { batch_id: 'default', target: service.url, count: 4, digest: run.digest };
      expect(log).toMatchObject([
        { what: 'approved', run: null, by: { user: 'bert' }, ...facts },
        // The sender writes no second approval.
        { what: 'run', by: { user: 'anna' } },
        { what: 'ended', by: { user: 'anna' } },
      ]);
      expect(log[0].totals).toMatchObject([
        { type: 'payout', cost_center: 'PP-1', count: 2 },
        { type: 'payout', count: 2 },
      ]);
      expect(log[0].flags).toMatchObject({ skip_created: false });
    });

    test('times are the database’s, whatever the machine’s clock says', async () => {
      const at = await office((n) => ({ status: n === 2 ? 422 : n === 3 ? 503 : 201 }));
      const { send, batch } = at.later(500);
      const before = Date.now();
      await send(ROWS, '--approve=approval.json', ...at.as('anna'));
      const result = await send(ROWS, '--retries', '0', '--report', 'r.ndjson', ...at.as('anna'));
      const { run, started_at: began } = result.summary;
      const shown = await batch('show', run, ...at.as('anna'));
      const reported = jsonLines(at.work.read('r.ndjson'));
      const told = new Map(recordsOf(result).map(({ key, at: time }) => [key, time]));
      expect(told.size).toBe(4);
      for (const each of [...shown.outcomes, ...reported]) expect(each.at).toBe(told.get(each.key));
      expect(began).toBe(shown.started_at);
      const approved = JSON.parse(at.work.read('approval.json')).at;
      for (const time of [began, shown.finished_at, approved, ...told.values()])
        expect(Math.abs(Date.parse(time) - before)).toBeLessThan(3_600_000);
      expect((await at.later(500).resume(run, ...at.as('anna'))).summary.started_at > began).toBe(true);
    });

    test('names that differ in case alone are two persons: the database tells them apart', async () => {
      const at = await office();
      const { send, as } = at;
      requireApproval(at);
      await send(ROWS, '--approve', ...as('Anna'));
      expectDone(await send(ROWS, ...as('anna')), { created: 4 });
    });

    test('the approval of another run, or with other flags, is none', async () => {
      const at = await office();
      const { service, send, as } = at;
      requireApproval(at);
      await send([SECOND], '--approve', ...as('bert'));
      await send(ROWS, '--approve', '--key-lifetime', '1', ...as('bert'));
      const { summary } = await send(ROWS, ...as('anna'));
      expect(summary).toMatchObject(NOT_APPROVED);
      expect(summary.reasons[0]).toContain('flags: approved with --key-lifetime 1');
      expect(service.requestCount).toBe(0);
    });

    test('who repeats what another has had sent is told who that was, when, and from which file', async () => {
      const { send, as } = await office();
      expectDone(await send(ROWS, ...as('anna')), { created: 4 });
      const refused = await send([SECOND], '--batch-id', 'default', ...as('sara'));
      expect(refused.summary).toMatchObject({ exit_code: 3, stop_reason: 'repeats' });
      const told = refused.events.find(({ code }) => code === 'created-before') as Record<string, object>;
      const { earlier, message } = told;
      expect(message).toMatch(/run \S+ of \d{4}-\d\d-\d\d by anna on desk, .*, line \d/);
      expect(earlier).toMatchObject({ by: { user: 'anna', host: 'desk' } });
      // To whom it was, nobody has to say it.
      expect((await send([SECOND], ...as('anna'))).stdout).not.toContain('by anna');
    });

    test('an approval file proves nothing there, whoever it names, and is kept as the sender’s word', async () => {
      const at = await office();
      const { work, send, as, batch, say } = at;
      expectDone(await send(ROWS, '--approve=a.json', ...as('bert')), { planned: 4 });
      byAnother(work, 'a.json', 'b.json');
      requireApproval(at);
      const refused = await send(ROWS, '--approval', 'b.json', ...as('anna'));
      expect(refused.summary).toMatchObject(NOT_APPROVED);
      expect(refused.summary.reasons[0]).toContain('only an approval in the journal counts');
      work.file('config/gigwork/config.json', '{}');
      expectDone(await send(ROWS, '--approval', 'b.json', ...as('anna')), { created: 4 });
      expect(
        say("SELECT user_name, digest IS NULL, facts::json #>> '{of,user}' FROM event WHERE what = 'approved'"),
      ).toBe('anna|t|auditor-of-the-tests');
      const [run] = (await batch('list', ...as('rolf'))).runs;
      expect(run.approved_by).toMatchObject({
        by: { user: 'auditor-of-the-tests' },
        note: expect.stringContaining('not verified'),
      });
    });

    test('who approved is told as the sender’s word where the journal knows nothing of it, whatever the sender calls it', async () => {
      const at = await office((n) => ({ status: n === 3 ? 401 : 201 }));
      const { work, send, as, batch, tries } = at;
      const { summary } = await send(ROWS, ...as('anna'));
      const facts = `{"flags":{},"of":{"user":"bert","host":"desk","at":1,"event":1}}`;
      const note = "in the shared journal, by the database''s user";
      const forged = `INSERT INTO event (what, run, note, facts, host, version, command_line)
        SELECT 'approved', number, '${note}', '${facts}', 'desk', 'v', 'c' FROM run WHERE name = '${summary.run}'`;
      expect(tries('anna', forged)).toBe('');
      const [run] = (await batch('list', ...as('rolf'))).runs;
      expect(run.approved_by.note).toMatch(/^user name given by the sender, not verified: /);
      requireApproval(at);
      const resumed = await work.run(['batch', 'resume', run.run, '--yes', '--json', ...as('anna')]);
      expect(resumed.summary).toMatchObject(NOT_APPROVED);
    });

    test('a sender cannot approve, nor write an approval as another person, by whatever words', async () => {
      const at = await office();
      const { service, send, as, tries, say } = at;
      requireApproval(at);
      const own = await send(ROWS, '--approve', ...as('anna'));
      expect(own.summary).toMatchObject(JOURNAL);
      expect(own.stderr).toMatch(/permission denied for table event\. .* may not approve: .* gigwork_approvers/);
      const insert = 'INSERT INTO event (what, facts, host, version, command_line';
      const values = "VALUES ('approved', '{}', 'h', 'v', 'c'";
      for (const sql of [
        `${insert}, user_name) ${values}, 'bert')`,
        `${insert}, copied_user) ${values}, 'bert')`,
        `${insert}, digest) ${values}, 'd')`,
        `${insert}, at) ${values}, 1)`,
        "UPDATE event SET user_name = 'bert'",
        'DELETE FROM event',
        'SET SESSION AUTHORIZATION bert',
        'SET ROLE gigwork_approvers',
      ])
        expect(tries('anna', sql).replace('parameter', ''), sql).toMatch(/permission denied|^$/);
      expect(tries('anna', `${insert}) ${values}) RETURNING user_name`)).toBe('anna');
      expect(say('SELECT count(*) FROM event WHERE digest IS NOT NULL')).toBe('0');
      const { summary } = await send(ROWS, ...as('anna'));
      expect([summary.stop_reason, service.requestCount]).toEqual(['not_approved', 0]);
    });

    test('an approver cannot claim, nor a reader write: neither can send', async () => {
      const { service, send, as, tries } = await office();
      for (const name of ['bert', 'rolf'] as const) {
        const { summary } = await send(ROWS, ...as(name));
        expect(summary, name).toMatchObject({ exit_code: 2, stop_reason: 'journal', records: { created: 0 } });
        expect(summary.reasons[0], name).toMatch(
          /may not send: the right INSERT on claim is missing\. .* gigwork_senders/,
        );
        expect(tries(name, 'INSERT INTO claim VALUES (1, 1, 1, 1, 1)')).toContain('permission denied');
      }
      expect(tries('rolf', "INSERT INTO event (what) VALUES ('x')")).toContain('permission denied');
      expect((await send(ROWS, '--approve', ...as('rolf'))).summary).toMatchObject(JOURNAL);
      expect(tries('bert', "INSERT INTO event (what, run) VALUES ('settled', 1)")).toContain('permission denied');
      const event = 'INSERT INTO event (what, digest, facts, host, version, command_line) VALUES';
      for (const values of ["'closed', NULL", "'closed', 'd'", "'approved', NULL"])
        expect(tries('bert', `${event} (${values}, '{}', 'h', 'v', 'c')`)).toContain('check constraint');
      for (const name of ['bert', 'rolf'] as const)
        expectDone(await send(ROWS, '--dry-run', ...as(name)), { planned: 4 });
      expect(service.requestCount).toBe(0);
    });

    test('a journal of the version before is read by everybody, and brought up to date by its owner', async () => {
      const { work, say, send, service, as } = await office();
      expectDone(await send(ROWS.slice(0, 1), ...as('anna')), { created: 1 });
      say('DROP TABLE written_file; UPDATE journal SET version = 8');
      work.file('r.csv', 'mine');
      const flags = ['--dry-run', '--report', 'r.csv', '--overwrite'];
      expectDone(await send(ROWS.slice(0, 1), ...flags, ...as('rolf')), { already_created: 1 });
      const doctor = await work.run(['doctor', ...as('anna'), '--base-url', service.url]);
      expect(doctor.stdout).toContain('version 8, on PostgreSQL');
      const refused = await send(ROWS, '--batch-id', 'b', ...as('anna'));
      expect(refused.summary).toMatchObject(JOURNAL);
      expect(refused.stderr).toMatch(/older gigwork \(journal version 8, .* Its owner does that once, .* grants\.sql/);
      const owner = await work.run(['journal', 'init', ...as('boss')]);
      expect([owner.code, owner.stderr]).toEqual([2, expect.stringContaining('already, up to date')]);
      expect(say('SELECT version FROM journal').trim()).toBe('9');
      expect((await send(ROWS, ...as('anna'))).stderr).toContain('the right INSERT on written_file is missing');
      expect(service.executions.size).toBe(1);
      (await server()).runScript('docs/operations/grants.sql', [`schema=office_${schemas}`]);
      const page = ['--batch-id', 'b', '--send-similar', '9', '--report', 'page.csv', ...as('anna')];
      for (const created of [4, 0])
        expectDone(await send(ROWS, ...page), created === 0 ? { already_created: 4 } : { created });
      const other = await send(ROWS.slice(1), ...page);
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('this call does not continue that run')]);
    });

    test('one settles what another has left in doubt, and a third goes on', async () => {
      const { work, send, resume, as, batch } = await office((n) =>
        n === 1 ? { fault: 'reset-after' } : n === 2 ? { status: 401 } : { status: 201 },
      );
      const first = await send(ROWS, '--retries', '0', ...as('anna'));
      expect(first.summary).toMatchObject({ exit_code: 5, records: { unknown: 1, not_sent: 3 } });
      const { run } = first.summary;
      const settled = ['batch', 'settle', run, '--line', '2', '--created', '--note', 'ticket 1', ...as('sara')];
      expect(await work.run(settled)).toMatchObject({ code: 0, stderr: '' });
      const show = await batch('show', run, ...as('rolf'));
      expect(show.settled).toMatchObject([{ by: { user: 'sara' }, note: 'ticket 1', status: 'created' }]);
      expect(JSON.stringify(show.next)).not.toContain('pw');
      for (const name of ['bert', 'rolf'] as const)
        expect((await resume(run, ...as(name))).summary).toMatchObject(JOURNAL);
      expectDone(await resume(run, ...as('anna')), { created: 3, already_created: 1 });
    });
  },
);

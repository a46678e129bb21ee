/** The journal protects from paying twice: where a new one begins, that is said, or refused. CONTRACT: "Sending". */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv } from '../support/builders.js';
import { CONFIG } from '../support/cli.js';
import { openDesk, expectDone, FIRST, recordsOf, SECOND } from '../support/desk.js';
import { PROGRAMS, sharedServer, USER } from '../support/postgresql.js';

const NOTICE = /^First use in (.*): gigwork does not know of any earlier payments\. .* --state-dir\b.*$/m;

describe('a new journal', () => {
  test('is told of where it begins for a real target, with its folder, and once', async () => {
    const { work, send } = await openDesk();
    const first = await send([FIRST]);
    expect(NOTICE.exec(first.stderr)?.[1]).toBe(work.stateDir);
    expect((await send([SECOND])).stderr).not.toMatch(NOTICE);
    expect((await send([{ ...SECOND, user_id: 'u9' }], '--account', 'other')).stderr).not.toMatch(NOTICE);
    expect((await send([SECOND], '--state-dir', 'elsewhere')).stderr).toMatch(NOTICE);
  });

  test('is none in a dry run and for the sandbox, after which one to a real target still is', async () => {
    const { work, send } = await openDesk();
    expect((await send([FIRST], '--dry-run')).stderr).not.toMatch(NOTICE);
    expect(existsSync(work.stateDir)).toBe(false);
    expect((await work.run('payout create p.csv --sandbox')).stderr).not.toMatch(NOTICE);
    expect(existsSync(work.path('state/journal.db'))).toBe(true);
    // Nor does a run that was refused make it one that is known.
    expect((await send([FIRST], '--expect-count', '2')).stderr).toMatch(NOTICE);
    const first = await send([FIRST]);
    expectDone(first, { created: 1 });
    expect(first.stderr).toMatch(NOTICE);
    expect(first.summary).toMatchObject({ new_journal: true, last_payment_at: null });
    const [{ at }] = recordsOf(first);
    for (const [flags, last] of [
      [[], at],
      [['--dry-run'], at],
      [['--account', 'other'], null],
    ] as const) {
      const { summary } = await send([FIRST, SECOND], '--expect-count', '9', ...flags);
      expect(summary).toMatchObject({ new_journal: false, last_payment_at: last });
    }
  });
});

describe('where a journal is required', () => {
  const REQUIRED = '{"require_journal": true}';
  const REFUSED = { exit_code: 2, stop_reason: 'usage' };

  test.each(['--require-journal', 'require_journal'])('none is begun for a real target: %s', async (how) => {
    const { work, service, send } = await openDesk();
    if (how === 'require_journal') work.file(CONFIG, REQUIRED);
    for (const flags of [[], ['--dry-run']]) {
      const refused = await send([FIRST], ...flags, ...(how === 'require_journal' ? [] : [how]));
      expect(refused.summary).toMatchObject(REFUSED);
      expect(refused.stderr).toContain(`there is no journal of earlier payments in ${work.stateDir}`);
    }
    expect([existsSync(work.path('state/journal.db')), service.requestCount]).toEqual([false, 0]);
  });

  test('a journal that knows of rehearsals alone is none, until journal init takes it', async () => {
    const { work, service, send } = await openDesk();
    work.file('p.csv', csv([FIRST]));
    expect((await work.run('payout create p.csv --sandbox')).code).toBe(0);
    // Neither does a run that was refused make it one.
    expect((await send([FIRST], '--expect-count', '2')).code).toBe(3);
    expect((await send([FIRST], '--require-journal')).summary).toMatchObject(REFUSED);
    expect(service.requestCount).toBe(0);
    const init = async (): Promise<number> => (await work.run('journal init')).code;
    expect([await init(), await init()]).toEqual([0, 2]);
    expectDone(await send([FIRST], '--require-journal'), { created: 1 });
    expect(await init()).toBe(2);
  });

  test.each(['file', ...(PROGRAMS === null ? [] : ['PostgreSQL'])])(
    'one made by journal init will do: %s',
    async (way) => {
      const { work, send } = await openDesk();
      const server = way === 'file' ? null : await sharedServer();
      const url = server === null ? 'sqlite:there' : `${server.url(USER)}?schema=made_on_purpose`;
      const at = ['--journal', url];
      expect((await send([FIRST], '--require-journal', ...at)).stderr).toContain(`gigwork journal init ${at[0]} `);
      const made = await work.run(`journal init --json ${at.join(' ')}`);
      const journal = expect.stringMatching(/there$|made_on_purpose$/);
      expect([made.code, JSON.parse(made.stdout)]).toEqual([0, { journal }]);
      const again = await work.run(`journal init ${at.join(' ')}`);
      expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('there is a journal')]);
      work.file('p.csv', csv([FIRST]));
      expect((await work.run(`payout create p.csv --sandbox ${at.join(' ')}`)).code).toBe(0);
      const first = await send([FIRST], '--require-journal', ...at);
      expectDone(first, { created: 1 });
      expect(first.stderr).not.toMatch(NOTICE);
      expect(first.summary).toMatchObject({ new_journal: false, last_payment_at: null });
      server?.say('DROP SCHEMA made_on_purpose CASCADE');
    },
  );

  test.each([
    ['{"env": "WHERE"}', 'sqlite:there'],
    ['{"file": "where"}', 'sqlite:there'],
    ['{"command": ["cat", "where"]}', 'sqlite:there'],
    ['{"env": "NOWHERE"}', null],
  ])('the setting that names it is a secret: %s', async (kept, found) => {
    const { work } = await openDesk();
    work.file('config/gigwork/where', 'sqlite:there\n');
    work.file(CONFIG, `{"journal": ${kept}}`);
    const { code, stdout, stderr } = await work.run('journal init --json', { env: { WHERE: 'sqlite:there' } });
    if (found === null) expect([code, stderr]).toEqual([2, expect.stringContaining('variable NOWHERE is not set')]);
    else expect([code, stdout]).toEqual([0, expect.stringContaining('config/gigwork/there"')]);
  });

  test('one that knows of real payments will do, for every target', async () => {
    const { work, send } = await openDesk();
    expectDone(await send([FIRST]), { created: 1 });
    work.file(CONFIG, REQUIRED);
    expectDone(await send([SECOND], '--require-journal'), { created: 1 });
    expectDone(await send([{ ...SECOND, user_id: 'u9' }], '--account', 'other'), { created: 1 });
  });
});

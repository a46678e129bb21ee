/** No file of a person is written over. CONTRACT: "Files it writes", `--overwrite`. */
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspaceWith } from '../support/cli.js';
import { ANSWERS, FIRST, openDesk, ROWS, SECOND, sent } from '../support/desk.js';
import { killedAt } from '../support/crash.js';
import { startClerk } from '../faults/clerk.js';
import { holding } from '../faults/together.js';

const WAYS = 'Name another file, or replace it with --overwrite';
const MINE = 'my own list\n';

describe('the three stories', () => {
  it('rejects that somebody corrects in place stay as they are when the same command is called again', async () => {
    const at = await openDesk();
    const rows = [FIRST, { ...SECOND, title: '' }];
    const send = (...flags: string[]) => at.send(rows, '--rejects', 'rejects.csv', ...flags);
    expect((await send()).code).toBe(3);
    // Nobody has changed it yet: it is brought up to date.
    expect((await send()).code).toBe(3);
    const corrected = at.work.read('rejects.csv').replace(',,', ',Wages,');
    at.work.file('rejects.csv', corrected);
    const { code, stderr, summary } = await send();
    expect(code).toBe(2);
    expect(summary).toMatchObject({ stop_reason: 'usage', records: { read: 0 } });
    expect(stderr).toContain(
      '--rejects rejects.csv: somebody has changed this file since gigwork wrote it, so it stays as it is. Name another file to keep the changes. --overwrite replaces it, and the changes are lost',
    );
    expect(at.work.read('rejects.csv')).toBe(corrected);
    expect((await send('--overwrite')).code).toBe(3);
    expect(at.work.read('rejects.csv')).not.toBe(corrected);
  });

  it('the page of last month is not replaced by the command of last month with an old name', async () => {
    const at = await openDesk();
    const november = await at.send(ROWS, '--batch-id', '2026-11', '--report', 'page.html');
    const page = at.work.read('page.html');
    const next = payouts(5).slice(4);
    const late = at.later(24 * 30);
    const { code, stderr } = await late.send(next, '--batch-id', '2026-12', '--report', 'page.html');
    expect(code).toBe(2);
    expect(stderr).toContain(
      `--report page.html: run ${november.summary.run} wrote this file, and this call does not continue that run, so it stays as it is. ${WAYS}`,
    );
    expect([at.work.read('page.html'), at.service.requestCount]).toEqual([page, 4]);
    expect((await late.send(next, '--batch-id', '2026-12', '--report', 'page-12.html')).code).toBe(0);
  });

  it('a list of a person is not replaced by a dry run, whatever journal there is', async () => {
    const at = workspaceWith({ 'p.csv': csv(payouts(2)), 'list.csv': MINE });
    for (const [target, why] of [
      ['', 'this file exists already, and a dry run does not replace it'],
      [' --base-url https://gigs.example', 'this file exists already, and a dry run does not replace it'],
    ] as const) {
      const { code, stderr } = await at.run(`payout create p.csv --dry-run --report list.csv${target}`);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--report list.csv: ${why}. ${WAYS}`)]);
    }
    const approval = await at.run('payout create p.csv --base-url https://gigs.example --yes --approve=list.csv');
    expect([approval.code, approval.stderr]).toEqual([
      2,
      expect.stringContaining('--approve list.csv: this file exists already, and an approval does not replace it'),
    ]);
    expect(at.read('list.csv')).toBe(MINE);
    expect(existsSync(at.stateDir)).toBe(false);
    expect((await at.run('payout create p.csv --dry-run --report list.csv --overwrite')).code).toBe(0);
    expect(at.read('list.csv')).not.toBe(MINE);
  });
});

describe('a file that is there already', () => {
  const OUTPUTS = '--report r.csv --report r.html --results q.csv --rejects x.csv'.split(' ');

  it('is named with all others that must stay, before anything is read; a log is appended to', async () => {
    const at = await openDesk();
    for (const name of ['r.csv', 'r.html', 'q.csv', 'x.csv']) at.work.file(name, MINE);
    const { code, stderr } = await at.sendFiles(['gone.csv'], ...OUTPUTS, '--log-file', 'log.ndjson');
    expect(code).toBe(2);
    expect(stderr).toContain('gone.csv');
    at.work.file('log.ndjson', '{}\n');
    const { stderr: told } = await at.send([FIRST], ...OUTPUTS, '--log-file', 'log.ndjson');
    const no = 'this file exists already, and gigwork has no record of writing it, so it stays as it is';
    expect(told).toContain(
      `--report r.csv: ${no}. --report r.html: ${no}. --rejects x.csv: ${no}. --results q.csv: ${no}. Name other files, or replace them with --overwrite`,
    );
    expect(at.service.requestCount).toBe(0);
    for (const name of ['r.csv', 'r.html', 'q.csv', 'x.csv']) expect(at.work.read(name)).toBe(MINE);
    expect((await at.send([FIRST], '--log-file', 'log.ndjson')).code).toBe(0);
    expect(at.work.read('log.ndjson')).toMatch(/^\{\}\n\{/);
  });

  it('is replaced by the same command, as often as it is called, and by batch resume', async () => {
    const at = await sent('open', ROWS, '--report', 'r.csv', '--results', 'q.csv');
    const { next } = (await at.batch('show', at.run)) as { next: string[] };
    expect(next).toContain('--overwrite');
    const plain = next.filter((word) => word !== '--overwrite');
    expect((await at.runPrinted(plain)).summary).toMatchObject({ exit_code: 0, records: { created: 4 } });
    expect(at.work.read('q.csv').match(/,created,/g)).toHaveLength(4);
    for (let time = 0; time < 2; time++)
      expect((await at.send(ROWS, '--report', 'r.csv', '--results', 'q.csv')).code).toBe(0);
    // After 20 hours, the same command is another run.
    expect((await at.later(21).send(ROWS, '--report', 'r.csv', '--results', 'q.csv')).code).toBe(2);
  });

  it('of a run is not replaced by a dry run of the same input, nor for the batch report of a run', async () => {
    const at = await openDesk();
    const { summary } = await at.send(ROWS, '--report', 'r.html');
    const { code, stderr } = await at.send(ROWS, '--report', 'r.html', '--dry-run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('and a dry run does not replace it')]);
    const later = await at.work.run(`batch report ${summary.run} --report r.html`);
    expect([later.code, later.stderr]).toEqual([2, expect.stringContaining(`this file exists already`)]);
    expect((await at.work.run(`batch report ${summary.run} --report r.html --overwrite`)).code).toBe(0);
  });

  it('of a refused call is replaced for an input of the same name, whatever is in it, and for no other', async () => {
    const at = await openDesk();
    const bad = [FIRST, { ...SECOND, title: '' }];
    expect((await at.send(bad, '--report', 'r.csv')).code).toBe(3);
    at.work.file('q.csv', csv(bad));
    const other = await at.sendFiles(['q.csv'], '--report', 'r.csv');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('p.csv, and this call has another input')]);
    expect((await at.send(ROWS, '--report', './../' + at.work.dir.split('/').pop() + '/r.csv')).code).toBe(0);
    // Now it belongs to a run.
    expect((await at.send(bad, '--report', 'r.csv')).code).toBe(2);
  });

  it('in the folder for several inputs stays too, before the review', async () => {
    const at = await openDesk();
    at.work.file('a.csv', csv([FIRST]));
    at.work.file('b.csv', csv([SECOND]));
    at.work.file('out/b.csv', MINE);
    at.work.file('out/b.ndjson', MINE);
    const send = (...flags: string[]) => at.sendFiles(['a.csv', 'b.csv'], '--results', 'out', ...flags);
    const { code, stderr } = await send();
    expect([code, stderr]).toEqual([2, expect.stringContaining('--results out/b.csv: this file exists already')]);
    expect(stderr).not.toContain('b.ndjson');
    expect([at.service.requestCount, existsSync(at.work.path('out/a.csv'))]).toEqual([0, false]);
    rmSync(at.work.path('out/b.csv'));
    expect((await send()).code).toBe(0);
    expect((await send()).code).toBe(0);
    expect(at.work.read('out/b.ndjson')).toBe(MINE);
  });

  it('is a link too, wherever it leads', async () => {
    const at = await openDesk();
    symlinkSync(at.work.path('nowhere'), at.work.path('r.csv'));
    expect((await at.send(ROWS, '--report', 'r.csv')).code).toBe(2);
  });

  it('is an approval, a task list and a report of batch report as well', async () => {
    const at = workspaceWith({ 'p.csv': csv(payouts(2)), 'a.json': MINE, 't.csv': MINE });
    const approve = 'payout create p.csv --base-url https://gigs.example --yes --approve=a.json';
    expect((await at.run(approve)).stderr).toContain('--approve a.json: this file exists already');
    expect((await at.run(`${approve} --overwrite`)).code).toBe(0);
    // A call that approves keeps nothing, as a dry run does.
    expect((await at.run(approve)).code).toBe(2);
    const gigs =
      'gig create --title T --description D --url https://x.example --start-at 1800000000 --end-at 1800003600';
    const created = await at.run(`${gigs} --sandbox --json --task-list t.csv`);
    expect(created.stdout).toContain('--task-list t.csv: this file exists already');
    expect(at.read('t.csv')).toBe(MINE);
  });

  it('that appears while the payments are sent stays, and the payments are told as they are', async () => {
    const at = await openDesk();
    at.service.responder(() => {
      at.work.file('r.csv', MINE);
      return ANSWERS.created;
    });
    const { code, summary } = await at.send([FIRST], '--report', 'r.csv');
    expect(summary).toMatchObject({ exit_code: 1, records: { created: 1 } });
    expect(code).toBe(1);
    expect(summary.reasons.join()).toContain('r.csv could not be written: this file exists already');
    expect(summary.remedies).toMatchObject([{ code: 'report' }]);
    expect(at.work.read('r.csv')).toBe(MINE);
  });
});

it('a file that another call has written in the meantime stays', async () => {
  const held = holding(() => true);
  const { work, service, begin, send } = await startClerk(1, held);
  const running = begin('payout', ['--report', 'r.csv']);
  await held.arrived;
  service.responder(undefined);
  const other = await send('gig', ['--report', 'r.csv']);
  expect(other.code).toBe(0);
  const written = work.read('r.csv');
  held.release();
  const { summary } = await running.result;
  expect(summary).toMatchObject({ exit_code: 1, records: { created: 1 } });
  expect(summary.reasons.join()).toContain(`r.csv could not be written: run ${other.summary.run} wrote this file`);
  expect(work.read('r.csv')).toBe(written);
});

describe('what is printed works as it stands', () => {
  it('carries --overwrite where the call had it', async () => {
    const at = await openDesk();
    at.work.file('r.csv', MINE);
    const { summary } = await at.send(ROWS, '--report', 'r.csv', '--overwrite', '--expect-count', '9');
    expect(summary.remedies).toMatchObject([{ code: 'dry-run' }]);
    expect(summary.remedies[0].command).toEqual(expect.arrayContaining(['--overwrite', '--report']));
  });

  it('names no file that the next call may not replace, where the call had no --overwrite', async () => {
    const at = await openDesk();
    const first = await at.send(ROWS, '--report', 'r.csv', '--results', 'q.csv', '--expect-count', '9');
    const [{ command }] = first.summary.remedies as [{ command: string[] }];
    expect((await at.runPrinted(command)).summary).toMatchObject({ exit_code: 0, records: { planned: 4 } });
    // A dry run in between has left nothing that the real call could not replace.
    expect((await at.send(ROWS, '--report', 'r.csv', '--results', 'q.csv')).code).toBe(0);
    const repeated = await at.send(ROWS.slice(0, 2), '--report', 'other.csv', '--results', 'other-q.csv');
    expect(repeated.summary.stop_reason).toBe('repeats');
    const skip = repeated.summary.remedies.find(({ code }: { code: string }) => code === 'skip-created');
    expect((await at.runPrinted(skip.command)).summary).toMatchObject({ exit_code: 0, records: { skipped: 2 } });
  });

  it('imports the corrected input again, without the files of the run that left its faults out', async () => {
    const at = await openDesk();
    const bad = [FIRST, { ...SECOND, title: '' }];
    const first = await at.send(bad, '--skip-invalid', '--report', 'r.csv');
    const [{ code, command }] = first.summary.remedies as [{ code: string; command: string[] }];
    expect([first.code, code]).toEqual([4, 'import-again']);
    at.work.file('p.csv', csv([FIRST, SECOND]));
    expect((await at.runPrinted(command)).summary).toMatchObject({
      exit_code: 0,
      records: { created: 1, skipped: 1 },
    });
  });
});

describe.each(['file:stored', 'file:written'])('a call that is killed at %s', (point) => {
  const FILES = ['--report', 'r.csv', '--results', 'q.csv', '--rejects', 'x.csv'];

  it.each([1, 2, 3])(
    'at file %i, in its first call and in the next, leaves what the same command replaces',
    async (nth) => {
      const { work, send } = await startClerk(3);
      const killed = { env: killedAt(point, nth) };
      expect((await send('payout', FILES, killed)).signal).toBe('SIGKILL');
      expect((await send('payout', FILES, killed)).signal).toBe('SIGKILL');
      const { summary } = await send('payout', FILES);
      expect(summary).toMatchObject({ exit_code: 0, records: { already_created: 3 } });
      const { runs } = JSON.parse((await work.run('batch list --json')).stdout) as { runs: { run: string }[] };
      const resume = await work.run(['batch', 'resume', runs[0]!.run, '--yes', '--json', ...FILES]);
      expect(resume.summary).toMatchObject({ exit_code: 0 });
      expect(work.read('q.csv').match(/,created,/g)).toHaveLength(3);
    },
  );

  it('in a refused call leaves what the same command replaces', async () => {
    const { work, send } = await startClerk(3);
    const refused = [...FILES, '--expect-count', '9'];
    for (let time = 0; time < 2; time++)
      expect((await send('payout', refused, { env: killedAt(point, 2) })).signal).toBe('SIGKILL');
    expect((await send('payout', FILES)).summary).toMatchObject({ exit_code: 0, records: { created: 3 } });
    expect(work.read('q.csv').match(/,created,/g)).toHaveLength(3);
  });
});

/** Who did what: `journal log`, and who ran a run in lists and reports. CONTRACT: "`--json`". */
import { describe, expect, test } from 'vitest';
import { type CliResult, type Workspace } from '../support/cli.js';
import { ANSWERS, openDesk, type Desk, FIRST, SECOND } from '../support/desk.js';
import { readPage } from '../support/documents.js';
import { jsonLines } from '../support/result.js';

/** Whoever runs the program within a test. */
const BY = { user: 'clerk', host: 'desk' };
const { version: VERSION } = JSON.parse(readPage('package.json')) as { version: string };
const AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

async function log(work: Workspace, flags = '') {
  const { code, stdout, stderr } = await work.run(`journal log ${flags}`);
  expect([code, stderr]).toEqual([0, '']);
  return jsonLines(stdout);
}

/** The first payment is in doubt, the second not sent. */
async function stopped(): Promise<Desk & { first: CliResult; run: string }> {
  const at = await openDesk((n) => (n === 1 ? ANSWERS.unknown : { status: 401 }));
  const first = await at.send([FIRST, SECOND], '--retries', '0');
  return { ...at, first, run: first.summary.run };
}

describe('journal log', () => {
  test('tells all that was done with a run, in its order, and by whom', async () => {
    const { work, run, service, resume } = await stopped();
    const settle = `batch settle ${run} --line 2 --created --note 'ticket 4711'`;
    const close = `batch close ${run} --note 'paid by hand'`;
    await work.run(settle);
    await resume(run);
    await work.run(close);
    await work.run('batch prune --before 2026-01-01');
    const events = await log(work);
    const sent = `gigwork payout create p.csv --base-url ${service.url} --yes --json --concurrency 1 --retries 0`;
    const common = { at: AT, run, by: BY, version: VERSION };
    const key = expect.stringMatching(/^[\da-f-]{36}$/);
    const resumed = expect.stringContaining(`gigwork batch resume ${run}`);
    // The first call leaves a payment in doubt that clears up by calling again.
    const ended = (code: number) => ({ exit_code: code, stop_reason: 'unauthorized' });
    expect(events).toEqual([
      { ...common, what: 'run', command_line: sent, note: null, goes_on: false },
      { ...common, what: 'ended', command_line: sent, note: null, ...ended(5) },
      {
        ...common,
        what: 'settled',
        note: 'ticket 4711',
        command_line: `gigwork ${settle}`,
        file: 'p.csv',
        record: 1,
        line: 2,
        key,
        status: 'created',
      },
      { ...common, what: 'run', command_line: resumed, note: null, goes_on: true },
      { ...common, what: 'ended', command_line: resumed, note: null, ...ended(6) },
      { ...common, what: 'closed', note: 'paid by hand', command_line: `gigwork ${close}` },
      {
        ...common,
        run: null,
        what: 'pruned',
        note: null,
        before: '2026-01-01T00:00:00.000Z',
        count: 0,
        command_line: 'gigwork batch prune --before 2026-01-01',
      },
    ]);
    expect(Object.keys(events[0])).toEqual(['at', 'what', 'run', 'by', 'version', 'command_line', 'note', 'goes_on']);
  });

  test('leaves out what was done before a day', async () => {
    const at = await openDesk();
    await at.send([FIRST]);
    await at.later(48).send([SECOND]);
    const all = await log(at.work);
    expect(all.map(({ what }) => what)).toEqual(['run', 'ended', 'run', 'ended']);
    const day = all[2].at.slice(0, 10);
    expect(await log(at.work, `--since ${day} --json`)).toEqual(all.slice(2));
    expect(await log(at.work, '--since 2999-01-01')).toEqual([]);
  });

  test('has no secret, and no field of a record', async () => {
    const { work, service } = await openDesk();
    const token = 'very-secret-token';
    const secret = `--header 'Authorization: Bearer ${token}' '--header=X-Pin: 77' --set 'description=by ${token}'`;
    const fields = '--user-id usr_4711 --amount=12 --title Bonus --cost-center-key PP-7';
    const { code } = await work.run(`payout create ${fields} ${secret} --base-url ${service.url} --yes`);
    expect(code).toBe(0);
    const [{ command_line: line, run }] = await log(work);
    expect(line).toBe(
      `gigwork payout create --user-id '[hidden]' '--amount=[hidden]' --title '[hidden]' --cost-center-key '[hidden]' ` +
        `--header 'Authorization: [hidden]' '--header=X-Pin: [hidden]' --set 'description=by [hidden]' ` +
        `--base-url ${service.url} --yes`,
    );
    expect((await work.run(`batch show ${run}`)).stdout).toContain(`call    ${line}`);
  });
});

test('who began a run, where, and with which version, stands in lists and reports, whoever goes on with it', async () => {
  const { work, batch, run, resume, first } = await stopped();
  await resume(run);
  expect(first.summary.run).toBe(run);
  const [listed] = (await batch('list')).runs;
  expect(listed).toMatchObject({ run, by: BY, version: VERSION });
  expect(await batch('show', run)).toMatchObject({ run, by: BY, version: VERSION });
  const shown = (await work.run(`batch show ${run}`)).stdout;
  expect(shown).toMatch(new RegExp(`^by {6}${BY.user} on ${BY.host}, with gigwork ${VERSION}$`, 'm'));
  expect(shown).toMatch(/^call {4}gigwork payout create p\.csv /m);
  await work.run(`batch report ${run} --report r.html`);
  expect(work.read('r.html')).toContain(`<dt>Run by</dt><dd>${BY.user} on ${BY.host}</dd>`);
});

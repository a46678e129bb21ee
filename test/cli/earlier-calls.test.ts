/** What a review, a dry run and a refusal say of records that earlier calls left open: in doubt, or rejected. */
import { describe, expect, it } from 'vitest';
import { csv } from '../support/builders.js';
import { workspace } from '../support/cli.js';
import { killedAt, send as sendFile } from '../support/crash.js';
import { type Desk, desk, expectRefused, FIRST, ROWS, SECOND, times } from '../support/desk.js';
import { testService } from '../support/fixtures.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';

const [, , THIRD] = ROWS as [typeof FIRST, typeof FIRST, typeof FIRST];
const FORGOTTEN = ['--key-lifetime', '0'];

/** The first row was carried out, and no answer came. */
async function inDoubt(): Promise<Desk> {
  const at = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
  const first = await at.send([FIRST], '--retries', '0');
  expect(first.summary.records).toMatchObject({ unknown: 1 });
  return at;
}

describe('a record in doubt that is not sent again', () => {
  it('is planned as such, whether its own run goes on or another one begins', async () => {
    const { send } = await inDoubt();
    for (const [rows, decided] of [
      [[FIRST], []],
      [[FIRST, THIRD], ['--skip-created']],
    ] as const) {
      const planned = (await send(rows, ...FORGOTTEN, ...decided, '--dry-run')).summary.records;
      expect(planned).toMatchObject({ unknown: 1, planned: rows.length - 1 });
      const sent = (await send(rows, ...FORGOTTEN, ...decided)).summary.records;
      expect(sent).toMatchObject({ unknown: planned.unknown, created: planned.planned });
    }
  });

  it.skipIf(NO_TERMINAL !== '')(`is not in the total that is typed${NO_TERMINAL}`, async () => {
    const { work, service } = await inDoubt();
    work.file('two.csv', csv([FIRST, { ...THIRD, amount: 17 }]));
    const target = ['--base-url', service.url, '--skip-created', ...FORGOTTEN];
    const terminal = openTerminal(work, ['payout', 'create', 'two.csv', ...target]);
    await terminal.shows('To send 1 payout, 17, to ');
    expect(terminal.output).toMatch(/^Of unknown outcome, not sent +payouts +1 /m);
    expect(terminal.output).toMatch(/^Created before +0$/m);
    expect(terminal.output).toMatch(/^To send now +payouts +1 +17$/m);
    terminal.type('17');
    expect(await terminal.ended).toBe(5);
    expect(times(service, FIRST)).toBe(1);
  });

  it.skipIf(NO_TERMINAL !== '')(`asks nothing where it is all there is${NO_TERMINAL}`, async () => {
    const { work, service } = await inDoubt();
    const terminal = openTerminal(work, ['payout', 'create', 'p.csv', '--base-url', service.url, ...FORGOTTEN]);
    expect(await terminal.ended).toBe(5);
    expect(terminal.output).not.toContain('type its amount');
  });
});

describe('a record in doubt', () => {
  it('of a process that was killed is planned as it will be sent, in a file with one more row too', async () => {
    const work = workspace();
    const service = await testService({ respond: ({ n }) => (n === 1 ? { fault: 'reset-after' } : undefined) });
    work.file('p.csv', csv([FIRST]));
    await sendFile(work, 'payout create', 'p.csv', service, [], { env: killedAt('answer:read') });
    work.file('p.csv', csv([FIRST, THIRD]));
    const rehearse = async (...flags: string[]) =>
      (await sendFile(work, 'payout create', 'p.csv', service, ['--skip-created', ...flags, '--dry-run'])).summary
        .records;
    expect(await rehearse()).toMatchObject({ planned: 2, unknown: 0 });
    expect(await rehearse(...FORGOTTEN)).toMatchObject({ planned: 1, unknown: 1 });
    const sent = await sendFile(work, 'payout create', 'p.csv', service, ['--skip-created', ...FORGOTTEN]);
    expect(sent.summary.records).toMatchObject({ created: 1, unknown: 1 });
  });

  it('that is sent again is named in a dry run, from the journal alone too', async () => {
    const { work, send } = await inDoubt();
    const words = '1 record may have been carried out already, and would be sent again under the same key';
    expect((await send([FIRST], '--dry-run')).stderr).toContain(words);
    expect((await send([FIRST, THIRD], '--skip-created', '--dry-run')).stderr).toContain(words);
    const [{ run }] = JSON.parse((await work.run(['batch', 'list', '--json'])).stdout).runs;
    expect((await work.run(['batch', 'resume', run, '--dry-run'])).stderr).toContain(words);
  });

  it('is no "not sent" without a word when the run is refused', async () => {
    const { send } = await inDoubt();
    const refused = await send([FIRST], '--expect-count', '2');
    expect(refused.summary).toMatchObject({ exit_code: 3, records: { not_sent: 1 } });
    expect(refused.stderr).toMatch(/1 record that was not sent now may have been carried out in run \S+, since \d{4}-/);
  });
});

describe('a record that was rejected', () => {
  const rejecting = (): Promise<Desk> => desk((n) => ({ status: n === 2 ? 422 : 201 }));

  it('is named where it would be sent again, and stays rejected where its run goes on', async () => {
    const { send } = await rejecting();
    expect((await send([FIRST, SECOND])).summary.records).toMatchObject({ created: 1, rejected: 1 });
    const words = '1 record was rejected before, and would be sent again';
    const again = await send([FIRST, SECOND], '--dry-run');
    expect(again.summary.records).toMatchObject({ already_created: 1, rejected: 1, planned: 0 });
    expect(again.stderr).not.toContain('rejected before');
    expect((await send([FIRST, SECOND], '--dry-run', '--retry-rejected')).stderr).toContain(words);
    expect((await send([SECOND, THIRD], '--dry-run')).stderr).toContain(words);
    expect((await send([THIRD], '--dry-run')).stderr).not.toContain('rejected before');
  });

  it('does not keep a run that stops at so many from going on', async () => {
    const { work, send } = await desk((n) => ({ status: n === 1 || n === 2 ? 422 : 201 }));
    const stopped = await send([FIRST, SECOND, THIRD], '--stop-after', '1');
    expect(stopped.summary).toMatchObject({ stop_reason: 'too_many_rejected', records: { rejected: 1, not_sent: 2 } });
    const [, words = ''] = /^To go on: gigwork (.*)$/m.exec(stopped.stderr) ?? [];
    const { summary } = await work.run([...words.split(' '), '--json']);
    expect(summary.records).toMatchObject({ rejected: 2, created: 1 });
    expect(summary).toMatchObject({ exit_code: 4, stop_reason: null });
  });
});

describe('a report of a refused run', () => {
  it('says so, and which earlier record each one repeats', async () => {
    const { work, send } = await desk();
    const { summary } = await send([FIRST]);
    const reports = ['--report', 'r.html', '--report', 'r.csv'];
    expectRefused(await send([FIRST, THIRD], ...reports), 'repeats', { 'created-before': 1 });
    const page = work.read('r.html');
    expect(page).toContain('<h1>Nothing was paid</h1>');
    expect(page).toContain('Refused: nothing was sent of 2 records.');
    expect(page).toContain('<p>1 record was sent before. Nothing is sent until you say what they are:</p>');
    expect(page).toContain('<p>- they were paid already: --skip-created leaves them out and sends the others</p>');
    const [, first = '', third = ''] = work.read('r.csv').split('\r\n');
    expect(first).toMatch(new RegExp(`,not_sent,.*this record was sent before \\(run ${summary.run}`));
    expect(third).toMatch(/,not_sent,.*,$/);
  });

  it('says why where nobody confirmed', async () => {
    const { work, service } = await desk();
    work.file('p.csv', csv([FIRST]));
    await work.run(['payout', 'create', 'p.csv', '--base-url', service.url, '--report', 'r.html']);
    expect(work.read('r.html')).toContain('<p>sending needs a confirmation, and there is no terminal to ask at;');
  });
});

describe('what to do about records of unknown outcome', () => {
  const [GO_ON, THEN] = [/^To go on: gigwork batch resume /m, /^Then go on: gigwork batch resume /m];

  it('is to go on, as long as their keys protect them', async () => {
    const { send } = await desk(() => ({ fault: 'reset-after' }));
    const { stderr } = await send([FIRST], '--retries', '0');
    expect(stderr).toMatch(GO_ON);
    expect(stderr).toContain('What stays of unknown outcome after that: look it up');
  });

  it('is to look them up first, once nothing protects them', async () => {
    const { send } = await inDoubt();
    const { stderr } = await send([FIRST], ...FORGOTTEN);
    expect(stderr).toMatch(
      /1 record of run \S+, of unknown outcome since [\d-]+, is not sent again: look each up at the service/,
    );
    expect(stderr).toMatch(THEN);
    expect(stderr).not.toContain('after that');
  });

  it('is the same for one that was left out, since the earlier one is unknown', async () => {
    const { send } = await inDoubt();
    const { stderr } = await send([{ ...FIRST, idempotency_key: 'own' }], '--skip-created');
    expect(stderr).toMatch(/1 record of run \S+, of unknown outcome since [\d-]+, is not sent again/);
    expect(stderr).toMatch(THEN);
  });
});

/** The setting `require_approval`: nobody sends what nobody else has approved. CONTRACT: "Approval". */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { approvalIn, byAnother, OTHER, rewritten } from '../support/approvals.js';
import { CONFIG } from '../support/cli.js';
import { type Desk, openDesk, expectDone, FIRST, paid, ROWS, SECOND } from '../support/desk.js';
import type { Reply } from '../support/service.js';

const APPROVE = '--approve=a.json';

/** A desk whose settings require approvals. */
async function strictDesk(respond?: (n: number) => Reply): Promise<Desk> {
  const at = await openDesk(respond);
  at.work.file(CONFIG, '{"require_approval": true}');
  return at;
}

/** The same, where another person has approved the rows. */
async function approvedDesk(rows: readonly object[], respond?: (n: number) => Reply, ...flags: string[]) {
  const at = await strictDesk(respond);
  expect((await at.send(rows, APPROVE, ...flags)).code).toBe(0);
  byAnother(at.work, 'a.json', 'b.json');
  return at;
}

const BY_OTHER = ['--approval', 'b.json'];

function expectNotApproved(result: Awaited<ReturnType<Desk['send']>>, words: RegExp): void {
  expect(result.summary).toMatchObject({ exit_code: 2, stop_reason: 'not_approved', records: { created: 0 } });
  expect(result.summary.reasons[0]).toMatch(words);
}

describe('where an approval is required', () => {
  test('a run without one is not sent, and says how to get one', async () => {
    const { work, service, send, batch } = await strictDesk();
    const refused = await send(ROWS);
    expectNotApproved(
      refused,
      /require_approval in .*config\.json asks for an approval by another person than the sender, who is clerk on desk; there is none\. .*--approve=FILE.*--approval FILE$/,
    );
    expect(refused.summary.records).toMatchObject({ not_sent: 4 });
    expect([service.requestCount, (await batch('list')).runs]).toEqual([0, []]);
    expect(existsSync(work.path('a.json'))).toBe(false);
  });

  test('the two commands of its remedies work as printed, with the name of a file for FILE', async () => {
    const { work, send, runPrinted } = await strictDesk();
    const { summary } = await send(ROWS);
    const [approve, use] = summary.remedies as { command: string[]; placeholders: string[] }[];
    const filled = (remedy: typeof approve, file: string): string[] =>
      (remedy?.command ?? []).map((word) => (remedy?.placeholders.includes(word) ? word.replace('FILE', file) : word));
    expectDone(await runPrinted(filled(approve, 'a.json'), '--yes'), { planned: 4 });
    byAnother(work, 'a.json', 'b.json');
    expectDone(await runPrinted(filled(use, 'b.json')), { created: 4 });
  });

  test('the approval of the sender is none, from whichever machine and in whatever letters', async () => {
    const { work, service, send } = await strictDesk();
    expect((await send(ROWS, APPROVE)).code).toBe(0);
    for (const by of [approvalIn(work, 'a.json').by, { user: 'CLERK', host: 'elsewhere' }]) {
      rewritten(work, 'a.json', { by });
      const refused = await send(ROWS, '--approval', 'a.json');
      expectNotApproved(refused, new RegExp(`; this run was approved by ${by.user} on ${by.host}\\.`));
    }
    expect(service.requestCount).toBe(0);
  });

  test('the approval of another person is enough, and named', async () => {
    const { service, send, batch } = await approvedDesk(ROWS);
    const sent = await send(ROWS, ...BY_OTHER);
    expectDone(sent, { created: 4 });
    expect(sent.stderr).toMatch(new RegExp(`approved by ${OTHER.user} on ${OTHER.host}, [^;]*\\)\n`));
    expect(service.ledgerTotal()).toBe(4);
    expect((await batch('list')).runs[0].approved_by.by).toEqual(OTHER);
  });

  test('the sandbox and dry runs need none; a dry run says what sending will need', async () => {
    const { work, send } = await strictDesk();
    const dry = await send(ROWS, '--dry-run');
    expectDone(dry, { planned: 4 });
    expect(dry.stderr).toContain('to send it: require_approval in ');
    expectDone(await work.run(['payout', 'create', 'p.csv', '--sandbox', '--json']), { created: 4 });
  });

  test('a profile may ask for it, or do without', async () => {
    const { work, service, send } = await openDesk();
    const profiles = { strict: { require_approval: true }, plain: { require_approval: false } };
    work.file(CONFIG, JSON.stringify({ require_approval: false, profiles }));
    expectNotApproved(await send(ROWS, '--profile', 'strict'), /require_approval in the profile strict asks /);
    expect(service.requestCount).toBe(0);
    expectDone(await send(ROWS, '--profile', 'plain'), { created: 4 });
  });
});

describe('a run that goes on', () => {
  const onceRefused = (n: number): Reply => ({ status: n === 2 ? 401 : 201 });

  test('keeps the approval that it began with, by the same command and by batch resume', async () => {
    for (const by of ['command', 'resume'] as const) {
      const at = await approvedDesk(ROWS, onceRefused);
      const { summary } = await at.send(ROWS, ...BY_OTHER);
      expect(summary).toMatchObject({ exit_code: 6, records: { created: 1, not_sent: 3 } });
      const again = by === 'command' ? await at.send(ROWS) : await at.resume(summary.run);
      expectDone(again, { already_created: 1, created: 3 });
      expect(paid(at, ...ROWS)).toEqual([1, 1, 1, 1]);
    }
  });

  test('that was begun without one needs one now, and batch resume takes it', async () => {
    const { work, service, send, resume, batch } = await openDesk(onceRefused);
    const { summary } = await send(ROWS);
    work.file(CONFIG, '{"require_approval": true}');
    expectNotApproved(await resume(summary.run), /; there is none\./);
    expect((await resume(summary.run, APPROVE)).code).toBe(0);
    byAnother(work, 'a.json', 'b.json');
    expectDone(await resume(summary.run, ...BY_OTHER), { already_created: 1, created: 3 });
    expect((await batch('list')).runs[0].approved_by.by).toEqual(OTHER);
    expect(service.ledgerTotal()).toBe(4);
  });

  test('with what its approval did not allow needs another one', async () => {
    const { work, service, send, resume } = await approvedDesk([FIRST, SECOND], onceRefused);
    const { summary } = await send([FIRST, SECOND], ...BY_OTHER);
    const more = ['--resend-unknown', '--key-lifetime', '48'];
    const refused = await resume(summary.run, ...more);
    expectNotApproved(refused, /; what .* approved differs from this run /);
    expect(refused.summary.reasons[0]).toMatch(/without --resend-unknown.*with --key-lifetime 24/);
    expect((await resume(summary.run, ...more, '--approve=c.json')).code).toBe(0);
    byAnother(work, 'c.json', 'd.json');
    expectDone(await resume(summary.run, ...more, '--approval', 'd.json'), { already_created: 1, created: 1 });
    expect(service.ledgerTotal()).toBe(2);
  });
});

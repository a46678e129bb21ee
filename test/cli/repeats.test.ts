/** Repeats in the same batch, unfinished runs, and what is only told. CONTRACT: "Keys and repeats", "Repeats". */
import { describe, expect, test } from 'vitest';
import {
  DEARER,
  openDesk,
  type Desk,
  EDITED,
  expectDone,
  expectRefused,
  FIRST,
  FOURTH,
  issues,
  issuesOf,
  paid,
  remedyOf,
  ROWS,
  SECOND,
  sent,
  sentAt,
  statesOf,
  THIRD,
} from '../support/desk.js';

describe('created-before', () => {
  test('was paid already: --skip-created, as a remedy says, leaves it out and sends the others', async () => {
    const at = await sent('created', [FIRST, SECOND]);
    const refused = await at.send([FIRST, SECOND, THIRD]);
    const result = await at.runPrinted(remedyOf(refused, '--skip-created'));
    expectDone(result, { skipped: 2, created: 1 });
    expect(result.summary.notices).toMatchObject([
      { code: 'skipped', count: 2, batch_id: 'default', totals: { payout: expect.anything() } },
    ]);
    expect(result.summary.warnings).toBe(0);
    expectDone(await at.send([FOURTH, FIRST], '--skip-created', '--strict'), { skipped: 1, created: 1 });
    expect(paid(at, ...ROWS)).toEqual([1, 1, 1, 1]);
  });

  test('in doubt is unknown under --skip-created, and sent again under its own key while that protects it', async () => {
    const at = await sent('unknown', [FIRST]);
    expectRefused(await at.later(25).send([FIRST, SECOND]), 'repeats', { 'created-before': 1 });
    const late = await at.later(25).send([FIRST, SECOND], '--skip-created');
    expect(late.summary).toMatchObject({ exit_code: 6, held: 1, records: { unknown: 1, created: 1 } });
    expect(at.service.requestCount).toBe(2);
    const early = await at.send([FIRST, THIRD], '--skip-created');
    expectDone(early, { created: 2, skipped: 0, unknown: 0 });
    expect(paid(at, FIRST, SECOND, THIRD)).toEqual([1, 1, 1]);
  });

  test('is the same content under another computed key, at least as often as the input has it up to the record', async () => {
    const columns = ['--key-columns', 'user_id,title'];
    const at = await sent('created', [SECOND, SECOND]);
    expectRefused(await at.send([SECOND], ...columns), 'repeats', { 'created-before': 1 });
    expectDone(await at.send([SECOND], ...columns, '--skip-created'), { skipped: 1 });
    expect(paid(at, SECOND)).toEqual([2]);
    const other = await sent('created', [SECOND], ...columns);
    expectRefused(await other.send([SECOND, SECOND]), 'repeats', { 'created-before': 1 });
    // One more than before is new.
    expectDone(await other.send([SECOND, SECOND], '--skip-created'), { skipped: 1, created: 1 });
    expect(paid(other, SECOND)).toEqual([2]);
  });

  test('a payment that another record of the input stands for is not repeated, and not resembled', async () => {
    const at = await sent('created', [SECOND]);
    expectDone(await at.send([SECOND, DEARER], '--skip-created'), { skipped: 1, created: 1 });
    expect(paid(at, SECOND, DEARER)).toEqual([1, 1]);
  });

  test('is paid again by no flag: only another batch is another payment', async () => {
    const at = await sent('created', [FIRST], '--batch-id', 'x');
    for (const flags of ['--send-similar 9', '--resend-unknown --retry-rejected', '--skip-similar', '--key-lifetime 0'])
      expectRefused(await at.send([FIRST, SECOND], '--batch-id', 'x', ...flags.split(' ')), 'repeats', {
        'created-before': 1,
      });
    expect(paid(at, FIRST, SECOND)).toEqual([1, 0]);
    expectDone(await at.later(24 * 7).send([FIRST, SECOND], '--batch-id', 'y'), { created: 2 });
    expect(paid(at, FIRST)).toEqual([2]);
  });
});

describe('open-before', () => {
  /** FIRST is created; SECOND and THIRD are open. */
  async function unfinished(): Promise<Desk & { run: string }> {
    const at = await openDesk((n) => ({ status: n === 2 ? 401 : 201 }));
    const { summary } = await at.send([FIRST, SECOND, THIRD]);
    expect(summary.records).toMatchObject({ created: 1, not_sent: 2 });
    return { ...at, run: summary.run };
  }

  test('shows the run and what is open in it, also what the input lacks; no flag skips it', async () => {
    const at = await unfinished();
    const everything = ['--skip-created', '--skip-similar', '--retry-rejected', '--resend-unknown', '--skip-invalid'];
    for (const flags of [[], everything, ['--send-similar', '9'], ['--dry-run']]) {
      const result = await at.send([SECOND, FOURTH], ...flags);
      expectRefused(result, 'repeats', { 'open-before': 1 });
      expect(issuesOf(result, 'open-before')[0].earlier).toMatchObject({ run: at.run, line: 3, status: 'not_sent' });
      expect(result.stderr).toContain(THIRD.user_id);
    }
    expect(paid(at, SECOND, FOURTH)).toEqual([0, 0]);
  });

  test('one row edited after the cut: each remedy in turn pays the old or the new row, never both unasked', async () => {
    for (const word of ['resume', 'close']) {
      const at = await unfinished();
      const refused = await at.send(EDITED.slice(0, 3));
      expectRefused(refused, 'repeats', { 'created-before': 1, 'open-before': 2 });
      const [, ...words] = remedyOf(refused, word);
      await at.work.run(words[0] === 'batch' && word === 'resume' ? [...words, '--yes'] : words);
      const again = await at.send(EDITED.slice(0, 3), '--skip-created');
      if (word === 'resume') expectRefused(again, 'repeats', { 'similar-record': 1 });
      else expectDone(again, { skipped: 1, created: 2 });
      expect(paid(at, FIRST, SECOND, DEARER, THIRD)).toEqual(word === 'resume' ? [1, 1, 0, 1] : [1, 0, 1, 1]);
    }
  });
});

describe('told, and not asked', () => {
  test('paid in another batch, longer ago: how many, how much, where and when; --strict does not mind', async () => {
    const at = (await sent('created', [FIRST, SECOND], '--batch-id', '2026-10')).later(24 * 7);
    for (const flags of [['--dry-run'], ['--strict']]) {
      const result = await at.send([FIRST, SECOND, THIRD], '--batch-id', '2026-11', ...flags);
      expect(result.summary).toMatchObject({ exit_code: 0, warnings: 0 });
      const [notice] = result.summary.notices;
      expect(notice).toMatchObject({ code: 'paid-in-batch', count: 2, batch_id: '2026-10' });
      const sum = notice.totals.payout.reduce((all: number, { amount }: { amount: string }) => all + Number(amount), 0);
      expect(sum).toBe(FIRST.amount + SECOND.amount);
      expect(Date.now() - Date.parse(notice.at)).toBeLessThan(600_000);
      expect(result.stderr).toContain('2026-10');
    }
    expect(at.service.ledgerTotal()).toBe(5);
  });

  test('paid in this batch for another date', async () => {
    const dated = (date: string) => ({ ...FIRST, billing_date: date });
    const at = await sent('created', [dated('2026-11-01')]);
    const result = await at.send([dated('2026-11-08')]);
    expectDone(result, { created: 1 });
    expect(result.summary.notices).toMatchObject([{ code: 'other-date', count: 1, batch_id: 'default' }]);
    expect(result.summary.warnings).toBe(0);
  });

  test.each(['unknown', 'rejected'] as const)(
    '%s payments of the batch that are not in the input; --strict refuses, and no record is invalid',
    async (state) => {
      const code = state === 'unknown' ? 'open-unknown' : 'rejected-left';
      const first = await sent(state, [FIRST], '--batch-id', 'x');
      const at = first.later(state === 'unknown' ? 25 : 0);
      const strict = await at.send([SECOND], '--batch-id', 'x', '--strict');
      expect(strict.summary).toMatchObject({ exit_code: 3, stop_reason: 'repeats', records: { invalid: 0 } });
      expect(issues(await at.send([SECOND], '--batch-id', 'x'), 'warning')).toEqual({ [code]: 1 });
      expect(issues(await at.send([THIRD], '--batch-id', 'y'), 'warning')).toEqual({});
      expect(issues(await at.send([FIRST, FOURTH], '--skip-created', '--batch-id', 'x'), 'warning')).toEqual({});
      if (state === 'unknown') return;
      const [{ message }] = issuesOf(strict, code);
      expect(message).toMatch(/gigwork batch close .*\. If a row here already pays it, close it now$/);
      expect((await at.work.run(['batch', 'close', first.run, '--note', 'over'])).code).toBe(0);
      expect(issues(await at.send([FOURTH], '--skip-created', '--batch-id', 'x'), 'warning')).toEqual({});
    },
  );

  test('known-elsewhere: created or in doubt at a target on another host, the sandbox aside', async () => {
    const at = sentAt(await sent('created', [FIRST]), 'unknown', [SECOND]);
    const { work } = await at;
    work.file('q.csv', work.read('p.csv'));
    const dry = ['payout', 'create', 'q.csv', '--dry-run', '--json'];
    const other = await work.run([...dry, '--base-url', 'https://gigs.example']);
    expect([other.summary.exit_code, issues(other, 'warning')]).toEqual([0, { 'known-elsewhere': 1 }]);
    expect(issues(await work.run([...dry, '--sandbox']), 'warning')).toEqual({});
  });
});

describe('the name of a batch', () => {
  test.each([
    ['2026-11', '2026–11'],
    ['2026-11', '2026 - 11'],
    ['2026-11', '２０２６-11'],
    ['nov-2026', 'Nov 2026'],
  ])('%s is known to the target, and %j reads like it: exit 2', async (known, name) => {
    const at = await sent('created', [FIRST], '--batch-id', known);
    const result = await at.send([SECOND], '--batch-id', name);
    expect(result.summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expect(result.stderr).toContain(known);
    expectDone(await at.send([SECOND], '--batch-id', '2026-12'), { created: 1 });
  });

  test('forgotten, or computed from the date: the same payments are asked about, and the right name goes on', async () => {
    const at = await sent('created', ROWS, '--batch-id', '2026-11-23');
    for (const late of [at.later(8).send(ROWS, '--batch-id', '2026-11-24'), at.later(24 * 30).send(ROWS)])
      expectRefused(await late, 'repeats', { 'similar-record': 4 });
    const refused = await at.send(ROWS);
    expect(refused.summary.remedies[0].command).toEqual(expect.arrayContaining(['--batch-id', '2026-11-23']));
    const right = await at.runPrinted(refused.summary.remedies[0].command);
    expectDone(right, { already_created: 4 });
    expect(right.summary.run).toBe(at.run);
    expect(statesOf(refused)).toEqual(['not_sent', 'not_sent', 'not_sent', 'not_sent']);
    expect(at.service.ledgerTotal()).toBe(4);
  });
});

/** When a call goes on with a run, what it then does, and what ends a run. CONTRACT: "Keys and repeats", "Sending". */
import { describe, expect, test } from 'vitest';
import { csv, gigs, type PayoutRow } from '../support/builders.js';
import { hoursAhead } from '../support/crash.js';
import { NO_TERMINAL, openTerminal } from '../support/terminal.js';
import {
  ANSWERS,
  DEARER,
  type Desk,
  openDesk,
  expectDone,
  expectRefused,
  FIRST,
  FOURTH,
  own,
  paid,
  recordsOf,
  SECOND,
  sent,
  sentAt,
  THIRD,
} from '../support/desk.js';

/** A run of two that stopped after its first record. */
async function stopped(...flags: string[]): Promise<Desk & { run: string; next: string[] }> {
  const at = await openDesk((n) => ({ status: n === 2 ? 401 : 201 }));
  const { summary } = await at.send([FIRST, SECOND], ...flags);
  expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'unauthorized', retry: false });
  expect(summary.records).toMatchObject({ created: 1, not_sent: 1 });
  return { ...at, run: summary.run, next: summary.next };
}

describe('what is open', () => {
  test('is told beside the command that continues: a changed file would be paid as well', async () => {
    const at = await openDesk((n) => (n === 1 ? { status: 401 } : ANSWERS.unknown));
    at.work.file('p.csv', csv([FIRST, SECOND]));
    const { stderr } = await at.work.run(`payout create p.csv --base-url ${at.service.url} --yes`);
    const [{ run }] = (await at.batch('list')).runs;
    const words = new RegExp(
      `continue: gigwork batch resume ${run} .*\\nThat continues with the file as it is\\. If you change the file, close this run first, or both the old and the changed records are sent: gigwork batch close ${run} --state-dir \\S+ --note TEXT$`,
      'm',
    );
    for (const text of [stderr, (await at.work.run(`batch show ${run}`)).stdout]) expect(text).toMatch(words);
    // What is in doubt is not paid twice by a changed file unasked.
    expect((await at.resume(run, '--retries', '0')).stderr).not.toContain('the old and the changed');
  });

  test('may be among what later runs have paid in the batch: batch show and a dry run say so', async () => {
    const at = await stopped();
    // Gigs cannot be among open payouts.
    at.work.file('gigs.json', JSON.stringify(gigs(1)));
    await at.work.run(`gig create gigs.json --base-url ${at.service.url} --yes`);
    expect((await at.work.run(`batch show ${at.run}`)).stdout).not.toContain('later run');
    const later = await at.send([THIRD]);
    const words = `1 later run has paid 1 record in batch default, most recently run ${later.summary.run} on 20`;
    expect((await at.work.run(`batch show ${at.run}`)).stdout).toContain(words);
    expect((await at.resume(at.run, '--dry-run')).stderr).toContain(words);
    const other = await at.work.run(`batch show ${later.summary.run}`);
    expect(other.stdout).not.toContain('later run');
  });
});

describe('this same input, within 20 hours', () => {
  test('goes on with its run, however it is written and whatever is decided, and repeats its answers', async () => {
    const at = await stopped();
    at.work.file('other name.json', JSON.stringify([FIRST, SECOND]));
    const again = await at.later(19).sendFiles(['other name.json'], '--skip-created', '--send-similar', '3');
    expectDone(again, { already_created: 1, created: 1, skipped: 0 });
    expect(recordsOf(again)[0]).toMatchObject({ http_status: 201, response: { id: 'payout-1' }, id: 'payout-1' });
    const third = await at.send([FIRST, SECOND], '--skip-similar');
    expectDone(third, { already_created: 2 });
    expect([again.summary.run, third.summary.run]).toEqual([at.run, at.run]);
    expect((await at.batch('list')).runs).toMatchObject([{ run: at.run, exit_code: 0 }]);
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });

  test.each([
    ['in another order', 0, [SECOND, FIRST]],
    ['21 hours later, as a nightly job', 21, [FIRST, SECOND]],
    ['before the run began', -1, [FIRST, SECOND]],
  ])('is another one %s', async (_when, hours, rows) => {
    const at = await stopped();
    const result = await at.later(hours).send(rows);
    expectRefused(result, 'repeats', { 'created-before': 1, 'open-before': 1 });
    expect(paid(at, FIRST, SECOND)).toEqual([1, 0]);
  });

  test('names every payment that the run accepted, whoever has sent it since', async () => {
    const at = await openDesk((n) => ({ status: n === 2 ? 422 : 201 }));
    const { summary } = await at.send([FIRST, SECOND]);
    expectDone(await at.send([SECOND, THIRD], '--retry-rejected'), { created: 2 });
    const again = await at.send([FIRST, SECOND]);
    expectDone(again, { already_created: 2 });
    expect(again.summary.run).toBe(summary.run);
    expect(again.summary.notices).toMatchObject([{ code: 'already-created', count: 2 }]);
  });
});

describe('what going on asks again', () => {
  test('nothing that passed the gate: not with the other records, not with another number of similar ones', async () => {
    const at = await sent('created', [FIRST, SECOND]);
    const rows = [FIRST, SECOND].map((row) => ({ ...row, amount: row.amount + 1 }));
    at.service.responder(({ n }) => ({ status: n === 4 ? 401 : 201 }));
    const cut = await at.send(rows, '--send-similar', '2');
    expect(cut.summary.records).toMatchObject({ created: 1, not_sent: 1 });
    expect((await at.send(rows, '--send-similar', '2', '--dry-run')).summary).toMatchObject({ exit_code: 0 });
    const again = await at.runPrinted(cut.summary.next);
    expectDone(again, { created: 1 });
    expect(again.summary.run).toBe(cut.summary.run);
    expect(paid(at, FIRST, SECOND, ...(rows as PayoutRow[]))).toEqual([1, 1, 1, 1]);
  });

  test('nothing that resembles what it has open: that is refused, and the run comes first', async () => {
    const at = await stopped();
    expectRefused(await at.send([DEARER]), 'repeats', { 'open-before': 1 });
    expectDone(await at.resume(at.run), { already_created: 1, created: 1 });
    expect(paid(at, SECOND, DEARER)).toEqual([1, 0]);
  });

  test('a payment like one of it in another batch, made since the run began, however long that is ago', async () => {
    const at = await stopped();
    expectDone(await at.send([SECOND], '--batch-id', 'x', '--send-similar', '1'), { created: 1 });
    const again = await at.later(24 * 30).resume(at.run);
    expectRefused(again, 'repeats', { 'similar-record': 1 });
    expectDone(await at.resume(at.run, '--skip-similar'), { already_created: 1, skipped: 1 });
    expect(paid(at, SECOND)).toEqual([1]);
  });
});

test('where all answers say that there is nothing here, records in doubt stay so, and are to be settled first', async () => {
  const at = await sent('unknown', [FIRST, SECOND]);
  at.service.responder(() => ({ status: 404 }));
  const { summary, stderr } = await at.send([FIRST, SECOND]);
  expect(summary).toMatchObject({ exit_code: 6, stop_reason: 'wrong_target', records: { unknown: 2 } });
  expect(stderr).toContain('batch settle');
});

describe('batch resume', () => {
  test('goes on with a run of any age, from the journal alone, at the stored target, after the same checks', async () => {
    const at = await stopped('--batch-id', 'x');
    at.work.file('p.csv', 'no longer the same');
    const refused = await at.resume(at.run, '--expect-count', '7');
    expect(refused.summary).toMatchObject({ exit_code: 3, stop_reason: 'control_total' });
    const again = await at.later(24 * 100).resume(at.run);
    expectDone(again, { already_created: 1, created: 1 });
    expect(again.summary).toMatchObject({ run: at.run, batch_id: 'x', target: at.service.url });
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });

  test('takes all other safety flags, and they hold', async () => {
    const at = await stopped();
    const { digest, totals } = (await at.resume(at.run, '--dry-run')).summary;
    const flags = [
      '--expect-count',
      '2',
      '--expect-digest',
      digest,
      '--strict',
      '--skip-created',
      '--send-similar',
      '1',
    ];
    const more = ['--retry-rejected', '--resend-unknown', '--key-lifetime', '1', '--stop-after', '3'];
    expect(totals.payout.length).toBeGreaterThan(0);
    expect((await at.resume(at.run, '--dry-run', ...flags, ...more)).summary).toMatchObject({ exit_code: 0 });
    for (const wrong of ['--expect-count=3', '--expect-total=1', `--expect-digest=${'0'.repeat(64)}`])
      expect((await at.resume(at.run, wrong)).summary).toMatchObject({ exit_code: 3, stop_reason: 'control_total' });
    expect((await at.resume(at.run, '--approval', 'none.json')).code).toBe(2);
    expect(paid(at, SECOND)).toEqual([0]);
  });

  test.each(['--batch-id=x', '--key-columns=user_id', '--skip-invalid'])('takes no %s', async (flag) => {
    const at = await stopped();
    expect((await at.resume(at.run, flag)).summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
    expect(paid(at, SECOND)).toEqual([0]);
  });
});

test('settled as not created, a payment is sent when its run goes on, though its file is another one by now', async () => {
  const at = await sent('unknown', [FIRST], '--key-lifetime', '0');
  await at.work.run(`batch settle ${at.run} --line 2 --not-created --note asked`, { env: hoursAhead(1) });
  at.work.file('p.csv', 'another');
  // So its rejects are not brought up to date.
  const { summary } = await at.runPrinted((await at.batch('show', at.run)).next);
  expect(summary).toMatchObject({ exit_code: 1, stop_reason: null, records: { created: 1 } });
});

describe('what is remembered', () => {
  test('the shortest lifetime that was said of a payment, in any call: what was printed pays nobody twice later', async () => {
    const at = await sent('unknown', [own(FIRST, 'k'), own(SECOND, 'l')], '--key-lifetime', '1');
    const other = await sentAt(at, 'unknown', [own(THIRD, 'm')]);
    at.service.responder(() => ANSWERS.unknown);
    await at.send([own(THIRD, 'm'), own(FOURTH, 'n')], '--key-lifetime', '1', '--retries', '0');
    at.service.responder(undefined);
    const late = at.later(2);
    const count = at.service.requestCount;
    for (const [run, held] of [
      [at.run, 2],
      [other.run, 1],
    ] as const)
      for (const flags of [[], ['--key-lifetime', '48']]) {
        const words: string[] = (await late.batch('show', run)).next;
        const others = words.filter((word, i) => ![word, words[i - 1]].includes('--key-lifetime'));
        const result = await late.runPrinted(flags.length === 0 ? words : others, ...flags);
        expect(result.summary).toMatchObject({ exit_code: 6, retry: false, held, records: { unknown: held } });
      }
    expect(at.service.requestCount).toBe(count);
  });

  test('the names of its headers: a call that lacks one is refused and names it', async () => {
    const at = await stopped('--header', 'X-Team: payroll');
    for (const lacking of [await at.resume(at.run), await at.send([FIRST, SECOND])]) {
      expect(lacking.summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
      expect(lacking.stderr.toLowerCase()).toContain('x-team');
    }
    expectDone(await at.resume(at.run, '--header', 'x-team: other'), { created: 1 });
  });

  test('the amount of a payment, at the gate: other prices later change nothing', async () => {
    const at = await openDesk();
    const row = { gig_task_id: 't1', user_id: 'u1', title: 'A', quantity: '2', cost_center_key: 'PP' };
    at.service.responder(() => ANSWERS.open);
    const first = await at.create('result', [{ ...row, base_price: 100 }]);
    at.service.responder(undefined);
    const again = await at.create('result', [{ ...row, base_price: 250 }]);
    expect(again.summary).toMatchObject({ exit_code: 0, run: first.summary.run });
    expect(recordsOf(again)[0].amount).toBe('200');
    expect((await at.batch('show', first.summary.run)).totals.result[0].amount).toBe('200');
  });
});

const WRONG = (user: string) => ({ ...FIRST, user_id: user, title: '' });

/** Begins with one invalid row before three good ones, and goes on with two files that have other invalid rows. */
async function goneOn(stopsAt: number): Promise<Desk & { run: string }> {
  const at = await openDesk((n) => ({ status: n === 2 || n === stopsAt ? 401 : 201 }));
  const begun = await at.send([WRONG('u-old'), FIRST, SECOND, THIRD], '--skip-invalid');
  expect(begun.summary.records).toMatchObject({ read: 4, invalid: 1, created: 1, not_sent: 2 });
  at.work.file('a.csv', csv([FIRST, WRONG('u-a'), SECOND]));
  at.work.file('b.csv', csv([THIRD, WRONG('u-b1'), WRONG('u-b2')]));
  const { summary } = await at.sendFiles(['a.csv', 'b.csv'], '--skip-invalid');
  expect(summary).toMatchObject({ run: begun.summary.run, records: { read: 6, invalid: 3, already_created: 1 } });
  return { ...at, run: begun.summary.run };
}

const place = ({ file, record, status }: Record<string, unknown>) =>
  `${file as string} ${record as number} ${status as string}`;
const PLACES = (second: string, third: string) => [
  'a.csv 1 created',
  'a.csv 2 invalid',
  `a.csv 3 ${second}`,
  `b.csv 1 ${third}`,
  'b.csv 2 invalid',
  'b.csv 3 invalid',
];

test('batch show and batch list tell the records of these files, and add up to them', async () => {
  const { batch, run } = await goneOn(4);
  const shown = await batch('show', run);
  expect(shown.files).toMatchObject(['a.csv', 'b.csv'].map((path) => ({ path, records: 3 })));
  expect(shown.records).toMatchObject({ read: 6, valid: 3, invalid: 3 });
  expect(shown.outcomes.map(place)).toEqual(PLACES('created', 'not_sent'));
  expect(shown.outcomes[1]).toMatchObject({ key: null, error: expect.stringContaining('title') });
  expect((await batch('list')).runs[0].records).toEqual(shown.records);
});

test('a resumed run tells them, and its reports have them in input order', async () => {
  const { work, service, run } = await goneOn(3);
  const resumed = await work.run(`batch resume ${run} --yes --json --report resumed.csv`);
  const records = { read: 6, invalid: 3, created: 2, already_created: 1 };
  expect(resumed.summary).toMatchObject({ exit_code: 4, records });
  const told = recordsOf(resumed).map(place);
  expect(told.toSorted()).toEqual(PLACES('created', 'created').with(0, 'a.csv 1 already_created').toSorted());
  await work.run(`batch report ${run} --report later.csv`);
  for (const report of ['resumed.csv', 'later.csv']) {
    const lines = work.read(report).trimEnd().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',').slice(0, 2).join(' '))).toEqual(
      PLACES('', '').map((text) => text.split(' ', 2).join(' ')),
    );
  }
  expect(service.executions.size).toBe(3);
});

test.skipIf(NO_TERMINAL !== '')(
  `batch prune while a person is asked: what cannot be sent says so${NO_TERMINAL}`,
  async () => {
    const at = await sent('rejected', [FIRST]);
    const terminal = openTerminal(at.work, ['batch', 'resume', at.run, '--retry-rejected']);
    await terminal.shows('type its amount (Enter stops): ');
    expect((await at.work.run('batch prune --before 2100-01-01')).code).toBe(0);
    terminal.type(String(FIRST.amount));
    expect(await terminal.ended).toBe(4);
    const told = terminal.output.replaceAll(/\s+/g, ' ');
    expect(told).toContain('because batch prune removed the contents');
    expect(told).not.toContain('To continue');
    expect(at.service.requestCount).toBe(1);
    const again = await at.resume(at.run, '--retry-rejected');
    expect(again.summary).toMatchObject({ exit_code: 4, next: null, records: { rejected: 1 } });
  },
);

test('batch prune takes the reasons of invalid rows', async () => {
  const { work, run, batch } = await goneOn(0);
  await work.run('batch prune --before 2999-01-01');
  const { outcomes } = await batch('show', run);
  expect(outcomes.map(({ error }: { error: string | null }) => error)).toEqual(Array(6).fill(null));
});

/** When the same command goes on with a run, and what it then does. CONTRACT: "Keys and repeats", "Going on". */
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, gigs, type PayoutRow } from '../support/builders.js';
import type { CliResult } from '../support/cli.js';
import {
  DEARER,
  type Desk,
  desk,
  expectDone,
  expectRefused,
  FIRST,
  issuesOf,
  own,
  ROWS,
  SECOND,
  statesOf,
  times,
  withKeys,
} from '../support/desk.js';

const [, , THIRD] = ROWS as [PayoutRow, PayoutRow, PayoutRow];
const ONCE = ['--retries', '0'];

/** A run that stopped after its first record. */
async function stopped(): Promise<Desk & { run: string }> {
  const at = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
  const { summary } = await at.send([FIRST, SECOND]);
  expect(summary).toMatchObject({ exit_code: 5, records: { created: 1, not_sent: 1 } });
  return { ...at, run: summary.run };
}

describe('a run whose target, batch and records are those of an earlier one goes on with it', () => {
  test('what is created is so already, what is open is sent, and it is one run', async () => {
    const { service, send, batch, run } = await stopped();
    const again = await send([FIRST, SECOND]);
    expectDone(again, { already_created: 1, created: 1, skipped: 0 });
    expect(again.summary.run).toBe(run);
    expectDone(await send([FIRST, SECOND]), { already_created: 2 });
    expect((await batch('list')).runs).toMatchObject([{ run, exit_code: 0 }]);
    expect([FIRST, SECOND].map((row) => times(service, row))).toEqual([1, 1]);
  });

  test('whatever the file is called and however it is written', async () => {
    const { work, service, sendFiles, run } = await stopped();
    work.file('b.json', JSON.stringify([FIRST, SECOND]));
    const again = await sendFiles(['b.json']);
    expectDone(again, { already_created: 1, created: 1 });
    expect(again.summary.run).toBe(run);
    expect(times(service, SECOND)).toBe(1);
  });

  test('not where the order is another one: that is another run', async () => {
    const { send } = await stopped();
    expectRefused(await send([SECOND, FIRST]), 'repeats', { 'open-before': 1, 'created-before': 1 });
  });

  test('not in another batch: each goes on where it was', async () => {
    const { service, send } = await desk((n) => ({ status: n === 2 || n === 4 ? 401 : 201 }));
    const [x, y] = ['x', 'y'].map((name) => ['--batch-id', name]) as [string[], string[]];
    const runs = [await send([FIRST, SECOND], ...x), await send([FIRST, SECOND], ...y)];
    for (const { summary } of runs) expect(summary.records).toMatchObject({ created: 1, not_sent: 1 });
    const again = [await send([FIRST, SECOND], ...x), await send([FIRST, SECOND], ...y)];
    for (const each of again) expectDone(each, { already_created: 1, created: 1 });
    expect(again.map(({ summary }) => summary.run)).toEqual(runs.map(({ summary }) => summary.run));
    expect([FIRST, SECOND].map((row) => times(service, row))).toEqual([2, 2]);
  });

  test.each([[['--skip-created']], [['--skip-similar']], [['--send-similar', '0']]])(
    'not with another decision: %s',
    async (flags) => {
      const { service, send, run } = await stopped();
      const isLeftOut = flags[0] !== '--send-similar';
      const other = await send([FIRST, SECOND], ...flags);
      if (isLeftOut) expectDone(other, { skipped: 1, created: 1 });
      else expectRefused(other, 'repeats', { 'created-before': 1, 'open-before': 1 });
      expect(other.summary.run).not.toBe(run);
      expect(times(service, SECOND)).toBe(isLeftOut ? 1 : 0);
    },
  );

  test('with the decisions that it had', async () => {
    const { service, send } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
    expectDone(await send([FIRST]), { created: 1 });
    const left = await send([FIRST, SECOND], '--skip-created');
    expect(left.summary).toMatchObject({ exit_code: 5, records: { skipped: 1, not_sent: 1 } });
    const again = await send([FIRST, SECOND], '--skip-created');
    expectDone(again, { skipped: 1, created: 1 });
    expect(again.summary.run).toBe(left.summary.run);
    expectRefused(await send([FIRST, SECOND]), 'repeats', { 'created-before': 2 });
    expect(times(service, SECOND)).toBe(1);
  });

  test('a record that is invalid now, or no longer, changes nothing for the others', async () => {
    const { work, service, send, run, batch } = await stopped();
    const broken = { ...THIRD, amount: 'x' };
    const again = await send([broken, FIRST, SECOND], '--skip-invalid');
    expect(again.summary).toMatchObject({ run, exit_code: 4, records: { invalid: 1, already_created: 1, created: 1 } });
    const { outcomes } = await batch('show', run);
    expect(outcomes.map(({ record, status }: Record<string, unknown>) => [record, status])).toEqual([
      [1, 'invalid'],
      [2, expect.stringMatching('created')],
      [3, expect.stringMatching('created')],
    ]);
    expect(times(service, SECOND)).toBe(1);
    expect((await work.run(['batch', 'settle', run, '--record', '1', '--created', '--note', 'x'])).code).toBe(2);
  });

  test('and names the files as they are now', async () => {
    const { work, sendFiles, batch, run } = await stopped();
    work.file('a.csv', csv([FIRST]));
    work.file('b.csv', csv([SECOND]));
    expectDone(await sendFiles(['a.csv', 'b.csv']), { already_created: 1, created: 1 });
    const shown = await batch('show', run);
    expect(shown.files.map(({ path }: { path: string }) => path)).toEqual(['a.csv', 'b.csv']);
    expect(shown.outcomes.map(({ file, record }: Record<string, unknown>) => [file, record])).toEqual([
      ['a.csv', 1],
      ['b.csv', 1],
    ]);
  });

  test('and settles what it told of, under the names that the files have now', async () => {
    const { work, service, sendFiles } = await desk(() => ({ fault: 'reset-after' }));
    const flags = ['--key-lifetime', '0', ...ONCE];
    work.file('a.csv', csv([FIRST]));
    work.file('b.csv', csv([SECOND]));
    expect((await sendFiles(['a.csv', 'b.csv'], ...flags)).summary.records).toMatchObject({ unknown: 2 });
    work.file('b.csv', csv([FIRST]));
    work.file('a.csv', csv([SECOND]));
    const { events, summary } = await sendFiles(['b.csv', 'a.csv'], ...flags);
    const told = events.find(({ event, file }) => event === 'record' && file === 'b.csv');
    const settle = ['batch', 'settle', summary.run, '--file', 'b.csv', '--record', '1', '--created', '--json'];
    expect(JSON.parse((await work.run(settle)).stdout)).toMatchObject({ file: 'b.csv', key: told.key });
    expect(service.requestCount).toBe(2);
  });

  test('a run that has lost an invalid row finds the conflict of the record that has it, and of no other', async () => {
    const { service, send, resume } = await desk((n) => ({ status: n <= 2 ? 401 : 201 }));
    const rows = [own(FIRST, 'ka'), own(SECOND, 'kb'), own(THIRD, 'kc')];
    const first = await send([{ user_id: 'u9', idempotency_key: 'bad' }, ...rows], '--skip-invalid');
    const again = await send(rows);
    expect(again.summary).toMatchObject({ run: first.summary.run, records: { not_sent: 3 } });
    expectDone(await send([own(DEARER, 'kb')]), { created: 1 });
    const resumed = await resume(first.summary.run);
    expect(resumed.summary.records).toMatchObject({ created: 2, invalid: 1, not_sent: 0 });
    expect(statesOf(resumed)).toEqual(['created', 'invalid', 'created']);
    expect([FIRST, SECOND, THIRD].map((row) => times(service, row))).toEqual([1, 0, 1]);
  });

  test('and tells money by the prices that are given now', async () => {
    const { work, service, batch } = await desk((n) => ({ status: n === 1 ? 401 : 201 }));
    const row = { gig_task_id: 't1', user_id: 'u1', title: 'A', quantity: '2', cost_center_key: 'PP', currency: 'EUR' };
    work.file('r.csv', csv([row]));
    const send = (price: number) => {
      work.file('prices.csv', `gig_task_id,base_price\nt1,${price}\n`);
      const flags = ['--base-url', service.url, '--yes', '--json', '--prices', 'prices.csv'];
      return work.run(['result', 'create', 'r.csv', ...flags]);
    };
    const first = await send(100);
    expect(first.summary.records).toMatchObject({ not_sent: 1 });
    const done = await send(250);
    expect(done.summary).toMatchObject({ exit_code: 0, run: first.summary.run });
    expect(done.summary.totals.result[0].amount).toBe('500');
    expect((await batch('show', done.summary.run)).totals).toEqual(done.summary.totals);
  });

  test('refused and dry runs are no entries of the list', async () => {
    const { send, batch, run } = await stopped();
    expect((await send([FIRST, SECOND], '--dry-run')).summary).toMatchObject({ run: null, records: { planned: 1 } });
    const refused = await send([FIRST, SECOND], '--expect-count', '3');
    expectRefused(refused, 'control_total', {});
    // What it would have gone on with is told as that.
    expect(statesOf(refused)).toEqual(['already_created', 'not_sent']);
    expectRefused(await send([FIRST, SECOND, THIRD]), 'repeats', { 'created-before': 1, 'open-before': 1 });
    expect((await batch('list')).runs.map((each: { run: string }) => each.run)).toEqual([run]);
  });

  test('a closed run goes on no more', async () => {
    const { work, service, send, run } = await stopped();
    expect((await work.run(['batch', 'close', run, '--note', 'over'])).code).toBe(0);
    expectRefused(await send([FIRST, SECOND]), 'repeats', { 'created-before': 1 });
    const other = await send([FIRST, SECOND], '--skip-created');
    expectDone(other, { skipped: 1, created: 1 });
    expect(other.summary.run).not.toBe(run);
    expect(times(service, SECOND)).toBe(1);
  });
});

describe('within 24 hours', () => {
  test('it goes on, to the last minute', async () => {
    const at = await stopped();
    const again = await at.later(23.98).send([FIRST, SECOND]);
    expectDone(again, { already_created: 1, created: 1 });
    expect(again.summary.run).toBe(at.run);
  });

  test('after that, the same file is new input, and asked about as such', async () => {
    const at = await stopped();
    const nextDay = at.later(24.02);
    const refused = await nextDay.send([FIRST, SECOND]);
    expectRefused(refused, 'repeats', { 'created-before': 1, 'open-before': 1 });
    expect(statesOf(refused)).toEqual(['not_sent', 'not_sent']);
    expect(at.service.requestCount).toBe(2);
  });

  test('what it says then names the older run, its date, what of it is open, and how to resume it', async () => {
    const at = await stopped();
    const { runs } = await at.batch('list');
    const refused = await at.later(24.02).send([FIRST, SECOND]);
    const [remedy] = refused.stderr.split('\n').filter((line) => line.includes('batch resume'));
    expect(remedy).toContain(`gigwork batch resume ${at.run}`);
    expect(remedy).toContain(runs[0].started_at.slice(0, 10));
    expect(remedy).toContain('1 of these records open');
    expectDone(await at.later(25).resume(at.run), { already_created: 1, created: 1 });
    expect([FIRST, SECOND].map((row) => times(at.service, row))).toEqual([1, 1]);
  });

  test('a finished one is asked about all the same: last month’s file pays nobody by itself', async () => {
    const at = await desk();
    expectDone(await at.send([FIRST, SECOND]), { created: 2 });
    const refused = await at.later(24.02).send([FIRST, SECOND]);
    expectRefused(refused, 'repeats', { 'created-before': 2 });
    expect(refused.stderr).not.toContain('batch resume');
    expect(at.service.requestCount).toBe(2);
  });

  test('going on does not renew them', async () => {
    const at = await desk((n) => ({ status: n === 2 || n === 3 ? 401 : 201 }));
    const first = await at.send([FIRST, SECOND]);
    const evening = await at.later(20).send([FIRST, SECOND]);
    expect(evening.summary).toMatchObject({ run: first.summary.run, records: { already_created: 1, not_sent: 1 } });
    expectRefused(await at.later(25).send([FIRST, SECOND]), 'repeats', { 'created-before': 1, 'open-before': 1 });
    expect(times(at.service, SECOND)).toBe(0);
  });

  test('a decision of yesterday is one of yesterday: the new run has its own', async () => {
    const at = await desk();
    expectDone(await at.send([FIRST]), { created: 1 });
    const left = await at.send([FIRST, SECOND], '--skip-created');
    expectDone(left, { skipped: 1, created: 1 });
    const nextDay = await at.later(25).send([FIRST, SECOND], '--skip-created');
    expectDone(nextDay, { skipped: 2 });
    expect(nextDay.summary.run).not.toBe(left.summary.run);
  });

  test('the younger of two runs of the same records goes on', async () => {
    const at = await desk((n) => ({ status: n === 2 || n === 3 ? 401 : 201 }));
    const old = await at.send([own(FIRST, 'a'), own(SECOND, 'b')]);
    const young = await at.later(30).send([own(FIRST, 'a'), own(SECOND, 'b')]);
    expect(young.summary.records).toMatchObject({ already_created: 1, not_sent: 1 });
    expect(young.summary.run).not.toBe(old.summary.run);
    const again = await at.later(31).send([own(FIRST, 'a'), own(SECOND, 'b')]);
    expectDone(again, { already_created: 1, created: 1 });
    expect(again.summary.run).toBe(young.summary.run);
  });

  test('a run that began in the future goes on only by its name: a clock was wrong', async () => {
    const at = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
    const early = await at.later(48).send([FIRST, SECOND]);
    expect(early.summary.records).toMatchObject({ created: 1, not_sent: 1 });
    const refused = await at.send([FIRST, SECOND]);
    expectRefused(refused, 'repeats', { 'created-before': 1, 'open-before': 1 });
    expect(refused.stderr).toContain(`batch resume ${early.summary.run}`);
    expectDone(await at.resume(early.summary.run), { already_created: 1, created: 1 });
    expect([FIRST, SECOND].map((row) => times(at.service, row))).toEqual([1, 1]);
  });
});

describe('what a run that goes on still sends is checked for repeats', () => {
  test('paid under another key meanwhile', async () => {
    const { work, service, send, sendFiles, resume } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
    const left = await send([FIRST, FIRST]);
    expect(left.summary).toMatchObject({ exit_code: 5, records: { created: 1, not_sent: 1 } });
    work.file('other.csv', csv([own(FIRST, 'bonus-1')]));
    expectRefused(await sendFiles(['other.csv']), 'repeats', { 'same-content': 1 });
    expectDone(await sendFiles(['other.csv'], '--batch-id', 'bonus'), { created: 1 });
    for (const again of [await send([FIRST, FIRST]), await resume(left.summary.run)])
      expectRefused(again, 'repeats', { 'same-content': 1 });
    expect(times(service, FIRST)).toBe(2);
  });

  test('similar ones, paid meanwhile', async () => {
    const { work, service, send, sendFiles, resume, run } = await stopped();
    work.file('edited.csv', csv([DEARER]));
    expectDone(await sendFiles(['edited.csv']), { created: 1 });
    for (const again of [await send([FIRST, SECOND]), await resume(run)])
      expectRefused(again, 'repeats', { 'similar-record': 1 });
    expect(times(service, SECOND)).toBe(0);
    // It is a payment of its own, a person says: what is open in the first run is sent by another one.
    const decided = await send([FIRST, SECOND], '--skip-created', '--send-similar', '1');
    expectDone(decided, { skipped: 1, created: 1 });
    expect(decided.summary.run).not.toBe(run);
    expect([FIRST, SECOND, DEARER].map((row) => times(service, row))).toEqual([1, 1, 1]);
  });

  test('similar ones, paid meanwhile, and a person says that this is what was to be paid', async () => {
    const { work, service, send, sendFiles } = await stopped();
    work.file('edited.csv', csv([DEARER]));
    expectDone(await sendFiles(['edited.csv']), { created: 1 });
    const refused = await send([FIRST, SECOND]);
    expect(refused.stderr).toContain('they were paid already: --skip-similar');
    // Leaving out what is the same is no word about what is similar.
    const open = await send([FIRST, SECOND], '--skip-created');
    expectRefused(open, 'repeats', { 'similar-record': 1 });
    expectDone(await send([FIRST, SECOND], '--skip-similar'), { skipped: 2 });
    expect([SECOND, DEARER].map((row) => times(service, row))).toEqual([0, 1]);
  });

  test('the same content, paid meanwhile under another key, and a person says that it was paid', async () => {
    const { work, service, send, sendFiles } = await stopped();
    work.file('own.csv', csv([own(SECOND, 'a')]));
    expectDone(await sendFiles(['own.csv']), { created: 1 });
    expectRefused(await send([FIRST, SECOND]), 'repeats', { 'same-content': 1 });
    expectDone(await send([FIRST, SECOND], '--skip-created'), { skipped: 2 });
    expect(times(service, SECOND)).toBe(1);
  });

  test('by the ledger, not by the clock', async () => {
    const at = await desk((n) => ({ status: n === 1 ? 401 : 201 }));
    const early = await at.later(48).send([FIRST]);
    expect(early.summary.records).toMatchObject({ not_sent: 1 });
    expectDone(await at.send([own(FIRST, 'x')]), { created: 1 });
    expectRefused(await at.resume(early.summary.run), 'repeats', { 'same-content': 1 });
    expect(times(at.service, FIRST)).toBe(1);
  });

  test('its own records aside: two that are alike and one that was left open', async () => {
    const { service, send } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
    expect((await send([SECOND, DEARER])).summary.records).toMatchObject({ created: 1, not_sent: 1 });
    expectDone(await send([SECOND, DEARER]), { already_created: 1, created: 1 });
    expect([SECOND, DEARER].map((row) => times(service, row))).toEqual([1, 1]);
  });

  test('one that was rejected and is tried again, paid in another form meanwhile', async () => {
    const { service, send } = await desk((n) => ({ status: n === 2 ? 422 : 201 }));
    expect((await send([FIRST, SECOND])).summary.records).toMatchObject({ created: 1, rejected: 1 });
    expectDone(await send([FIRST, DEARER], '--skip-created'), { skipped: 1, created: 1 });
    expectRefused(await send([FIRST, SECOND], '--retry-rejected'), 'repeats', { 'similar-record': 1 });
    expect(times(service, SECOND)).toBe(0);
    // As it was, without a word: what is rejected stays so, and there is nothing to be asked.
    expect((await send([FIRST, SECOND])).summary).toMatchObject({ exit_code: 4, stop_reason: null });
  });
});

describe('what was rejected', () => {
  async function rejected(): Promise<Desk & { run: string }> {
    const at = await desk((n) => ({ status: n === 2 ? 422 : 201 }));
    const { summary } = await at.send([FIRST, SECOND]);
    expect(summary).toMatchObject({ exit_code: 4, records: { created: 1, rejected: 1 } });
    return { ...at, run: summary.run };
  }

  test('stays rejected, however often the command is repeated or the run resumed', async () => {
    const { service, send, resume, run } = await rejected();
    for (const again of [await send([FIRST, SECOND]), await send([FIRST, SECOND], '--dry-run'), await resume(run)]) {
      expect(again.summary).toMatchObject({ exit_code: 4, records: { already_created: 1, rejected: 1 } });
      const { error } = again.events.find(({ event, status }) => event === 'record' && status === 'rejected');
      expect(error).toContain('422');
    }
    expect(service.requestCount).toBe(2);
  });

  test.each(['the same command', 'batch resume'])('is sent again with --retry-rejected: %s', async (how) => {
    const at = await rejected();
    const again = ['--retry-rejected'];
    const result = await (how === 'batch resume' ? at.resume(at.run, ...again) : at.send([FIRST, SECOND], ...again));
    expectDone(result, { already_created: 1, created: 1 });
    expect(result.summary.run).toBe(at.run);
    const [, refused, retried] = at.service.requests;
    expect(retried?.body).toBe(refused?.body);
    expect(times(at.service, SECOND)).toBe(1);
  });

  test('is planned again with --retry-rejected', async () => {
    const { service, send } = await rejected();
    const dry = await send([FIRST, SECOND], '--retry-rejected', '--dry-run');
    expectDone(dry, { already_created: 1, planned: 1 });
    expect(service.requestCount).toBe(2);
  });

  test('and is rejected again, stays so', async () => {
    const at = await desk((n) => ({ status: n > 1 ? 422 : 201 }));
    await at.send([FIRST, SECOND]);
    expect((await at.send([FIRST, SECOND], '--retry-rejected')).summary.records).toMatchObject({ rejected: 1 });
    expect((await at.send([FIRST, SECOND])).summary.records).toMatchObject({ rejected: 1 });
    expect(at.service.requestCount).toBe(3);
  });

  test('is sent by the file that brings its body, where that was pruned; not by the journal alone', async () => {
    const { work, service, send, resume, run } = await rejected();
    expect((await work.run(['batch', 'prune', '--before', '2100-01-01'])).code).toBe(0);
    const alone = await resume(run, '--retry-rejected');
    expect(alone.summary).toMatchObject({ exit_code: 4, records: { rejected: 1 } });
    expect(service.requestCount).toBe(2);
    expectDone(await send([FIRST, SECOND], '--retry-rejected'), { already_created: 1, created: 1 });
    expect(times(service, SECOND)).toBe(1);
  });

  test('is sent again a day later, as new input: the created ones are asked about', async () => {
    const at = await rejected();
    const nextDay = at.later(25);
    expectRefused(await nextDay.send([FIRST, SECOND]), 'repeats', { 'created-before': 1 });
    expectDone(await nextDay.send([FIRST, SECOND], '--skip-created'), { skipped: 1, created: 1 });
    expect(times(at.service, SECOND)).toBe(1);
  });
});

describe('what is in doubt', () => {
  test('is sent again under its key within its life, by the same command and by name', async () => {
    for (const way of ['command', 'name']) {
      const { service, send, resume } = await desk((n) => (n === 2 ? { fault: 'reset-after' } : { status: 201 }));
      const { summary } = await send([FIRST, SECOND], ...ONCE);
      expect(summary).toMatchObject({ exit_code: 5, records: { created: 1, unknown: 1 } });
      expectDone(await (way === 'command' ? send([FIRST, SECOND]) : resume(summary.run)), {
        already_created: 1,
        created: 1,
      });
      const [, lost, again] = service.requests;
      expect(again?.body).toBe(lost?.body);
      expect(times(service, SECOND)).toBe(1);
    }
  });

  test('stays so when its key has run out, until a person allows it', async () => {
    const { service, send, resume } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    const flags = ['--key-lifetime', '0', ...ONCE];
    const { summary } = await send([FIRST], ...flags);
    expect((await send([FIRST], ...flags)).summary).toMatchObject({ run: summary.run, records: { unknown: 1 } });
    expect((await resume(summary.run, ...flags)).summary.records).toMatchObject({ unknown: 1 });
    expect(service.requestCount).toBe(1);
    expectDone(await send([FIRST], ...flags, '--resend-unknown'), { created: 1 });
  });

  test('a gig waits at once', async () => {
    const { work, service } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    work.file('g.json', JSON.stringify(gigs(1)));
    const send = () => work.run(['gig', 'create', 'g.json', '--base-url', service.url, '--yes', '--json']);
    const first = await send();
    const again = await send();
    expect(again.summary).toMatchObject({ run: first.summary.run, exit_code: 5, records: { unknown: 1 } });
    expect(service.requestCount).toBe(1);
  });

  test('stays so when the call that would send it again stops before its turn', async () => {
    const { service, send, resume } = await desk((n) => ({ status: n <= 3 ? 500 : 401 }));
    const rows = ROWS.slice(0, 3);
    expect((await send(rows, ...ONCE)).summary.records).toMatchObject({ unknown: 3 });
    const again = await send(rows, ...ONCE);
    expect(again.summary).toMatchObject({ stop_reason: 'unauthorized', records: { unknown: 3, not_sent: 0 } });
    expect(service.requestCount).toBe(4);
    const forgotten = await resume(again.summary.run, '--key-lifetime', '0');
    expect(forgotten.summary.records).toMatchObject({ unknown: 3, created: 0 });
    expect(service.requestCount).toBe(4);
  });

  test('is settled in the place where the run told of it', async () => {
    const { work, service, send } = await desk((n) => (n === 2 ? { fault: 'reset-after' } : { status: 500 }));
    const flags = ['--key-lifetime', '0', ...ONCE];
    expect((await send([FIRST, SECOND], ...flags)).summary.records).toMatchObject({ unknown: 2 });
    const again = await send([{ ...THIRD, amount: 'x' }, FIRST, SECOND], ...flags, '--skip-invalid');
    expect(statesOf(again)).toEqual(['invalid', 'unknown', 'unknown']);
    const settle = ['batch', 'settle', again.summary.run, '--record', '2', '--not-created', '--note', 'asked'];
    expect((await work.run(settle)).code).toBe(0);
    service.responder(() => ({ status: 201 }));
    await work.run(['batch', 'resume', again.summary.run, '--yes']);
    expect([FIRST, SECOND].map((row) => times(service, row))).toEqual([1, 1]);
  });

  test('a slip in the word about it can be mended, as long as nothing was sent by it', async () => {
    const { work, service, send } = await desk((n) => (n === 1 ? { fault: 'reset-after' } : { status: 201 }));
    const lost = await send([FIRST], ...ONCE, '--key-lifetime', '0');
    const settle = (...word: string[]) => work.run(['batch', 'settle', lost.summary.run, '--record', '1', ...word]);
    expect((await settle('--not-created', '--note', 'the wrong line')).code).toBe(0);
    expect((await settle('--created', '--id', 'pay_1', '--note', 'it is there')).code).toBe(0);
    expect((await settle('--not-created', '--note', 'again')).code).toBe(2);
    expectDone(await send([FIRST], '--key-lifetime', '0'), { already_created: 1 });
    expect(times(service, FIRST)).toBe(1);
  });
});

test('a record whose key has passed on to other content is a conflict when its run goes on', async () => {
  const { work, service, send, sendFiles, resume } = await desk((n) => ({ status: n === 2 ? 401 : 201 }));
  const [one, two, three] = withKeys(ROWS) as [object, object, object];
  const left = await send([one, two, three]);
  expect(left.summary.records).toMatchObject({ created: 1, not_sent: 2 });
  work.file('other.csv', csv([{ ...two, amount: 1 }]));
  expectDone(await sendFiles(['other.csv']), { created: 1 });
  const resumed = await resume(left.summary.run);
  // The others are sent: the run had passed its gate.
  expect(resumed.summary).toMatchObject({ exit_code: 4, records: { already_created: 1, invalid: 1, created: 1 } });
  expect(issuesOf(resumed, 'key-conflict')[0]).toMatchObject({ record: 2 });
  const again = await send([one, two, three]);
  expectRefused(again, 'invalid_input', { 'key-conflict': 1 });
  expect(statesOf(again)).toEqual(['not_sent', 'invalid', 'not_sent']);
  expect([FIRST, SECOND, THIRD].map((row) => times(service, row))).toEqual([1, 0, 1]);
});

test('the journal is deleted: the keys are the same, so the service answers as before', async () => {
  const { work, service, send } = await desk();
  const first = await send(ROWS);
  rmSync(work.stateDir, { recursive: true });
  const second = await send(ROWS);
  expectDone(second, { created: 4 });
  const responses = (result: CliResult): unknown[] =>
    result.events.filter(({ event }) => event === 'record').map(({ response }) => response);
  expect(responses(second)).toEqual(responses(first));
  expect(service.ledgerTotal()).toBe(4);
});

/**
 * A record that was left out is told with its own payee and amount everywhere, and names the payment that it stands for
 * apart. CONTRACT: "Keys and repeats", "What is remembered".
 */
import { describe, expect, test } from 'vitest';
import { hoursAhead } from '../support/crash.js';
import { jsonLines } from '../support/result.js';
import {
  DEARER,
  type Desk,
  expectDone,
  expectRefused,
  FIRST,
  own,
  paid,
  recordsOf,
  SECOND,
  sent,
  type Sent,
  THIRD,
} from '../support/desk.js';

/** SECOND as somebody else wrote it: another amount, another spelling. */
const WRITTEN = { ...DEARER, user_id: 'U2', title: 'bonus  2' };

/** SECOND was paid; then WRITTEN is left out for it, and THIRD is sent. */
async function leftOut(): Promise<{ at: Sent; run: string; standsFor: object }> {
  const at = await sent('created', [SECOND]);
  const outputs = ['--report', 'r.ndjson', '--results', 'done.csv'];
  const result = await at.send([WRITTEN, THIRD], '--skip-similar', ...outputs);
  expectDone(result, { skipped: 1, created: 1 });
  const standsFor = { user_id: 'u2', title: SECOND.title, amount: String(SECOND.amount), status: 'created' };
  return { at, run: result.summary.run, standsFor: { run: at.run, key: at.key, ...standsFor } };
}

const OWN = { user_id: 'U2', title: 'bonus  2', amount: String(DEARER.amount), status: 'skipped' };

describe('a record that was left out', () => {
  test('in the events of its run, when that goes on, in batch show and in batch report', async () => {
    const { at, run, standsFor } = await leftOut();
    const again = await at.send([WRITTEN, THIRD], '--skip-similar');
    expect(again.summary).toMatchObject({ exit_code: 0, run, records: { skipped: 1, already_created: 1 } });
    const { outcomes, totals } = await at.batch('show', run);
    for (const record of [recordsOf(again)[0], outcomes[0]])
      expect(record).toMatchObject({ ...OWN, stands_for: standsFor });
    expect(totals.payout).toContainEqual(expect.objectContaining({ status: 'skipped', amount: OWN.amount }));
    expect((await at.work.run(`batch report ${run} --report later.csv`)).code).toBe(0);
    const [, line] = at.work.read('later.csv').split('\n');
    for (const word of ['skipped', OWN.amount, 'U2']) expect(line).toContain(word);
    expect(jsonLines(at.work.read('r.ndjson'))[0]).toMatchObject({ ...OWN, stands_for: standsFor });
  });

  test('for another payment when its run goes on, as the events of that call and batch show tell alike', async () => {
    const at = await sent('unknown', [own(SECOND, 'k1')], '--key-lifetime', '0');
    const first = await at.send([WRITTEN], '--skip-similar');
    expect(recordsOf(first)).toMatchObject([{ status: 'unknown', stands_for: { key: 'k1' } }]);
    expectDone(await at.send([own({ ...SECOND, amount: SECOND.amount + 2 }, 'k2')]), { created: 1 });
    for (const goOn of [
      () => at.resume(first.summary.run, '--skip-similar'),
      () => at.send([WRITTEN], '--skip-similar'),
    ]) {
      const [told] = recordsOf(await goOn());
      expect(told).toMatchObject({ status: 'skipped', stands_for: { key: 'k2' } });
      expect((await at.batch('show', first.summary.run)).outcomes[0]).toMatchObject(told);
    }
  });

  test('with its payee, also where the body of what was paid is pruned, and a new run lists it', async () => {
    const at = await sent('created', [own(FIRST, 'k1'), SECOND]);
    expect((await at.work.run('batch prune --before 2999-01-01')).code).toBe(0);
    const again = await at.later(30).send([own(FIRST, 'k1'), SECOND], '--skip-created');
    expectDone(again, { already_created: 1, skipped: 1 });
    expect(again.summary.run).not.toBe(at.run);
    expect(recordsOf(again).map(({ user_id }) => user_id)).toEqual([FIRST.user_id, SECOND.user_id]);
  });

  test('once in the report of its batch, and no more once it is a payment itself', async () => {
    const at = await sent('created', [SECOND], '--batch-id', 'a');
    const reported = async (): Promise<string[]> => {
      await at.work.run('batch report --batch-id b --overwrite --report b.ndjson');
      return jsonLines(at.work.read('b.ndjson')).map(({ status }) => status as string);
    };
    for (const rows of [[SECOND], [SECOND, THIRD]]) await at.send(rows, '--batch-id', 'b', '--skip-similar');
    expect(await reported()).toEqual(['skipped', 'created']);
    expectDone(await at.send([SECOND], '--batch-id', 'b', '--send-similar', '1'), { created: 1 });
    expect((await reported()).sort()).toEqual(['created', 'created']);
  });

  test('in one line, with both amounts where they differ, also under --quiet; in the notices', async () => {
    const at = await sent('created', [SECOND]);
    at.work.file('p.csv', `user_id,amount,title,cost_center_key\nu2,${DEARER.amount},Bonus 2,PP-1\n`);
    const call = `payout create p.csv --base-url ${at.service.url} --yes --skip-similar --quiet`;
    const { code, output } = await at.work.run(call);
    const lines = output.split('\n').filter((line) => line.includes('was left out'));
    expect([code, lines.length]).toEqual([0, 1]);
    const digits = lines[0]?.replaceAll(',', '');
    for (const amount of [SECOND.amount, DEARER.amount]) expect(digits).toContain(String(amount));
    const { summary } = await at.sendFiles(['p.csv'], '--skip-similar');
    expect(summary.notices).toMatchObject([
      { code: 'skipped', count: 1, totals: { payout: [{ amount: String(DEARER.amount), status: 'skipped' }] } },
    ]);
  });
});

describe('a run that left records out and was cut off', () => {
  /** SECOND was paid or is in doubt; the run leaves DEARER out for it and stops at THIRD. */
  async function cut(state: 'created' | 'unknown'): Promise<Desk & { run: string; first: string }> {
    const at = await sent(state, [own(SECOND, 'k')], '--key-lifetime', '0');
    at.service.responder(() => ({ status: 401 }));
    const { summary } = await at.send([DEARER, THIRD], '--skip-similar');
    at.service.responder(undefined);
    expect(summary.records).toMatchObject({ [state === 'created' ? 'skipped' : 'unknown']: 1, not_sent: 1 });
    return { ...at, run: summary.run, first: at.run };
  }

  test('asks again about them when it goes on: a person decides anew', async () => {
    const at = await cut('created');
    for (const again of [await at.resume(at.run), await at.send([DEARER, THIRD])]) {
      expectRefused(again, 'repeats', { 'similar-record': 1 });
      expect(recordsOf(again)[0]).toMatchObject({ amount: String(DEARER.amount), status: 'not_sent' });
    }
    expectDone(await at.resume(at.run, '--send-similar', '1'), { created: 2 });
    expect(paid(at, SECOND, DEARER, THIRD)).toEqual([1, 1, 1]);
  });

  test('stays left out, and the call says so, once its content was pruned: the journal cannot send it', async () => {
    const { at, run } = await leftOut();
    expect((await at.work.run('batch prune --before 2100-01-01')).code).toBe(0);
    for (const flags of [[], ['--send-similar', '1']]) {
      const result = await at.resume(run, ...flags);
      expect(result.summary).toMatchObject({ exit_code: 0, records: { skipped: 1, already_created: 1 } });
      expect(result.summary.reasons.join()).toContain('batch prune');
    }
    expect(paid(at, WRITTEN)).toEqual([0]);
  });

  test('is unknown while the other payment is, and is not asked about once that was settled as not created', async () => {
    const at = await cut('unknown');
    const left = await at.resume(at.run, '--skip-similar');
    expect(left.summary).toMatchObject({ exit_code: 6, held: 1, records: { unknown: 1, created: 1 } });
    expect(recordsOf(left)[0]).toMatchObject({ amount: String(DEARER.amount), stands_for: { status: 'unknown' } });
    const settle = `batch settle ${at.first} --key k --not-created --note asked`;
    for (const words of [settle, `batch close ${at.first} --note over`])
      expect((await at.work.run(words, { env: hoursAhead(1) })).code).toBe(0);
    expectDone(await at.resume(at.run), { created: 1, already_created: 1 });
    expect(paid(at, DEARER, THIRD)).toEqual([1, 1]);
  });
});

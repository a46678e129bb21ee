/** The runs of a profile and what they have paid: a later month is compared with it. */
import { describe, expect, it } from 'vitest';
import type { PaidAmounts } from '../../../src/journal/plan.js';
import type { PaymentState } from '../../../src/journal/payment.js';
import {
  type AcceptedRun,
  AT,
  benchOn,
  claim,
  deliver,
  draft,
  manyDrafts,
  payeeOf,
  pointers,
  type Process,
  settled,
  START,
  storeOutcomes,
  type Wish,
} from './journal-fixtures.js';
import { STORES } from './stores.js';

const END = { finishedAt: START, exitCode: 0, stopReason: null };

/** A run of a profile: its payments get these states; those without one stay open. */
async function runOf(
  process: Process,
  states: readonly (PaymentState | null)[],
  { profile = 'payroll', ...wish }: Wish & { profile?: string } = {},
): Promise<AcceptedRun> {
  const rows = states.map((_, index) => draft(index, { key: `${wish.digest ?? 'd'}${index}`, like: `u${index}` }));
  const preparation = await process.prepare(rows, wish);
  const plan = await process.plan(preparation, rows, wish);
  const inputCall = {
    folder: '',
    options: [
      ['--decimal', 'comma'],
      ['--profile', profile],
    ],
  };
  const accepted = await process.commit({ ...plan, inputCall });
  const wanted = accepted.ids.filter((_, i) => states[i] !== null);
  const found = states.filter((state) => state !== null);
  const { claimed } = await claim(accepted.delivery, wanted);
  await storeOutcomes(accepted.delivery, ...claimed.map((each, i) => settled(each, found[i]!)));
  await accepted.delivery.leave();
  return accepted;
}

async function paidBy(process: Process, runs: readonly AcceptedRun[]): Promise<PaidAmounts[]> {
  const pages: PaidAmounts[] = [];
  for await (const page of process.journal.paidBy(runs.map(({ run }) => run.number))) pages.push(page);
  return pages;
}

describe.each(STORES)('the runs of a profile, in $name', (store) => {
  it('are those of this profile at this target, newest first', async () => {
    const process = await benchOn(store).process();
    const first = await runOf(process, ['created'], { digest: 'a', batchId: '2026-09' });
    await runOf(process, ['created'], { digest: 'b', profile: 'pay_oll' });
    await runOf(process, ['created'], { digest: 'c', target: 'https://other.example' });
    const last = await runOf(process, ['created'], { digest: 'd', batchId: '2026-10' });
    const found = await process.journal.profileRuns(AT, 'payroll');
    expect(found.map(({ number, batchId }) => [number, batchId])).toEqual([
      [last.run.number, '2026-10'],
      [first.run.number, '2026-09'],
    ]);
    expect(found[0]).toMatchObject({ name: last.run.name, startedAt: START });
    expect(await process.journal.profileRuns(AT, 'pay%')).toEqual([]);
    expect(await process.journal.profileRuns({ ...AT, scope: 'x' }, 'payroll')).toEqual([]);
  });

  it('are finished once they have ended without an open payment, or are closed', async () => {
    const process = await benchOn(store).process();
    const isFinished = async (states: readonly (PaymentState | null)[], exitCode: number | null, closes = false) => {
      const { run } = await runOf(process, states, { digest: `d${states.join()}${exitCode}${closes}` });
      if (exitCode !== null) await process.journal.end(run, { ...END, exitCode });
      if (closes) await process.journal.close(run, 'by hand');
      return (await process.journal.profileRuns(AT, 'payroll'))[0]?.isFinished;
    };
    expect(await isFinished(['created', 'created'], null)).toBe(false);
    expect(await isFinished(['created', 'rejected'], 4)).toBe(true);
    expect(await isFinished(['created', 'unknown'], 6)).toBe(true);
    expect(await isFinished(['created', null], 5)).toBe(false);
    expect(await isFinished(['created', 'not_sent'], 6)).toBe(false);
    expect(await isFinished(['created', null], 5, true)).toBe(true);
  });

  it('have paid what is created or in doubt, each once', async () => {
    const process = await benchOn(store).process();
    const first = await runOf(process, ['created', 'rejected', 'unknown', null, 'not_sent', 'created'], {
      digest: 'a',
    });
    const again = await process.list([first.ids[5]!, first.ids[0]!], 'again');
    const [created, , unknown, , , last] = first.ids;
    const [page, ...more] = await paidBy(process, [first, again]);
    expect(more).toEqual([]);
    expect([...page!.ids].sort((one, other) => one - other)).toEqual([created, unknown, last]);
    const at = page!.ids.indexOf(unknown!);
    expect(page!.payees[at]).toBe(payeeOf('u2'));
    expect([page!.types[at], page!.amounts[at], page!.currencies[at]]).toEqual(['payout', '1200', 'EUR']);
    expect(await paidBy(process, [])).toEqual([]);
    const none = await runOf(process, ['rejected'], { digest: 'b' });
    expect((await paidBy(process, [none]))[0]?.ids).toEqual([]);
  });

  it('have paid IDs as they were sent', async () => {
    const process = await benchOn(store).process();
    const userIds = ['0045', String.raw`a"b\c`, 'ä \n"user_id":"x"', ''];
    const says = String.raw`","user_id":"no"`;
    const rows = userIds.map((userId, index) => draft(index, { key: `u${index}`, userId, says }));
    const gig = draft(4, { type: 'gig', key: 'g', says });
    const accepted = await process.pass([...rows, gig], { digest: 'ids' });
    await deliver(accepted, 'created');
    const pages = await paidBy(process, [accepted]);
    expect(pages.flatMap(({ payeeIds }) => payeeIds)).toEqual([...userIds, null]);
    const prints = await process.journal.prints(accepted.run, 0, 10);
    expect(prints.map(({ payeeId }) => payeeId)).toEqual([...userIds, null]);
  });

  it('are not charged with records that they left out', async () => {
    const process = await benchOn(store).process();
    const paid = await runOf(process, ['created'], { digest: 'a' });
    const rows = [draft(0, { key: 'x' }), draft(1, { key: 'y' })];
    const preparation = await process.prepare(rows);
    const [leftOut, sent] = pointers(preparation.number, rows);
    const records = [{ ...leftOut!, standsFor: paid.ids[0]! }, sent!];
    const accepted = await process.commit(await process.plan(preparation, rows, { records, digest: 'b' }));
    await deliver({ ...accepted, ids: [sent!.payment] }, 'created');
    expect((await paidBy(process, [accepted]))[0]?.ids).toEqual([sent!.payment]);
  });

  it('are read in pages', async () => {
    const process = await benchOn(store).process();
    const accepted = await process.pass(manyDrafts(6000), { digest: 'many' });
    await deliver(accepted, 'created');
    const pages = await paidBy(process, [accepted]);
    expect(pages.map(({ ids }) => ids.length)).toEqual([5000, 1000]);
    expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(6000);
  });
});

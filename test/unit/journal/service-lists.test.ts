/** What the journal knows for a comparison with the service's own list, and how it settles by one. */
import { describe, expect, it } from 'vitest';
import { NOT_CREATED, type Outcome, type Run } from '../../../src/journal/payment.js';
import type { SettleDecision } from '../../../src/journal/plan.js';
import {
  AT,
  benchOn,
  claim,
  deliver,
  draft,
  drafts,
  outcome,
  processes,
  type Process,
  START,
  TARGET,
  titleOf,
} from './journal-fixtures.js';
import { STORES } from './stores.js';

const LIST = { sha256: 'ab12', asOf: START };
const CREATED = outcome('created', { httpStatus: null, response: '{"id":"x-1"}' });
const NOT = outcome('not_sent', { error: `${NOT_CREATED}not in the list` });
const ELSEWHERE = { target: `${TARGET}/other`, scope: '' };

async function decided(process: Process, run: Run, index: number, told: Outcome): Promise<SettleDecision> {
  const record = (await process.records(run))[index]!;
  return { run, record, outcome: told, requestMs: 0, list: LIST };
}

async function inDoubt(process: Process, ...keys: string[]) {
  const passed = await process.pass(drafts(...keys), { digest: keys.join() });
  await deliver(passed, 'unknown');
  await passed.delivery.leave();
  return passed;
}

describe.each(STORES)('by a list of the service, in $name', (store) => {
  it('payments of several runs are settled as one, each with its own outcome, and the log keeps the list', async () => {
    const process = await benchOn(store).process();
    const [one, two] = [await inDoubt(process, 'a'), await inDoubt(process, 'b')];
    const decisions = [await decided(process, one.run, 0, CREATED), await decided(process, two.run, 0, NOT)];
    await process.journal.settle(decisions, 'export of today');
    expect(await process.outcomes(one.run)).toMatchObject([{ state: 'created', response: CREATED.response }]);
    expect(await process.states(two.run)).toEqual(['not_sent']);
    const settled = (await process.journal.events(0, 0, 100)).filter(({ event }) => event.kind === 'settled');
    expect(settled).toMatchObject([
      { run: one.run.name, note: 'export of today', event: { key: 'a', status: 'created', list: LIST } },
      { run: two.run.name, note: 'export of today', event: { key: 'b', status: 'not_sent', list: LIST } },
    ]);
  });

  it('nothing is settled if one of them is no longer in doubt, also where a person has put it back', async () => {
    const process = await benchOn(store).process();
    const [one, two] = [await inDoubt(process, 'a'), await inDoubt(process, 'b')];
    const decisions = [await decided(process, one.run, 0, CREATED), await decided(process, two.run, 0, CREATED)];
    await process.settle(two.run, await process.records(two.run), NOT, 'asked');
    await expect(process.journal.settle(decisions, 'list')).rejects.toThrow(/^line 2 \(says b\) was not sent/);
    expect(await process.states(one.run)).toEqual(['unknown']);
  });

  it('nothing is settled that a live call has accepted, although it is not under way', async () => {
    const [one, other] = await processes(store);
    const { run } = await inDoubt(one, 'a');
    const decision = await decided(other, run, 0, CREATED);
    const live = await one.join(run);
    await expect(other.journal.settle([decision], 'list')).rejects.toThrow(/under way in another process/);
    await live.delivery.leave();
    await other.journal.settle([decision], 'list');
    expect(await other.states(run)).toEqual(['created']);
  });

  it('the answers of created payments and of those in doubt are read page by page', async () => {
    const process = await benchOn(store).process();
    const passed = await process.pass(drafts('a', 'b', 'c', 'd'));
    const states = { a: 'created', b: 'unknown', c: 'rejected', d: 'unknown' } as const;
    await deliver(passed, ({ key }) =>
      outcome(states[key as keyof typeof states], {
        httpStatus: key === 'b' ? 202 : 201,
        response: key === 'd' ? null : `{"id":"${key}"}`,
      }),
    );
    const [a, b] = passed.ids as [number, number];
    const first = { id: a, type: 'payout', isCreated: true, httpStatus: 201, response: '{"id":"a"}' };
    const second = { id: b, type: 'payout', isCreated: false, httpStatus: 202, response: '{"id":"b"}' };
    expect(await process.journal.answers(AT, 0, 100)).toEqual([first, second]);
    expect(await process.journal.answers(AT, 0, 1)).toEqual([first]);
    expect(await process.journal.answers(AT, a, 1)).toEqual([second]);
    expect(await process.journal.answers(ELSEWHERE, 0, 1)).toEqual([]);
  });

  it('gigs are found by their titles: no payouts, no drafts, none at another target', async () => {
    const process = await benchOn(store).process();
    const gigs = ['a', 'b'].map((key, i) => draft(i, { type: 'gig', key, title: `Shift ${key}` }));
    const passed = await process.pass([...gigs, draft(2, { key: 'p', title: 'Shift a' })]);
    await claim(passed.delivery, passed.ids.slice(0, 1));
    await process.prepare([draft(0, { type: 'gig', key: 'c', title: 'Shift a' })]);
    const found = await process.journal.gigsTitled(AT, [titleOf('Shift a'), titleOf('none')]);
    expect(found.map(({ key }) => key)).toEqual(['a']);
    expect(await process.journal.gigsTitled(ELSEWHERE, [titleOf('Shift a')])).toEqual([]);
  });
});

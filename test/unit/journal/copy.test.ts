import { describe, expect, it } from 'vitest';
import { copyJournal } from '../../../src/journal/copy/copy.js';
import { idOf } from '../../../src/journal/payment.js';
import { AT, benchOn, deliver, draft, drafts, pointers, START } from './journal-fixtures.js';
import { STORES } from './stores.js';

const WAYS = STORES.flatMap((from) => STORES.map((to) => ({ from, to, name: `from ${from.name} to ${to.name}` })));

describe.each(WAYS)('a move $name', ({ from, to }) => {
  it('takes along what a run has from a later preparation: a payment, and the row of a record that was left out', async () => {
    const source = benchOn(from);
    const target = benchOn(to);
    const before = await source.process();
    const first = await before.pass(drafts({ key: 'a', measure: -7 }), { lifetimeMs: 5000, headers: ['X-Team'] });
    await deliver(first);
    await first.delivery.leave();
    const more = [draft(0, { key: 'x' }), draft(1, { key: 'y' })];
    const preparation = await before.prepare(more);
    const [x, y] = pointers(preparation.number, more);
    const list = { files: [], records: [{ ...x!, standsFor: first.ids[0]! }, y!], invalid: [] };
    await (await before.join(first.run, { preparation, list })).delivery.leave();
    const told = async (process: typeof before) => [
      await process.records((await process.journal.runs())[0]!),
      await process.journal.find(AT, ['a', 'x', 'y']),
      await process.journal.byPayee(
        AT,
        'default',
        more.map(({ payee }) => payee),
      ),
    ];
    const known = await told(before);
    await before.journal.detach();
    const journal = await from.forCopy(source.place);
    const urls = { from: 'one', to: 'other' };
    const open = () => to.forCopy(target.place);
    const copied = await copyJournal({ source: journal, openTarget: open, ...urls, move: true, originalLost: false });
    await journal.detach();
    expect(copied.rows).toMatchObject({ run: 1, payment: 3 });
    const after = await target.process();
    const [run] = await after.journal.runs();
    expect(run).toMatchObject({ name: first.run.name, headers: ['X-Team'] });
    expect(await told(after)).toEqual(known);
    // No new payment gets the number of one that is there.
    const next = await after.pass(drafts('next'), { digest: 'next', startedAt: START });
    expect(next.ids).toEqual([idOf(preparation.number + 1, 0)]);
  });
});

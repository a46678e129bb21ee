import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startChild } from './child.js';
import {
  ALWAYS,
  benchOn,
  gate,
  indexesOf,
  keysOf,
  manyPayouts,
  outcome,
  record,
  records,
  room,
  settled,
  START,
  NEVER,
} from './kit.js';
import { STORES, type Store } from './stores.js';

const mixed = () => [record(0, { type: 'gig', key: 'g0' }), record(1, { key: 'p1' }), record(2, { key: 'p2' })];

describe.each(STORES)('a process that died, in $name', (store) => {
  it('leaves what it had claimed in doubt from the moment of the claim, and nothing else', () => {
    const bench = benchOn(store);
    const [gone, other] = [bench.process(), bench.process()];
    const { run, outbox } = gone.pass(mixed());
    bench.clock.now = START + 60_000;
    outbox.exchange([], room(2));
    gone.die();
    bench.clock.now = START + 120_000;
    other.journal.recover();
    expect(other.states(run)).toEqual(['unknown', 'unknown', null]);
    for (const known of other.outcomes(run).slice(0, 2)) {
      expect(known).toMatchObject({
        state: 'unknown',
        attempts: 1,
        doubtSince: START + 60_000,
        error: expect.stringContaining('may have been carried out'),
      });
    }
    const history = other.history();
    expect(['g0', 'p1', 'p2'].map((key) => history.byKey(key)?.state ?? null)).toEqual(['unknown', 'unknown', null]);
    expect(history.unknown('default').map(({ key }) => key)).toEqual(['g0', 'p1']);
  });

  it('is taken over once, by whoever comes first', () => {
    const bench = benchOn(store);
    const [gone, one, other] = [bench.process(), bench.process(), bench.process()];
    const { run, outbox } = gone.pass(mixed());
    outbox.exchange([], room(3));
    gone.die();
    for (const process of [one, other, one]) process.journal.recover();
    expect(other.outcomes(run).map((known) => known?.attempts)).toEqual([1, 1, 1]);
  });

  it('is not taken for dead while it lives', () => {
    const bench = benchOn(store);
    const [one, other] = [bench.process(), bench.process()];
    const { run, outbox } = one.pass(mixed());
    const { claimed } = outbox.exchange([], room(3));
    other.journal.recover();
    expect(other.history().byKey('p1')?.state).toBe('under_way');
    outbox.exchange(
      claimed.map((each) => settled(each, 'created')),
      null,
    );
    expect(other.states(run)).toEqual(['created', 'created', 'created']);
  });

  it('leaves in doubt what it had under way when an outcome beside it could be stored at the second try only', () => {
    const bench = benchOn(store);
    const [gone, other] = [bench.process(), bench.process()];
    const { run, outbox } = gone.pass(records('a', 'b'));
    const [a, b] = outbox.exchange([], room(2)).claimed;
    const cannotBeStored = outcome('created', { attempts: null as unknown as number });
    expect(() => outbox.exchange([settled(a!, 'created'), settled(b!, cannotBeStored)], null)).toThrow(
      /NOT NULL constraint/,
    );
    expect(other.states(run)).toEqual(['unknown', 'unknown']);
    outbox.exchange([settled(a!, 'created')], null);
    gone.die();
    other.journal.recover();
    expect(other.states(run)).toEqual(['created', 'unknown']);
  });

  it('keeps the outcomes that it had stored, and the first doubt of what it tried again', () => {
    const bench = benchOn(store);
    const [first, gone, other] = [bench.process(), bench.process(), bench.process()];
    const { run, outbox } = first.pass(manyPayouts(4));
    const { claimed } = outbox.exchange([], room(4));
    const doubt = outcome('unknown', { doubtSince: START - 5, attempts: 2 });
    const told = [outcome('created'), doubt, outcome('rejected'), outcome('not_sent', { attempts: 6 })];
    outbox.exchange(
      claimed.map((each, i) => settled(each, told[i]!)),
      null,
    );
    outbox.leave();
    bench.clock.now = START + 1000;
    expect(indexesOf(gone.join(run).exchange([], room(9)))).toEqual([1, 2, 3]);
    gone.die();
    other.journal.recover();
    const unknown = { state: 'unknown', httpStatus: null, response: null };
    expect(other.outcomes(run)).toMatchObject([
      { state: 'created' },
      { ...unknown, attempts: 3, doubtSince: START - 5 },
      { ...unknown, attempts: 2, doubtSince: START + 1000 },
      { ...unknown, attempts: 7, doubtSince: START + 1000 },
    ]);
  });

  it('in the middle of a claim leaves in doubt only what it had not settled of it', () => {
    const bench = benchOn(store);
    const [gone, other] = [bench.process(), bench.process()];
    const { run, outbox } = gone.pass(manyPayouts(5));
    const { claimed } = outbox.exchange([], room(5));
    outbox.exchange([settled(claimed[1]!, 'created'), settled(claimed[3]!, 'not_sent')], null);
    gone.die();
    other.journal.recover();
    expect(other.states(run)).toEqual(['unknown', 'created', 'unknown', 'not_sent', 'unknown']);
  });

  it('leaves keyed records to a process that delivers the same run, which sends them again; gigs stay in doubt', () => {
    const bench = benchOn(store);
    const [gone, other] = [bench.process(), bench.process()];
    const { run, outbox } = gone.pass(mixed());
    const heir = other.join(run);
    outbox.exchange([], room(3));
    const waiting = heir.exchange([], room(9)).unclaimed;
    expect(waiting.map(({ why }) => why)).toEqual(['elsewhere', 'elsewhere', 'elsewhere']);
    gone.die();
    const { claimed, unclaimed } = heir.revisit(
      waiting.map(({ id }) => id),
      room(9),
    );
    expect(claimed).toMatchObject([
      { key: 'p1', earlier: { state: 'unknown', doubtSince: START } },
      { key: 'p2', earlier: { state: 'unknown', doubtSince: START } },
    ]);
    expect(unclaimed).toMatchObject([{ index: 0, outcome: { state: 'unknown' } }]);
    heir.exchange(
      claimed.map((each) => settled(each, 'created')),
      null,
    );
    expect(other.states(run)).toEqual(['unknown', 'created', 'created']);
  });

  it('leaves a gig in doubt that no earlier word of a person covers', () => {
    const bench = benchOn(store);
    const [gone, other] = [bench.process(), bench.process()];
    const { run, outbox } = gone.pass(mixed());
    outbox.exchange([], room(1));
    const heir = other.join(run);
    const [waiting] = heir.exchange([], room(9, 0, ALWAYS)).unclaimed;
    gone.die();
    const { claimed, unclaimed } = heir.revisit([waiting!.id], room(9, 0, ALWAYS));
    expect(claimed).toEqual([]);
    expect(unclaimed).toMatchObject([{ index: 0, outcome: { state: 'unknown' } }]);
    expect(keysOf(other.join(run).exchange([], room(9, 0, ALWAYS)))).toContain('g0');
  });

  it('leaves a payout in doubt whose key protects it no longer, as a gig', () => {
    const bench = benchOn(store);
    const [gone, other] = [bench.process(), bench.process()];
    const { run, outbox } = gone.pass(records('a'));
    outbox.exchange([], room(1));
    const heir = other.join(run);
    const forgotten = room(9, 0, ALWAYS, NEVER);
    const [waiting] = heir.exchange([], forgotten).unclaimed;
    gone.die();
    const { claimed, unclaimed } = heir.revisit([waiting!.id], forgotten);
    expect(claimed).toEqual([]);
    expect(unclaimed).toMatchObject([{ index: 0, outcome: { state: 'unknown' } }]);
    expect(keysOf(other.join(run).exchange([], forgotten))).toEqual(['a']);
  });

  it('leaves what it had not claimed to others, at once', () => {
    const bench = benchOn(store);
    const [gone, other] = [bench.process(), bench.process()];
    const { run, outbox } = gone.pass(mixed());
    outbox.exchange([], room(1));
    const heir = other.join(run);
    gone.die();
    expect(keysOf(heir.exchange([], room(9)))).toEqual(['p1', 'p2']);
  });

  it('is seen by a reader that takes nothing over: unknown is unknown, and what it had not sent is not sent', () => {
    const bench = benchOn(store);
    const gone = bench.process();
    const { run, outbox } = gone.pass(mixed());
    outbox.exchange([], room(1));
    gone.die();
    const reader = bench.reader();
    expect(reader?.states(run)).toEqual(['unknown', null, null]);
    const history = reader?.history();
    expect(['g0', 'p1'].map((key) => history?.byKey(key)?.state ?? null)).toEqual(['unknown', null]);
    expect(history?.byKey('g0')?.outcome).toMatchObject({ state: 'unknown', attempts: 1, doubtSince: START });
    expect(history?.byContent(mixed()[1]?.content as Uint8Array)).toEqual([]);
  });
});

describe.each(STORES.filter(({ name }) => name === 'SQLite'))('a process that is killed, in $name', (store: Store) => {
  it('leaves its claims in doubt; its preparation and its lock are gone', async () => {
    const bench = benchOn(store);
    const [gone, preparing] = [await startChild(bench.place), await startChild(bench.place)];
    const planned = mixed();
    const name = await gone.prepare(planned);
    expect(await gone.pass(planned, 0)).toBe(true);
    const { claimed } = await gone.exchange([], 2);
    await gone.exchange([settled(claimed[1]!, 'created')], 0);
    const lost = await preparing.prepare(manyPayouts(3000));
    expect(locks(bench.place)).toHaveLength(2);
    await Promise.all([gone.kill(), preparing.kill()]);

    const other = bench.process();
    expect(other.states(other.run(name))).toEqual(['unknown', 'created', null]);
    other.journal.recover();
    expect(other.outcomes(other.run(name))).toMatchObject([
      { state: 'unknown', doubtSince: START },
      { state: 'created' },
    ]);
    expect(other.journal.findRuns(lost)).toEqual([]);
    expect(other.history().byKey('k0')).toBeNull();
    expect(locks(bench.place)).toHaveLength(1);
    expect(keysOf(other.join(other.run(name)).exchange([], room(9)))).toEqual(['p2']);
  });

  it('is missed by nobody while it lives, also where it does nothing', async () => {
    const bench = benchOn(store);
    const child = await startChild(bench.place);
    const planned = mixed();
    const name = await child.prepare(planned);
    await child.pass(planned, 0);
    const { claimed } = await child.exchange([], 2);
    const other = bench.process();
    other.journal.recover();
    const run = other.run(name);
    const outbox = other.join(run);
    const { unclaimed } = outbox.exchange([], room(1));
    expect(unclaimed.map(({ why }) => why)).toEqual(['elsewhere', 'elsewhere']);
    const ids = unclaimed.map(({ id }) => id);
    expect(outbox.revisit(ids, room(9)).claimed).toEqual([]);
    await child.exchange([settled(claimed[0]!, 'rejected')], 0);
    expect(outbox.revisit(ids, room(9)).unclaimed).toMatchObject([
      { why: 'settled', outcome: { state: 'rejected' } },
      { why: 'elsewhere' },
    ]);
    await child.kill();
    expect(keysOf(outbox.revisit([ids[1]!], room(9)))).toEqual(['p1']);
  });

  it('loses nothing that was claimed or settled before, at any of a hundred moments', async () => {
    const bench = benchOn(store);
    const planned = manyPayouts(400);
    const child = await startChild(bench.place);
    const name = await child.prepare(planned);
    await child.pass(planned, 0);
    let done: ReturnType<typeof settled>[] = [];
    let created = 0;
    for (let i = 0; i < 100; i++) {
      const claim = await child.exchange(done, 3);
      created += done.length;
      done = claim.claimed.map((each) => settled(each, 'created'));
    }
    await child.kill();
    const other = bench.process();
    other.journal.recover();
    const states = other.states(other.run(name));
    expect(states.filter((state) => state === 'created')).toHaveLength(created);
    expect(states.filter((state) => state === 'unknown')).toHaveLength(3);
  });

  it('does not stop two that come after it from taking over at once', async () => {
    const bench = benchOn(store);
    const gone = await startChild(bench.place);
    const planned = manyPayouts(50);
    const name = await gone.prepare(planned);
    await gone.pass(planned, 0);
    await gone.exchange([], 50);
    await gone.kill();
    await Promise.all([startChild(bench.place), startChild(bench.place), startChild(bench.place)]);
    const other = bench.process();
    expect(new Set(other.outcomes(other.run(name)).map((known) => `${known?.state} ${known?.attempts}`))).toEqual(
      new Set(['unknown 1']),
    );
  });

  it('lets one of several begin that start with the same file at once', async () => {
    const bench = benchOn(store);
    const planned = records('a', 'b');
    const children = await Promise.all([1, 2, 3, 4].map(() => startChild(bench.place)));
    await Promise.all(children.map((child) => child.prepare(planned)));
    const passed = await Promise.all(children.map((child) => child.pass(planned, 0, gate(planned))));
    expect(passed.filter((each) => each)).toHaveLength(1);
    expect(bench.process().journal.runs()).toHaveLength(1);
  });
});

function locks(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.lock'));
}

import assert from 'node:assert/strict';
import { setImmediate as turnOfEvents } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { ClaimedRecord, Outbox, Unclaimed, SettledRecord } from '../../../src/journal/delivery.js';
import type { History } from '../../../src/journal/history.js';
import type { Decision, StoredRun } from '../../../src/journal/journal.js';
import type { Outcome, PlannedRecord } from '../../../src/journal/record.js';
import { seededRandom } from '../../support/builders.js';
import { type Bench, gate, outcome, type Process, record, room, settled, startBench } from './kit.js';
import { type Store, STORES } from './stores.js';

// Several processes deliver runs that share keys, in every order of small steps that chance finds, and die at any of
// them. A service that remembers the keys of payouts, but not those of gigs, counts what it is asked to do.

const KEYS = ['gig-0', 'gig-1', 'payout-0'];

// A closed database keeps its files open until its statements are collected, and here are many of them.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Numbers from 0 to below 1, in the order in which they were drawn; then zeros. */
type Chance = () => number;

class Service {
  /** Answers every request as it should. */
  reliable = false;
  readonly executions = new Map<string, number>();
  private readonly underWay = new Set<string>();

  /** A request arrives. @returns what the client gets to know of it in the end */
  begin({ key, earlier }: ClaimedRecord, chance: Chance): Outcome {
    assert(!this.underWay.has(key), `${key} is under way already`);
    this.underWay.add(key);
    const inDoubt = earlier?.doubtSince ?? null;
    const unknown = outcome('unknown', { doubtSince: inDoubt ?? 1 });
    const luck = this.reliable ? 1 : chance();
    if (luck < 0.15) return inDoubt === null ? outcome('not_sent') : unknown;
    if (luck < 0.3) return inDoubt === null ? outcome('rejected') : unknown;
    if (luck < 0.45) return unknown;
    this.execute(key);
    return luck < 0.6 ? unknown : outcome('created');
  }

  end(key: string): void {
    this.underWay.delete(key);
  }

  private execute(key: string): void {
    const before = this.executions.get(key) ?? 0;
    if (before > 0 && key.startsWith('payout')) return;
    assert(before === 0, `${key} is carried out twice`);
    this.executions.set(key, 1);
  }
}

/** One process on its way through one run. */
class Actor {
  readonly process: Process;
  readonly run: StoredRun;
  private readonly outbox: Outbox;
  private readonly service: Service;
  private readonly queue: ClaimedRecord[] = [];
  private readonly flying = new Map<ClaimedRecord, Outcome>();
  private done: SettledRecord[] = [];
  private readonly elsewhere = new Set<number>();
  private scanned = false;

  constructor(process: Process, run: StoredRun, outbox: Outbox, service: Service) {
    this.process = process;
    this.run = run;
    this.outbox = outbox;
    this.service = service;
  }

  get finished(): boolean {
    return this.scanned && this.queue.length + this.flying.size + this.done.length + this.elsewhere.size === 0;
  }

  step(chance: Chance): void {
    const choices = [() => this.exchange(chance)];
    if (this.queue.length > 0) choices.push(() => this.start(chance));
    if (this.flying.size > 0) choices.push(() => this.finish());
    if (this.scanned && this.elsewhere.size > 0) choices.push(() => this.revisit(chance));
    choices[Math.floor(chance() * choices.length)]?.();
  }

  /** Gives back what was not sent, waits for what was, and goes. */
  stop(): void {
    for (const claimed of this.queue)
      this.done.push(settled(claimed, claimed.earlier ?? outcome('not_sent', { attempts: 0 })));
    this.queue.length = 0;
    while (this.flying.size > 0) this.finish();
    this.outbox.exchange(this.done, null);
    this.outbox.leave();
    this.process.journal.close();
  }

  die(): void {
    for (const { key } of this.flying.keys()) this.service.end(key);
    this.process.die();
  }

  private exchange(chance: Chance): void {
    const free = Math.floor(chance() * 3);
    const { claimed, unclaimed, end } = this.outbox.exchange(
      this.done,
      this.scanned ? null : room(free, Math.floor(chance() * 3)),
    );
    this.done = [];
    this.take(claimed, unclaimed);
    this.scanned ||= end;
  }

  private revisit(chance: Chance): void {
    const { claimed, unclaimed } = this.outbox.revisit([...this.elsewhere], room(1 + Math.floor(chance() * 2), 0));
    this.take(claimed, unclaimed);
  }

  private take(claimed: readonly ClaimedRecord[], unclaimed: readonly Unclaimed[]): void {
    this.queue.push(...claimed);
    for (const { id } of claimed) this.elsewhere.delete(id);
    for (const { id, why } of unclaimed) {
      if (why === 'elsewhere') this.elsewhere.add(id);
      else this.elsewhere.delete(id);
    }
  }

  private start(chance: Chance): void {
    const claimed = this.queue.shift() as ClaimedRecord;
    this.flying.set(claimed, this.service.begin(claimed, chance));
  }

  private finish(): void {
    const [claimed, known] = [...this.flying][0] as [ClaimedRecord, Outcome];
    this.flying.delete(claimed);
    this.service.end(claimed.key);
    this.done.push(
      settled(
        claimed,
        known,
        known.state === 'created' && claimed.earlier !== null && claimed.earlier.doubtSince !== null,
      ),
    );
  }
}

class World {
  readonly bench: Bench;
  readonly service = new Service();
  readonly runs: StoredRun[] = [];
  private actors: Actor[] = [];

  constructor(bench: Bench) {
    this.bench = bench;
  }

  step(chance: Chance): void {
    this.bench.clock.now += 1000;
    const actor = this.actors[Math.floor(chance() * this.actors.length)];
    const luck = chance();
    if (actor === undefined || (luck < 0.12 && this.actors.length < 4)) return this.enter(chance);
    if (luck < 0.18 || actor.finished) return this.remove(actor, () => actor.stop());
    if (luck < 0.24) return this.remove(actor, () => actor.die());
    return actor.step(chance);
  }

  /** Everybody goes; then one process after the other goes on with every run until nothing changes any more. */
  drain(): void {
    for (const actor of this.actors) actor.die();
    this.actors = [];
    this.service.reliable = true;
    for (let round = 0; round < 2; round++) {
      for (const run of this.runs) {
        const actor = this.goOn(run);
        for (let steps = 0; !actor.finished && steps < 500; steps++) actor.step(() => 0.99 - (steps % 4) / 4);
        assert(actor.finished, 'a process waits for ever');
        actor.stop();
      }
    }
  }

  private remove(actor: Actor, go: () => void): void {
    go();
    this.actors = this.actors.filter((other) => other !== actor);
  }

  private enter(chance: Chance): void {
    const run = this.runs[Math.floor(chance() * (this.runs.length + 1))];
    if (run !== undefined) this.actors.push(this.goOn(run));
    else this.begin(chance);
  }

  private goOn(run: StoredRun): Actor {
    const process = this.bench.process();
    process.journal.recover();
    const planned = [...process.journal.records(run)];
    return new Actor(process, run, process.join(run, decisionsOn(planned, process.history(run))), this.service);
  }

  private begin(chance: Chance): void {
    const process = this.bench.process();
    process.journal.recover();
    const keys = KEYS.filter(() => chance() < 0.6).sort(() => chance() - 0.5);
    const planned = keys.map((key, index) => record(index, { key, type: key.startsWith('gig') ? 'gig' : 'payout' }));
    const decisions = decisionsOn(planned, process.history());
    const { run, outbox } = process.pass(planned, { ...gate(planned), decisions });
    this.runs.push(run);
    this.actors.push(new Actor(process, run, outbox, this.service));
  }
}

/** As `--skip-created` decides. */
function decisionsOn(planned: readonly PlannedRecord[], history: History): Decision[] {
  return planned
    .filter(({ key }) => history.byKey(key as string)?.state === 'created')
    .map(({ index }) => ({ index, what: 'left-out', outcome: outcome('already_created') }));
}

function check(world: World): void {
  const process = world.bench.process();
  const wasExecuted = (key: string): boolean => world.service.executions.has(key);
  for (const key of world.service.executions.keys()) {
    const known = process.history().byKey(key)?.state;
    assert(known === 'created' || known === 'unknown', `${key} was carried out, and the history says ${known}`);
  }
  for (const run of world.runs) {
    for (const { key, outcome: known } of process.journal.records(run)) {
      const what = `${key} in ${run.run} is ${known?.state}, carried out: ${wasExecuted(key as string)}`;
      if (known?.state === 'unknown') assert(key?.startsWith('gig'), what);
      else
        assert(wasExecuted(key as string) && (known?.state === 'created' || known?.state === 'already_created'), what);
    }
  }
}

describe.each(STORES)('any order of steps of several processes, in $name', (store: Store) => {
  it('sends no key twice at once, carries no gig out twice, and leaves every record in its true state', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 10, max: 200 }), async (seed, steps) => {
        const bench = startBench(store);
        try {
          const world = new World(bench);
          const chance = seededRandom(seed);
          for (let step = 0; step < steps; step++) world.step(chance);
          world.drain();
          check(world);
        } finally {
          bench.end();
          collectGarbage();
          await turnOfEvents();
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 25) },
    );
  });
});

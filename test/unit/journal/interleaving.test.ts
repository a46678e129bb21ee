import assert from 'node:assert/strict';
import { setImmediate as turnOfEvents } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { Claimed, Delivery, Plan, NewOutcome } from '../../../src/journal/plan.js';
import {
  idOf,
  type StoredPayment,
  type Outcome,
  type PaymentId,
  type Run,
  type RunRecord,
} from '../../../src/journal/payment.js';
import { seededRandom } from '../../support/builders.js';
import { AT, type Bench, draft, outcome, pointers, type Process, settled, startBench } from './journal-fixtures.js';
import { type Store, STORES } from './stores.js';

// Several processes deliver runs that share payments, in every order of small steps that chance finds, and die at any of
// them. As at the real gate, a process gets the right only to payments that no live process has. A service that remembers the keys of payouts, but not those of gigs, counts what it is asked to do.

const KEYS = ['gig-0', 'gig-1', 'payout-0', 'payout-1'];

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
  begin({ key, earlier }: Claimed, chance: Chance): Outcome {
    assert(!this.underWay.has(key), `${key} is under way already`);
    this.underWay.add(key);
    const inDoubt = earlier?.doubtSince ?? null;
    const unknown = outcome('unknown', { doubtSince: inDoubt ?? 1 });
    const luck = this.reliable ? 1 : chance();
    if (luck < 0.15) return inDoubt === null ? outcome('not_sent') : unknown;
    if (luck < 0.35) return inDoubt === null ? outcome('rejected') : unknown;
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
  private readonly delivery: Delivery;
  private readonly service: Service;
  /** The payments that it has the right to, from its gate to its end. */
  readonly accepted: readonly PaymentId[];
  private readonly open: PaymentId[];
  private readonly queue: Claimed[] = [];
  private readonly flying = new Map<Claimed, Outcome>();
  private done: NewOutcome[] = [];

  constructor(process: Process, delivery: Delivery, accepted: readonly PaymentId[], service: Service) {
    this.process = process;
    this.delivery = delivery;
    this.accepted = accepted;
    this.open = [...accepted];
    this.service = service;
  }

  get finished(): boolean {
    return this.open.length + this.queue.length + this.flying.size + this.done.length === 0;
  }

  async step(chance: Chance): Promise<void> {
    const choices = [() => this.exchange(chance)];
    if (this.queue.length > 0) choices.push(async () => this.start(chance));
    if (this.flying.size > 0) choices.push(async () => this.finish());
    await choices[Math.floor(chance() * choices.length)]?.();
  }

  /** Gives back what was not sent, waits for what was, and goes. */
  async stop(): Promise<void> {
    for (const each of this.queue) this.done.push(settled(each, each.earlier ?? outcome('not_sent', { attempts: 0 })));
    this.queue.length = 0;
    while (this.flying.size > 0) this.finish();
    await this.delivery.storeAndClaim(this.done, []);
    await this.delivery.leave();
    await this.process.journal.detach();
  }

  async die(): Promise<void> {
    for (const { key } of this.flying.keys()) this.service.end(key);
    await this.process.die();
  }

  private async exchange(chance: Chance): Promise<void> {
    const wanted = this.open.splice(0, Math.floor(chance() * 4));
    const done = this.done;
    this.done = [];
    const { claimed } = await this.delivery.storeAndClaim(done, wanted);
    this.queue.push(...claimed);
  }

  private start(chance: Chance): void {
    const claimed = this.queue.shift() as Claimed;
    this.flying.set(claimed, this.service.begin(claimed, chance));
  }

  private finish(): void {
    const [claimed, known] = [...this.flying][0] as [Claimed, Outcome];
    this.flying.delete(claimed);
    this.service.end(claimed.key);
    this.done.push(settled(claimed, known));
  }
}

class World {
  readonly bench: Bench;
  readonly service = new Service();
  readonly runs: Run[] = [];
  private actors: Actor[] = [];

  constructor(bench: Bench) {
    this.bench = bench;
  }

  async step(chance: Chance): Promise<void> {
    this.bench.clock.now += 1000;
    const actor = this.actors[Math.floor(chance() * this.actors.length)];
    const luck = chance();
    if (actor === undefined || (luck < 0.14 && this.actors.length < 4)) return this.enter(chance);
    if (luck < 0.2 || actor.finished) return this.remove(actor, () => actor.stop());
    if (luck < 0.26) return this.remove(actor, () => actor.die());
    return actor.step(chance);
  }

  /** Everybody goes; then one process after the other goes on with every run until nothing changes any more. */
  async drain(): Promise<void> {
    for (const actor of this.actors) await actor.die();
    this.actors = [];
    this.service.reliable = true;
    for (let round = 0; round < 2; round++) {
      for (const run of this.runs) {
        const actor = await this.goOn(run, true);
        for (let steps = 0; !actor.finished && steps < 500; steps++) await actor.step(() => 0.99 - (steps % 4) / 4);
        assert(actor.finished, 'a process waits for ever');
        await actor.stop();
      }
    }
  }

  private async remove(actor: Actor, go: () => Promise<void>): Promise<void> {
    await go();
    this.actors = this.actors.filter((other) => other !== actor);
  }

  private async enter(chance: Chance): Promise<void> {
    const run = this.runs[Math.floor(chance() * (this.runs.length + 1))];
    this.actors.push(run === undefined ? await this.begin(chance) : await this.goOn(run, chance() < 0.5));
  }

  private async goOn(run: Run, retryRejected: boolean): Promise<Actor> {
    const process = await this.bench.process();
    await process.journal.recover();
    const accepted = await this.sendable(process, run, retryRejected);
    const { delivery } = await process.join(run);
    return new Actor(process, delivery, accepted, this.service);
  }

  /** What a plan would send of a run: nothing that a live process has, no gig in doubt, and nothing that was replaced. */
  private async sendable(process: Process, run: Run, retryRejected: boolean): Promise<PaymentId[]> {
    return (await this.listed(process, run)).flatMap(({ id, type, state, replacedBy }) => {
      const isTried = (state === 'rejected' && retryRejected) || (state === 'unknown' && type !== 'gig');
      const isSendable = replacedBy === null && (state === 'not_sent' || isTried);
      return isSendable && !this.isTaken(id) ? [id] : [];
    });
  }

  /** The payments of a run. */
  async listed(process: Process, run: Run): Promise<StoredPayment[]> {
    return process.journal.byId((await process.records(run)).flatMap(({ payment }) => payment ?? []));
  }

  private isTaken(payment: PaymentId): boolean {
    return this.actors.some(({ accepted }) => accepted.includes(payment));
  }

  /** A new run of some keys. What the journal knows it points at; what was rejected it may replace. */
  private async begin(chance: Chance): Promise<Actor> {
    const process = await this.bench.process();
    await process.journal.recover();
    const version = await process.journal.version(AT);
    const known = await process.journal.find(AT, KEYS);
    const taken = new Set(known.filter(({ id }) => this.isTaken(id)).map(({ key }) => key));
    const keys = KEYS.filter((key) => chance() < 0.6 && !taken.has(key)).sort(() => chance() - 0.5);
    const planned = keys.map((key, index) => draft(index, { key, type: key.startsWith('gig') ? 'gig' : 'payout' }));
    const preparation = await process.prepare(planned);
    const records: RunRecord[] = pointers(preparation.number, planned);
    const replaced: { payment: PaymentId; by: PaymentId }[] = [];
    for (const { id, key, state } of known) {
      const index = keys.indexOf(key);
      if (index === -1) continue;
      if (state === 'rejected' && chance() < 0.5) replaced.push({ payment: id, by: idOf(preparation.number, index) });
      else records[index] = { ...records[index]!, payment: id };
    }
    const plan: Plan = { ...(await process.plan(preparation, planned, { records })), version, replaced };
    const { run, delivery } = await process.commit(plan);
    this.runs.push(run);
    const accepted = await this.sendable(process, run, chance() < 0.5);
    return new Actor(process, delivery, accepted, this.service);
  }
}

async function check(world: World): Promise<void> {
  const process = await world.bench.process();
  for (const key of world.service.executions.keys()) {
    const state = (await process.find(key))?.state;
    assert(state === 'created' || state === 'unknown', `${key} was carried out, and the history says ${state}`);
  }
  for (const run of world.runs) {
    for (const { key, state, replacedBy } of await world.listed(process, run)) {
      const wasExecuted = world.service.executions.has(key);
      const what = `${key} in ${run.name} is ${state}, carried out: ${wasExecuted}`;
      if (replacedBy !== null) assert(state === 'rejected', what);
      else if (state === 'unknown') assert(key.startsWith('gig'), what);
      else assert(wasExecuted && state === 'created', what);
    }
  }
}

describe.each(STORES)('any order of steps of several processes, in $name', (store: Store) => {
  it('sends no key twice at once, carries no gig out twice, and leaves every payment in its true state', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 10, max: 100 }), async (seed, steps) => {
        const bench = startBench(store);
        try {
          const world = new World(bench);
          const chance = seededRandom(seed);
          for (let step = 0; step < steps; step++) await world.step(chance);
          await world.drain();
          await check(world);
        } finally {
          await bench.end();
          collectGarbage();
          await turnOfEvents();
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? store.orders) },
    );
  });
});

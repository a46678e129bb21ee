import { describe, expect, it } from 'vitest';
import { deliver as deliverAll, type DeliverOptions } from '../../../src/delivery/deliver.js';
import { JournalError } from '../../../src/errors.js';
import { type Claimed, type Delivery, idOf } from '../../../src/ledger/ledger.js';
import type { Draft, Outcome, PaymentState } from '../../../src/ledger/payment.js';
import type { World } from '../../../src/world.js';
import {
  AT,
  type Bench,
  benchOn,
  claim,
  deliver as deliverNow,
  drafts,
  manyDrafts,
  NEVER,
  outcome,
  type Passed,
  type Process,
  rules,
  settle,
  settled,
  type Sketch,
  START,
} from '../ledger/kit.js';
import { STORES } from '../ledger/stores.js';

/** What a delivery has done, as it is seen from outside. */
interface Seen {
  /** Keys, in the order in which they were sent. */
  readonly sent: string[];
  /** `index state`, with `(earlier)` where this call did not send it; in the order in which they were told. */
  readonly told: string[];
  /** Of each exchange: how many outcomes, and how many claims were wanted and made. */
  readonly exchanges: { readonly settled: number; readonly wanted: number; readonly claimed: number }[];
  /** The most that was claimed and not under way at one time; and gigs. */
  ahead: number;
  gigsAhead: number;
  failure: unknown;
}

interface How {
  readonly answer?: (claimed: Claimed, seen: Seen) => PaymentState | Outcome | Promise<PaymentState | Outcome>;
  readonly concurrency?: number;
  readonly over?: Partial<DeliverOptions>;
  /** Called in place of each wait. */
  readonly onSleep?: () => Promise<unknown>;
  /** Called before each exchange, by its number; may throw. */
  readonly onExchange?: (number: number) => void;
  readonly stop?: AbortController;
}

/** Delivers a run with a sender that is a plain function. */
async function delivered(
  { delivery, ids }: Passed,
  of: readonly Pick<Draft, 'index' | 'type'>[],
  how: How = {},
): Promise<Seen> {
  const { answer = () => 'created', concurrency = 1, over = {}, onSleep, stop = new AbortController() } = how;
  const seen: Seen = { sent: [], told: [], exchanges: [], ahead: 0, gigsAhead: 0, failure: null };
  let [claimed, started, gigsWaiting, clock] = [0, 0, 0, 0];
  const watched: Delivery = {
    ...delivery,
    exchange: async (...asked) => {
      how.onExchange?.(seen.exchanges.length);
      // What was claimed for a free worker has started by now.
      seen.gigsAhead = Math.max(seen.gigsAhead, gigsWaiting);
      const claims = await delivery.exchange(...asked);
      claimed += claims.claimed.length;
      gigsWaiting += claims.claimed.filter(({ type }) => type === 'gig').length;
      seen.exchanges.push({ settled: asked[0].length, wanted: asked[1].length, claimed: claims.claimed.length });
      seen.ahead = Math.max(seen.ahead, claimed - started - concurrency);
      return claims;
    },
  };
  const send = async (record: Claimed): Promise<Outcome> => {
    started++;
    if (record.type === 'gig') gigsWaiting--;
    seen.sent.push(record.key);
    const answered = await answer(record, seen);
    return typeof answered === 'string' ? outcome(answered) : answered;
  };
  const world = {
    reached: () => undefined,
    // Each look at the clock is a millisecond: so there is a rate to claim ahead by, and it is the same every time.
    monotonic: () => ++clock,
    random: () => 0,
    sleep: async () => void (await (onSleep ?? (() => Promise.reject(new Error('nothing was to be waited for'))))()),
  } as unknown as World;
  const options: DeliverOptions = {
    ...{ delivery: watched, sender: { send }, concurrency, rules: rules(), blamesTarget: () => false, world },
    toSend: of.map(({ index, type }, i) => ({ index, type, payment: ids[i]! })),
    stop: stop.signal,
    halt: () => stop.abort(),
    onTold: () => null,
    onOpen: () => undefined,
    onElsewhere: () => undefined,
    onKnown: (index, { state }, fresh) => void seen.told.push(`${index} ${state}${fresh ? '' : ' (earlier)'}`),
    ...over,
  };
  try {
    await deliverAll(options);
  } catch (cause) {
    seen.failure = cause;
  }
  return seen;
}

interface Desk {
  readonly bench: Bench;
  readonly process: Process;
  readonly of: readonly Draft[];
  readonly passed: Passed;
}

async function desk(store: (typeof STORES)[number], of: readonly Draft[]): Promise<Desk> {
  const bench = benchOn(store);
  const process = await bench.process();
  return { bench, process, of, passed: await process.pass(of) };
}

const gigs = (count: number): Draft[] =>
  drafts(...Array.from({ length: count }, (_, i): Sketch => ({ type: 'gig', key: `g${i}` })));
const keys = (count: number): string[] => manyDrafts(count).map(({ key }) => key);

describe.each(STORES)('delivering, in $name', (store) => {
  it('sends in the order of the input, and tells each record once', async () => {
    const { process, passed, of } = await desk(store, manyDrafts(5));
    const seen = await delivered(passed, of);
    expect([seen.sent, seen.told]).toEqual([keys(5), keys(5).map((_, index) => `${index} created`)]);
    expect(await process.states(passed.run)).toEqual(keys(5).map(() => 'created'));
  });

  it('has written down an outcome before it tells it', async () => {
    const { process, passed, of } = await desk(store, manyDrafts(3));
    const asked: Promise<readonly ({ state: PaymentState } | null)[]>[] = [];
    const onKnown = (index: number): void => void asked.push(process.ledger.outcomes([passed.ids[index]!]));
    await delivered(passed, of, { over: { onKnown } });
    expect((await Promise.all(asked)).flat().map((known) => known?.state)).toEqual(['created', 'created', 'created']);
  });

  it('claims before it sends: whoever looks meanwhile finds the record under way', async () => {
    const { bench, passed, of } = await desk(store, manyDrafts(1));
    const other = await bench.process();
    const found: (boolean | undefined)[] = [];
    const answer = async ({ key }: Claimed): Promise<PaymentState> => {
      found.push((await other.find(key))?.isLive);
      return 'created';
    };
    await delivered(passed, of, { answer });
    expect(found).toEqual([true]);
  });

  it('leaves the run when it is done, so that nobody waits for it', async () => {
    const { process, passed, of } = await desk(store, manyDrafts(1));
    expect(await process.ledger.isDelivered(passed.run)).toBe(true);
    await delivered(passed, of);
    expect(await process.ledger.isDelivered(passed.run)).toBe(false);
  });

  it('claims keyed records ahead, so that one commit claims many', async () => {
    const { passed, of } = await desk(store, manyDrafts(200));
    const seen = await delivered(passed, of, { concurrency: 2 });
    expect(seen.sent).toEqual(keys(200));
    expect(seen.ahead).toBeGreaterThan(0);
  });

  it('never claims a gig ahead: a crash would put it in doubt', async () => {
    const { passed, of } = await desk(store, gigs(60));
    const seen = await delivered(passed, of, { concurrency: 2 });
    expect([seen.sent.length, seen.ahead, seen.gigsAhead]).toEqual([60, 0, 0]);
  });

  it('not between keyed records either, which are', async () => {
    const type = (i: number) => (i % 10 === 9 ? 'gig' : 'payout');
    const mixed = drafts(...Array.from({ length: 100 }, (_, i): Sketch => ({ type: type(i), key: `k${i}` })));
    const { passed } = await desk(store, mixed);
    const seen = await delivered(passed, mixed, { concurrency: 3 });
    expect([seen.sent, seen.gigsAhead]).toEqual([mixed.map(({ key }) => key), 0]);
    expect(seen.ahead).toBeGreaterThan(0);
  });

  it('writes down together what comes together', async () => {
    const { passed, of } = await desk(store, manyDrafts(50));
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => void (open = resolve));
    const answer = async (_: Claimed, { sent }: Seen): Promise<PaymentState> => {
      if (sent.length === 50) open();
      await gate;
      return 'created';
    };
    const seen = await delivered(passed, of, { concurrency: 50, answer });
    expect(seen.exchanges).toEqual([
      { settled: 0, wanted: 50, claimed: 50 },
      { settled: 50, wanted: 0, claimed: 0 },
    ]);
  });

  it('sends nothing where nothing is to be sent', async () => {
    const { passed } = await desk(store, manyDrafts(1));
    expect(await delivered(passed, [])).toMatchObject({ sent: [], told: [], exchanges: [] });
  });
});

describe.each(STORES)('a stop, in $name', (store) => {
  /** Stops while the first record is under way. */
  const stopping = (stop: AbortController) => (): PaymentState => {
    stop.abort();
    return 'created';
  };

  it('lets what is under way finish, and gives back what was claimed: open, and nobody in doubt', async () => {
    const { bench, process, passed, of } = await desk(store, manyDrafts(100));
    const stop = new AbortController();
    let count = 0;
    const answer = (): PaymentState => (++count < 60 ? 'created' : stopping(stop)());
    const seen = await delivered(passed, of, { stop, answer });
    const back = seen.told.filter((words) => words.endsWith('not_sent'));
    expect([seen.sent.length, back.length > 0, seen.failure]).toEqual([60, true, null]);
    const claimed = seen.exchanges.reduce((sum, each) => sum + each.claimed, 0);
    expect(back).toHaveLength(claimed - 60);
    const other = await bench.process();
    expect(await other.ledger.inDoubt(AT)).toEqual([]);
    expect((await claim((await other.join(passed.run)).delivery, passed.ids.slice(60))).claimed).toHaveLength(40);
    expect((await process.states(passed.run)).slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 'created'));
  });

  it('starts nothing where it came first', async () => {
    const { passed, of } = await desk(store, manyDrafts(3));
    const stop = new AbortController();
    stop.abort();
    expect(await delivered(passed, of, { stop })).toMatchObject({ sent: [], told: [], exchanges: [] });
  });

  it('leaves what was in doubt in doubt, since the time that it was', async () => {
    const { process, passed, of } = await desk(store, manyDrafts(40));
    await deliverNow(passed, (each) =>
      outcome('unknown', { doubtSince: START - 7, attempts: each.id === passed.ids[0] ? 1 : 2 }),
    );
    const joined = await process.join(passed.run);
    const stop = new AbortController();
    let count = 0;
    const seen = await delivered(joined, of, { stop, answer: () => (++count < 30 ? 'created' : stopping(stop)()) });
    const back = seen.told.filter((words) => words.endsWith('unknown'));
    expect([back.length > 0, seen.told.some((words) => words.endsWith('not_sent'))]).toEqual([true, false]);
    const last = (await process.outcomes(passed.run)).at(-1);
    expect(last).toMatchObject({ state: 'unknown', doubtSince: START - 7, attempts: 2 });
  });

  it('ends the waiting for other processes', async () => {
    const { bench, passed, of } = await desk(store, manyDrafts(1));
    await claim(passed.delivery, passed.ids);
    const other = await bench.process();
    const stop = new AbortController();
    const onSleep = (): Promise<void> => Promise.resolve(stop.abort());
    const seen = await delivered(await other.join(passed.run), of, { stop, onSleep });
    expect([seen.sent, seen.told]).toEqual([[], []]);
  });
});

describe.each(STORES)('a ledger that fails, in $name', (store) => {
  const broken = new JournalError('the disk is full');

  it('lets nothing leave that is not claimed, and ends the run', async () => {
    const { passed, of } = await desk(store, manyDrafts(3));
    const seen = await delivered(passed, of, {
      onExchange: () => {
        throw broken;
      },
    });
    expect(seen).toMatchObject({ sent: [], told: [], failure: broken });
  });

  it('starts nothing new, and writes down once more what came: the disk may have room again', async () => {
    const { process, passed, of } = await desk(store, manyDrafts(30));
    let failed = false;
    const seen = await delivered(passed, of, {
      concurrency: 4,
      onExchange: (number) => {
        if (number === 1 && !failed) {
          failed = true;
          throw broken;
        }
      },
    });
    expect(seen.failure).toBe(broken);
    expect(seen.told).toEqual(seen.sent.map((key) => `${key.slice(1)} created`));
    const states = await process.states(passed.run);
    expect(states.filter((state) => state === 'created')).toHaveLength(seen.sent.length);
    expect(states.filter((state) => state !== null && state !== 'created')).toEqual([]);
  });

  it('leaves in doubt what it could not write down, and tells nothing of it', async () => {
    const { bench, passed, of } = await desk(store, gigs(2));
    const seen = await delivered(passed, of, {
      onExchange: (number) => {
        if (number > 0) throw broken;
      },
    });
    expect([seen.sent, seen.told, seen.failure]).toEqual([['g0'], [], broken]);
    const other = await bench.process();
    expect((await other.find('g0'))?.isLive).toBe(true);
  });

  it('is a fault of the sender that ends it likewise', async () => {
    const { passed, of } = await desk(store, manyDrafts(3));
    const fault = new Error('a fault of the program');
    const seen = await delivered(passed, of, { answer: () => Promise.reject(fault) });
    expect([seen.sent, seen.failure]).toEqual([['k0'], fault]);
  });
});

describe.each(STORES)('what another process has under way, in $name', (store) => {
  /** One process has claimed the record; another one delivers the same run. */
  async function contested(of: readonly Draft[]) {
    const { bench, passed } = await desk(store, of);
    const { claimed } = await claim(passed.delivery, passed.ids);
    const other = await bench.process();
    return { first: passed, claimed, joined: await other.join(passed.run) };
  }

  it.each([['payout'], ['gig']] as const)('is waited for, and told as the outcome of that one: a %s', async (type) => {
    const of = drafts({ type, key: 'a' });
    const { first, claimed, joined } = await contested(of);
    let waits = 0;
    const onSleep = async (): Promise<void> => {
      if (++waits === 3) await settle(first.delivery, settled(claimed[0]!, 'created'));
    };
    const seen = await delivered(joined, of, { onSleep });
    expect([seen.sent, seen.told, waits]).toEqual([[], ['0 created (earlier)'], 3]);
  });

  it('rejected there, it stays rejected: a person corrects it from the rejects of that process', async () => {
    const of = drafts('a');
    const { first, claimed, joined } = await contested(of);
    const onSleep = (): Promise<void> => settle(first.delivery, settled(claimed[0]!, 'rejected'));
    const seen = await delivered(joined, of, { onSleep, over: { rules: rules({ retryRejected: true }) } });
    expect([seen.sent, seen.told]).toEqual([[], ['0 rejected (earlier)']]);
  });

  it('given back there, it is sent here', async () => {
    const of = drafts('a');
    const { first, claimed, joined } = await contested(of);
    const onSleep = (): Promise<void> => settle(first.delivery, settled(claimed[0]!, 'not_sent'));
    expect(await delivered(joined, of, { onSleep })).toMatchObject({ sent: ['a'], told: ['0 created'] });
  });

  it.each([
    ['payout', ['a'], ['0 created']],
    ['gig', [], ['0 unknown (earlier)']],
  ] as const)('after a kill, a %s is in doubt: keyed ones are sent again under their key', async (type, sent, told) => {
    const of = drafts({ type, key: 'a' });
    const bench = benchOn(store);
    const dying = await bench.process();
    const passed = await dying.pass(of);
    await claim(passed.delivery, passed.ids);
    const other = await bench.process();
    const joined = await other.join(passed.run);
    const seen = await delivered(joined, of, { onSleep: () => dying.die() });
    expect([seen.sent, seen.told]).toEqual([[...sent], [...told]]);
  });

  it('does not hold up the others', async () => {
    const of = manyDrafts(5);
    const { bench, passed } = await desk(store, of);
    const { claimed } = await claim(passed.delivery, [passed.ids[1]!]);
    const other = await bench.process();
    const onSleep = (): Promise<void> => settle(passed.delivery, settled(claimed[0]!, 'created'));
    const seen = await delivered(await other.join(passed.run), of, { onSleep });
    expect([seen.sent.toSorted(), seen.told.at(-1)]).toEqual([['k0', 'k2', 'k3', 'k4'], '1 created (earlier)']);
  });

  it('is shared with others that deliver the run, each payment once, and most that is asked for is free', async () => {
    const of = manyDrafts(600);
    const { bench, passed, process } = await desk(store, of);
    const joined = [passed, await (await bench.process()).join(passed.run)];
    const turn = (): Promise<PaymentState> => new Promise((resolve) => setImmediate(() => resolve('created')));
    const seen = await Promise.all(
      joined.map((each) => delivered(each, of, { answer: turn, concurrency: 4, onSleep: turn })),
    );
    expect(seen.flatMap(({ sent }) => sent).toSorted()).toEqual(keys(600).toSorted());
    expect(seen.map(({ told }) => told.length)).toEqual([600, 600]);
    expect(await process.states(passed.run)).toEqual(keys(600).map(() => 'created'));
    for (const { exchanges } of seen) {
      const [wanted, claimed] = (['wanted', 'claimed'] as const).map((what) =>
        exchanges.reduce((sum, each) => sum + each[what], 0),
      );
      expect(wanted! - claimed!).toBeLessThan(3 * 600);
      expect(exchanges.filter((each) => each.wanted > 0 && each.claimed === 0).length).toBeLessThan(
        exchanges.length / 2,
      );
    }
  });

  it('created there since the plan was made, it is told and not sent', async () => {
    const of = drafts('a', 'b');
    const { bench, passed } = await desk(store, of);
    const joined = await (await bench.process()).join(passed.run);
    await deliverNow({ delivery: passed.delivery, ids: [passed.ids[0]!] });
    const seen = await delivered(joined, of);
    expect([seen.sent, seen.told]).toEqual([['b'], ['0 created (earlier)', '1 created']]);
  });

  it('in doubt, and nothing protects it: told as unknown, and not sent', async () => {
    const { process, passed, of } = await desk(store, manyDrafts(1));
    await deliverNow(passed, 'unknown');
    const seen = await delivered(await process.join(passed.run), of, { over: { rules: rules({ mayResend: NEVER }) } });
    expect([seen.sent, seen.told]).toEqual([[], ['0 unknown (earlier)']]);
  });

  it('replaced meanwhile, it is not sent: it is open', async () => {
    const { process, passed, of } = await desk(store, drafts({ key: 'a', says: 'faulty' }));
    const replaced = ({ number }: { readonly number: number }) => [{ payment: passed.ids[0]!, by: idOf(number, 0) }];
    await process.pass(drafts({ key: 'a', says: 'corrected' }), { digest: 'other', replaced });
    const seen = await delivered(passed, of);
    expect([seen.sent, seen.told]).toEqual([[], ['0 not_sent (earlier)']]);
  });
});

describe.each(STORES)('refusals that may be the fault of the target, in $name', (store) => {
  /** Everything is refused; after so many answers it is known whose fault it is. */
  function refusing(known: number, isTarget: boolean): Pick<How, 'answer' | 'over'> {
    let answers = 0;
    const answer = (): PaymentState => {
      answers++;
      return 'rejected';
    };
    return { answer, over: { blamesTarget: () => (answers < known ? null : isTarget) } };
  }

  it('are held back until it is known: then what was refused is open, and goes out when the run goes on', async () => {
    const { process, passed, of } = await desk(store, manyDrafts(3));
    const { answer, over } = refusing(3, true);
    const during: (PaymentState | null)[] = [];
    const looking = async (...asked: Parameters<NonNullable<How['answer']>>): Promise<PaymentState | Outcome> => {
      during.push(...(await process.states(passed.run)));
      return answer!(...asked);
    };
    const seen = await delivered(passed, of, { answer: looking, over: over! });
    expect([during.length, new Set(during)]).toEqual([9, new Set([null])]);
    expect(seen.told).toEqual(['0 not_sent', '1 not_sent', '2 not_sent']);
    expect((await process.outcomes(passed.run))[0]).toMatchObject({ state: 'not_sent', error: 'HTTP 422: no' });
    expect((await delivered(await process.join(passed.run), of)).sent).toEqual(keys(3));
  });

  it('are about the records where the target is right', async () => {
    const { passed, of } = await desk(store, manyDrafts(3));
    expect((await delivered(passed, of, refusing(3, false))).told).toEqual(['0 rejected', '1 rejected', '2 rejected']);
  });

  it('and where no answer comes any more', async () => {
    const { process, passed, of } = await desk(store, manyDrafts(2));
    expect((await delivered(passed, of, refusing(3, true))).told).toEqual(['0 rejected', '1 rejected']);
    expect(await process.states(passed.run)).toEqual(['rejected', 'rejected']);
  });

  it('also after a stop', async () => {
    const { process, passed, of } = await desk(store, manyDrafts(3));
    const stop = new AbortController();
    const { answer, over } = refusing(3, true);
    const stopping = (...asked: Parameters<NonNullable<How['answer']>>) => {
      stop.abort();
      return answer!(...asked);
    };
    expect((await delivered(passed, of, { stop, answer: stopping, over: over! })).sent).toEqual(['k0']);
    expect((await process.states(passed.run))[0]).toBe('rejected');
  });
});

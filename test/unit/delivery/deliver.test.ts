import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '../../../src/delivery/circuit-breaker.js';
import { deliver as deliverAll, type DeliverOptions } from '../../../src/delivery/deliver.js';
import { JournalError } from '../../../src/errors.js';
import type { Claimed, Delivery } from '../../../src/journal/plan.js';
import { type Draft, idOf, type Outcome, type PaymentState } from '../../../src/journal/payment.js';
import type { World } from '../../../src/world.js';
import {
  AT,
  type Bench,
  benchOn,
  claim,
  deliver as deliverNow,
  drafts,
  manyDrafts,
  outcome,
  type AcceptedRun,
  type Process,
  type DraftSpec,
  START,
} from '../journal/journal-fixtures.js';
import { SQLITE, type Store, STORES } from '../journal/stores.js';

/** What a delivery has done, as it is seen from outside. */
interface Observations {
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

interface DeliverySetup {
  readonly answer?: (claimed: Claimed, seen: Observations) => PaymentState | Outcome | Promise<PaymentState | Outcome>;
  readonly concurrency?: number;
  readonly over?: Partial<DeliverOptions>;
  /** Called before each exchange, by its number; may throw. */
  readonly onExchange?: (number: number) => void | Promise<void>;
  readonly stop?: AbortController;
}

/** Delivers a run with a sender that is a plain function. */
async function delivered(
  { delivery, ids }: AcceptedRun,
  of: readonly Pick<Draft, 'index' | 'type'>[],
  how: DeliverySetup = {},
): Promise<Observations> {
  const { answer = () => 'created', concurrency = 1, over = {}, stop = new AbortController() } = how;
  const seen: Observations = { sent: [], told: [], exchanges: [], ahead: 0, gigsAhead: 0, failure: null };
  let claimed = 0;
  let started = 0;
  let gigsWaiting = 0;
  const watched: Delivery = {
    ...delivery,
    storeAndClaim: async (...asked) => {
      await how.onExchange?.(seen.exchanges.length);
      // What was claimed for a free worker has started by now.
      seen.gigsAhead = Math.max(seen.gigsAhead, gigsWaiting);
      const claims = await delivery.storeAndClaim(...asked);
      claimed += claims.claimed.length;
      gigsWaiting += claims.claimed.filter(({ type }) => type === 'gig').length;
      seen.exchanges.push({ settled: asked[0].length, wanted: asked[1].length, claimed: claims.claimed.length });
      seen.ahead = Math.max(seen.ahead, claimed - started - concurrency);
      return claims;
    },
  };
  const breaker = new CircuitBreaker({
    hasCreated: (type) => delivery.hasCreated(type),
    stopAfter: null,
    createdBefore: false,
    inDoubtBefore: false,
    monotonic: () => 0,
    onStop: () => stop.abort(),
  });
  const sendRecord = async (record: Claimed): Promise<Outcome> => {
    started++;
    if (record.type === 'gig') gigsWaiting--;
    seen.sent.push(record.key);
    const answered = await answer(record, seen);
    const ended = typeof answered === 'string' ? outcome(answered) : answered;
    const { state, httpStatus: status } = ended;
    if (status !== null)
      breaker.recordAttempt(
        { kind: 'answer', status, body: null, retryAfter: null },
        { next: 'settle', state },
        0,
        String,
      );
    return ended;
  };
  const world = { failpoint: () => undefined } as unknown as World;
  const options: DeliverOptions = {
    delivery: watched,
    sendRecord,
    concurrency,
    breaker,
    world,
    toSend: of.map(({ index, type }, i) => ({
      index,
      type,
      payment: ids[i]!,
    })),
    stop: stop.signal,
    halt: () => stop.abort(),
    onCommitted: () => null,
    onMaybeInFlight: () => undefined,
    onOutcome: (index, { state }, fresh) => void seen.told.push(`${index} ${state}${fresh ? '' : ' (earlier)'}`),
    ...over,
  };
  try {
    await deliverAll(options);
  } catch (cause) {
    seen.failure = cause;
  }
  return seen;
}

interface DeliveryFixture {
  readonly bench: Bench;
  readonly process: Process;
  readonly of: readonly Draft[];
  readonly passed: AcceptedRun;
}

async function deliveryFixture(store: Store, of: readonly Draft[]): Promise<DeliveryFixture> {
  const bench = benchOn(store);
  const process = await bench.process();
  return { bench, process, of, passed: await process.pass(of) };
}

const gigs = (count: number): Draft[] =>
  drafts(...Array.from({ length: count }, (_, i): DraftSpec => ({ type: 'gig', key: `g${i}` })));
const keys = (count: number): string[] => manyDrafts(count).map(({ key }) => key);

describe('delivering', () => {
  it('sends in the order of the input, tells each record once, and leaves the run, so that nobody waits for it', async () => {
    const { process, passed, of } = await deliveryFixture(SQLITE, manyDrafts(5));
    expect(await process.journal.liveCalls()).toMatchObject([{ run: passed.run.number }]);
    const seen = await delivered(passed, of);
    expect([seen.sent, seen.told]).toEqual([keys(5), keys(5).map((_, index) => `${index} created`)]);
    expect(await process.states(passed.run)).toEqual(keys(5).map(() => 'created'));
    expect(await process.journal.liveCalls()).toEqual([]);
  });

  it('has written down an outcome before it tells it', async () => {
    const { process, passed, of } = await deliveryFixture(SQLITE, manyDrafts(3));
    const asked: Promise<readonly ({ state: PaymentState } | null)[]>[] = [];
    const onOutcome = (index: number): void => void asked.push(process.journal.outcomes([passed.ids[index]!]));
    await delivered(passed, of, { over: { onOutcome } });
    expect((await Promise.all(asked)).flat().map((known) => known?.state)).toEqual(['created', 'created', 'created']);
  });

  it('claims before it sends: whoever looks meanwhile finds the record under way', async () => {
    const { bench, passed, of } = await deliveryFixture(SQLITE, manyDrafts(1));
    const other = await bench.process();
    const found: (boolean | undefined)[] = [];
    const answer = async ({ key }: Claimed): Promise<PaymentState> => {
      found.push((await other.find(key))?.isLive);
      return 'created';
    };
    await delivered(passed, of, { answer });
    expect(found).toEqual([true]);
  });

  it('claims keyed records ahead, so that one commit claims many', async () => {
    const { passed, of } = await deliveryFixture(SQLITE, manyDrafts(200));
    const seen = await delivered(passed, of, { concurrency: 2 });
    expect(seen.sent).toEqual(keys(200));
    expect(seen.ahead).toBeGreaterThan(0);
  });

  it.each<[where: string, every: number, ahead: boolean]>([
    ['alone', 1, false],
    ['between keyed records, which are', 10, true],
  ])('never claims a gig ahead, %s: a crash would put it in doubt', async (_where, every, isAhead) => {
    const type = (i: number) => (i % every === every - 1 ? 'gig' : 'payout');
    const of = drafts(...Array.from({ length: 100 }, (_, i): DraftSpec => ({ type: type(i), key: `k${i}` })));
    const seen = await delivered((await deliveryFixture(SQLITE, of)).passed, of, { concurrency: 3 });
    expect([seen.sent, seen.gigsAhead, seen.ahead > 0]).toEqual([of.map(({ key }) => key), 0, isAhead]);
  });

  it('writes down together what comes together', async () => {
    const { passed, of } = await deliveryFixture(SQLITE, manyDrafts(50));
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => void (open = resolve));
    const answer = async (_: Claimed, { sent }: Observations): Promise<PaymentState> => {
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
    const { passed } = await deliveryFixture(SQLITE, manyDrafts(1));
    expect(await delivered(passed, [])).toMatchObject({ sent: [], told: [], exchanges: [] });
  });
});

describe('gigs', () => {
  /** Sends gigs that end so, and gives how many were under way when each began. */
  async function underWayAt(ends: readonly PaymentState[], concurrency: number, holdUntil: number): Promise<number[]> {
    const of = gigs(ends.length);
    const at: number[] = [];
    let underWay = 0;
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => void (open = resolve));
    const answer = async ({ key }: Claimed): Promise<Outcome> => {
      const number = Number(key.slice(1));
      at[number] = ++underWay;
      if (number === holdUntil) open();
      // All but the first come in together.
      if (number > 0 && number < holdUntil) await gate;
      else await new Promise(setImmediate);
      underWay--;
      return outcome(ends[number]!, { attempts: 1 });
    };
    const { gigsAhead } = await delivered((await deliveryFixture(SQLITE, of)).passed, of, { concurrency, answer });
    expect(gigsAhead).toBe(0);
    return at;
  }

  it('are sent alone until one is created or rejected, then many at a time', async () => {
    expect(await underWayAt(['rejected', 'created', 'created', 'created'], 3, 3)).toEqual([1, 1, 2, 3]);
    expect(await underWayAt(['unknown', 'unknown', 'created', 'created'], 3, 1)).toEqual([1, 1, 1, 1]);
  });

  it('that were claimed while one came into doubt wait for each other', async () => {
    const of = gigs(6);
    const { passed } = await deliveryFixture(SQLITE, of);
    const most: number[] = [];
    let underWay = 0;
    let claims = (): void => undefined;
    let begins = (): void => undefined;
    const claiming = new Promise<void>((resolve) => void (claims = resolve));
    const begun = new Promise<void>((resolve) => void (begins = resolve));
    const answer = async ({ key }: Claimed): Promise<Outcome> => {
      most.push(++underWay);
      if (key === 'g3') begins();
      if (key === 'g2' || key === 'g3') await begun;
      // The second gig comes into doubt while the last two are being claimed.
      if (key === 'g1') await claiming;
      if (key === 'g4') await new Promise(setImmediate);
      underWay--;
      return outcome(key === 'g1' ? 'unknown' : 'created', { attempts: 1 });
    };
    const onExchange = async (number: number): Promise<void> => {
      if (number !== 2) return;
      claims();
      await new Promise(setImmediate);
    };
    const seen = await delivered(passed, of, { concurrency: 3, answer, onExchange });
    expect([seen.exchanges[2]?.claimed, seen.sent.length, seen.failure]).toEqual([2, 6, null]);
    expect(most).toEqual([1, 1, 2, 3, 1, 1]);
  });
});

describe('a stop', () => {
  /** Stops while the first record is under way. */
  const stopping = (stop: AbortController) => (): PaymentState => {
    stop.abort();
    return 'created';
  };

  it('lets what is under way finish, and gives back what was claimed: open, and nobody in doubt', async () => {
    const { bench, process, passed, of } = await deliveryFixture(SQLITE, manyDrafts(100));
    const stop = new AbortController();
    let count = 0;
    const answer = (): PaymentState => (++count < 50 ? 'created' : stopping(stop)());
    const seen = await delivered(passed, of, { stop, answer });
    const back = seen.told.filter((words) => words.endsWith('not_sent'));
    expect([seen.sent.length, back.length > 0, seen.failure]).toEqual([50, true, null]);
    const claimed = seen.exchanges.reduce((sum, each) => sum + each.claimed, 0);
    expect(back).toHaveLength(claimed - 50);
    const other = await bench.process();
    expect(await other.journal.unsettled(AT)).toEqual([]);
    expect((await claim((await other.join(passed.run)).delivery, passed.ids.slice(50))).claimed).toHaveLength(50);
    expect((await process.states(passed.run)).slice(0, 50)).toEqual(Array.from({ length: 50 }, () => 'created'));
  });

  it('starts nothing where it came first', async () => {
    const { passed, of } = await deliveryFixture(SQLITE, manyDrafts(3));
    const stop = new AbortController();
    stop.abort();
    expect(await delivered(passed, of, { stop })).toMatchObject({ sent: [], told: [], exchanges: [] });
  });

  it('leaves what was in doubt in doubt, since the time that it was', async () => {
    const { process, passed, of } = await deliveryFixture(SQLITE, manyDrafts(40));
    await deliverNow(passed, (each) =>
      outcome('unknown', { doubtSince: START - 7, attempts: each.id === passed.ids[0] ? 1 : 2 }),
    );
    await passed.delivery.leave();
    const joined = await process.join(passed.run);
    const stop = new AbortController();
    let count = 0;
    const seen = await delivered(joined, of, { stop, answer: () => (++count < 30 ? 'created' : stopping(stop)()) });
    const back = seen.told.filter((words) => words.endsWith('unknown'));
    expect([back.length > 0, seen.told.some((words) => words.endsWith('not_sent'))]).toEqual([true, false]);
    const last = (await process.outcomes(passed.run)).at(-1);
    expect(last).toMatchObject({ state: 'unknown', doubtSince: START - 7, attempts: 2 });
  });
});

describe('a journal that fails', () => {
  const broken = new JournalError('the disk is full');

  it('lets nothing leave that is not claimed, and ends the run', async () => {
    const { passed, of } = await deliveryFixture(SQLITE, manyDrafts(3));
    const seen = await delivered(passed, of, {
      onExchange: () => {
        throw broken;
      },
    });
    expect(seen).toMatchObject({ sent: [], told: [], failure: broken });
  });

  it('starts nothing new, and writes down once more what came: the disk may have room again', async () => {
    const { process, passed, of } = await deliveryFixture(SQLITE, manyDrafts(30));
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
    const { bench, passed, of } = await deliveryFixture(SQLITE, gigs(2));
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
    const { passed, of } = await deliveryFixture(SQLITE, manyDrafts(3));
    const fault = new Error('a fault of the program');
    const seen = await delivered(passed, of, { answer: () => Promise.reject(fault) });
    expect([seen.sent, seen.failure]).toEqual([['k0'], fault]);
  });
});

describe.each(STORES)('a payment that cannot be sent after all, in $name', (store) => {
  it('was created meanwhile, by a late answer or a person: it is told, and the others are sent', async () => {
    const { process, passed, of } = await deliveryFixture(store, drafts('a', 'b'));
    await deliverNow({ delivery: passed.delivery, ids: [passed.ids[0]!] });
    const seen = await delivered(passed, of);
    expect([seen.sent, seen.told]).toEqual([['b'], ['0 created (earlier)', '1 created']]);
    expect(await process.states(passed.run)).toEqual(['created', 'created']);
  });

  it('was replaced: it stays open', async () => {
    const { process, passed, of } = await deliveryFixture(store, drafts({ key: 'a', says: 'faulty' }));
    const replaced = ({ number }: { readonly number: number }) => [{ payment: passed.ids[0]!, by: idOf(number, 0) }];
    await process.pass(drafts({ key: 'a', says: 'corrected' }), { digest: 'other', replaced });
    const seen = await delivered(passed, of);
    expect([seen.sent, seen.told]).toEqual([[], ['0 not_sent (earlier)']]);
  });

  it('is under way in another process, against all rules: the run ends, and nothing leaves', async () => {
    const { bench, passed, of } = await deliveryFixture(store, drafts('a', 'b'));
    await claim(passed.delivery, [passed.ids[1]!]);
    const joined = await (await bench.process()).join(passed.run);
    const seen = await delivered(joined, of, { concurrency: 2 });
    expect([seen.sent, seen.told]).toEqual([[], []]);
    expect(String(seen.failure)).toContain('another call is sending');
  });
});

describe('a slow reader', () => {
  it('keeps new payments from being claimed, but not outcomes from being stored', async () => {
    const { process, passed, of } = await deliveryFixture(SQLITE, manyDrafts(6));
    let read = (): void => undefined;
    const reading = new Promise<void>((resolve) => (read = resolve));
    // The reader is slow from the commit on that claims the second to the fourth record.
    const waits: (Promise<void> | null)[] = [null, reading];
    let during: (PaymentState | null)[] = [];
    const onOutcome = async (index: number): Promise<void> => {
      if (index !== 3) return;
      during = await process.states(passed.run);
      read();
    };
    const over = { onCommitted: () => waits.shift() ?? null, onOutcome: (index: number) => void onOutcome(index) };
    expect((await delivered(passed, of, { over })).sent).toEqual(keys(6));
    expect(during).toEqual(['created', 'created', 'created', 'created', null, null]);
  });
});

describe('refusals that may be the fault of the target', () => {
  const NOTHING_HERE = outcome('rejected', { httpStatus: 404, error: 'HTTP 404' });

  it('are held back until it is known: then what was refused is open, and goes out when the run goes on', async () => {
    const { process, passed, of } = await deliveryFixture(SQLITE, manyDrafts(12));
    const during: (PaymentState | null)[] = [];
    const answer = async (_: Claimed, { sent }: Observations): Promise<Outcome> => {
      during.push((await process.states(passed.run))[0] ?? null);
      return { ...NOTHING_HERE, httpStatus: sent.length % 2 === 0 ? 404 : 403 };
    };
    const { told } = await delivered(passed, of, { answer });
    expect([during.length, new Set(during)]).toEqual([10, new Set([null])]);
    expect(told.slice(0, 10)).toEqual(keys(10).map((_, index) => `${index} not_sent`));
    expect((await process.outcomes(passed.run))[0]).toMatchObject({ state: 'not_sent', error: 'HTTP 404' });
    expect((await delivered(await process.join(passed.run), of)).sent).toEqual(keys(12));
  });

  it('are judged at the end, where they are few, by whether anything of their type was ever created', async () => {
    const { process, passed } = await deliveryFixture(SQLITE, gigs(1));
    await delivered(passed, gigs(1));
    const ends: string[][] = [];
    for (const of of [manyDrafts(2), drafts({ type: 'gig', key: 'other' })]) {
      const next = await process.pass(of, { digest: of[0]!.key });
      ends.push((await delivered(next, of, { answer: () => NOTHING_HERE })).told);
    }
    expect(ends).toEqual([['0 not_sent', '1 not_sent'], ['0 rejected']]);
  });

  it('are judged after a stop, too', async () => {
    const { process, passed, of } = await deliveryFixture(SQLITE, manyDrafts(3));
    const stop = new AbortController();
    const answer = (): Outcome => {
      stop.abort();
      return NOTHING_HERE;
    };
    expect((await delivered(passed, of, { stop, answer })).sent).toEqual(['k0']);
    expect((await process.states(passed.run))[0]).toBe('not_sent');
  });
});

import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type {
  Claim,
  ClaimedRecord,
  ClaimOptions,
  DoubtRules,
  Outbox,
  SettledRecord,
} from '../../../src/journal/delivery.js';
import type { History } from '../../../src/journal/history.js';
import type { Decision, Gate, Journal, RunHead, StoredRun } from '../../../src/journal/journal.js';
import { type Outcome, type PlannedRecord, SHORT_HASH, type StoredState } from '../../../src/journal/record.js';
import type { RecordType } from '../../../src/records/kind.js';
import type { Store } from './stores.js';

export const TARGET = 'https://gigs.example/base';
export const START = Date.parse('2026-11-01T08:00:00Z');

function hash(...parts: string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest();
}

export interface Draft {
  readonly type?: RecordType;
  readonly key?: string | null;
  /** What the record says: equal texts are equal contents. */
  readonly says?: string;
  /** What makes it look like others; default: its own. */
  readonly likeness?: string;
}

/** Valid records with the given keys, or drafts of records; a key of null makes an invalid one. */
export function records(...drafts: (string | Draft)[]): PlannedRecord[] {
  return drafts.map((draft, index) => record(index, typeof draft === 'string' ? { key: draft } : draft));
}

export function record(index: number, draft: Draft = {}): PlannedRecord {
  const { type = 'payout', key = `k${index}`, says = `says ${key}`, likeness = says } = draft;
  const place = { index, file: 0, record: index + 1, line: index + 2, type };
  const nothing = { amount: null, currency: null, costCenter: null, body: null, content: null, likeness: null };
  if (key === null) return { ...place, ...nothing, key, bodyHash: '', error: 'amount: missing' };
  const body = JSON.stringify(type === 'gig' ? { title: says } : { idempotency_key: key, title: says });
  return {
    ...place,
    key,
    body,
    bodyHash: hash(body).toString('hex'),
    content: hash(type, says).subarray(0, SHORT_HASH),
    likeness: hash(type, 'like', likeness).subarray(0, SHORT_HASH),
    amount: '1200',
    currency: 'EUR',
    costCenter: 'PP-7',
    error: null,
  };
}

/** A whole hundred payouts at a time, `k0` to the last. */
export function manyPayouts(count: number): PlannedRecord[] {
  return Array.from({ length: count }, (_, index) => record(index));
}

export function outcome(state: StoredState, over: Partial<Outcome> = {}): Outcome {
  const doubtSince = state === 'unknown' ? START : null;
  const answered = { httpStatus: null, response: null, error: null };
  if (state === 'created') Object.assign(answered, { httpStatus: 201, response: '{"id":"p1"}' });
  if (state === 'rejected')
    Object.assign(answered, { httpStatus: 422, response: '{"error":"no"}', error: 'HTTP 422: no' });
  if (state === 'unknown') Object.assign(answered, { error: 'no whole answer' });
  return { state, attempts: 1, doubtSince, ...answered, ...over };
}

export function settled(claimed: ClaimedRecord, state: StoredState | Outcome, twins = false): SettledRecord {
  const { id, index, intent } = claimed;
  return { id, index, intent, outcome: typeof state === 'string' ? outcome(state) : state, twins };
}

export const ALWAYS = (): boolean => true;
export const NEVER = (): boolean => false;

export function room(
  free: number,
  ahead = 0,
  mayResend: DoubtRules['mayResend'] = keyed,
  isProtected: DoubtRules['isProtected'] = keyed,
): ClaimOptions {
  return { free, ahead, rules: { mayResend, isProtected } };
}

/** Keyed records in doubt may be sent again, gigs never. */
export function keyed({ type }: { readonly type: RecordType }): boolean {
  return type !== 'gig';
}

/** A journal as one process has it, with what tests do on it again and again. */
export class Process {
  readonly journal: Journal;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  prepare(planned: readonly PlannedRecord[], over: Partial<RunHead> = {}) {
    const head = { command: 'payout create', target: TARGET, scope: '', batchId: 'default', startedAt: START };
    const preparing = this.journal.prepare({ ...head, ...over });
    preparing.store(planned);
    return preparing;
  }

  /** Stores records and passes the gate with the history as it is now. */
  pass(planned: readonly PlannedRecord[], over: Partial<RunHead & Gate> = {}): { run: StoredRun; outbox: Outbox } {
    const preparing = this.prepare(planned, over);
    const { target = TARGET, scope = '' } = over;
    const outbox = preparing.pass({ ...gate(planned), version: this.history(null, target, scope).version, ...over });
    if (outbox === null) throw new Error('the history has changed');
    return { run: this.run(preparing.run), outbox };
  }

  history(exceptRun: StoredRun | null = null, target = TARGET, scope = ''): History {
    return this.journal.history(target, scope, exceptRun?.number ?? null);
  }

  run(name: string): StoredRun {
    const [run] = this.journal.findRuns(name);
    if (run === undefined) throw new Error(`no run ${name}`);
    return run;
  }

  join(run: StoredRun, decisions: readonly Decision[] = []): Outbox {
    const outbox = this.journal.join(run, {
      version: this.history(run, run.target, run.scope).version,
      decisions,
      placing: null,
    });
    if (outbox === null) throw new Error('the history has changed');
    return outbox;
  }

  outcomes(run: StoredRun): (Outcome | undefined)[] {
    const found: (Outcome | undefined)[] = [];
    for (const { index, outcome: known } of this.journal.outcomes(run)) found[index] = known;
    return found;
  }

  /** The states of a run's records, in input order; null where nothing is known. */
  states(run: StoredRun): (StoredState | null)[] {
    return [...this.journal.records(run)].map(({ outcome: known }) => known?.state ?? null);
  }

  /** Ends as a process does that was cut off: its claims and preparations stay behind. */
  die(): void {
    this.journal.close();
  }
}

export interface Bench {
  readonly place: string;
  /** The clock that all processes share, milliseconds since 1970. */
  readonly clock: { now: number };
  process(): Process;
  reader(): Process | null;
  /** Closes what is open, and removes the place. */
  end(): void;
}

/** A place for a journal, and processes on it, that are all gone when the test is over. */
export function benchOn(store: Store): Bench {
  const bench = startBench(store);
  onTestFinished(() => bench.end());
  return bench;
}

export function startBench(store: Store): Bench {
  const place = store.newPlace();
  const clock = { now: START };
  const open = new Set<Journal>();
  const start = (readOnly: boolean): Process | null => {
    const journal = store.open(place, { readOnly, now: () => clock.now });
    if (journal === null) return null;
    open.add(journal);
    return new Process(journal);
  };
  const end = (): void => {
    for (const journal of open) {
      try {
        journal.close();
      } catch {
        // It was closed by the test.
      }
    }
    store.removePlace(place);
  };
  return { place, clock, process: () => start(false) as Process, reader: () => start(true), end };
}

export function gate(planned: readonly PlannedRecord[], digest = 'digest'): Omit<Gate, 'version'> {
  const files = [{ path: 'payouts.csv', sha256: 'f1', records: planned.length, hasErrorColumn: false }];
  return { digest, payAgain: null, files, decisions: [] };
}

export function keysOf({ claimed }: Claim): string[] {
  return claimed.map(({ key }) => key);
}

export function indexesOf({ claimed }: Claim): number[] {
  return claimed.map(({ index }) => index);
}

/** Claims everything that can be claimed, and settles it. */
export function deliverAll(outbox: Outbox, state: StoredState | ((record: ClaimedRecord) => Outcome)): ClaimedRecord[] {
  const sent: ClaimedRecord[] = [];
  let done: SettledRecord[] = [];
  for (let round = 0; round < 10_000; round++) {
    const claim = outbox.exchange(done, room(100, 1000));
    sent.push(...claim.claimed);
    done = claim.claimed.map((each) => settled(each, typeof state === 'string' ? state : state(each)));
    if (claim.end && done.length === 0) return sent;
  }
  throw new Error('the run has no end');
}

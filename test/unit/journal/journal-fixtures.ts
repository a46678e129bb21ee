import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { InputCall } from '../../../src/journal/audit-log.js';
import type { Journal } from '../../../src/journal/journal.js';
import type { Claimed, Claims, Delivery, DoubtRules, Plan, DraftRun, NewOutcome } from '../../../src/journal/plan.js';
import {
  type Draft,
  idOf,
  type InvalidRecord,
  type StoredPayment,
  type Outcome,
  type PaymentId,
  type PaymentState,
  type Run,
  type RunFile,
  type RunHead,
  type RunRecord,
  type StoredRecord,
} from '../../../src/journal/payment.js';
import type { RecordType } from '../../../src/records/types.js';
import { CALLER, type Store } from './stores.js';

export const TARGET = 'https://gigs.example/base';
export const AT = { target: TARGET, scope: '' };
export const START = Date.parse('2026-11-01T08:00:00Z');
export const DAY = 86_400_000;
/** Who says something about payments. */
export const CLERK = CALLER.by;

function hash(...parts: string[]): Buffer {
  return createHash('sha256').update(parts.join('\n')).digest();
}

/** What records are made of in tests. */
export interface DraftSpec {
  readonly type?: RecordType;
  readonly key?: string;
  /** What the record says: equal texts are equal contents. */
  readonly says?: string;
  /** Who is paid, and for what: equal texts are the same payee and title. Default: what it says. */
  readonly like?: string;
  /** Another title for the same payee. */
  readonly title?: string;
  /** In the body. */
  readonly userId?: string;
  readonly reference?: string;
  readonly date?: number;
  readonly measure?: number;
}

/** Drafts with the given keys, or what they are made of, from the place 0 on. */
export function drafts(...specs: (string | DraftSpec)[]): Draft[] {
  return specs.map((spec, index) => draft(index, typeof spec === 'string' ? { key: spec } : spec));
}

export function draft(index: number, spec: DraftSpec = {}): Draft {
  const { type = 'payout', key = `k${index}`, says = `says ${key}`, like = says, title = like } = spec;
  const { userId, reference, date = null, measure = null } = spec;
  const body = JSON.stringify(
    type === 'gig' ? { title: says } : { idempotency_key: key, title: says, user_id: userId },
  );
  return {
    index,
    type,
    key,
    body,
    bodyHash: hash(body).toString('hex'),
    content: contentOf(says, type),
    payee: payeeOf(like, type),
    title: titleOf(title),
    reference: reference === undefined ? null : titleOf(reference),
    date,
    measure,
    isOfFile: true,
    amount: '1200',
    currency: 'EUR',
    costCenter: 'PP-7',
  };
}

export function contentOf(says: string, type: RecordType = 'payout'): bigint {
  return hash(type, says).readBigInt64BE(0);
}

export function payeeOf(like: string, type: RecordType = 'payout'): number {
  return hash(type, 'payee', like).readUIntBE(0, 6) % 2 ** 47;
}

/** Also of a reference. */
export function titleOf(text: string): number {
  return hash('text', text).readInt32BE(0);
}

/** A file of a run. */
export function runFile(path: string, over: Partial<RunFile> = {}): RunFile {
  return { path, sha256: 'f1', records: 1, sheetName: null, reference: null, ...over };
}

export function manyDrafts(count: number, prefix = 'k'): Draft[] {
  return Array.from({ length: count }, (_, index) => draft(index, { key: `${prefix}${index}` }));
}

export function outcome(state: PaymentState, over: Partial<Outcome> = {}): Outcome {
  const doubtSince = state === 'unknown' ? START : null;
  const answered = { httpStatus: null, response: null, error: null, requestId: null };
  if (state === 'created') Object.assign(answered, { httpStatus: 201, response: '{"id":"p1"}', requestId: 'r1' });
  if (state === 'rejected')
    Object.assign(answered, { httpStatus: 422, response: '{"error":"no"}', error: 'HTTP 422: no' });
  if (state === 'unknown') Object.assign(answered, { error: 'no whole answer' });
  return { state, attempts: 1, doubtSince, ...answered, ...over };
}

export function settled(claimed: Claimed, state: PaymentState | Outcome): NewOutcome {
  return { id: claimed.id, claim: claimed.claim, outcome: typeof state === 'string' ? outcome(state) : state };
}

/** Keyed records in doubt may be sent again, gigs never. */
function keyed({ type }: { readonly type: RecordType }): boolean {
  return type !== 'gig';
}

export function rules(over: Partial<DoubtRules> = {}): DoubtRules {
  return { isProtected: keyed, mayResend: keyed, ...over };
}

export const INPUT_CALL: InputCall = { folder: '/desk', options: [['--results', '/desk/r.csv']] };
const NO_SKIPS = { skipCreated: false, skipSimilar: false };
export const DECISIONS = { ...NO_SKIPS, sendSimilar: null };

/** Records that point at drafts of a preparation, each in the file's line after its place. */
export function pointers(run: number, of: readonly Pick<Draft, 'index'>[], over: Partial<RunRecord> = {}): RunRecord[] {
  return of.map(({ index }) => ({
    index,
    file: 0,
    record: index + 1,
    line: index + 2,
    payment: idOf(run, index),
    standsFor: null,
    ...over,
  }));
}

/** An invalid record at its place, of which nothing could be read. */
export function invalidRecord(index: number, error: string, over: Partial<InvalidRecord> = {}): InvalidRecord {
  return {
    index,
    file: 0,
    record: index + 1,
    line: index + 2,
    type: 'payout',
    error,
    body: null,
    amount: null,
    currency: null,
    costCenter: null,
    ...over,
  };
}

/** For a plan: its first draft takes the place of a payment. */
export function replacing(payment: PaymentId): NonNullable<Wish['replaced']> {
  return ({ number }) => [{ payment, by: idOf(number, 0) }];
}

export interface Wish extends Partial<RunHead> {
  readonly digest?: string;
  readonly records?: readonly RunRecord[];
  readonly invalid?: readonly InvalidRecord[];
  readonly replaced?: (preparation: DraftRun) => Plan['replaced'];
  readonly files?: readonly (string | RunFile)[];
  readonly sends?: Plan['sends'];
  readonly skips?: Plan['skips'];
  readonly lifetimeMs?: number;
  readonly approval?: Plan['approval'];
  readonly delivers?: boolean;
}

export interface AcceptedRun {
  readonly run: Run;
  readonly delivery: Delivery;
  /** The payments of the run, in its order. */
  readonly ids: readonly PaymentId[];
}

/** A journal as one process has it, with what tests do on it again and again. */
export class Process {
  readonly journal: Journal;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  async prepare(of: readonly Draft[], over: Partial<RunHead> = {}): Promise<DraftRun> {
    const { command = 'payout create', target = TARGET, scope = '', batchId = 'default', startedAt = START } = over;
    const head = { command, target, scope, batchId, startedAt, headers: over.headers ?? [] };
    const preparation = await this.journal.prepare(head);
    await preparation.store(of);
    return preparation;
  }

  /** The plan to send all drafts of a preparation, with the history as it is now. */
  async plan(preparation: DraftRun, of: readonly Draft[], wish: Wish = {}): Promise<Plan> {
    const { target = TARGET, scope = '', digest = 'digest', files = ['payouts.csv'], invalid = [] } = wish;
    const { batchId = 'default', skips = NO_SKIPS, lifetimeMs = null, sends = [] } = wish;
    const records = wish.records ?? pointers(preparation.number, of);
    return {
      version: await this.journal.version({
        target,
        scope,
      }),
      target: {
        target,
        scope,
      },
      run: null,
      batchId,
      preparation,
      digest,
      skips,
      lifetimeMs,
      sends,
      inputCall: INPUT_CALL,
      approval: wish.approval ?? null,
      list: {
        files: files.map((file) => (typeof file === 'string' ? runFile(file, { records: records.length }) : file)),
        records,
        invalid,
      },
      withdrawn: [],
      replaced: wish.replaced?.(preparation) ?? [],
      bodies: [],
      delivers: wish.delivers ?? true,
    };
  }

  /** Stores drafts and passes the gate with the history as it is now. */
  async pass(of: readonly Draft[], wish: Wish = {}): Promise<AcceptedRun> {
    return this.commit(await this.plan(await this.prepare(of, wish), of, wish));
  }

  async commit(plan: Plan): Promise<AcceptedRun> {
    const delivery = await this.journal.commit(plan);
    if (delivery === null) throw new Error('the history has changed');
    const records = await this.records(delivery.run);
    const ids = records.map(({ payment }) => payment).filter((id) => id !== null);
    return { run: delivery.run, delivery, ids };
  }

  /** A new run that only lists payments, and brings none along. */
  async list(payments: readonly PaymentId[], digest: string): Promise<AcceptedRun> {
    const places = pointers(
      0,
      payments.map((_payment, index) => ({ index })),
    );
    const records = places.map((each, i) => ({ ...each, payment: payments[i]! }));
    return this.commit(await this.plan(await this.prepare([]), [], { records, digest }));
  }

  /** The plan to go on with a run from the journal alone: its list stays as it is. */
  async goingOn(run: Run, over: Partial<Plan> = {}): Promise<Plan> {
    const { target, scope, batchId, digest, skips, inputCall } = run;
    const at = { target, scope };
    const version = await this.journal.version(at);
    return {
      version,
      target: at,
      run,
      batchId,
      preparation: null,
      digest,
      skips,
      inputCall,
      lifetimeMs: null,
      approval: null,
      delivers: true,
      list: over.list ?? listOf(run, await this.records(run)),
      sends: [],
      withdrawn: [],
      replaced: [],
      bodies: [],
      ...over,
    };
  }

  async join(run: Run, over: Partial<Plan> = {}): Promise<AcceptedRun> {
    return this.commit(await this.goingOn(run, over));
  }

  async records(run: Run): Promise<StoredRecord[]> {
    return this.journal.records(run, 0, 100_000);
  }

  /** A person's word about records of a run; by default long after the service's last request. */
  async settle(run: Run, records: readonly StoredRecord[], told: Outcome, note: string, requestMs = 0): Promise<void> {
    await this.journal.settle(
      records.map((record) => ({ run, record, outcome: told, requestMs, list: null })),
      note,
    );
  }

  /** The states of a run's records, in input order; null where nothing is known. */
  async states(run: Run): Promise<(PaymentState | null)[]> {
    return (await this.records(run)).map(({ outcome: known }) => known?.state ?? null);
  }

  async outcomes(run: Run): Promise<StoredRecord['outcome'][]> {
    return (await this.records(run)).map(({ outcome: known }) => known);
  }

  /** Its payments in the batch. */
  async byPayee(like: string, over: { type?: RecordType; batchId?: string } = {}): Promise<StoredPayment[]> {
    return this.journal.byPayee(AT, over.batchId ?? 'default', [payeeOf(like, over.type)]);
  }

  async find(key: string, at = AT): Promise<StoredPayment | null> {
    return (await this.journal.find(at, [key]))[0] ?? null;
  }

  /** Ends as a process does that was cut off: its claims and preparations stay behind. */
  async die(): Promise<void> {
    await this.journal.detach();
  }
}

function listOf({ files }: Run, records: readonly StoredRecord[]): Plan['list'] {
  return {
    files,
    records: records.flatMap(({ payment, standsFor, ...place }) => {
      return payment === null ? [] : { ...place, payment, standsFor: standsFor?.payment ?? null };
    }),
    invalid: records.filter(({ payment }) => payment === null),
  };
}

export interface Bench {
  readonly place: string;
  /** The clock that all processes share, milliseconds since 1970. */
  readonly clock: { now: number };
  process(): Promise<Process>;
  reader(): Promise<Process | null>;
  /** Closes what is open, and removes the place. */
  end(): Promise<void>;
}

/** A place for a journal, and processes on it, that are all gone when the test is over. */
export function benchOn(store: Store): Bench {
  const bench = startBench(store);
  onTestFinished(() => bench.end());
  return bench;
}

/** Two processes on one new place. */
export async function processes(store: Store): Promise<readonly [Process, Process]> {
  const bench = benchOn(store);
  return [await bench.process(), await bench.process()];
}

export function startBench(store: Store): Bench {
  const place = store.newPlace();
  const clock = { now: START };
  const open = new Set<Journal>();
  const start = async (readOnly: boolean): Promise<Process | null> => {
    const journal = await store.open(place, { readOnly, now: () => clock.now });
    if (journal === null) return null;
    open.add(journal);
    return new Process(journal);
  };
  const end = async (): Promise<void> => {
    for (const journal of open) await journal.detach().catch(() => 'it was closed by the test');
    await store.removePlace(place);
  };
  return { place, clock, process: async () => (await start(false)) as Process, reader: () => start(true), end };
}

export function keysOf({ claimed }: Claims): string[] {
  return claimed.map(({ key }) => key);
}

export async function claim(delivery: Pick<Delivery, 'storeAndClaim'>, wanted: readonly PaymentId[]): Promise<Claims> {
  return delivery.storeAndClaim([], wanted);
}

export async function storeOutcomes(delivery: Pick<Delivery, 'storeAndClaim'>, ...done: NewOutcome[]): Promise<void> {
  await delivery.storeAndClaim(done, []);
}

/** Claims payments, and settles all that could be claimed. */
export async function deliver(
  { delivery, ids }: Pick<AcceptedRun, 'delivery' | 'ids'>,
  state: PaymentState | ((claimed: Claimed) => PaymentState | Outcome) = 'created',
): Promise<readonly Claimed[]> {
  const { claimed } = await claim(delivery, ids);
  await storeOutcomes(
    delivery,
    ...claimed.map((each) => settled(each, typeof state === 'string' ? state : state(each))),
  );
  return claimed;
}

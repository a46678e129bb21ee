/** The records of a call, with what its entries, the input and the ledger know of each. */
import { keptBody } from '../batch/bodies.js';
import { chunksOf } from '../batch/ledger-rows.js';
import type { Prepared } from '../batch/prepare.js';
import { JournalError } from '../errors.js';
import type { Ledger } from '../ledger/ledger.js';
import { idOf, type KnownPayment, type PaymentId, type Run, type StoredOutcome } from '../ledger/payment.js';
import { formatDecimal } from '../money/decimal.js';
import type { RunOptions } from '../options.js';
import type { RecordType } from '../records/kind.js';
import { bodiesOf, type KnownRecord, type RecordReport, recordReport } from './record-report.js';

/** A call, as far as its records are told from it. */
export interface CallRecords {
  readonly options: RunOptions;
  readonly prepared: Prepared;
  /** Null where there is none yet. */
  readonly ledger: Ledger | null;
  /** Number of the preparation that has the records' drafts; null for none. */
  readonly drafts: number | null;
  /** The run that it sends, or goes on with; null before the gate. */
  run: Run | null;
  /** By entry: the payment that a record was left out for. */
  readonly standsFor: Map<number, KnownPayment>;
  /** Rejected entries that were corrected since. */
  readonly corrected: Set<number>;
}

/** An entry and what became of it; null where it was never sent. */
export interface EntryOutcome {
  readonly index: number;
  readonly outcome: StoredOutcome | null;
}

/** Records whose outcomes are asked for at once. */
const PAGE = 1000;

/** The entries with what the ledger knows of them, page by page. @throws JournalError */
export async function* outcomesOf(
  indexes: Iterable<number>,
  { prepared: { entries }, ledger, run }: CallRecords,
): AsyncGenerator<EntryOutcome[], void> {
  // An invalid record has no answer, also where its key belongs to a payment. Where no run began, neither has what was
  // refused, or only planned; what earlier runs settled has theirs.
  const isAsked = (index: number): boolean =>
    entries.payment(index) !== 0 &&
    entries.isValid(index) &&
    (run !== null || !['not_sent', 'planned'].includes(entries.status(index)));
  for (const page of chunksOf(indexes, PAGE)) {
    const asked = page.filter(isAsked);
    const outcomes = (await ledger?.outcomes(asked.map((index) => entries.payment(index)))) ?? [];
    const known = new Map(asked.map((index, i) => [index, outcomes[i] ?? null]));
    yield page.map((index) => ({ index, outcome: known.get(index) ?? null }));
  }
}

/** The call's entries from `first` up to `end`, as they are told in files. @throws JournalError */
export async function* callReports(
  call: CallRecords,
  first = 0,
  end = call.prepared.entries.length,
): AsyncGenerator<RecordReport, void> {
  const indexes = (function* () {
    for (let index = first; index < end; index++) yield index;
  })();
  for await (const page of outcomesOf(indexes, call)) yield* await reportsOf(page, call);
}

/** A page of records, each made when it is asked for. */
export async function reportsOf(page: readonly EntryOutcome[], call: CallRecords): Promise<Iterable<RecordReport>> {
  const { standsFor, ledger, prepared } = call;
  const indexes = page.map(({ index }) => index);
  const stored = await storedBodies(indexes, call);
  const others = await bodiesOf([...new Set(indexes.flatMap((index) => standsFor.get(index)?.id ?? []))], ledger);
  return (function* () {
    for (const { index, outcome } of page) {
      const known = knownOf(index, outcome, others, call);
      const body = stored.get(index) ?? keptBody(prepared, index);
      const request = call.options.safety.dryRun && prepared.entries.isValid(index) ? body : null;
      yield recordReport({ ...known, body, request }, call.options.response.id);
    }
  })();
}

function knownOf(
  index: number,
  outcome: EntryOutcome['outcome'],
  others: ReadonlyMap<PaymentId, string | null>,
  { prepared: { entries, files }, standsFor }: CallRecords,
): Omit<KnownRecord, 'body' | 'request'> {
  const { file, record, line, row } = entries.placeOf(index);
  const { type, currency, costCenter } = entries.groupOf(index);
  // The money of an invalid record does not count.
  const amount = entries.isValid(index) ? entries.amount(index) : null;
  const other = standsFor.get(index) ?? null;
  const own = other === null || other.id === entries.payment(index) ? outcome : null;
  return {
    record,
    line,
    row,
    file: files[file]?.path ?? '',
    type: type as RecordType,
    key: entries.key(index),
    status: entries.status(index),
    error: entries.error(index) ?? own?.error ?? null,
    amount: amount === null ? null : formatDecimal(amount),
    currency,
    costCenter,
    outcome: own,
    at: other === null ? (outcome?.at ?? null) : other.at,
    standsFor: other === null ? null : { ...other, run: other.run.name, body: others.get(other.id) ?? null },
  };
}

/** Bodies that the ledger has, of payments or of drafts; all others were kept of the input. */
async function storedBodies(
  indexes: readonly number[],
  { prepared: { entries, bodies }, ledger, drafts }: CallRecords,
): Promise<ReadonlyMap<number, string | null>> {
  const missing = ledger === null ? [] : indexes.filter((index) => bodies.at(index) === null);
  if (ledger === null || missing.length === 0) return NONE;
  try {
    const draftOf = (index: number): PaymentId => (drafts === null ? 0 : idOf(drafts, index));
    const stored = await ledger.bodies(missing.map((index) => entries.payment(index) || draftOf(index)));
    // The body of a payment may have been pruned: then the input has brought it.
    const brought = stored.some((body) => body === null) ? await ledger.bodies(missing.map(draftOf)) : [];
    return new Map(missing.map((index, i) => [index, stored[i] ?? brought[i] ?? null]));
  } catch (cause) {
    // That the ledger has failed is told elsewhere: here, all else is told.
    if (!(cause instanceof JournalError)) throw cause;
    return NONE;
  }
}

const NONE: ReadonlyMap<number, string | null> = new Map();

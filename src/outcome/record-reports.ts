/** What is told of each record: what became of it, whom it is about, and how much it is. */
import { keptBody, type Prepared } from '../batch/prepare.js';
import type { Entries } from '../batch/table.js';
import { idIn } from '../delivery/http/answer.js';
import { JournalError } from '../errors.js';
import { idOf, type Ledger } from '../ledger/ledger.js';
import type { KnownPayment, Outcome, PaymentId, StoredOutcome } from '../ledger/payment.js';
import { formatDecimal } from '../money/decimal.js';
import type { RunOptions } from '../options.js';
import type { RecordType } from '../records/kind.js';
import { subjectIn } from '../records/subject.js';
import type { RecordReport } from '../report/reporter.js';

/** An entry and what is known of it; null where it was never sent. A fresh outcome has no time yet: it is now. */
export interface KnownRecord {
  readonly index: number;
  readonly outcome: Outcome | StoredOutcome | null;
}

/** Where it is known from. */
export interface RecordSources {
  readonly options: RunOptions;
  readonly prepared: Prepared;
  /** Null where there is none yet. */
  readonly ledger: Ledger | null;
  /** Number of the preparation that has the records' drafts; null for none. */
  readonly drafts: number | null;
  /** By entry: the payment that a record was left out for. */
  readonly standsFor: Map<number, KnownPayment>;
  /** Rejected entries that were corrected since. */
  readonly corrected: Set<number>;
}

/** A page of reports, each made when it is asked for. @param errorOf why a record is not created, if it is not */
export async function recordReports(
  records: readonly KnownRecord[],
  sources: RecordSources,
  errorOf: (known: KnownRecord) => string | null,
): Promise<Iterable<RecordReport>> {
  const stored = await storedBodies(
    records.map(({ index }) => index),
    sources,
  );
  const others = await standsForBodies(records, sources);
  return (function* () {
    for (const known of records) {
      const body = stored.get(known.index) ?? keptBody(sources.prepared, known.index);
      const standsFor = sources.standsFor.get(known.index);
      if (standsFor === undefined) {
        yield reportOf(known, body, sources, errorOf(known));
        continue;
      }
      // Of another payment, only what names it is told: its answer is not the record's.
      const isOwn = standsFor.id === sources.prepared.entries.payment(known.index);
      const told = isOwn ? known : { ...known, outcome: null };
      const other = standsForReport(standsFor, others.get(standsFor.id) ?? null);
      yield { ...reportOf(told, body, sources, errorOf(told)), at: standsFor.at, standsFor: other };
    }
  })();
}

function reportOf(
  { index, outcome }: KnownRecord,
  body: string | null,
  { prepared: { entries, files }, options }: RecordSources,
  error: string | null,
): RecordReport {
  const { file, record, line } = entries.placeOf(index);
  const { type, currency, costCenter } = entries.groupOf(index);
  return {
    file: files[file]?.path ?? '',
    record,
    line,
    type,
    key: entries.key(index),
    status: entries.status(index),
    httpStatus: outcome?.httpStatus ?? null,
    attempts: outcome?.attempts ?? 0,
    response: outcome?.response ?? null,
    error,
    request: options.safety.dryRun && entries.isValid(index) ? body : null,
    ...subjectIn(body, type as RecordType),
    amount: amountOf(entries, index),
    currency,
    costCenter,
    id: idIn(outcome?.response ?? null, options.response.id),
    at: outcome === null ? null : 'at' in outcome ? outcome.at : options.now(),
    standsFor: null,
  };
}

/** @param body of the payment; null where it was pruned */
export function standsForReport(
  {
    run,
    key,
    type,
    amount,
    state,
  }: Pick<KnownPayment, 'key' | 'type' | 'amount' | 'state'> & { run: { name: string } },
  body: string | null,
): NonNullable<RecordReport['standsFor']> {
  const { userId, title } = subjectIn(body, type);
  return { run: run.name, key, userId, title, amount, status: state };
}

async function standsForBodies(
  records: readonly KnownRecord[],
  { standsFor, ledger }: RecordSources,
): Promise<ReadonlyMap<PaymentId, string | null>> {
  const ids = [...new Set(records.flatMap(({ index }) => standsFor.get(index)?.id ?? []))];
  if (ledger === null || ids.length === 0) return new Map();
  const bodies = await ledger.bodies(ids);
  return new Map(ids.map((id, i) => [id, bodies[i] ?? null]));
}

/** Decimal text; null where it is not known, and for an invalid record, whose money does not count. */
function amountOf(entries: Entries, index: number): string | null {
  const amount = entries.isValid(index) ? entries.amount(index) : null;
  return amount === null ? null : formatDecimal(amount);
}

/** Bodies that the ledger has, of payments or of drafts; all others were kept of the input. */
async function storedBodies(
  indexes: readonly number[],
  { prepared: { entries, bodies }, ledger, drafts }: RecordSources,
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

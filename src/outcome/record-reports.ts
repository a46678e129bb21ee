/** What is told of each record: what became of it, whom it is about, and how much it is. */
import { keptBody, type Prepared } from '../batch/prepare.js';
import type { Entries } from '../batch/table.js';
import { idIn } from '../delivery/http/answer.js';
import { JournalError } from '../errors.js';
import { idOf, type Ledger } from '../ledger/ledger.js';
import type { Outcome, StoredOutcome } from '../ledger/payment.js';
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
  return (function* () {
    for (const known of records) {
      const body = stored.get(known.index) ?? keptBody(sources.prepared, known.index);
      yield reportOf(known, body, sources, errorOf(known));
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
  };
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
    const ids = missing.map((index) => entries.payment(index) || (drafts === null ? 0 : idOf(drafts, index)));
    const stored = await ledger.bodies(ids);
    return new Map(missing.map((index, i) => [index, stored[i] ?? null]));
  } catch (cause) {
    // That the ledger has failed is told elsewhere: here, all else is told.
    if (!(cause instanceof JournalError)) throw cause;
    return NONE;
  }
}

const NONE: ReadonlyMap<number, string | null> = new Map();

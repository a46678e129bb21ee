/** Where the payments stand that messages name: asked for only when there is something to be said. */
import { homeOf, type Ledger } from '../ledger/ledger.js';
import type { KnownPayment, PaymentId } from '../ledger/payment.js';
import type { Assessment } from './assess.js';
import type { Known } from './known.js';
import type { Place, PlaceOf } from './repeat-words.js';

const PAGE = 1000;

/** @throws JournalError */
export async function placesOf(
  { known, assessment }: { readonly known: Known; readonly assessment: Assessment },
  ledger: Ledger | null,
): Promise<PlaceOf> {
  const named: KnownPayment[] = [
    ...assessment.repeats.map(({ newest }) => newest),
    ...assessment.conflicts.flatMap(({ payment }) => payment ?? []),
    ...known.inDoubt,
    ...known.elsewhere.values(),
  ];
  const places = new Map<PaymentId, Place | null>();
  const files = await filesOfRuns(known.inDoubt, ledger);
  if (ledger === null) return () => null;
  const ids = [...new Set(named.map(({ id }) => id))];
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE);
    const found = await ledger.places(page);
    for (const [i, id] of page.entries()) {
      const place = found[i] ?? null;
      places.set(id, place === null ? null : { ...place, files: files.get(homeOf(id)) ?? 1 });
    }
  }
  return ({ id }) => places.get(id) ?? null;
}

/** How many files the runs of payments have, by the runs' numbers: `batch settle` has to be told which one is meant. */
async function filesOfRuns(payments: readonly KnownPayment[], ledger: Ledger | null): Promise<Map<number, number>> {
  const names = new Set(payments.map(({ run }) => run.name));
  const files = new Map<number, number>();
  for (const name of names)
    for (const run of (await ledger?.runs({ name })) ?? []) files.set(run.number, run.files.length);
  return files;
}

/** Where the payments stand that messages name: asked for only when there is something to be said. */
import type { HomePlace, Ledger } from '../ledger/ledger.js';
import type { KnownPayment, PaymentId } from '../ledger/payment.js';
import type { Assessment } from './assess.js';
import type { Known } from './known.js';
import type { PlaceOf } from './repeat-words.js';

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
  const places = new Map<PaymentId, HomePlace | null>();
  if (ledger === null) return () => null;
  const ids = [...new Set(named.map(({ id }) => id))];
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE);
    const found = await ledger.places(page);
    for (const [i, id] of page.entries()) places.set(id, found[i] ?? null);
  }
  return ({ id }) => places.get(id) ?? null;
}

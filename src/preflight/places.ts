/** Where the payments stand that messages name: asked for only when there is something to be said. */
import type { Ledger } from '../ledger/ledger.js';
import type { KnownPayment, PaymentId, Run } from '../ledger/payment.js';
import type { Person } from '../world.js';
import type { Assessment } from './assess.js';
import type { Known } from './known.js';
import type { Place, PlaceOf } from './repeat-words.js';

const PAGE = 1000;

/** @param caller who runs the program, as the machine says. @throws JournalError */
export async function placesOf(
  { known, assessment }: { readonly known: Known; readonly assessment: Assessment },
  batchId: string,
  ledger: Ledger | null,
  caller: Person,
): Promise<PlaceOf> {
  const named: KnownPayment[] = [
    ...assessment.repeats.map(({ newest }) => newest),
    ...assessment.conflicts.map(({ payment }) => payment),
    ...known.unsettled.filter(({ batchId: batch }) => batch === batchId),
    ...[...known.elsewhere.values()].flat(),
    ...[...known.corrected.values()],
  ];
  const places = new Map<PaymentId, Place | null>();
  if (ledger === null) return () => null;
  const runs = await runsOf(named, ledger);
  const self = ledger.user ?? caller.user;
  const once = [...new Map(named.map((payment) => [payment.id, payment])).values()];
  for (let from = 0; from < once.length; from += PAGE) {
    const page = once.slice(from, from + PAGE);
    const found = await ledger.places(page.map(({ id }) => id));
    for (const [i, payment] of page.entries()) {
      const place = found[i] ?? null;
      const run = runs.get(payment.run.number);
      const by = run?.by ?? null;
      const isOther = by !== null && (by.user !== self || by.host !== caller.host);
      places.set(payment.id, place === null ? null : { ...place, files: run?.files.length ?? 1, by, isOther });
    }
  }
  return ({ id }) => places.get(id) ?? null;
}

/** The runs of payments, by their numbers. */
async function runsOf(payments: readonly KnownPayment[], ledger: Ledger): Promise<Map<number, Run>> {
  const runs = new Map<number, Run>();
  for (const name of new Set(payments.map(({ run }) => run.name)))
    for (const run of await ledger.runs({ name })) runs.set(run.number, run);
  return runs;
}

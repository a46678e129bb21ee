/** Where payments stand in the runs that accepted them last. */
import type { HomePlace } from '../ledger.js';
import type { PaymentId } from '../payment.js';
import type { Driver, Transaction } from './driver.js';
import { ACCEPTED_BY } from './transactions.js';

const PLACES = `SELECT p.id, f.path, s.payment, s.count, s.record, s.line FROM payment p
  JOIN span s ON s.run = ${ACCEPTED_BY} AND s.stands_for IS NULL AND s.payment =
    (SELECT max(payment) FROM span WHERE span.run = ${ACCEPTED_BY} AND span.stands_for IS NULL AND span.payment <= p.id)
  JOIN file f ON f.run = s.run AND f.position = s.file WHERE p.id = ANY ($1)`;

type Cells = readonly [
  ...[id: PaymentId, path: string, first: PaymentId, count: number, record: number, line: number | null],
];

/** {@link Ledger.places} */
export async function homePlaces({ session }: Driver, payments: readonly PaymentId[]): Promise<(HomePlace | null)[]> {
  const rows = await session.read((tx) => tx.rows<Cells>(PLACES, payments));
  const places = new Map(
    rows.flatMap(([id, file, first, count, record, line]): [PaymentId, HomePlace][] => {
      const after = id - first;
      return after < count ? [[id, { file, record: record + after, line: line === null ? null : line + after }]] : [];
    }),
  );
  return payments.map((id) => places.get(id) ?? null);
}

/** Where a payment stands among the records of a run that would send it, from 0; null where it does not. */
export async function indexIn(tx: Transaction, run: number, payment: PaymentId): Promise<number | null> {
  const [row] = await tx.rows<[number, PaymentId, number]>(
    `SELECT idx, payment, count FROM span WHERE run = $1 AND stands_for IS NULL AND payment <= $2 ORDER BY payment DESC LIMIT 1`,
    ...[run, payment],
  );
  const [index, first, count] = row ?? [0, 0, 0];
  return payment - first < count ? index + payment - first : null;
}

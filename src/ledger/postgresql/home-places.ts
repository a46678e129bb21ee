/** Where payments stand in the runs that accepted them last. */
import type { HomePlace } from '../ledger.js';
import type { PaymentId } from '../payment.js';
import type { Context } from './context.js';
import { ACCEPTED_BY } from './drafts.js';
import type { Transaction } from './session.js';

const PLACES = `SELECT w.id, f.path, s.payment, s.count, s.record, s.line FROM unnest($1::bigint[]) w(id)
  JOIN payment p ON p.id = w.id
  JOIN LATERAL (SELECT * FROM span WHERE span.run = ${ACCEPTED_BY} AND span.stands_for IS NULL AND span.payment <= w.id
    ORDER BY span.payment DESC LIMIT 1) s ON true
  JOIN file f ON f.run = s.run AND f.position = s.file`;

type Cells = readonly [
  ...[id: PaymentId, path: string, first: PaymentId, count: number, record: number, line: number | null],
];

/** {@link Ledger.places} */
export async function homePlaces({ session }: Context, payments: readonly PaymentId[]): Promise<(HomePlace | null)[]> {
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

/** Where payments stand in the runs that accepted them last. */
import type { HomePlace } from '../ledger.js';
import type { PaymentId } from '../payment.js';
import { type Context, reading } from './context.js';
import { acceptedBy } from './drafts.js';

/** {@link Ledger.places} */
export function homePlaces(context: Context, payments: readonly PaymentId[]): (HomePlace | null)[] {
  return reading(context, () => payments.map((payment) => homePlace(context, payment)));
}

function homePlace(context: Context, payment: PaymentId): HomePlace | null {
  const select = context.sql(
    `SELECT f.path, s.payment, s.count, s.record, s.line FROM span s JOIN file f ON f.run = s.run AND f.position = s.file
     WHERE s.run = ?1 AND s.stands_for IS NULL AND s.payment <= ?2 ORDER BY s.payment DESC LIMIT 1`,
  );
  type Cells = [path: string, first: PaymentId, count: number, record: number, line: number | null];
  const row = select.get(acceptedBy(context, payment), payment) as Cells | undefined;
  if (row === undefined) return null;
  const [file, first, count, record, line] = row;
  const after = payment - first;
  return after < count ? { file, record: record + after, line: line === null ? null : line + after } : null;
}

/** Where a payment stands among the records of a run that would send it, from 0; null where it does not. */
export function indexIn({ sql }: Context, run: number, payment: PaymentId): number | null {
  const select = sql(
    'SELECT idx, payment, count FROM span WHERE run = ? AND stands_for IS NULL AND payment <= ? ORDER BY payment DESC LIMIT 1',
  );
  const [index, first, count] = (select.get(run, payment) as [number, PaymentId, number] | undefined) ?? [0, 0, 0];
  return payment - first < count ? index + payment - first : null;
}

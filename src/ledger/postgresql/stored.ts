/** Which records are payments already: it only saves storing them twice. */
import type { Keyed, TargetName } from '../ledger.js';
import type { PaymentId } from '../payment.js';
import { type Context, targetOf } from './context.js';
import type { Transaction } from './session.js';

/** How many keys are looked up first: where none of them is known, mostly none is. */
const SAMPLE = 32;

/** A payment that has lost its key or its body is not what the key stands for. */
const BY_KEY = `SELECT p.key, encode(p.body_hash, 'hex'), p.id FROM by_key b JOIN payment p ON p.id = b.payment
  WHERE b.target = $1 AND b.key = ANY ($2::text[]) AND p.body IS NOT NULL AND p.replaced_by IS NULL`;

/** {@link Ledger.stored} */
export function selectStored(
  { session }: Context,
  target: TargetName,
  records: readonly Keyed[],
): Promise<PaymentId[]> {
  return session.read(async (tx) => {
    const found = await targetOf(tx, target);
    if (found === null) return records.map(() => 0);
    const sample = await byKey(tx, found.id, records.slice(0, SAMPLE));
    const rest = records.slice(SAMPLE);
    const more = sample.some((id) => id !== 0) ? await byKey(tx, found.id, rest) : rest.map(() => 0);
    return [...sample, ...more];
  });
}

async function byKey(tx: Transaction, target: number, records: readonly Keyed[]): Promise<PaymentId[]> {
  if (records.length === 0) return [];
  const rows = await tx.rows<[string, string, PaymentId]>(
    BY_KEY,
    target,
    records.map(({ key }) => key),
  );
  const found = new Map(rows.map(([key, bodyHash, id]) => [key, { bodyHash, id }]));
  return records.map(({ key, bodyHash }) => {
    const known = found.get(key);
    return known?.bodyHash === bodyHash ? known.id : 0;
  });
}

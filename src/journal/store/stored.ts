/**
 * Finds records that are payments already. It exists only for speed: looking up each key costs as much as storing the
 * record would, and more in a long history. A file that was run before has its payments in one stretch, in the same
 * order, and reading ahead in a stretch costs a tenth of that. So a few keys show whether looking for the others is
 * worthwhile.
 */
import { homeOf, type PaymentId } from '../payment.js';
import type { PaymentQueries } from '../journal.js';
import type { KeyedBody } from '../plan.js';
import { GIG } from './common-schema.js';
import type { Driver, Transaction } from './driver.js';
import { findTarget } from './transactions.js';

/**
 * All in one text, which is read in a third of the time of as many rows. A body contains its key, so equal bodies have
 * equal keys; gigs are sent without one. Null for a row that is not a payment, or has lost its key or its body.
 */
const KNOWN_STRETCH = `SELECT max(id), json_list(known) FROM (SELECT p.id,
  CASE WHEN p.body IS NULL OR p.replaced_by IS NOT NULL OR p.run = 0 THEN NULL
    ELSE hash_of(p) || CASE WHEN p.type = ${GIG} THEN key_of(p) ELSE '' END END AS known
  FROM payment p WHERE p.id BETWEEN $1 AND $2 AND p.target = $3 ORDER BY p.id) s`;

/** Ignores payments that have lost their key or their body. */
const BY_KEY = `SELECT key_of(p), hash_of(p), p.id FROM by_key b JOIN payment p ON p.id = b.payment
  WHERE b.target = $1 AND b.key = ANY_KEY ($2) AND p.body IS NOT NULL AND p.replaced_by IS NULL`;

/** {@link PaymentQueries.stored} */
export function createStoredLookup(driver: Driver): PaymentQueries['stored'] {
  let next: PaymentId | null = null;
  return (target, records) =>
    driver.session.read(async (tx) => {
      const found = await findTarget(tx, target);
      if (found === null) return records.map(() => 0);
      const first = next === null ? [] : await stretch(driver, tx, found.id, next, records);
      const rest = await findByKeys(driver, tx, found.id, records.slice(first.length));
      const all = [...first, ...rest];
      const last = all.at(-1) ?? 0;
      next = last === 0 ? null : last + 1;
      return all;
    });
}

/** As many of the first records as follow each other from `from` on. */
async function stretch(
  driver: Driver,
  tx: Transaction,
  target: number,
  from: PaymentId,
  records: readonly KeyedBody[],
): Promise<PaymentId[]> {
  // Drafts of a run that has not passed its gate are not payments.
  const passed = await tx.rows('SELECT 1 FROM run WHERE number = $1 AND passed', homeOf(from));
  if (passed.length === 0) return [];
  const [row] = await tx.rows<[PaymentId | null, string | null]>(
    KNOWN_STRETCH,
    from,
    from + records.length - 1,
    target,
  );
  const known = JSON.parse(row?.[1] ?? '[]') as (string | null)[];
  // Payments that were not listed in the end have left gaps.
  if (row?.[0] !== from + known.length - 1) return [];
  const length = known.findIndex((text, i) => !isKnownAs(driver, text, records[i] as KeyedBody));
  return Array.from({ length: length === -1 ? known.length : length }, (_, i) => from + i);
}

const HASH_DIGITS = 64;

/** @param known the hash of a body, and of a gig its key too */
function isKnownAs({ hashOf, keyOf }: Driver, known: string | null, { key, bodyHash }: KeyedBody): boolean {
  if (known === null || hashOf(known.slice(0, HASH_DIGITS)) !== bodyHash) return false;
  return known.length === HASH_DIGITS || keyOf(known.slice(HASH_DIGITS)) === key;
}

/** Number of keys that are looked up first. */
const SAMPLE_KEYS = 32;

/** All zero if none of the first records is known. */
async function findByKeys(
  driver: Driver,
  tx: Transaction,
  target: number,
  records: readonly KeyedBody[],
): Promise<PaymentId[]> {
  const sample = await findEach(driver, tx, target, records.slice(0, SAMPLE_KEYS));
  const rest = records.slice(SAMPLE_KEYS);
  const isKnown = sample.some((id) => id !== 0);
  return [...sample, ...(isKnown ? await findEach(driver, tx, target, rest) : rest.map(() => 0))];
}

async function findEach(
  { hashOf, keyOf }: Driver,
  tx: Transaction,
  target: number,
  records: readonly KeyedBody[],
): Promise<PaymentId[]> {
  if (records.length === 0) return [];
  const keys = records.map(({ key }) => key);
  const rows = await tx.rows<[string, string, PaymentId]>(BY_KEY, target, keys);
  const found = new Map(rows.map(([key, bodyHash, id]) => [keyOf(key), { bodyHash: hashOf(bodyHash), id }]));
  return records.map(({ key, bodyHash }) => {
    const known = found.get(key);
    return known?.bodyHash === bodyHash ? known.id : 0;
  });
}

/**
 * Which records are payments already. It exists only for speed: looking up each key costs as much as storing the record
 * would, and more in a long history. A file that was run before has its payments in one stretch, in the same order, and
 * reading on in a stretch costs a tenth of that. So a few keys tell whether it is worth while to look for the others.
 */
import { homeOf, type Keyed, type TargetName } from '../ledger.js';
import type { PaymentId } from '../payment.js';
import { GIG } from '../codes.js';
import { BODY_HASH, byKeys, hashOf, KEY, keyOf } from './compact.js';
import { type Context, reading, targetOf } from './context.js';

type Cells = readonly [id: PaymentId, key: string, bodyHash: string, hasBody: number, replacedBy: PaymentId | null];

/**
 * All in one text, which is read in a third of the time of as many rows. A body has its key in it, so that equal bodies
 * have equal keys; gigs are sent without one. Null for what is no payment, or has lost its key or its body.
 */
const STRETCH = `SELECT max(id), json_group_array(known) FROM (SELECT p.id,
  iif(p.body IS NULL OR p.replaced_by IS NOT NULL OR p.run = 0, NULL, ${BODY_HASH} || iif(p.type = ${GIG}, ${KEY}, '')) AS known
  FROM payment p WHERE p.id BETWEEN ?1 AND ?2 AND p.target = ?3 ORDER BY p.id)`;
const BY_KEY = `SELECT p.id, ${KEY}, ${BODY_HASH}, p.body IS NOT NULL, p.replaced_by
  FROM json_each(?1) w CROSS JOIN by_key b ON b.target = ?2 AND b.key = KEY CROSS JOIN payment p ON p.id = b.payment`;

/** {@link Ledger.stored}, as one process asks it: it remembers where the last stretch ended. */
export function startStored(context: Context): (target: TargetName, records: readonly Keyed[]) => PaymentId[] {
  let next: PaymentId | null = null;
  return (target, records) =>
    reading(context, () => {
      const found = targetOf(context, target);
      if (found === null) return records.map(() => 0);
      const first = next === null ? [] : stretch(context, found.id, next, records);
      const rest = byKey(context, found.id, records.slice(first.length));
      const all = [...first, ...rest];
      const last = all.at(-1) ?? 0;
      next = last === 0 ? null : last + 1;
      return all;
    });
}

/** As many of the first records as follow each other from `from` on. */
function stretch({ sql }: Context, target: number, from: PaymentId, records: readonly Keyed[]): PaymentId[] {
  // Drafts of a run that has not passed its gate are no payments.
  if (sql('SELECT 1 FROM run WHERE number = ? AND passed > 0').get(homeOf(from)) === undefined) return [];
  const row = sql(STRETCH).get(from, from + records.length - 1, target) as [last: PaymentId | null, known: string];
  const known = JSON.parse(row[1]) as (string | null)[];
  // Payments that were not listed in the end have left gaps.
  if (row[0] !== from + known.length - 1) return [];
  const length = known.findIndex((text, i) => !isKnownAs(text, records[i] as Keyed));
  return Array.from({ length: length === -1 ? known.length : length }, (_, i) => from + i);
}

const HASH_DIGITS = 64;

/** @param known the hash of a body, and of a gig its key too */
function isKnownAs(known: string | null, { key, bodyHash }: Keyed): boolean {
  if (known === null || hashOf(known.slice(0, HASH_DIGITS)) !== bodyHash) return false;
  return known.length === HASH_DIGITS || keyOf(known.slice(HASH_DIGITS)) === key;
}

/** How many keys are looked up first. */
const SAMPLE = 32;

/** All zero where none of the first records is known. */
function byKey(context: Context, target: number, records: readonly Keyed[]): PaymentId[] {
  const sample = eachByKey(context, target, records.slice(0, SAMPLE));
  const rest = records.slice(SAMPLE);
  return [...sample, ...(sample.some((id) => id !== 0) ? eachByKey(context, target, rest) : rest.map(() => 0))];
}

function eachByKey(context: Context, target: number, records: readonly Keyed[]): PaymentId[] {
  const rows = byKeys<Cells>(
    context,
    BY_KEY,
    records.map(({ key }) => key),
    target,
  );
  const found = new Map(rows.map((cells) => [keyOf(cells[1]), cells]));
  return records.map((record) => {
    const cells = found.get(record.key);
    return cells !== undefined && isSame(cells, record) ? cells[0] : 0;
  });
}

/** A payment that has lost its key is not what the key stands for. */
function isSame([, , bodyHash, hasBody, replacedBy]: Cells, record: Keyed): boolean {
  return hasBody === 1 && replacedBy === null && hashOf(bodyHash) === record.bodyHash;
}

/** Payees of the history: their IDs are nowhere but in the bodies of payments, so finding one reads them all. */
import type { PaymentId, TargetName } from '../payment.js';
import type { Driver } from './driver.js';
import { targetOf } from './transactions.js';

/** How many payments are read at once. */
const PAGE = 5000;

/** SQL: payments of runs that have passed their gate, and whose bodies are not pruned. */
const BODIES = `SELECT p.id, p.body FROM payment p JOIN run ON run.number = p.id >> 31
  WHERE p.target = $1 AND p.id > $2 AND run.passed AND p.body LIKE $3 ORDER BY p.id LIMIT ${PAGE}`;

/** Within a text, the quotes are escaped. */
const DIGITS = /"user_id":"(\d+)"/;

/**
 * Payees of the target whose IDs are digits and are known only with leading zeros: by the ID without them, the ID. An
 * index of payees would cost every payment; this is only read for a rejects file with rows that have no key.
 */
export async function usersOnlyWithZeros(driver: Driver, target: TargetName): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const user of usersIn(driver, target, '%"user_id":"0%')) found.set(user.replace(/^0+/, ''), user);
  if (found.size > 0) for await (const user of usersIn(driver, target, '%"user_id":"%')) found.delete(user);
  return found;
}

async function* usersIn({ session }: Driver, target: TargetName, pattern: string): AsyncGenerator<string, void> {
  let after: PaymentId = 0;
  for (;;) {
    const from = after;
    const page = await session.read(async (tx) => {
      const { id = 0 } = (await targetOf(tx, target)) ?? {};
      return tx.rows<[PaymentId, string]>(BODIES, id, from, pattern);
    });
    for (const [, body] of page) {
      const user = DIGITS.exec(body)?.[1];
      if (user !== undefined) yield user;
    }
    if (page.length < PAGE) return;
    after = page.at(-1)?.[0] ?? after;
  }
}

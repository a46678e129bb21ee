/** The IDs of payees: nowhere but in the bodies of their payments. */
import type { TargetName } from '../payment.js';
import type { Driver } from './driver.js';
import { bodyIn, select, rowMapper } from './row-mapper.js';
import { targetOf } from './transactions.js';

const OF_PAYEES = `FROM given($2, payee bigint) g JOIN payments_of(g.payee) s
  JOIN payment p ON p.id = s.payment WHERE p.target = $1 AND p.body IS NOT NULL`;

/** The bodies of the target's payments to these payees, by the hash of the payee; pruned ones are left out. */
export function bodiesOfPayees(driver: Driver, target: TargetName, payees: readonly number[]): Promise<string[]> {
  const body = rowMapper((of) => ({ text: bodyIn(of, of('key_of(p)', driver.keyOf), driver) }));
  return driver.session.read(async (tx) => {
    const { id = 0 } = (await targetOf(tx, target)) ?? {};
    const found = await select(
      tx,
      body,
      OF_PAYEES,
      id,
      payees.map((payee) => [payee]),
    );
    return found.flatMap(({ text }) => text ?? []);
  });
}

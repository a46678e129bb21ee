/** Delivering a run. How outcomes are stored and payments claimed, each driver knows best. */
import { CREATED, typeCode } from '../codes.js';
import { NO_CLAIMS } from '../claiming.js';
import type { Delivery } from '../ledger.js';
import type { Run } from '../payment.js';
import type { Driver } from './driver.js';

/** Stops at the first one: only where nothing of the type was created does it look at all that was. */
const HAS_CREATED = `SELECT 1 FROM outcome o JOIN payment p ON p.id = o.payment
  WHERE o.state = ${CREATED} AND p.type = $1 AND p.target = (SELECT target FROM run WHERE number = $2) LIMIT 1`;

/** @param delivers false for a run of which nothing is to be sent */
export function openDelivery({ session, self, right, exchange }: Driver, run: Run, delivers: boolean): Delivery {
  const { number } = run;
  return {
    run,
    exchange: async (settled, wanted) => {
      if (wanted.length > 0 && !delivers) throw new Error('nothing of this run is to be sent');
      if (settled.length + wanted.length === 0) return NO_CLAIMS;
      const { claims, refusal } = await exchange(number, settled, wanted);
      if (refusal !== null) throw refusal;
      return claims;
    },
    hasCreated: (type) => session.read(async (tx) => (await tx.rows(HAS_CREATED, typeCode(type), number)).length > 0),
    maySend: right.maySend,
    untilMaySend: right.untilMaySend,
    leave: async () => {
      await session.write((tx) => tx.change('DELETE FROM delivery WHERE run = $1 AND process = $2', number, self));
    },
  };
}

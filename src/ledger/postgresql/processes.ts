/** This process, and the others, in the journal's book of processes: who lives is a matter of leases. */
import type { Driver, Session, Transaction } from '../store/driver.js';
import { signOff as signOffIn } from '../store/taking-over.js';

/** What is said when others have taken over. */
export const SHUT_OUT =
  'another process took this one for dead, because its lease on the journal had run out, and has taken over what it had under way. Was this machine paused or cut off? Run the command again.';

/** @param leaseMs how long its lease lasts @returns its row number */
export function register(session: Session, host: string, leaseMs: number): Promise<number> {
  return session.write(async (tx) => {
    const [row] = await tx.rows<[number]>(
      `INSERT INTO process (host, lease_until) VALUES ($1, clock_timestamp() + $2::int * interval '1 ms') RETURNING id`,
      host,
      leaseMs,
    );
    const [self] = row as [number];
    await tx.change('INSERT INTO progress (process, serial) VALUES ($1, 0)', self);
    return self;
  });
}

/** {@link Driver.alive}: where they are, and for how many seconds that is certain. */
export async function alive(tx: Transaction, processes: readonly number[]): ReturnType<Driver['alive']> {
  const rows = await tx.rows<[number, string, number]>(
    `SELECT id, host, ceil(extract(epoch FROM lease_until - clock_timestamp()))::int FROM process
     WHERE id = ANY ($1) AND lease_until > clock_timestamp() ORDER BY lease_until DESC`,
    processes,
  );
  return new Map(
    rows.map(([id, host, seconds]) => {
      return [
        id,
        `, on ${host}; wait until that has ended. If nothing is heard of that machine any more, it counts as dead in ${seconds} s`,
      ];
    }),
  );
}

/** {@link Driver.dead}: one that holds its row at this moment lives, since its lease is looked at by itself. */
export async function dead(tx: Transaction, self: number | null, isTakenOver: boolean): Promise<number[]> {
  const lapsed = 'SELECT id FROM process WHERE id <> $1 AND lease_until < clock_timestamp()';
  return (await tx.rows<[number]>(isTakenOver ? `${lapsed} FOR UPDATE SKIP LOCKED` : lapsed, self)).flat();
}

/** This process lets go of the journal. A statement of it that is still on its way can do nothing any more. */
export async function signOff(session: Session, self: number): Promise<void> {
  await session.write(async (tx) => {
    const hasLeft = await signOffIn(tx, self);
    if (!hasLeft) await tx.change(`UPDATE process SET lease_until = '-infinity' WHERE id = $1`, self);
  });
}

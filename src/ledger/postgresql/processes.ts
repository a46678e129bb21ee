/** This process, and the others, in the journal's book of processes; and what dead ones left behind. */
import { CREATED, CUT_OFF, UNKNOWN } from '../codes.js';
import { CUT_OFF_ERROR } from '../cut-off.js';
import { type Context, haveAlone, LAST_CLAIM } from './context.js';
import { forgetRun } from './preparation.js';
import type { Session, Transaction } from './session.js';

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

const LAPSED = 'id <> $1 AND lease_until < clock_timestamp()';

/** Takes over what processes left whose lease has run out. */
export async function takeOverDead({ session, self }: Context): Promise<void> {
  const dead = await session.read((tx) => tx.rows(`SELECT 1 FROM process WHERE ${LAPSED} LIMIT 1`, self));
  if (dead.length === 0) return;
  await session.write(async (tx) => {
    await haveAlone(tx);
    await takeOverLapsed(tx, self);
  });
}

/** To be called within a transaction that has the journal alone. */
export async function takeOverLapsed(tx: Transaction, self: number | null): Promise<void> {
  // One that holds its row at this moment lives: its lease is looked at by itself.
  const rows = await tx.rows<[number]>(`SELECT id FROM process WHERE ${LAPSED} FOR UPDATE SKIP LOCKED`, self);
  for (const [id] of rows) await takeOver(tx, id);
}

/** A claim without an outcome may have been carried out: in doubt since the claim, or since it first was. */
const DOUBT = `INSERT INTO outcome (payment, state, run, moment, stamp, attempts, at, http_status, doubt_since, response, error,
    request_id)
  SELECT c.payment, ${CUT_OFF}, c.run, $1, $1, coalesce(o.attempts, 0) + 1, c.at, NULL, coalesce(o.doubt_since, c.at), NULL, $2,
    NULL
  FROM claim c LEFT JOIN outcome o ON o.payment = c.payment WHERE c.process = $3 AND coalesce(o.state, 0) <> ${CREATED}
  ON CONFLICT (payment) DO UPDATE SET state = excluded.state, run = excluded.run,
    moment = CASE WHEN outcome.state >= ${UNKNOWN} THEN outcome.moment ELSE excluded.moment END, stamp = excluded.stamp,
    attempts = excluded.attempts, at = excluded.at, http_status = NULL, doubt_since = excluded.doubt_since, response = NULL,
    error = excluded.error, request_id = NULL`;

/** From the end of this transaction on, the process can neither claim nor settle: its number is gone. */
async function takeOver(tx: Transaction, process: number): Promise<void> {
  const [[stamp] = [0]] = await tx.rows<[number]>(`SELECT ${LAST_CLAIM}`);
  await tx.change(DOUBT, stamp, CUT_OFF_ERROR, process);
  await tx.change('DELETE FROM claim WHERE process = $1', process);
  await tx.change('DELETE FROM delivery WHERE process = $1', process);
  const drafts = await tx.rows<[number]>('SELECT number FROM run WHERE process = $1 AND NOT passed', process);
  for (const [run] of drafts) await forgetRun(tx, run);
  await tx.change('DELETE FROM process WHERE id = $1', process);
}

/** What this process leaves open is left to recovery: a claim that was not settled, or a preparation. */
const OPEN = `EXISTS (SELECT FROM claim WHERE process = $1)
  OR EXISTS (SELECT FROM run WHERE process = $1 AND NOT passed)`;

/** This process lets go of the journal. A statement of it that is still on its way can do nothing any more. */
export async function signOff({ session, self }: Context): Promise<void> {
  await session.write(async (tx) => {
    await tx.change(`DELETE FROM delivery WHERE process = $1 AND NOT (${OPEN})`, self);
    const gone = await tx.change(`DELETE FROM process WHERE id = $1 AND NOT (${OPEN})`, self);
    if (gone === 0) await tx.change(`UPDATE process SET lease_until = '-infinity' WHERE id = $1`, self);
  });
}

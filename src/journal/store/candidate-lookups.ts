/** Finds payments that the records of a call may repeat: by payee, by place in a file, and those that are open. */
import { hostOf, type TargetName } from '../payment.js';
import type { SentPlaces } from '../plan.js';
import { CREATED, NOT_SENT } from './codes.js';
import type { Driver, Transaction } from './driver.js';
import { findings } from './payment-queries.js';
import { WITH_OUTCOME } from './outcomes.js';
import { select, rowMapper } from './row-mapper.js';
import { IS_ENDED } from './transactions.js';

/** The batch of the payment `p`. A preparation whose drafts another run has taken over has no row. */
const BATCH = 'coalesce(home.batch, (SELECT batch FROM run WHERE number = p.run))';
const HOME = 'LEFT JOIN run home ON home.number = p.id >> 31';
/** The home run is joined before the payment, so that payments of other batches are not read. */
const HOME_OF_ENTRY = 'LEFT JOIN run home ON home.number = s.payment >> 31';
const BY_PAYEE = `FROM given($3, payee bigint) g JOIN payments_of(g.payee) s ${HOME_OF_ENTRY}
  JOIN payment p ON p.id = s.payment AND (home.batch IS NULL OR home.batch = $2) ${WITH_OUTCOME}
  WHERE p.target = ANY ($1) AND ${BATCH} = $2`;
const BY_PURPOSE = `FROM given($3, payee bigint, title int) g JOIN payments_of(g.payee) s ${HOME_OF_ENTRY}
  JOIN payment p ON p.id = s.payment AND s.title = g.title AND (home.batch IS NULL OR home.batch <> $2) ${WITH_OUTCOME}
  WHERE p.target = $1 AND ${BATCH} <> $2`;
/** In other batches. A correction without an outcome may be under way, and one that was replaced has a later one. */
const REPLACED_SINCE = `FROM payment p JOIN payment last ON last.id = p.replaced_by
  LEFT JOIN outcome done ON done.payment = last.id ${HOME} ${WITH_OUTCOME}
  WHERE p.replaced_by IS NOT NULL AND p.target = $1 AND ${BATCH} <> $2
    AND (last.replaced_by IS NOT NULL OR done.at IS NULL OR done.at > $3)`;
/** Open payments of the batch in runs that nobody has closed, live ones included. */
const OPEN = `FROM (SELECT p.id FROM run JOIN span s ON s.run = run.number
      JOIN payments_in(s.payment, s.payment + s.count - 1) p LEFT JOIN outcome o ON o.payment = p.id
      WHERE run.target = $1 AND run.batch = $2 AND run.passed AND NOT ${IS_ENDED} AND s.stands_for IS NULL
        AND (o.state IS NULL OR o.state = ${NOT_SENT})
    UNION SELECT payment FROM outcome WHERE state <> ${CREATED} AND state = ${NOT_SENT}) w
  JOIN payment p ON p.id = w.id ${HOME} ${WITH_OUTCOME}
  WHERE p.target = $1 AND ${BATCH} = $2 AND p.run IS DISTINCT FROM 0 AND p.replaced_by IS NULL ORDER BY p.id`;
const SENT = 'JOIN span s ON s.run = f.run AND s.file = f.position AND s.stands_for IS NULL';
const SENT_BY = `FROM file f ${SENT} WHERE f.run = ANY ($1)`;
const SAME_FILES = `FROM file f JOIN run r ON r.number = f.run ${SENT}
  WHERE f.sha256 = ANY ($1) AND r.target = ANY ($2) AND r.batch = $3 AND r.passed`;
/** They take some thousand payees at a time. */
export function candidateLookUps(driver: Driver) {
  const { session } = driver;
  const { find, at } = findings(driver);
  return {
    /**
     * The payments to these payees in a batch, at this target and at others on the same host, also those that have
     * lost their key to another payment.
     */
    byPayee: (target: TargetName, batchId: string, payees: readonly number[]) =>
      session.read(async (tx) => {
        const targets = await targetsAtHost(tx, target);
        const [isBatch] = await tx.rows(
          'SELECT 1 FROM run WHERE target = ANY ($1) AND batch = $2 AND passed LIMIT 1',
          targets,
          batchId,
        );
        return isBatch === undefined
          ? []
          : find(
              tx,
              BY_PAYEE,
              targets,
              batchId,
              payees.map((payee) => [payee]),
            );
      }),
    /** The payments to these payees for these purposes in other batches: pairs of `payee` and `title`. */
    byPurpose: (target: TargetName, batchId: string, purposes: readonly (readonly [number, number])[]) =>
      at(target, BY_PURPOSE, batchId, purposes),
    /** Payments in other batches that were replaced, and whose replacements may be younger than a time. */
    replacedSince: (target: TargetName, batchId: string, since: number) => at(target, REPLACED_SINCE, batchId, since),
    /** The open payments of a batch whose runs were not closed. */
    open: async (target: TargetName, batchId: string) =>
      (await at(target, OPEN, batchId)).filter(({ state, run }) => state === 'not_sent' && !run.isClosed),
    /** Where runs have sent records of their files. */
    sentBy: (runs: readonly number[]) => session.read((tx) => select(tx, SENT_PLACES, SENT_BY, runs)),
    /** Where a batch has sent records of files with these bytes, at this target and at others on the same host. */
    inSameFiles: (target: TargetName, batchId: string, hashes: readonly string[]) =>
      session.read(async (tx) => select(tx, SENT_PLACES, SAME_FILES, hashes, await targetsAtHost(tx, target), batchId)),
    /** Whether any run ever passed a gate at the target or at another one on its host. */
    hasHistory: (target: TargetName): Promise<boolean> =>
      session.read(async (tx) => {
        const text = 'SELECT 1 FROM target WHERE id = ANY ($1) AND gates > 0 LIMIT 1';
        return (await tx.rows(text, await targetsAtHost(tx, target))).length > 0;
      }),
  };
}

const SENT_PLACES = rowMapper((of): SentPlaces => ({
  run: of('f.run'),
  sha256: of('f.sha256'),
  sheet: of('f.sheet'),
  payment: of('s.payment'),
  count: of('s.count'),
  record: of('s.record'),
  line: of('s.line'),
}));

/** The numbers of a target and of the others on its host; of a sandbox only its own. */
async function targetsAtHost(tx: Transaction, { target, scope }: TargetName): Promise<number[]> {
  const targets = await tx.rows<[number, string, string]>('SELECT id, name, scope FROM target');
  const isThere = (name: string, itsScope: string): boolean =>
    name === target ? itsScope === scope : scope === '' && itsScope === '' && hostOf(name) === hostOf(target);
  return targets.flatMap(([id, name, itsScope]) => (isThere(name, itsScope) ? id : []));
}

/** Finds payments that the records of a call may repeat: by payee, by place in a file, and those that are open. */
import type { CandidateQueries } from '../journal.js';
import { hostOf, type TargetName } from '../payment.js';
import type { SentPlaces } from '../plan.js';
import { CREATED, NOT_SENT } from './common-schema.js';
import type { Driver, StorageFormat, Transaction } from './driver.js';
import { WITH_OUTCOME } from './outcomes.js';
import { paymentFinder } from './payment-queries.js';
import { bodyIn, type RowMapper, rowMapper, select } from './row-mapper.js';
import { findTarget, IS_ENDED } from './transactions.js';

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
const OPEN_IN_BATCH = `FROM (SELECT p.id FROM run JOIN span s ON s.run = run.number
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
const OF_PAYEES = `FROM given($2, payee bigint) g JOIN payments_of(g.payee) s
  JOIN payment p ON p.id = s.payment WHERE p.target = $1 AND p.body IS NOT NULL`;

export function candidateQueries(driver: Driver): CandidateQueries {
  const { session } = driver;
  const { find, at } = paymentFinder(driver);
  return {
    byPayee: (target, batchId, payees) =>
      session.read(async (tx) => {
        const targets = await targetsAtHost(tx, target);
        const isBatch = 'SELECT 1 FROM run WHERE target = ANY ($1) AND batch = $2 AND passed LIMIT 1';
        if ((await tx.rows(isBatch, targets, batchId)).length === 0) return [];
        return find(tx, BY_PAYEE, targets, batchId, asRows(payees));
      }),
    byPurpose: (target, batchId, purposes) => at(target, BY_PURPOSE, batchId, purposes),
    replacedSince: (target, batchId, since) => at(target, REPLACED_SINCE, batchId, since),
    open: async (target, batchId) =>
      (await at(target, OPEN_IN_BATCH, batchId)).filter(({ state, run }) => state === 'not_sent' && !run.isClosed),
    sentBy: (runs) => session.read((tx) => select(tx, SENT_PLACES, SENT_BY, runs)),
    inSameFiles: (target, batchId, hashes) =>
      session.read(async (tx) => select(tx, SENT_PLACES, SAME_FILES, hashes, await targetsAtHost(tx, target), batchId)),
    hasHistory: (target) =>
      session.read(async (tx) => {
        const text = 'SELECT 1 FROM target WHERE id = ANY ($1) AND gates > 0 LIMIT 1';
        return (await tx.rows(text, await targetsAtHost(tx, target))).length > 0;
      }),
    // The IDs of payees are nowhere but in the bodies of their payments.
    bodiesOfPayees: (target, payees) =>
      session.read(async (tx) => {
        const { id = 0 } = (await findTarget(tx, target)) ?? {};
        const found = await select(tx, bodyText(driver), OF_PAYEES, id, asRows(payees));
        return found.map(({ text }) => text).filter((text) => text !== null);
      }),
  };
}

function asRows(payees: readonly number[]): number[][] {
  return payees.map((payee) => [payee]);
}

function bodyText(form: StorageFormat): RowMapper<{ readonly text: string | null }> {
  return rowMapper((of) => ({ text: bodyIn(of, of('key_of(p)', form.keyOf), form) }));
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
  return targets.filter(([, name, itsScope]) => isThere(name, itsScope)).map(([id]) => id);
}

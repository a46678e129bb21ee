/** Approvals in the journal itself: the database records which of its users gave them. */
import { type ApprovalEvent, approvalEvent, approvedRun, isComplete } from '../audit-log.js';
import type { Approval } from '../payment.js';
import type { Approvals, ColumnValues, Session } from '../store/driver.js';
import { eventInsertion, callerIn, eventColumns } from '../store/audit-queries.js';
import { select, rowMapper } from '../store/row-mapper.js';

/** How the note of an approval says that nobody has proved who gave it. */
const NOT_VERIFIED = 'not verified';

/** The proof that an approval in the journal offers. */
const NOTE = "in the shared journal, by the database's user";

/** @param time of the event, if the database does not record it itself */
export function approvalsOn(session: Session, time: () => ColumnValues): Approvals {
  return {
    // Joins the event that `approved` names only if the named person gave it in this journal for this very run.
    join: `LEFT JOIN event given ON given.digest = run.digest
      AND given.id = (approved.facts::json #>> '{of,event}')::bigint
      AND given.user_name = approved.facts::json #>> '{of,user}' AND given.copied_user IS NULL`,
    facts: `json_build_object('of', approved.facts::json -> 'of',
      'flags', coalesce(given.facts::json -> 'flags', approved.facts::json -> 'flags'))::text`,
    isProof: 'given.id IS NOT NULL',
    // If only the sender vouches for an approval, the note says so, even if the sender wrote something else.
    note: (note, isProof) => {
      if (isProof) return NOTE;
      return note.includes(NOT_VERIFIED) ? note : `user name given by the sender, ${NOT_VERIFIED}: ${note}`;
    },
    // Needs only the rights to read and to add such an event.
    give: async (run, caller) => {
      const columns = { digest: run.digest, ...eventColumns(approvalEvent(run), caller), ...time() };
      await session.write((tx) => tx.change(...eventInsertion(columns)));
    },
    given: (digest) => given(session, digest),
  };
}

const APPROVED = rowMapper((of) => ({
  ...callerIn(of, 'e'),
  event: of<number>('e.id'),
  at: of<number>('e.at'),
  deed: of('e.facts', (facts: string) => ({ kind: 'approved', ...(JSON.parse(facts) as object) }) as ApprovalEvent),
}));

async function given(session: Session, digest: string): Promise<Approval[]> {
  const from = `FROM event e WHERE e.digest = $1 AND e.what = 'approved' AND e.copied_user IS NULL ORDER BY e.id DESC`;
  const approvals = await session.read((tx) => select(tx, APPROVED, from, digest));
  // A user with the right to approve can write incomplete or false facts.
  return approvals
    .filter(({ deed }) => isComplete(deed))
    .map(({ deed, ...by }) => ({ ...approvedRun(deed), ...by, digest, note: NOTE }));
}

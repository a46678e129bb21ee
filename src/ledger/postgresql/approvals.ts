/** Approvals in the journal itself: the database writes down which of its users gave them. */
import { approvedDeed, approvedRun, type ApprovedRun, isSameApproval, isWhole } from '../approval.js';
import type { Caller, Deed } from '../event.js';
import type { Approval, Run } from '../payment.js';
import type { Context } from './context.js';
import { addEvent, addition, type CallerCells, CALLER_COLUMNS, callerOf, columnsOf } from './events.js';
import type { Transaction } from './session.js';

/** What an approval in the journal is worth. */
export const NOTE = "in the shared journal, by the database's user";

/** What an approval is called that only its sender tells of, whatever the sender calls it. */
export function unprovenNote(note: string): string {
  return note.includes('no proof') ? note : `a record of its sender, and no proof: ${note}`;
}

/** SQL: what the event `approved` names was given in this journal, by the very person whom it names, for this very run. */
export const PROOF = `LEFT JOIN event given ON given.digest = run.digest
  AND given.id = (approved.facts::json #>> '{of,event}')::bigint
  AND given.user_name = approved.facts::json #>> '{of,user}' AND given.copied_user IS NULL`;
/** SQL: what was approved, in the words of whoever approved it. */
export const PROVEN_FACTS = `json_build_object('of', approved.facts::json -> 'of',
  'flags', coalesce(given.facts::json -> 'flags', approved.facts::json -> 'flags'))::text`;

/** {@link Ledger.approve}. Needs no more than the right to read, and to write such an event. */
export async function approve(context: Context, run: ApprovedRun, caller: Caller): Promise<void> {
  const columns = { digest: run.digest, ...columnsOf(approvedDeed(run), caller) };
  await context.session.write((tx) => tx.change(...addition(tx, columns)));
}

type Cells = readonly [...CallerCells, id: number, at: number, facts: string];

/** {@link Ledger.approvals} */
export async function selectApprovals({ session }: Context, digest: string): Promise<Approval[]> {
  const rows = await session.read((tx) =>
    tx.rows<Cells>(
      `SELECT ${CALLER_COLUMNS}, e.id, e.at, e.facts FROM event e
       WHERE e.digest = $1 AND e.what = 'approved' AND e.copied_user IS NULL ORDER BY e.id DESC`,
      digest,
    ),
  );
  return rows.flatMap(([user, host, version, commandLine, event, at, facts]) => {
    const deed = { what: 'approved', ...(JSON.parse(facts) as object) } as Deed & { what: 'approved' };
    // Whoever may approve can write anything there.
    if (!isWhole(deed)) return [];
    return { ...approvedRun(deed), digest, ...callerOf([user, host, version, commandLine]), at, event, note: NOTE };
  });
}

/**
 * Writes down at the gate what a run was approved by, as the sender's word: whose approval it is stands in the facts, and
 * counts for more than a record only where it names one that was given in this journal.
 */
export async function addApproval(
  context: Context,
  tx: Transaction,
  number: number,
  approval: Approval,
  run: Run | null,
): Promise<void> {
  if (isSameApproval(run?.approvedBy ?? null, approval)) return;
  const { at, by, event, note } = approval;
  await addEvent(context, tx, approvedDeed(approval, { ...by, at, event }), { run: number, note });
}

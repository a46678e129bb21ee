/** The rights of a sender. All are checked before anything is sent: otherwise an outcome might not be stored. */
import { JournalError } from '../../errors.js';
import type { Transaction } from '../store/driver.js';

/**
 * SQL: the first right that docs/operations/grants.sql gives to senders, and this user lacks; no row if there is none.
 * A name with a point is a column.
 */
export const MISSING_PRIVILEGE = `SELECT r.may || ' on ' || name FROM (VALUES
    ('INSERT', '{claim,target,outcome,run,payment,by_key,invalid_record,file,span,by_payee,delivery,late,progress,
      process.host,process.lease_until,event.what,event.run,event.payment,event.idx,event.note,event.facts,event.host,
      event.version,event.command_line}'::text[]),
    ('UPDATE', '{target,outcome,run,payment,by_key,invalid_record,progress,process.lease_until}'),
    ('DELETE', '{claim,run,payment,by_key,invalid_record,file,span,by_payee,delivery,late,progress,process}'),
    ('SELECT', '{claim,target,outcome,run,payment,by_key,invalid_record,file,span,by_payee,delivery,late,progress,
      process,event,journal,claim_number}'),
    ('USAGE', '{claim_number}')) r(may, names), unnest(r.names) name
  WHERE NOT CASE WHEN r.may = 'USAGE' THEN has_sequence_privilege(name, r.may)
    WHEN name LIKE '%.%' THEN has_column_privilege(split_part(name, '.', 1), split_part(name, '.', 2), r.may)
    ELSE has_table_privilege(name, r.may) END LIMIT 1`;

/** @param journal its URL. @throws JournalError for a user who may not send, or could not finish sending */
export async function requirePrivileges(tx: Pick<Transaction, 'rows'>, journal: string): Promise<void> {
  const [lacking] = await tx.rows<[string]>(MISSING_PRIVILEGE);
  if (lacking === undefined) return;
  throw new JournalError(
    `the journal ${journal} cannot be used: this user of the database may not send: the right ${lacking[0]} is missing. Send as one who has all rights of gigwork_senders. Whoever keeps the database gives them with grants.sql.`,
  );
}

/** Who approved a run, from the event that says so. */
import { NO_FLAGS } from './approval.js';
import type { Deed } from './event.js';
import type { PersonsWord, RunApproval } from './payment.js';

/**
 * @param word who wrote the event down, and when
 * @param facts of the event
 * @param isProof the journal itself knows whose approval it is
 */
export function runApproval({ at, by, note }: PersonsWord, facts: string | null, isProof: boolean): RunApproval {
  const { flags, of } = JSON.parse(facts ?? '{}') as Partial<Extract<Deed, { what: 'approved' }>>;
  return {
    ...(of ? { at: of.at, by: { user: of.user, host: of.host } } : { at, by }),
    ...{ note, isProof, flags: { ...NO_FLAGS, ...flags } },
  };
}

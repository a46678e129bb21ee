/** The named states of records, in words for people. CONTRACT: "Record states". */

export interface StateWords {
  readonly name: string;
  readonly label: string;
  /** What it means, and what to do. */
  readonly meaning: string;
}

/** In the order in which a report shows them. */
export const STATES: readonly StateWords[] = [
  { name: 'created', label: 'created', meaning: 'The service has carried them out.' },
  {
    name: 'already_created',
    label: 'already created',
    meaning: 'An earlier run has created them; they were not sent again.',
  },
  {
    name: 'skipped',
    label: 'skipped',
    meaning: 'A person decided that they were paid already; the payments that they stand for are created.',
  },
  { name: 'planned', label: 'planned', meaning: 'They would be sent.' },
  {
    name: 'invalid',
    label: 'invalid',
    meaning: 'They break a rule and were never eligible. Correct them in the file and import it again.',
  },
  {
    name: 'rejected',
    label: 'rejected',
    meaning: 'The service has refused them; they were not carried out. Correct what it names and import them again.',
  },
  {
    name: 'unknown',
    label: 'unknown',
    meaning: 'They may have been carried out. Do not enter them again by other means before that is known.',
  },
  {
    name: 'not_sent',
    label: 'not sent',
    meaning: 'They were not sent. Once what held them back is put right, the same command sends them, each once.',
  },
];

/** The states of records that a person has to do something about. */
export const FAILED_STATES: readonly string[] = ['invalid', 'rejected', 'unknown', 'not_sent'];

/** `already created`. */
export function stateLabel(name: string): string {
  return STATES.find((state) => state.name === name)?.label ?? name.replaceAll('_', ' ');
}

/** The named states of records, in words for people. CONTRACT: "Record states". */
import { countText } from './table.js';

interface StateWords {
  readonly name: string;
  readonly label: string;
  /** Behind a count, at the end of a call; the label where this is left out. */
  readonly counted?: string;
  /** What became of a record. @param paid what the service does with one of its type that it confirms */
  readonly fate: (paid: string) => string;
  /** What it means, and what to do. */
  readonly meaning: string;
}

/** In the order in which people are told of them. */
export const STATES: readonly StateWords[] = [
  {
    name: 'planned',
    label: 'planned',
    counted: 'would be sent',
    fate: () => 'would be sent',
    meaning: 'They would be sent.',
  },
  { name: 'created', label: 'created', fate: (paid) => paid, meaning: 'The service has carried them out.' },
  {
    name: 'already_created',
    label: 'already created',
    fate: (paid) => `${paid} by an earlier run`,
    meaning: 'An earlier run has created them; they were not sent again.',
  },
  {
    name: 'skipped',
    label: 'skipped',
    fate: (paid) => `left out: ${paid} before`,
    meaning: 'A person decided that they were paid already; the payments that they stand for are created.',
  },
  {
    name: 'rejected',
    label: 'rejected',
    fate: () => 'refused by the service',
    meaning: 'The service has refused them; they were not carried out. Correct what it names and import them again.',
  },
  {
    name: 'unknown',
    label: 'unknown',
    counted: 'not confirmed (may have been paid)',
    fate: (paid) => `may have been ${paid}`,
    meaning: 'They may have been carried out. Do not enter them again by other means before that is known.',
  },
  {
    name: 'not_sent',
    label: 'not sent',
    fate: () => 'not sent',
    meaning: 'They were not sent. Once what held them back is put right, the same command sends them, each once.',
  },
  {
    name: 'invalid',
    label: 'invalid',
    fate: () => 'with faults',
    meaning: 'They break a rule and were never eligible. Correct them in the file and import it again.',
  },
];

/** The states of records that a person has to do something about. */
export const FAILED_STATES: readonly string[] = ['rejected', 'unknown', 'not_sent', 'invalid'];

/** `already created`. */
export function stateLabel(name: string): string {
  return STATES.find((state) => state.name === name)?.label ?? name.replaceAll('_', ' ');
}

/** `3 created`, `1 not confirmed (may have been paid)`: for each state that records are in. */
export function stateCounts(records: Readonly<Record<string, number>>): string[] {
  return STATES.flatMap(({ name, label, counted = label }) => {
    const count = records[name] ?? 0;
    return count === 0 ? [] : [`${countText(count)} ${counted}`];
  });
}

/** What the service has done where it has confirmed a record: paid, of payouts alone. */
export function confirmedWord(type: string): string {
  return type === 'payout' ? 'paid' : 'created';
}

/** What became of a record of this type in this state: `paid`, `may have been created`. */
export function fateWords(state: string, type: string): string {
  return STATES.find(({ name }) => name === state)?.fate(confirmedWord(type)) ?? stateLabel(state);
}

/** What is said where a journal's history went on into another one. */
export function movedWords(name: string, to: string): string {
  return `the journal ${name} was moved to ${to}, and nothing is sent or changed by this one any more: what was paid since then is known there alone. Name it with --journal ${to}`;
}

const GOES_ON = 'it goes on in the journal ';

/** The note of a run that was closed because its journal was copied. @param journal where it goes on, @param why it does */
export function goesOnNote(journal: string, why: string): string {
  return `${GOES_ON}${journal}, ${why}`;
}

/** Whether a run was closed for that: to import its records anew would pay them twice. */
export function goesOnElsewhere(note: string): boolean {
  return note.startsWith(GOES_ON);
}

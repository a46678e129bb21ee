/** Earlier answers to records that are created already: looked up only when told, so that none is kept in memory. */
import type { Journal } from '../journal/journal.js';
import type { Outcome } from '../journal/record.js';
import type { Continued } from './continuing.js';
import { leftOutcome } from './decide.js';
import type { Entries } from '../batch/table.js';
import { type Repeat, repeatAt } from './repeats.js';

/** Gives the earlier answer to an entry that is `already_created`; null for any other. */
export type EarlierOutcome = (index: number) => Outcome | null;

/** @param repeats in the order of the entries */
export function earlierOutcomes(
  entries: Entries,
  journal: Journal,
  continued: Continued | null,
  repeats: readonly Repeat[],
): EarlierOutcome {
  return (index) => {
    if (entries.status(index) !== 'already_created') return null;
    const repeat = repeatAt(repeats, index);
    if (repeat !== null) return leftOutcome(repeat.match);
    if (continued === null) return null;
    return journal.recordAt(continued.run, continued.storedIndex(index))?.outcome ?? null;
  };
}

/** Records that a sentence about a risk names: a person looks for them in the file. */
import type { Journal } from '../journal/journal.js';
import { subjectOf } from '../records/types.js';
import type { NamedRecord } from '../report/history-text.js';
import type { Assessment } from './assessment.js';
import { placeIn } from './origins.js';
import { loadBodies } from './record-bodies.js';

/** More of them would only be read as a list. */
export const MOST_NAMED_RECORDS = 3;

/** None if they are many. @throws JournalError */
export async function nameRecords(
  indexes: readonly number[],
  assessment: Assessment,
  journal: Journal | null,
): Promise<NamedRecord[]> {
  if (indexes.length === 0 || indexes.length > MOST_NAMED_RECORDS) return [];
  const { prepared } = assessment;
  const bodies = await loadBodies(indexes, assessment, journal);
  return indexes.map((index, i) => {
    const { file, ...place } = placeIn(prepared, index);
    return { ...place, file: prepared.files.length > 1 ? file : null, subject: subjectOf(bodies[i] ?? null) };
  });
}

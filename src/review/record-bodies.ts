/** The bodies of records under review, and what they show: from payments or drafts in the journal, or kept from the input. */
import { chunksOf, ROWS_PER_QUERY } from '../journal/pages.js';
import type { Journal } from '../journal/journal.js';
import { subjectOf } from '../records/types.js';
import { keptBody } from '../prepare/bodies.js';
import type { NamedRecord } from '../report/history-text.js';
import { type GigOverview, GigTally } from '../report/gig-overview.js';
import { type Assessment, dispositionsOf, paymentOf } from './assessment.js';
import { placeIn } from './origins.js';

/** In the order of the entries; null for one that is not known. @throws JournalError */
export async function loadBodies(
  indexes: readonly number[],
  assessment: Assessment,
  journal: Journal | null,
): Promise<(string | null)[]> {
  const { prepared, history } = assessment;
  // In a dry run, no record has a separate row.
  const payments = indexes.map(
    (index) => prepared.entries.payment(index) || paymentOf(index, assessment, history) || 0,
  );
  const bodies = (await journal?.bodies(payments)) ?? [];
  return indexes.map((index, i) => bodies[i] ?? keptBody(prepared, index));
}

/**
 * An overview of the gigs that would be sent; null if there are none, or their bodies were not kept.
 * @param timeZone whose clocks show their starts; null for the local ones
 * @throws JournalError
 */
export async function loadGigOverview(
  assessment: Assessment,
  journal: Journal | null,
  timeZone: string | null,
): Promise<GigOverview | null> {
  const tally = new GigTally(timeZone);
  for (const page of chunksOf(gigsToSend(assessment), ROWS_PER_QUERY))
    for (const body of await loadBodies(page, assessment, journal)) if (body !== null) tally.add(body);
  return tally.overview();
}

function* gigsToSend(assessment: Assessment): Iterable<number> {
  const { entries } = assessment.prepared;
  if (!assessment.totals.some(({ type }) => type === 'gig')) return;
  for (const [index, { kind }] of dispositionsOf(assessment))
    if (kind === 'send' && entries.groupOf(index).type === 'gig') yield index;
}

/** More records of a risk would only be read as a list. */
export const MOST_NAMED_RECORDS = 3;

/** Records that a sentence about a risk names, as a person looks for them in the file; none if they are many. @throws JournalError */
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

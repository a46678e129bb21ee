/** The bodies of records under review: of their payments or drafts in the journal, or kept from the input. */
import { chunksOf, ROWS_PER_QUERY } from '../journal/pages.js';
import type { Journal } from '../journal/journal.js';
import { keptBody } from '../prepare/bodies.js';
import { type GigOverview, GigTally } from '../report/gig-overview.js';
import { type Assessment, dispositionsOf, paymentOf } from './assessment.js';

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

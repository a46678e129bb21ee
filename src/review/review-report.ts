/** REVIEW: the figures that a person has to see before anything is sent. report/review-lines.ts prints them. */
import { joinFiltered } from '../input/filtered-rows.js';
import type { Journal } from '../journal/journal.js';
import { compare, type Decimal, ZERO } from '../money/decimal.js';
import { startTotals, type TotalGroup } from '../money/totals.js';
import type { RunOptions } from '../options.js';
import { subjectOf } from '../records/types.js';
import type { UndecidedRepeats } from '../report/history-text.js';
import type { Extremes, HighlightedRecord, ReviewGroup, ReviewReport } from '../report/reporter.js';
import type { Disposition } from './disposition.js';
import { dispositionsOf, type Assessment } from './assessment.js';
import { findNotices } from './notices.js';
import { placeIn } from './origins.js';
import { loadBodies, loadGigOverview, nameRecords } from './record-bodies.js';
import { nameResends } from './resends.js';
import { changesForReview } from './payee-changes.js';
import type { ReviewContext } from './review-context.js';

/** The users or titles of entries; empty if not known. */
type SubjectsOf = (indexes: readonly number[]) => Promise<string[]>;

/** Each valid record is in one of these parts. */
const PARTS = ['before', 'unknown', 'staysRejected', 'open', 'similar', 'toSend'] as const;

/** @throws JournalError */
export async function buildReviewReport(assessment: Assessment, context: ReviewContext): Promise<ReviewReport> {
  const { options, journal, issues, rules, before } = context;
  const { digest, prepared } = assessment;
  const { batchId, files, entries } = prepared;
  const groups = new Map<string, Group>();
  const sum = partsOf(assessment, groups);
  const subjectsOf = subjectsFrom(assessment, journal);
  return {
    batchId,
    digest,
    files,
    warnings: issues.warnings,
    again: await nameResends(assessment, rules, journal),
    target: options.target?.name ?? null,
    approves: options.safety.approve !== null,
    invalid: entries.countOf('invalid'),
    filtered: joinFiltered(files),
    inFile: sum(...PARTS),
    before: sum('before'),
    unknown: sum('unknown'),
    staysRejected: sum('staysRejected'),
    open: sum('open'),
    similar: sum('similar'),
    toSend: sum('toSend'),
    gigs: await loadGigOverview(assessment, journal, options.input.style.timeZone),
    sentSimilar: sum('sentSimilar'),
    zero: sum('zero'),
    negative: sum('negative'),
    undecided: assessment.undecided.length === 0 ? null : await undecidedOf(assessment, options, journal),
    extremes: await extremesOf(assessment, groups, subjectsOf),
    notices: await findNotices(assessment, journal),
    lastPaymentAt: before.lastPaymentAt,
    lost: (await journal?.lostOriginal()) ?? null,
    changes: assessment.undecided.length === 0 ? await changesForReview(assessment, context) : null,
  };
}

/** Returns the sum of parts, by their names. @param groups filled with the amounts to be sent */
function partsOf(assessment: Assessment, groups: Map<string, Group>): (...names: readonly string[]) => ReviewGroup {
  const { entries } = assessment.prepared;
  const totals = startTotals();
  for (const [index, disposition] of dispositionsOf(assessment)) {
    const group = entries.groupOf(index);
    const amount = entries.amount(index);
    const part = partOf(disposition);
    totals.add(group, part, amount);
    if (part !== 'toSend') continue;
    if (assessment.sentSimilar.has(index)) totals.add(group, 'sentSimilar', amount);
    if (amount === null) continue;
    see(groups, group, { index, amount });
    const sign = compare(amount, ZERO);
    if (sign <= 0) totals.add(group, sign === 0 ? 'zero' : 'negative', amount);
  }
  const rows = totals.rows();
  return (...names) => rows.filter(({ status }) => names.includes(status));
}

function subjectsFrom(assessment: Assessment, journal: Journal | null): SubjectsOf {
  return async (indexes) => (await loadBodies(indexes, assessment, journal)).map((body) => subjectOf(body));
}

const PART_OF_SETTLED = { created: 'before', rejected: 'staysRejected', unknown: 'unknown' } as const;

/** Repeats without a decision do not count as sent. */
function partOf(disposition: Disposition): (typeof PARTS)[number] {
  switch (disposition.kind) {
    case 'send':
      return 'toSend';
    case 'conflict':
      return 'open';
    case 'settled':
      return PART_OF_SETTLED[disposition.state];
    case 'left-out':
      return disposition.standsFor.state === 'created' ? 'before' : 'unknown';
    case 'repeat':
      if (disposition.code === 'similar-record') return 'similar';
      if (disposition.code !== 'created-before' && disposition.code !== 'other-batch') return 'open';
      return disposition.standsFor.state === 'created' ? 'before' : 'unknown';
  }
}

const LARGEST = 5;
/** The most types and currencies that are shown: a person would not read more. Those with most records are chosen. */
const MOST_GROUPS = 6;

interface Seen {
  readonly index: number;
  readonly amount: Decimal;
}

/** Never across types or currencies: 120,000 JPY next to 1,200 EUR would hide a mistake for 12.00 EUR. */
interface Group {
  readonly type: string;
  readonly currency: string | null;
  largest: Seen[];
  smallest: Seen;
  count: number;
}

function see(groups: Map<string, Group>, { type, currency }: TotalGroup, seen: Seen): void {
  const name = `${type} ${currency ?? ''}`;
  const group = groups.get(name) ?? { type, currency, largest: [], smallest: seen, count: 0 };
  groups.set(name, group);
  group.count++;
  if (compare(seen.amount, group.smallest.amount) < 0) group.smallest = seen;
  const last = group.largest[LARGEST - 1];
  if (last !== undefined && compare(seen.amount, last.amount) <= 0) return;
  group.largest = [...group.largest, seen].sort((a, b) => compare(b.amount, a.amount)).slice(0, LARGEST);
}

/** The largest and the smallest amount of each currency: they show a misplaced decimal mark. */
async function extremesOf(
  { prepared }: Assessment,
  groups: ReadonlyMap<string, Group>,
  subjectsOf: SubjectsOf,
): Promise<Extremes[]> {
  const extremes: Extremes[] = [];
  const shown = [...groups.values()].sort((a, b) => b.count - a.count).slice(0, MOST_GROUPS);
  for (const { largest, smallest, ...group } of shown) {
    const all = [smallest, ...largest];
    const subjects = await subjectsOf(all.map(({ index }) => index));
    const [least, ...most] = all.map(({ index, amount }, i): HighlightedRecord => ({
      amount,
      subject: subjects[i] ?? '',
      ...placeIn(prepared, index),
    }));
    extremes.push({ ...group, largest: most, smallest: least as HighlightedRecord });
  }
  return extremes;
}

/** The facts about repeats without a decision that a person needs. */
async function undecidedOf(
  assessment: Assessment,
  { safety }: RunOptions,
  journal: Journal | null,
): Promise<UndecidedRepeats> {
  const { undecided, placeOf, prepared } = assessment;
  const { entries, batchId } = prepared;
  const sent = undecided.filter(({ code }) => code === 'created-before' || code === 'other-batch');
  const similar = undecided.filter(({ code }) => code === 'similar-record');
  const [last] = sent.map(({ newest }) => newest).sort((one, other) => other.at - one.at);
  const totals = startTotals();
  const asked = sent.length > 0 ? sent : similar;
  for (const { index, newest } of asked) totals.add(entries.groupOf(index), newest.state, entries.amount(index));
  return {
    sent: sent.length,
    similar: similar.length,
    blocked: undecided.length - sent.length - similar.length,
    taken: similar.filter(({ isTaken }) => isTaken).length,
    records: await nameRecords(
      asked.map(({ index }) => index),
      assessment,
      journal,
    ),
    inDoubt: sent.filter(({ newest }) => newest.state !== 'created').length,
    totals: totals.rows(),
    isElsewhere: safety.batchNamed && undecided.every(({ newest }) => newest.batchId !== batchId),
    last:
      last === undefined
        ? null
        : {
            run: last.run.name,
            at: last.at,
            file: placeOf(last)?.file ?? null,
          },
  };
}

/** REVIEW: what a person has to see before anything is sent. Only figures here; report/review-lines.ts prints them. */
import { keptBody } from '../batch/bodies.js';
import type { Prepared } from '../batch/prepare.js';
import type { Ledger } from '../ledger/ledger.js';
import type { DoubtRules } from '../ledger/plan.js';
import { compare, type Decimal, parseDecimal, ZERO } from '../money/decimal.js';
import { startTotals } from '../money/totals.js';
import type { RunOptions } from '../options.js';
import { subjectOf } from '../records/subject.js';
import type { Again } from '../report/notice-words.js';
import type { Alike, Extremes, Notable, Part, ReviewReport, UndecidedRepeats } from '../report/reporter.js';
import { fatesOf, paymentOf } from './assess.js';
import type { Fate } from './fate.js';
import type { Issues } from './issues.js';
import type { Looked } from './look.js';
import { noticesOf, withFiles } from './notices.js';
import { dayOf, type PlaceOf } from './repeat-words.js';
import type { Repeat } from './repeats.js';
import { placeIn } from './places.js';

/** Where the figures of a call come from. */
export interface ReviewSources {
  readonly options: RunOptions;
  /** Null where there is none yet. */
  readonly ledger: Ledger | null;
  readonly issues: Issues;
  readonly doubt: DoubtRules;
}

/** The users or titles of entries; empty where they are not known. */
export type SubjectsOf = (indexes: readonly number[]) => Promise<string[]>;

/** @throws JournalError */
export async function reviewNow(prepared: Prepared, looked: Looked, sources: ReviewSources): Promise<ReviewReport> {
  const { options, ledger, issues, doubt } = sources;
  const { assessment, known, digest } = looked;
  const { batchId, files } = prepared;
  const figures = await reviewOf(prepared, looked, doubt, async (indexes) => {
    // In a dry run, no record has a row of its own.
    const payments = indexes.map(
      (index) => prepared.entries.payment(index) || paymentOf(assessment.fateAt(index), known.accepted[index]) || 0,
    );
    const bodies = (await ledger?.bodies(payments)) ?? [];
    return indexes.map((index, i) => subjectOf(bodies[i] ?? keptBody(prepared, index)));
  });
  return {
    ...{ batchId, digest, files, warnings: issues.warnings, ...figures },
    target: options.target?.name ?? null,
    approves: options.safety.approve !== null,
    notices: await withFiles(noticesOf(prepared, assessment, known), ledger),
  };
}

type Figures = Omit<ReviewReport, 'target' | 'batchId' | 'digest' | 'files' | 'warnings' | 'approves' | 'notices'>;

/** Each valid record is in one of these parts. */
const PARTS = ['before', 'unknown', 'staysRejected', 'open', 'similar', 'toSend'] as const;
type PartName = (typeof PARTS)[number];

export async function reviewOf(
  prepared: Prepared,
  looked: Pick<Looked, 'assessment' | 'known' | 'placeOf'>,
  doubt: DoubtRules,
  subjectsOf: SubjectsOf,
): Promise<Figures> {
  const { entries } = prepared;
  const { repeats } = looked.assessment.undecided;
  // Until somebody has decided, a record that was sent before does not count as one to send.
  const open = new Map(repeats.map((repeat) => [repeat.index, repeat]));
  const totals = startTotals();
  const groups = new Map<string, Group>();
  for (const [index, fate] of fatesOf(prepared, looked.assessment)) {
    const group = entries.groupOf(index);
    const amount = entries.amount(index);
    const part = partOf(fate, open.get(index));
    totals.add(group, part, amount);
    if (part !== 'toSend' || amount === null) continue;
    see(groups, group, { index, amount });
    const sign = compare(amount, ZERO);
    if (sign <= 0) totals.add(group, sign === 0 ? 'zero' : 'negative', amount);
  }
  const rows = totals.rows();
  const sum = (...names: readonly string[]): Part => {
    const own = rows.filter(({ status }) => names.includes(status));
    return { count: own.reduce((all, { count }) => all + count, 0), totals: own };
  };
  const inFile = sum(...PARTS);
  return {
    ...{ inFile, before: sum('before'), unknown: sum('unknown'), staysRejected: sum('staysRejected') },
    ...{ open: sum('open'), similar: sum('similar'), toSend: sum('toSend') },
    ...{ zero: sum('zero'), negative: sum('negative'), invalid: entries.length - inFile.count },
    again: againOf(looked, doubt),
    undecided: repeats.length === 0 ? null : await undecidedOf(prepared, repeats, looked.placeOf, subjectsOf),
    extremes: await extremesOf(prepared, groups, subjectsOf),
  };
}

/** How many records that were tried before are sent again, by what that means. */
export function againOf(
  { assessment, known }: Pick<Looked, 'assessment' | 'known'>,
  { isProtected }: DoubtRules,
): Again {
  const again = { protected: 0, expired: 0, gigs: 0, rejected: 0 };
  for (const [index, { type, doubtSince, at, lifetimeMs }] of known.byKey) {
    const fate = assessment.fateAt(index);
    if (fate?.what !== 'send' || fate.again === null) continue;
    if (fate.again === 'rejected') again.rejected++;
    else if (type === 'gig') again.gigs++;
    // Only a key that still protects it makes it safe to send a payment in doubt again.
    else if (isProtected({ type, doubtSince: doubtSince ?? at, lifetimeMs })) again.protected++;
    else again.expired++;
  }
  return again;
}

/** What nobody has decided about is not counted among what is sent. */
function partOf(fate: Fate, open: Repeat | undefined): PartName {
  if (open?.code === 'open-before' || open?.code === 'not-rejected') return 'open';
  if (open?.code === 'similar-record') return 'similar';
  const standsFor = open?.standsFor ?? (fate.what === 'left-out' ? fate.standsFor : undefined);
  const state = standsFor?.state ?? (fate.what === 'settled' ? fate.state : undefined);
  if (state === undefined) return fate.what === 'send' ? 'toSend' : 'open';
  if (state === 'created') return 'before';
  return state === 'rejected' && standsFor === undefined ? 'staysRejected' : 'unknown';
}

const LARGEST = 5;
/** Types and currencies that a person still looks at; those with most records are shown. */
const MOST_GROUPS = 6;

interface Seen {
  readonly index: number;
  readonly amount: Decimal;
}

/** Never across types or currencies: 120,000 JPY beside 1,200 EUR would hide what should have been 12.00 EUR. */
interface Group extends Pick<Extremes, 'type' | 'currency'> {
  largest: Seen[];
  smallest: Seen;
  count: number;
}

function see(groups: Map<string, Group>, { type, currency }: Pick<Group, 'type' | 'currency'>, seen: Seen): void {
  const name = `${type} ${currency ?? ''}`;
  const group = groups.get(name) ?? { type, currency, largest: [], smallest: seen, count: 0 };
  groups.set(name, group);
  group.count++;
  if (compare(seen.amount, group.smallest.amount) < 0) group.smallest = seen;
  const last = group.largest[LARGEST - 1];
  if (last !== undefined && compare(seen.amount, last.amount) <= 0) return;
  group.largest = [...group.largest, seen].sort((a, b) => compare(b.amount, a.amount)).slice(0, LARGEST);
}

/** The amounts in which a misplaced decimal mark shows: the largest and the smallest of each currency. */
async function extremesOf(
  prepared: Prepared,
  groups: ReadonlyMap<string, Group>,
  subjectsOf: SubjectsOf,
): Promise<Extremes[]> {
  const extremes: Extremes[] = [];
  const shown = [...groups.values()].sort((a, b) => b.count - a.count).slice(0, MOST_GROUPS);
  for (const { type, currency, largest, smallest, count } of shown) {
    const all = [smallest, ...largest];
    const subjects = await subjectsOf(all.map(({ index }) => index));
    const [least, ...most] = all.map(({ index, amount }, i) => ({
      ...{ amount, subject: subjects[i] ?? '' },
      ...placeIn(prepared, index),
    }));
    extremes.push({ type, currency, largest: most, smallest: least as Notable, count });
  }
  return extremes;
}

/** What a person has to know of repeats that nobody has decided about. */
async function undecidedOf(
  prepared: Prepared,
  repeats: readonly Repeat[],
  placeOf: PlaceOf,
  subjectsOf: SubjectsOf,
): Promise<UndecidedRepeats> {
  const sent = repeats.filter(({ code }) => code === 'created-before').map(({ newest }) => newest);
  const similar = repeats.filter(({ code }) => code === 'similar-record');
  const [last] = sent.toSorted((one, other) => other.at - one.at);
  return {
    sent: sent.length,
    similar: similar.length,
    blocked: repeats.length - sent.length - similar.length,
    last: last === undefined ? null : { run: last.run.name, day: dayOf(last.at), file: placeOf(last)?.file ?? null },
    alike: await alikeOf(prepared, similar.slice(0, MOST_ALIKE), placeOf, subjectsOf),
  };
}

/** Further ones are counted. */
const MOST_ALIKE = 8;

async function alikeOf(
  prepared: Prepared,
  similar: readonly Repeat[],
  placeOf: PlaceOf,
  subjectsOf: SubjectsOf,
): Promise<Alike[]> {
  const subjects = await subjectsOf(similar.map(({ index }) => index));
  return similar.map(({ index, newest }, i) => {
    const { type, currency } = prepared.entries.groupOf(index);
    const amount = prepared.entries.amount(index);
    const before = newest.amount === null ? null : parseDecimal(newest.amount);
    return {
      ...{ ...placeIn(prepared, index), subject: subjects[i] ?? '', type, currency, amount },
      earlier: {
        ...{ currency: newest.currency, amount: before, day: dayOf(newest.at), place: placeOf(newest) },
        batchId: newest.batchId,
      },
    };
  });
}

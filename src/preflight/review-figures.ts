/** REVIEW: what a person has to see before anything is sent. Only figures here; report/review-lines.ts prints them. */
import { keptBody } from '../batch/bodies.js';
import type { Prepared } from '../batch/prepare.js';
import type { Ledger } from '../ledger/ledger.js';
import type { DoubtRules } from '../ledger/plan.js';
import { add, compare, type Decimal, parseDecimal, ZERO } from '../money/decimal.js';
import { startTotals } from '../money/totals.js';
import type { RunOptions } from '../options.js';
import { subjectOf } from '../records/subject.js';
import type { Again } from '../report/notice-words.js';
import type { Alike, Extremes, Part, ReviewReport, UndecidedRepeats } from '../report/reporter.js';
import { fatesOf, paymentOf } from './assess.js';
import type { Fate } from './fate.js';
import type { Issues } from './issues.js';
import type { Looked } from './look.js';
import { noticesOf, withFiles } from './notices.js';
import { placesOf } from './places.js';
import { dayOf, type PlaceOf } from './repeat-words.js';
import type { Repeat } from './repeats.js';

/** Where the figures of a call come from. */
export interface ReviewSources {
  readonly options: RunOptions;
  /** Null where there is none yet. */
  readonly ledger: Ledger | null;
  readonly issues: Issues;
  readonly doubt: DoubtRules;
}

/** What is told of single records in the review. */
export interface ReviewPlaces {
  readonly placeOf: PlaceOf;
  /** The user or title of an entry; empty where it is not known. */
  readonly subjectsOf: (indexes: readonly number[]) => Promise<string[]>;
}

/** @throws JournalError */
export async function reviewNow(prepared: Prepared, looked: Looked, sources: ReviewSources): Promise<ReviewReport> {
  const { options, ledger, issues, doubt } = sources;
  const { assessment, known, digest } = looked;
  const { batchId, files } = prepared;
  const figures = await reviewOf(prepared, looked, doubt, {
    placeOf: await placesOf(looked, batchId, ledger, options.caller.by),
    subjectsOf: async (indexes) => {
      // In a dry run, no record has a row of its own.
      const payments = indexes.map(
        (index) => prepared.entries.payment(index) || paymentOf(assessment.fateAt(index), known.accepted[index]),
      );
      const bodies = ledger === null ? [] : await ledger.bodies(payments.map((payment) => payment ?? 0));
      return indexes.map((index, i) => subjectOf(bodies[i] ?? keptBody(prepared, index)));
    },
  });
  return {
    ...{ batchId, digest, files, warnings: issues.warnings, ...figures },
    target: options.target?.name ?? null,
    approves: options.safety.approve !== null,
    notices: await withFiles(noticesOf(prepared, assessment, known), ledger),
  };
}

type Figures = Omit<ReviewReport, 'target' | 'batchId' | 'digest' | 'files' | 'warnings' | 'approves' | 'notices'>;

export async function reviewOf(
  prepared: Prepared,
  looked: Pick<Looked, 'assessment' | 'known'>,
  doubt: DoubtRules,
  places: ReviewPlaces,
): Promise<Figures> {
  const { entries } = prepared;
  const { assessment } = looked;
  // Until somebody has decided, a record that was sent before does not count as one to send.
  const open = new Map(assessment.undecided.repeats.map((repeat) => [repeat.index, repeat]));
  const parts = {
    ...{ inFile: startPart(), before: startPart(), unknown: startPart(), staysRejected: startPart() },
    ...{ open: startPart(), similar: startPart(), toSend: startPart(), zero: startPart(), negative: startPart() },
  };
  const groups = new Map<string, Group>();
  for (const [index, fate] of fatesOf(prepared, assessment)) {
    const group = entries.groupOf(index);
    const amount = entries.amount(index);
    const part = partOf(fate, open.get(index));
    for (const sum of [parts.inFile, parts[part]]) sum.add(group, amount);
    if (part !== 'toSend' || amount === null) continue;
    see(groups, group, { index, amount });
    const sign = compare(amount, ZERO);
    if (sign <= 0) parts[sign === 0 ? 'zero' : 'negative'].add(group, amount);
  }
  const { inFile, before, unknown, staysRejected, similar, toSend, zero, negative } = parts;
  return {
    ...{ inFile: inFile.done(), before: before.done(), unknown: unknown.done(), open: parts.open.done() },
    ...{ staysRejected: staysRejected.done(), similar: similar.done(), toSend: toSend.done() },
    ...{ zero: zero.done(), negative: negative.done(), invalid: entries.length - inFile.done().count },
    again: againOf(looked, doubt),
    undecided: await undecidedOf(prepared, assessment.undecided.repeats, places),
    extremes: await extremesOf(prepared, groups, places),
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

type PartName = 'before' | 'unknown' | 'staysRejected' | 'open' | 'similar' | 'toSend';

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

function startPart() {
  const totals = startTotals();
  let count = 0;
  return {
    add: (group: Parameters<typeof totals.add>[0], amount: Decimal | null): void => {
      count++;
      totals.add(group, '', amount);
    },
    done: (): Part => ({ count, totals: totals.rows() }),
  };
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
  top: Seen[];
  least: Seen;
  count: number;
}

function see(groups: Map<string, Group>, { type, currency }: Pick<Group, 'type' | 'currency'>, seen: Seen): void {
  const name = `${type} ${currency ?? ''}`;
  const group = groups.get(name) ?? { type, currency, top: [], least: seen, count: 0 };
  groups.set(name, group);
  group.count++;
  if (compare(seen.amount, group.least.amount) < 0) group.least = seen;
  const last = group.top[LARGEST - 1];
  if (last !== undefined && compare(seen.amount, last.amount) <= 0) return;
  group.top = [...group.top, seen].sort((a, b) => compare(b.amount, a.amount)).slice(0, LARGEST);
}

/** The amounts in which a misplaced decimal mark shows: the largest and the smallest of each currency. */
async function extremesOf(
  { entries, files }: Prepared,
  groups: ReadonlyMap<string, Group>,
  { subjectsOf }: ReviewPlaces,
): Promise<Extremes[]> {
  const extremes: Extremes[] = [];
  const shown = [...groups.values()].sort((a, b) => b.count - a.count).slice(0, MOST_GROUPS);
  for (const { type, currency, top, least, count } of shown) {
    const subjects = await subjectsOf([least, ...top].map(({ index }) => index));
    const [smallest, ...largest] = [least, ...top].map(({ index, amount }, i) => {
      const { file, ...place } = entries.placeOf(index);
      return { amount, file: files[file]?.path ?? '', subject: subjects[i] ?? '', ...place };
    });
    if (smallest !== undefined) extremes.push({ type, currency, largest, smallest, count });
  }
  return extremes;
}

/** What a person has to know of repeats that nobody has decided about; null where everything is decided. */
async function undecidedOf(
  prepared: Prepared,
  repeats: readonly Repeat[],
  places: ReviewPlaces,
): Promise<UndecidedRepeats | null> {
  if (repeats.length === 0) return null;
  const sent = repeats.filter(({ code }) => code === 'created-before').map(({ newest }) => newest);
  const similar = repeats.filter(({ code }) => code === 'similar-record');
  const [last] = sent.toSorted((one, other) => other.at - one.at);
  return {
    sent: sent.length,
    similar: similar.length,
    blocked: repeats.length - sent.length - similar.length,
    last:
      last === undefined ? null : { run: last.run.name, day: dayOf(last.at), file: places.placeOf(last)?.file ?? null },
    alike: await alikeOf(prepared, similar, places),
  };
}

/** Further ones are counted. */
const MOST_ALIKE = 8;

async function alikeOf(
  { entries, files }: Prepared,
  similar: readonly Repeat[],
  { placeOf, subjectsOf }: ReviewPlaces,
): Promise<Alike[]> {
  const compared = similar.map((repeat) => ({ repeat, difference: differenceOf(repeat, entries) }));
  // Stable: those that differ as much stay in the order of the input.
  if (compared.length > MOST_ALIKE) compared.sort((a, b) => compare(sizeOf(b.difference), sizeOf(a.difference)));
  const shown = compared.slice(0, MOST_ALIKE);
  const subjects = await subjectsOf(shown.map(({ repeat }) => repeat.index));
  return shown.map(({ repeat: { index, newest }, difference }, i) => {
    const { file, ...place } = entries.placeOf(index);
    const { type, currency } = entries.groupOf(index);
    const before = newest.amount === null ? null : parseDecimal(newest.amount);
    return {
      ...{ ...place, file: files[file]?.path ?? '', subject: subjects[i] ?? '' },
      ...{ type, currency, amount: entries.amount(index), difference },
      earlier: {
        ...{ currency: newest.currency, amount: before, day: dayOf(newest.at), place: placeOf(newest) },
        batchId: newest.batchId,
      },
    };
  });
}

/** Null where one of the two amounts is not known, or they are of two currencies. */
function differenceOf({ index, newest }: Repeat, entries: Prepared['entries']): Decimal | null {
  const amount = entries.amount(index);
  if (amount === null || newest.amount === null || newest.currency !== entries.groupOf(index).currency) return null;
  return add(amount, negated(parseDecimal(newest.amount)));
}

function negated({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

/** Those that cannot be compared come last. */
function sizeOf(difference: Decimal | null): Decimal {
  if (difference === null) return { units: -1n, scale: 0 };
  return compare(difference, ZERO) < 0 ? negated(difference) : difference;
}

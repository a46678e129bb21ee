/** What a person has to know of repeats that nobody has decided about. Figures and places; report/ has the words. */
import type { Prepared } from '../batch/prepare.js';
import { add, compare, type Decimal, parseDecimal, ZERO } from '../money/decimal.js';
import type { Alike, UndecidedRepeats } from '../report/reporter.js';
import type { Assessment } from './assess.js';
import { dayOf, type PlaceOf } from './repeat-words.js';
import type { Repeat } from './repeats.js';

/** Further ones are counted. */
const MOST_ALIKE = 8;

export interface UndecidedOptions {
  readonly prepared: Prepared;
  readonly assessment: Assessment;
  readonly placeOf: PlaceOf;
  /** The user or title of an entry; empty where it is not known. */
  readonly subjectsOf: (indexes: readonly number[]) => Promise<string[]>;
}

/** Null where everything is decided. */
export async function undecidedRepeats(of: UndecidedOptions): Promise<UndecidedRepeats | null> {
  const { assessment, placeOf } = of;
  const { repeats } = assessment.undecided;
  if (repeats.length === 0) return null;
  const only = (code: Repeat['code']): Repeat[] => repeats.filter((repeat) => repeat.code === code);
  const [sent, similar] = [only('created-before'), only('similar-record')];
  const last = sent.reduce<Repeat | null>((newest, one) => (isNewer(one, newest) ? one : newest), null);
  return {
    sent: sent.length,
    similar: similar.length,
    blocked: repeats.length - sent.length - similar.length,
    last:
      last === null
        ? null
        : { run: last.newest.run.name, day: dayOf(last.newest.at), file: placeOf(last.newest)?.file ?? null },
    alike: await alikeOf(similar, of),
  };
}

function isNewer(one: Repeat, other: Repeat | null): boolean {
  return other === null || one.newest.at > other.newest.at;
}

async function alikeOf(
  similar: readonly Repeat[],
  { prepared: { entries, files }, placeOf, subjectsOf }: UndecidedOptions,
): Promise<Alike[]> {
  const compared = similar.map((repeat) => ({ repeat, difference: differenceOf(repeat, entries) }));
  // Stable: those that differ as much stay in the order of the input.
  if (compared.length > MOST_ALIKE) compared.sort((a, b) => compare(sizeOf(b.difference), sizeOf(a.difference)));
  const shown = compared.slice(0, MOST_ALIKE);
  const subjects = await subjectsOf(shown.map(({ repeat }) => repeat.index));
  return shown.map(({ repeat: { index, newest }, difference }, i) => {
    const { file, ...place } = entries.placeOf(index);
    const { type, currency } = entries.groupOf(index);
    const amount = newest.amount === null ? null : parseDecimal(newest.amount);
    return {
      ...place,
      file: files[file]?.path ?? '',
      subject: subjects[i] ?? '',
      ...{ type, currency, difference },
      amount: entries.amount(index),
      earlier: {
        ...{ currency: newest.currency, amount, day: dayOf(newest.at), place: placeOf(newest) },
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

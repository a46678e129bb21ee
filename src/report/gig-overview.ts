/**
 * What a person checks of gigs before they are created: when they start, which workers they are offered to, how many
 * seats they have, and at which prices. Each body is looked at once and not kept, so there may be any number of them.
 */
import { TextHash } from '../keys/fingerprint.js';
import { add, compare, type Decimal, decimalOf, multiply, ZERO } from '../money/decimal.js';
import { RunningSum } from '../money/running-sum.js';
import type { Body } from '../records/types.js';

/** The field that says how many seats a gig has. */
export type SeatsField = 'total_seats' | 'seats_max' | 'neither';

/** A text that several gigs share. */
export interface SharedText {
  readonly text: string;
  readonly gigs: number;
}

export interface GigOverview {
  readonly gigs: number;
  /** Whose clocks show the starts; null for those of this machine. */
  readonly timeZone: string | null;
  /** Of the first gigs. */
  readonly titles: readonly string[];
  /** UNIX timestamps as they are sent, seconds; null if no gig has one. */
  readonly firstStart: number | null;
  readonly lastStart: number | null;
  /** The most frequent queries for workers, as JSON text. */
  readonly filters: readonly SharedText[];
  /** How many other queries there are, and how many gigs have them. */
  readonly otherFilters: number;
  readonly gigsOfOthers: number;
  readonly modes: readonly SharedText[];
  readonly seats: Decimal;
  /** By the field that gives a gig's seats: the number of gigs. */
  readonly seatsFrom: Readonly<Record<SeatsField, number>>;
  /** The prices of a seat: the sum of a gig's tasks, in cents. */
  readonly lowestPrice: Decimal;
  readonly highestPrice: Decimal;
  /** Seats × prices of all gigs, in cents. */
  readonly cost: Decimal;
}

const SHOWN_TITLES = 2;
/** So many filters are shown. CONTRACT: `--yes`. */
const MOST_FILTERS = 5;
/** Texts of filters that are kept: many more than are shown. */
const KEPT_FILTERS = 1000;
/** service-interface.md, "Gig (request fields)": `seats_max` where it is missing. */
const SEATS_OF_NEITHER = 1;

export class GigTally {
  private readonly timeZone: string | null;
  private gigs = 0;
  private readonly titles: string[] = [];
  private firstStart = Infinity;
  private lastStart = -Infinity;
  private readonly modes = new Map<string, number>();
  private readonly filters = new FrequentTexts();
  private lowestPrice: Decimal | null = null;
  private highestPrice: Decimal | null = null;
  private readonly seats = new RunningSum();
  private readonly cost = new RunningSum();
  private readonly seatsFrom = { total_seats: 0, seats_max: 0, neither: 0 };

  constructor(timeZone: string | null = null) {
    this.timeZone = timeZone;
  }

  /** @param body JSON as it is sent */
  add(body: string): void {
    const gig = JSON.parse(body) as Body;
    const { title, start_at: start, invitation_mode: mode, filter_query: filter } = gig;
    this.gigs++;
    if (typeof title === 'string' && this.titles.length < SHOWN_TITLES) this.titles.push(title);
    if (typeof start === 'number') {
      this.firstStart = Math.min(this.firstStart, start);
      this.lastStart = Math.max(this.lastStart, start);
    }
    if (typeof mode === 'string') this.modes.set(mode, (this.modes.get(mode) ?? 0) + 1);
    if (filter !== undefined) this.filters.add(JSON.stringify(filter));
    const field = seatsField(gig);
    const seats = field === 'neither' ? SEATS_OF_NEITHER : (gig[field] as number);
    this.seatsFrom[field]++;
    this.seats.add(decimalOf(seats));
    const price = priceOf(gig);
    if (this.lowestPrice === null || compare(price, this.lowestPrice) < 0) this.lowestPrice = price;
    if (this.highestPrice === null || compare(price, this.highestPrice) > 0) this.highestPrice = price;
    this.cost.add(multiply(decimalOf(seats), price));
  }

  /** Null without any gig. */
  overview(): GigOverview | null {
    const { gigs, timeZone, titles, firstStart, lastStart, seatsFrom } = this;
    if (gigs === 0) return null;
    const filters = this.filters.mostFrequent(MOST_FILTERS);
    const shown = filters.reduce((sum, each) => sum + each.gigs, 0);
    return {
      gigs,
      timeZone,
      titles,
      firstStart: firstStart === Infinity ? null : firstStart,
      lastStart: lastStart === -Infinity ? null : lastStart,
      filters,
      otherFilters: this.filters.size - filters.length,
      gigsOfOthers: this.filters.added - shown,
      modes: Array.from(this.modes, ([text, count]) => ({ text, gigs: count })),
      seats: this.seats.value(),
      seatsFrom,
      lowestPrice: this.lowestPrice ?? ZERO,
      highestPrice: this.highestPrice ?? ZERO,
      cost: this.cost.value(),
    };
  }
}

function seatsField({ total_seats: total, seats_max: most }: Body): SeatsField {
  if (typeof total === 'number') return 'total_seats';
  return typeof most === 'number' ? 'seats_max' : 'neither';
}

function priceOf({ tasks }: Body): Decimal {
  const priced = Array.isArray(tasks) ? (tasks as readonly { readonly base_price: number }[]) : [];
  return priced.reduce((sum, task) => add(sum, decimalOf(task.base_price)), ZERO);
}

/**
 * Counts texts, and knows the most frequent ones. All are counted by their hashes, and only some are kept: those that
 * are rarest so far are dropped, and kept again when they return. So a text that is more frequent than all but a few
 * is always kept.
 */
class FrequentTexts {
  /** How many texts were added, equal ones too. */
  added = 0;
  private readonly counts = new Map<number, number>();
  private readonly texts = new Map<number, string>();
  private readonly hash = new TextHash();

  /** How many different ones there are. */
  get size(): number {
    return this.counts.size;
  }

  add(text: string): void {
    const hash = this.hash.start().addText(text).wide();
    this.added++;
    this.counts.set(hash, (this.counts.get(hash) ?? 0) + 1);
    if (this.texts.has(hash)) return;
    if (this.texts.size === KEPT_FILTERS)
      for (const rare of this.byCount().slice(KEPT_FILTERS / 2)) this.texts.delete(rare);
    this.texts.set(hash, text);
  }

  /** Most frequent first, and of equally frequent ones the first. */
  mostFrequent(most: number): SharedText[] {
    const hashes = this.byCount().slice(0, most);
    return hashes.map((hash) => ({ text: this.texts.get(hash) ?? '', gigs: this.countOf(hash) }));
  }

  /** Of the texts that are kept. */
  private byCount(): number[] {
    return [...this.texts.keys()].sort((one, other) => this.countOf(other) - this.countOf(one));
  }

  private countOf(hash: number): number {
    return this.counts.get(hash) ?? 0;
  }
}

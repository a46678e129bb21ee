/**
 * Which payment each row of an export speaks of: by key, else by id; gigs also by title and start, where one row and one
 * gig have both. CONTRACT: "Reconciling with the service's own list".
 */
import { UsageError } from '../errors.js';
import { responseId } from '../delivery/http/response.js';
import type { Journal } from '../journal/journal.js';
import { chunksOf, ROWS_PER_QUERY } from '../journal/pages.js';
import type { PaymentId, StoredPayment, TargetName } from '../journal/payment.js';
import { titleHash } from '../prepare/valid-record.js';
import { foldText } from '../records/fold.js';
import type { Body, RecordType } from '../records/types.js';
import type { ExportRow } from './export-rows.js';

/** Where payments are looked up. */
export interface MatchScope {
  readonly journal: Journal;
  readonly target: TargetName;
  /** Where an answer has the id. */
  readonly idPath: string;
  /** The type of the rows; null if they may be of any. */
  readonly type: RecordType | null;
  /** Hashes of the titles of gigs in doubt, which the list may lack. */
  readonly gigTitles: Iterable<number>;
}

export interface MatchedRows {
  /** The payments that rows speak of, each with its rows in their order. */
  readonly listed: ReadonlyMap<PaymentId, { readonly payment: StoredPayment; readonly rows: readonly ExportRow[] }>;
  /** The rows that no payment at the target meets. */
  readonly unknown: readonly ExportRow[];
  /** Whether another payment of the type has the id of this row, here or in the list. */
  readonly isIdTaken: (payment: StoredPayment, row: ExportRow) => boolean;
  readonly gigs: GigPlaces;
}

/** Gigs by title and start. */
export interface GigPlaces {
  /** Gigs whose title and start fit several gigs or rows. */
  readonly severalFit: ReadonlySet<PaymentId>;
  /** Whether the list has a row for each created gig with this one's title and start. */
  readonly isListed: (gig: PaymentId) => boolean;
}

/** @throws UsageError if payments of several types have the key or id of a row; JournalError */
export async function matchRows(rows: readonly ExportRow[], scope: MatchScope): Promise<MatchedRows> {
  const listed = new Map<PaymentId, { payment: StoredPayment; rows: ExportRow[] }>();
  const meet = (payment: StoredPayment, row: ExportRow): void => {
    const known = listed.get(payment.id);
    if (known === undefined) listed.set(payment.id, { payment, rows: [row] });
    else known.rows.push(row);
  };
  let unmet = await meetByKey(rows, scope, meet);
  const owners = await loadIdOwners(wantedIds(unmet, listed.values()), scope);
  unmet = await meetById(unmet, owners, scope, meet);
  const gigs = await placeGigs(rows, scope);
  unmet = meetByPlace(unmet, gigs, listed, meet);
  const idsOfRows = new Map<string, number>();
  for (const { id } of rows) if (id !== null) idsOfRows.set(id, (idsOfRows.get(id) ?? 0) + 1);
  return {
    listed,
    unknown: unmet,
    isIdTaken: (payment, { id }) => {
      if (id === null) return false;
      const others = (owners.get(id) ?? []).filter((owner) => owner.type === payment.type && owner.id !== payment.id);
      return others.length > 0 || (idsOfRows.get(id) ?? 0) > 1;
    },
    gigs,
  };
}

type Meet = (payment: StoredPayment, row: ExportRow) => void;

/** @returns the rows that have no key, or one that the target does not know */
async function meetByKey(
  rows: readonly ExportRow[],
  { journal, target, type }: MatchScope,
  meet: Meet,
): Promise<ExportRow[]> {
  const unmet: ExportRow[] = [];
  for (const page of chunksOf(rows, ROWS_PER_QUERY)) {
    const keys = new Set(page.map(({ key }) => key).filter((key) => key !== null));
    const found = new Map<string, StoredPayment[]>();
    for (const payment of keys.size === 0 ? [] : await journal.find(target, [...keys]))
      if (type === null || payment.type === type) found.set(payment.key, [...(found.get(payment.key) ?? []), payment]);
    for (const row of page) {
      const payments = found.get(row.key ?? '') ?? [];
      const [payment] = payments;
      if (payment === undefined) unmet.push(row);
      else {
        requireOneType('key', row.key, payments);
        meet(payment, row);
      }
    }
  }
  return unmet;
}

/** @throws UsageError */
function requireOneType(
  name: 'key' | 'id',
  value: string | null,
  found: readonly { readonly type: RecordType }[],
): void {
  const types = [...new Set(found.map(({ type }) => type))];
  if (types.length < 2) return;
  throw new UsageError(
    `The ${name} ${value} is that of a ${types.join(' and of a ')} at this target. Name the type of the rows with --type`,
  );
}

/** The ids by which rows may meet a payment, and those that a payment in doubt would get. */
function wantedIds(
  unmet: readonly ExportRow[],
  listed: Iterable<{ readonly payment: StoredPayment; readonly rows: readonly ExportRow[] }>,
): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { id } of unmet) if (id !== null) ids.add(id);
  for (const { payment, rows } of listed)
    if (payment.state === 'unknown') for (const { id } of rows) if (id !== null) ids.add(id);
  return ids;
}

interface IdOwner {
  readonly id: PaymentId;
  readonly type: RecordType;
  readonly isCreated: boolean;
}

type IdOwners = ReadonlyMap<string, readonly IdOwner[]>;

/** Larger pages: the answers of the whole history are read. */
const ANSWERS_PER_QUERY = 10_000;

/** The payments whose answers have one of these ids, created ones first. */
async function loadIdOwners(
  wanted: ReadonlySet<string>,
  { journal, target, idPath }: MatchScope,
): Promise<Map<string, IdOwner[]>> {
  const owners = new Map<string, IdOwner[]>();
  if (wanted.size === 0) return owners;
  for (let after = 0; ;) {
    const page = await journal.answers(target, after, ANSWERS_PER_QUERY);
    for (const { id: payment, type, response, isCreated, httpStatus } of page) {
      // An answer that failed may have the id of something else, such as the request.
      if (!isCreated && (httpStatus === null || httpStatus >= 300)) continue;
      const id = responseId(response, idPath, isCreated);
      if (id === null || !wanted.has(id)) continue;
      const owner = { id: payment, type, isCreated };
      const known = owners.get(id) ?? [];
      owners.set(id, isCreated ? [owner, ...known] : [...known, owner]);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < ANSWERS_PER_QUERY) return owners;
    after = last.id;
  }
}

async function meetById(
  rows: readonly ExportRow[],
  owners: IdOwners,
  { journal, type }: MatchScope,
  meet: Meet,
): Promise<ExportRow[]> {
  const unmet: ExportRow[] = [];
  for (const page of chunksOf(rows, ROWS_PER_QUERY)) {
    const found = page.map((row) => {
      const own = (owners.get(row.id ?? '') ?? []).filter((owner) => type === null || owner.type === type);
      requireOneType('id', row.id, own);
      return own[0]?.id;
    });
    const ids = new Set(found.filter((id) => id !== undefined));
    const payments = new Map(
      (ids.size === 0 ? [] : await journal.byId([...ids])).map((payment) => [payment.id, payment]),
    );
    for (const [i, row] of page.entries()) {
      const payment = payments.get(found[i] ?? 0);
      if (payment === undefined) unmet.push(row);
      else meet(payment, row);
    }
  }
  return unmet;
}

/** The gigs and rows that share a title and a start. */
interface GigPlace {
  readonly gigs: StoredPayment[];
  readonly rows: ExportRow[];
}

interface PlacedGigs extends GigPlaces {
  readonly placeOf: (row: ExportRow) => GigPlace | undefined;
}

/** Titles that fold to the same text count as equal: then several fit, and nothing is decided. */
function gigPlaceOf(title: string, startAt: number): string {
  return `${startAt} ${foldText(title)}`;
}

async function placeGigs(
  rows: readonly ExportRow[],
  { journal, target, type, gigTitles }: MatchScope,
): Promise<PlacedGigs> {
  const places = new Map<string, GigPlace>();
  const placeNamed = (name: string): GigPlace => {
    const place = places.get(name) ?? { gigs: [], rows: [] };
    places.set(name, place);
    return place;
  };
  const titles = new Set(gigTitles);
  for (const row of type === null || type === 'gig' ? rows : []) {
    if (row.title === null || row.startAt === null) continue;
    titles.add(titleHash(row.title));
    placeNamed(gigPlaceOf(row.title, row.startAt)).rows.push(row);
  }
  const nameOfGig = new Map<PaymentId, string>();
  for (const page of chunksOf(titles, ROWS_PER_QUERY)) {
    const gigs = await journal.gigsTitled(target, page);
    const bodies = await journal.bodies(gigs.map(({ id }) => id));
    for (const [i, gig] of gigs.entries()) {
      const name = gigPlaceName(bodies[i] ?? null);
      if (name === null) continue;
      nameOfGig.set(gig.id, name);
      placeNamed(name).gigs.push(gig);
    }
  }
  const severalFit = new Set<PaymentId>();
  for (const place of places.values())
    if (place.rows.length > 1 || place.gigs.length > 1) for (const { id } of place.gigs) severalFit.add(id);
  return {
    severalFit,
    isListed: (gig) => {
      const place = places.get(nameOfGig.get(gig) ?? '');
      return place !== undefined && place.rows.length >= place.gigs.filter(({ state }) => state === 'created').length;
    },
    placeOf: ({ title, startAt }) =>
      title === null || startAt === null ? undefined : places.get(gigPlaceOf(title, startAt)),
  };
}

/** Null if the body was removed. */
function gigPlaceName(body: string | null): string | null {
  if (body === null) return null;
  const { title, start_at: startAt } = JSON.parse(body) as Body;
  return typeof title === 'string' && typeof startAt === 'number' ? gigPlaceOf(title, startAt) : null;
}

/** @returns the rows that no gig can be meant by: where several gigs or rows fit, as many as there are gigs are known */
function meetByPlace(
  rows: readonly ExportRow[],
  { placeOf }: PlacedGigs,
  listed: ReadonlyMap<PaymentId, unknown>,
  meet: Meet,
): ExportRow[] {
  const unmet: ExportRow[] = [];
  const taken = new Map<GigPlace, number>();
  for (const row of rows) {
    const place = placeOf(row);
    const open = place?.gigs.filter(({ id }) => !listed.has(id)) ?? [];
    const [gig] = open;
    if (place === undefined || gig === undefined) unmet.push(row);
    else if (place.rows.length === 1 && place.gigs.length === 1) meet(gig, row);
    else {
      const count = (taken.get(place) ?? 0) + 1;
      taken.set(place, count);
      if (count > open.length) unmet.push(row);
    }
  }
  return unmet;
}

/** When two records may be the same payment. CONTRACT: `similar-record`, its letters. */
import type { KeyKind } from './history.js';
import { canonical, type Json } from './keys.js';
import type { Readings } from './readings.js';
import type { Row } from './rows.js';
import type { Source } from './sheet.js';

/** A record of an input, or a payment by one of the files that it stood in. */
export interface Side {
  readonly row: Row;
  readonly content: string;
  readonly kind: KeyKind;
  readonly key: string | null;
  readonly source: Source;
}

/** Without regard to case, spaces, composition and look-alike characters. */
function fold(text: unknown): string {
  return String(text).normalize('NFKC').replaceAll(/\s/g, '').toLowerCase();
}

function withoutZeros(text: string): string {
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;
}

/** Leading zeros of IDs that are digits do not tell them apart. */
export function foldedId(id: unknown): string {
  return withoutZeros(fold(id));
}

/** Nor does punctuation, of references. */
export function foldedReference(id: unknown): string {
  return withoutZeros(fold(id).replaceAll(/\p{P}/gu, ''));
}

/** Of own keys, punctuation between two digits counts. */
function foldedKey(key: string | null): string {
  return withoutZeros(fold(key).replaceAll(/(?<!\d)\p{P}|\p{P}(?!\d)/gu, ''));
}

/** A batch name without what it is misspelt by: case, look-alikes, spaces, and which punctuation parts it, if any. */
export function foldedBatch(name: string): string {
  return fold(name).replaceAll(/(?<=.)\p{P}+(?=.)/gu, '');
}

/** Of gigs, which have no user, the title. */
export function isSameUser({ type, fields }: Row, other: Row): boolean {
  if (type === 'gig') return fold(fields['title']) === fold(other.fields['title']);
  return foldedId(fields['user_id']) === foldedId(other.fields['user_id']);
}

/** (a) */
function isSamePurpose(one: Row, other: Row): boolean {
  const purpose = ({ type, fields }: Row): string => {
    const gig = [fields['start_at'] ?? null, canonical(fields['filter_query'] ?? null)];
    return canonical([type, fold(fields['title']), ...(type === 'gig' ? gig : [])]);
  };
  return purpose(one) === purpose(other) && isSameUser(one, other);
}

/** Of payouts the amount; of results task and quantity. Gigs have none. */
export function isSameAmount({ type, fields }: Row, other: Row): boolean {
  if (type === 'result' && foldedReference(fields['gig_task_id']) !== foldedReference(other.fields['gig_task_id']))
    return false;
  return ['amount', 'quantity'].every((name) => fields[name] === other.fields[name]);
}

export function isSameCurrency({ fields }: Row, other: Row): boolean {
  return fields['currency'] === other.fields['currency'];
}

/** (b) */
function isSameInvoice(one: Side, other: Side, readings: Readings): boolean {
  const { type } = one.row;
  if (type === 'gig') return false;
  const counts = type === 'result' && !readings.sharedTaskDoesNotCount;
  if (!counts && (one.source.sharesReference || other.source.sharesReference)) return false;
  const names = {
    payout: ['user_id', 'amount', 'reference_id'],
    result: ['user_id', 'quantity', 'gig_task_id', 'delivery_date'],
  }[type];
  const hasAll = (side: Side): boolean => names.every((name) => fromFile(side, name) !== undefined);
  const isSameReference =
    foldedReference(one.row.fields['reference_id']) === foldedReference(other.row.fields['reference_id']);
  const isSame = isSameUser(one.row, other.row) && isSameAmount(one.row, other.row) && isSameReference;
  return hasAll(one) && hasAll(other) && isSame && isSameCurrency(one.row, other.row);
}

function fromFile({ row, source }: Side, name: string): Json | undefined {
  return source.set.includes(name) ? undefined : row.fields[name];
}

const DATES = ['billing_date', 'delivery_date'] as const;

/** Both have it from their files, and it is the same. */
export function haveSameReference(one: Side, other: Side): boolean {
  const mine = fromFile(one, 'reference_id');
  const theirs = fromFile(other, 'reference_id');
  return mine !== undefined && theirs !== undefined && foldedReference(mine) === foldedReference(theirs);
}

export function haveSameDate(one: Side, other: Side): boolean {
  return DATES.some((name) => fromFile(one, name) !== undefined && fromFile(one, name) === fromFile(other, name));
}

/** By a date that both have from their files; one whose day and month have changed places is no other one. */
export function haveOtherDates(one: Side, other: Side): boolean {
  return DATES.some((name) => {
    const mine = fromFile(one, name);
    const theirs = fromFile(other, name);
    if (mine === undefined || theirs === undefined) return false;
    return mine !== theirs && inOtherOrder(mine as string) !== theirs;
  });
}

/** Day and month change places. */
export function inOtherOrder(date: string): string {
  const [year, month, day] = date.split('-') as [string, string, string];
  return `${year}-${day}-${month}`;
}

/** By a reference (a result's is its task) or a date that both have from their files, and that differ. */
export function areToldApart(one: Side, other: Side): boolean {
  const isOther = (name: string): boolean => {
    const mine = fromFile(one, name);
    const theirs = fromFile(other, name);
    return mine !== undefined && theirs !== undefined && foldedReference(mine) !== foldedReference(theirs);
  };
  return isOther('reference_id') || isOther('gig_task_id') || haveOtherDates(one, other);
}

export function haveOwnKeys(one: Side, other: Side): boolean {
  return one.kind === 'own' && other.kind === 'own';
}

function haveNearKeys(one: Side, other: Side): boolean {
  return isSameUser(one.row, other.row) && foldedKey(one.key) === foldedKey(other.key);
}

/** (a), and what stands in its place between two records with own keys. */
export function isLike(one: Side, other: Side): boolean {
  if (areToldApart(one, other)) return false;
  if (one.content === other.content) return true;
  return haveOwnKeys(one, other) ? haveNearKeys(one, other) : isSamePurpose(one.row, other.row);
}

/** (b), which two records with own keys have not. */
export function isSameBill(one: Side, other: Side, readings: Readings): boolean {
  return !haveOwnKeys(one, other) && !areToldApart(one, other) && isSameInvoice(one, other, readings);
}

/** In another batch: the same user, title and amount; of gigs, as in the same batch. */
export function isLikeElsewhere(one: Side, other: Side, { currencyCountsElsewhere }: Readings): boolean {
  if (currencyCountsElsewhere && !isSameCurrency(one.row, other.row)) return false;
  return isSamePurpose(one.row, other.row) && isSameAmount(one.row, other.row);
}

/** Whether they are the same but for a date that both have. */
export function differInDateAlone(one: Side, other: Side): boolean {
  const dateless = ({ row: { type, fields } }: Side): string => {
    const others = Object.entries(fields).filter(([name]) => !DATES.some((date) => date === name));
    return canonical([type, Object.fromEntries(others)]);
  };
  return haveOtherDates(one, other) && dateless(one) === dateless(other);
}

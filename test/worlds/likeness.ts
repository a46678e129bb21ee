/** When two records may be the same payment. CONTRACT: `similar-record`. */
import { canonical, type Json } from './keys.js';
import type { Row } from './rows.js';

/** Without regard to case, spaces, composition and look-alike characters. */
function fold(text: unknown): string {
  return String(text).normalize('NFKC').replaceAll(/\s/g, '').toLowerCase();
}

/** Leading zeros of IDs that are digits do not tell them apart. */
export function foldedId(id: unknown): string {
  const folded = fold(id);
  return /^\d+$/.test(folded) ? folded.replace(/^0+(?=\d)/, '') : folded;
}

/** A batch name without what it is misspelt by: case, look-alikes, and which spaces and dashes part it. */
export function foldedBatch(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]+/gu, '-');
}

/** In one batch: the same type, user and title; of gigs title, start and filter. */
export function resembling({ type, fields }: Row): string {
  const gig = [fields['start_at'] ?? null, canonical(fields['filter_query'] ?? null)];
  return canonical([type, fold(fields['title']), ...(type === 'gig' ? gig : [foldedId(fields['user_id'])])]);
}

/** In another batch: the amount, too, or the task and quantity. */
export function resemblingElsewhere(row: Row): string {
  const { type, fields } = row;
  const names = { payout: ['amount'], result: ['gig_task_id', 'quantity'], gig: [] }[type];
  return canonical([resembling(row), ...names.map((name): Json => fields[name] ?? null)]);
}

const DATES = ['billing_date', 'delivery_date'] as const;

/** By a reference (a result's is its task) or a date that both have, and that differ. */
export function areToldApart(one: Row, other: Row): boolean {
  return ['reference_id', 'gig_task_id', ...DATES].some((name) => differIn(name, one, other));
}

function differIn(name: string, one: Row, other: Row): boolean {
  const [mine, theirs] = [one.fields[name], other.fields[name]];
  return mine !== undefined && theirs !== undefined && mine !== theirs;
}

/** Whether they are the same but for a date that both have. */
export function differInDateAlone(one: Row, other: Row): boolean {
  const dateless = ({ type, fields }: Row): string => {
    const others = Object.entries(fields).filter(([name]) => !DATES.some((date) => date === name));
    return canonical([type, Object.fromEntries(others)]);
  };
  return DATES.some((name) => differIn(name, one, other)) && dateless(one) === dateless(other);
}

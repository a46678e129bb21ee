/** The record types, in the order of totals; payee and purpose of a record. A new type: see CONTRIBUTING.md. */
import { type Body, fieldAt, isJsonKind } from './field.js';
import { gig } from './gig.js';
import type { RecordSchema, RecordType } from './kind.js';
import { payout } from './payout.js';
import { result } from './result.js';

export const KINDS: Readonly<Record<RecordType, RecordSchema>> = { payout, result, gig };

export const RECORD_TYPES = Object.keys(KINDS) as RecordType[];

/** Whether a field takes an object or a list, in any type of record. @param path with dots */
export function takesJson(path: string): boolean {
  return RECORD_TYPES.map((type) => fieldAt(KINDS[type].fields, path)).some((field) =>
    isJsonKind(field?.kind ?? 'text'),
  );
}

/** The fields by which a person recognises a record. Null for a field that is missing or not text. */
export interface Subject {
  readonly userId: string | null;
  readonly title: string | null;
  /** `reference_id` of a payout, `gig_task_id` of a result. */
  readonly referenceId: string | null;
  /** YYYY-MM-DD. */
  readonly date: string | null;
}

/** @param body JSON as it is sent, or the known part of it; null for none */
export function subjectIn(body: string | null, type: RecordType): Subject {
  const members = body === null ? {} : (JSON.parse(body) as Body);
  const text = (name: string | null): string | null => {
    const value = name === null ? undefined : members[name];
    return typeof value === 'string' ? value : null;
  };
  const { reference, date } = KINDS[type];
  return { userId: text('user_id'), title: text('title'), referenceId: text(reference), date: text(date) };
}

/** The same fields of an invalid record, as far as they can be read. */
export function subjectFields(input: Body, type: RecordType): Body {
  const { reference, date } = KINDS[type];
  const names = ['user_id', 'title', reference ?? '', date ?? ''];
  return Object.fromEntries(names.flatMap((name) => (typeof input[name] === 'string' ? [[name, input[name]]] : [])));
}

/** The user of a payout or a result, else the title; empty if there is no body. @param body JSON as it is sent */
export function subjectOf(body: string | null): string {
  if (body === null) return '';
  const { user_id: user, title } = JSON.parse(body) as { user_id?: string; title?: string };
  return user ?? title ?? '';
}

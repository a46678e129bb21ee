/** Keys as the CONTRACT gives them, computed without the program's code. */
import { createHash } from 'node:crypto';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** RFC 8785, for the values that occur here. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value as Record<string, Json>).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

/** A computed key: a UUID of version 8 over batch, type and what identifies the record. */
export function computedKey(
  batch: string,
  type: string,
  by: 'content' | 'columns' | 'replaces',
  value: Readonly<Record<string, Json>>,
  ordinal = 1,
): string {
  const hash = createHash('sha256')
    .update(canonical(['gigwork-key-1', batch, type, by, value, ordinal]))
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/** The digest of a run: its target, and each valid record's key and body in the order of the input. */
export function digestOf(target: string, records: readonly { key: string; body: string }[]): string {
  const hash = createHash('sha256').update(`gigwork-digest-1\n${target}\n`);
  for (const { key, body } of records) hash.update(`${key} ${createHash('sha256').update(body).digest('hex')}\n`);
  return hash.digest('hex');
}

/** Whether a 2xx confirms that the record was created. PURE. CONTRACT: "Sending". */
import type { ResponseRules } from '../../options.js';
import { type Answer, objectIn, valueAt } from './attempt.js';

/** What a 2xx lacks to be a confirmation. */
export type Shortfall =
  | { readonly lacks: 'end' | 'one-status' | 'body' | 'object' | 'success' }
  /** A field that the settings require; its path. */
  | { readonly lacks: 'field'; readonly path: string };

/** Multi-Status (RFC 4918, 11.1): the work has parts, and only the body says of each whether it was done. */
const MULTI_STATUS = 207;

/** What is lacking; null for an answer that confirms. @param answer a 2xx */
export function shortfallOf({ status, body }: Answer, rules: ResponseRules): Shortfall | null {
  // What was not read may say anything.
  if (body === null) return { lacks: 'end' };
  if (status === MULTI_STATUS) return { lacks: 'one-status' };
  // What `require` asks of a body is not asked of an answer that has none, where the service is said to answer so.
  if (isEmpty(body)) return rules.empty ? null : { lacks: 'body' };
  const object = objectIn(body);
  if (object === null) return { lacks: 'object' };
  // Some services answer 200 to everything they understood.
  if (saysThatItFailed(object)) return { lacks: 'success' };
  // Null stands for nothing: `"id": null` is what a service says that has created nothing.
  const path = rules.require.find((required) => (valueAt(object, required) ?? null) === null);
  return path === undefined ? null : { lacks: 'field', path };
}

/** No body, or nothing but white space: a service that sends none may still end a line. */
export function isEmpty(body: string): boolean {
  return body.trim() === '';
}

function saysThatItFailed(object: Readonly<Record<string, unknown>>): boolean {
  if (object['success'] === false || object['ok'] === false) return true;
  return holdsSomething(object['error']) || holdsSomething(object['errors']);
}

/** `"error": null`, `"error": ""` and `"errors": []` say that there is none. A number is something: it may be a code. */
function holdsSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

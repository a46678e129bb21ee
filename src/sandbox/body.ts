/** Request bodies: read with a limit, parsed, and hashed so that equal bodies have equal hashes. */
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { JsonObject } from './rules.js';

export const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** @returns the bytes; 'too-large' when there were more than `MAX_BODY_BYTES`; 'cut' when the connection ended first */
export async function readBody(request: IncomingMessage): Promise<Buffer | 'too-large' | 'cut'> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      // Reads a too large body to its end and drops it: clients see no answer before they have written all of it.
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    }
  } catch {
    return 'cut';
  }
  return size > MAX_BODY_BYTES ? 'too-large' : Buffer.concat(chunks);
}

/** `fault` says why the bytes are not a JSON object. */
export function parseBody(bytes: Buffer): { readonly body: JsonObject } | { readonly fault: string } {
  if (!isUtf8(bytes)) return { fault: 'the body is not UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    return { fault: `the body is not JSON: ${(error as Error).message}` };
  }
  return isObject(value) ? { body: value } : { fault: 'the body is not a JSON object' };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** SHA-256, in hex, of a body as a value: the order of keys, spaces and the spelling of numbers do not matter. */
export function bodyHash(body: JsonObject): string {
  return hash(
    'sha256',
    JSON.stringify(body, (_key, value: unknown) => (isObject(value) ? sorted(value) : value)),
  );
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}

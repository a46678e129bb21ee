/** The bytes of a request: read with a limit, parsed, and hashed so that equal bodies have equal hashes. */
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isObject } from './checks.js';
import type { JsonObject } from './checks.js';

export const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Deeper than any query; bounds the recursion over a body. */
const MAX_DEPTH = 100;

/**
 * Reads a request to its end.
 *
 * @returns the bytes; 'too-large' when there were more than `MAX_BODY_BYTES`; 'cut' when the connection ended first
 */
export function readBody(request: IncomingMessage): Promise<Buffer | 'too-large' | 'cut'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // A body that is too large is still read, and dropped: a client sees no answer before it has written all of it.
      if (size > MAX_BODY_BYTES) chunks.length = 0;
      else chunks.push(chunk);
    });
    request.on('end', () => {
      if (size > MAX_BODY_BYTES) resolve('too-large');
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
    request.on('error', () => resolve('cut'));
    request.on('close', () => resolve('cut'));
  });
}

/** The body as a JSON object, or `fault`: why it is none. */
export function parseBody(bytes: Buffer): { readonly body: JsonObject } | { readonly fault: string } {
  if (!isUtf8(bytes)) return { fault: 'the body is not UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    return { fault: `the body is not JSON: ${(error as Error).message}` };
  }
  if (!isObject(value)) return { fault: 'the body is not a JSON object' };
  if (isDeeperThan(value, MAX_DEPTH)) return { fault: `the body is nested deeper than ${MAX_DEPTH} levels` };
  return { body: value };
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/** SHA-256, in hex, of a body as a value: the order of keys, spaces and the spelling of numbers do not matter. */
export function bodyHash(body: JsonObject): string {
  return hash('sha256', canonical(body));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}

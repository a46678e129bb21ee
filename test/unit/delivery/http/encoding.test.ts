import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../src/delivery/http/encoding.js';

const PLAIN = Buffer.from('{"id":"p1","title":"für"}');
const LIMIT = 1000;

describe('an answer in an encoding', () => {
  it.each<[encoding: string, body: Buffer]>([
    ['gzip', gzipSync(PLAIN)],
    ['X-GZIP', gzipSync(PLAIN)],
    ['deflate', deflateSync(PLAIN)],
    ['deflate', deflateRawSync(PLAIN)],
    ['br', brotliCompressSync(PLAIN)],
    ['deflate, br', brotliCompressSync(deflateSync(PLAIN))],
    ['identity, gzip', gzipSync(PLAIN)],
  ])('%s is read', (encoding, body) => {
    expect(decoded(body, encoding, LIMIT)).toEqual({ bytes: PLAIN });
  });

  it.each<[what: string, encoding: string, body: Buffer]>([
    ['that nobody knows', 'zstd', PLAIN],
    ['inside one that is known', 'zstd, gzip', gzipSync(PLAIN)],
    ['that it does not have', 'gzip', PLAIN],
    ['that is cut off', 'gzip', gzipSync(PLAIN).subarray(0, -9)],
    ['cut off', 'br', brotliCompressSync(PLAIN).subarray(0, -3)],
  ])('%s stays as it came', (_what, encoding, body) => {
    expect(decoded(body, encoding, LIMIT)).toEqual({ bytes: body, encoding });
  });

  it.each<[encoding: string, body: Buffer]>([
    ['gzip', gzipSync(Buffer.alloc(LIMIT + 1))],
    ['deflate', deflateSync(Buffer.alloc(LIMIT + 1))],
    ['br', brotliCompressSync(Buffer.alloc(LIMIT + 1))],
  ])('%s is not read beyond the limit', (encoding, body) => {
    expect(decoded(body, encoding, LIMIT)).toEqual({ bytes: null });
  });
});

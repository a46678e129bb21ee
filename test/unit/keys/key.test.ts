import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/keys/canonical.js';
import { computeKey, sha256, startDigest } from '../../../src/keys/key.js';
import { VECTORS } from './vectors.js';

describe('computed keys', () => {
  it.each(VECTORS.cases)('$name', ({ batch_id, type, kind, value, ordinal, canonical, key }) => {
    expect(canonicalJson(['gigwork-key-1', batch_id, type, kind, value, ordinal])).toBe(canonical);
    expect(computeKey(batch_id, type, kind, canonicalJson(value), ordinal).text).toBe(key);
  });

  it('is the known answer of the contract', () => {
    const body = '{"amount":1200,"cost_center_key":"PP-7","title":"Bonus","user_id":"u1"}';
    expect(computeKey('default', 'payout', 'content', body, 1).text).toBe('4e353669-d28d-8c9e-99b3-1e2c9de495dd');
  });

  it('are those of the hash of the canonical JSON, version and variant aside', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (batch, ordinal) => {
        const key = computeKey(batch, 'result', 'columns', '{"user_id":"u1"}', ordinal).text;
        const hash = sha256(canonicalJson(['gigwork-key-1', batch, 'result', 'columns', { user_id: 'u1' }, ordinal]));
        const masked = (hex: string): string => `${hex.slice(0, 12)}_${hex.slice(13, 16)}_${hex.slice(17, 32)}`;
        expect(masked(key.replaceAll('-', ''))).toBe(masked(hash));
      }),
    );
  });
});

describe('hashes of bodies', () => {
  it.each(VECTORS.bodies)('$name', ({ canonical, sha256: expected }) => {
    expect(sha256(canonical)).toBe(expected);
  });
});

describe('the digest of a run', () => {
  it.each(VECTORS.digests)('$name', ({ target, records, digest: expected }) => {
    const digest = startDigest(target);
    for (const { key, body } of records) digest.add(key, sha256(canonicalJson(body)));
    expect(digest.finish()).toBe(expected);
  });

  it('is SHA-256 over one line for the version, the target and each record, however many there are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string()), { maxLength: 300 }), (records) => {
        const digest = startDigest('sandbox');
        const hashed = records.map(([key, body]) => [key, sha256(body)] as const);
        for (const [key, hash] of hashed) digest.add(key, hash);
        const lines = ['gigwork-digest-1', 'sandbox', ...hashed.map(([key, hash]) => `${key} ${hash}`)];
        expect(digest.finish()).toBe(sha256(lines.map((line) => `${line}\n`).join('')));
      }),
    );
  });
});

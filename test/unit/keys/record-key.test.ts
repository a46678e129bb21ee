import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordKey } from '../../../src/keys/record-key.js';

const words = ({ first, second, third, fourth }: RecordKey): number[] => [first, second, third, fourth];

describe('keys of records', () => {
  it('are the text that they were made of, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.uuid(), fc.uuid({ version: 8 })), (text) => {
        expect(RecordKey.of(text).text).toBe(text);
      }),
    );
  });

  it('are words where they are UUIDs in their usual writing, and differ where those differ', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        expect(RecordKey.of(one).other).toBeNull();
        expect(words(RecordKey.of(one)).join() === words(RecordKey.of(other)).join()).toBe(one === other);
      }),
    );
  });

  it.each([
    ['in capitals', '4E353669-D28D-8C9E-99B3-1E2C9DE495DD'],
    ['without hyphens', '4e353669d28d8c9e99b31e2c9de495dd0000'],
    ['with a letter that is no digit', '4e353669-d28d-8c9e-99b3-1e2c9de495dg'],
    ['with a letter beyond ASCII', '4e353669-d28d-8c9e-99b3-1e2c9de495dä'],
    ['with a hyphen elsewhere', '4e35366-9d28d-8c9e-99b3-1e2c9de495dd'],
    ['that is too long', '4e353669-d28d-8c9e-99b3-1e2c9de495dd0'],
  ])('a UUID %s is another key', (_, text) => {
    expect(RecordKey.of(text).other).toBe(text);
  });

  it('of a hash are its first sixteen bytes with version and variant', () => {
    expect(RecordKey.ofHash('\xff'.repeat(16)).text).toBe('ffffffff-ffff-8fff-bfff-ffffffffffff');
    expect(RecordKey.ofHash('\0'.repeat(16)).text).toBe('00000000-0000-8000-8000-000000000000');
    expect(RecordKey.ofHash('\x01\x23\x45\x67\x89\xab\xcd\xef'.repeat(2)).text).toBe(
      '01234567-89ab-8def-8123-456789abcdef',
    );
  });

  it('of a hash and of its text are the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const key = RecordKey.ofHash(Buffer.from(bytes).toString('latin1'));
        expect(words(RecordKey.of(key.text))).toEqual(words(key));
      }),
    );
  });
});

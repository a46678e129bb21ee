import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SharedReference } from '../../../src/prepare/similar-rows.js';

function sharedBy(references: readonly (number | null)[]): number | null {
  const reference = new SharedReference();
  for (const each of references) reference.add(each);
  return reference.shared;
}

describe('the reference that all records of a file share', () => {
  it.each<[what: string, references: readonly (number | null)[], shared: number | null]>([
    ['none, without records', [], null],
    ['none, of one record', [7], null],
    ['none, of two: they may be one payment twice', [7, 7], null],
    ['that of three', [7, 7, 7], 7],
    ['that of many', Array.from({ length: 50 }, () => -9), -9],
    ['none, where the last one differs', [7, 7, 7, 8], null],
    ['none, where the first one differs', [8, 7, 7, 7], null],
    ['none, where one has none', [7, null, 7, 7], null],
    ['none, where the first one has none', [null, 7, 7, 7], null],
    ['none, where no record has one', [null, null, null], null],
  ])('is %s', (_, references, shared) => {
    expect(sharedBy(references)).toBe(shared);
  });

  it('is the only one that they have, of three or more', () => {
    const reference = fc.option(fc.constantFrom(-1, 1));
    fc.assert(
      fc.property(fc.array(reference, { maxLength: 6 }), (references) => {
        const different = new Set(references);
        const isShared = references.length >= 3 && different.size === 1;
        expect(sharedBy(references)).toBe(isShared ? references[0] : null);
      }),
    );
  });
});

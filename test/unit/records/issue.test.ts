import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownValue } from '../../../src/records/issue.js';

describe('the value that an issue shows', () => {
  it('is the start of the text, at most 200 characters, never half a surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 150, maxLength: 300 }), (text) => {
        const shown = shownValue(text) ?? '';
        expect(text.startsWith(shown)).toBe(true);
        expect(shown.length).toBeLessThanOrEqual(200);
        expect(shown.length).toBeGreaterThanOrEqual(Math.min(text.length, 199));
        expect(Buffer.from(shown).toString()).toBe(shown);
      }),
    );
  });
});

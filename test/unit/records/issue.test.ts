import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, WARNING_CODES, shownValue } from '../../../src/records/issue.js';

describe('issue codes', () => {
  it('are those of the contract that there is something for', () => {
    const errors =
      'missing-field unknown-field duplicate-field wrong-type blank not-allowed out-of-range bad-date bad-number ' +
      'inexact-number ambiguous-number bad-query bad-json bad-csv bad-encoding no-records duplicate-column ' +
      'header-like-data duplicate-key key-conflict price-conflict missing-one-of missing-companion created-before ' +
      'open-before similar-record replaces-unknown not-rejected wrong-batch lost-zeros results-file not-positive ' +
      'total-row example-row';
    const warnings =
      'end-before-start milliseconds seats-order unknown-currency distant-date unknown-operator surrounding-space ' +
      'leading-apostrophe identical-rows unpriced open-unknown rejected-left known-elsewhere no-currency sub-cent';
    expect([...ERROR_CODES].sort()).toEqual(errors.split(' ').sort());
    expect([...WARNING_CODES].sort()).toEqual(warnings.split(' ').sort());
  });
});

describe('the value that an issue shows', () => {
  it.each<[unknown, string | null]>([
    [undefined, null],
    ['', ''],
    [null, 'null'],
    [1.5, '1.5'],
    [{ a: [1, 'b'] }, '{"a":[1,"b"]}'],
    [`${'x'.repeat(199)}😀`, 'x'.repeat(199)],
    [`${'x'.repeat(198)}😀y`, `${'x'.repeat(198)}😀`],
  ])('%j', (value, shown) => {
    expect(shownValue(value)).toBe(shown);
  });

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

import { describe, expect, it } from 'vitest';
import { concludeMarks, type MarkEvidence, markEvidence, seeNumber } from '../../../../src/input/setup/number-marks.js';

const LINE = 2;

function evidence(values: readonly string[], isFactor = false): MarkEvidence {
  const seen = markEvidence();
  values.forEach((value, i) => seeNumber(seen, value, i + LINE, isFactor));
  return seen;
}

const conclude = (values: readonly string[]) => concludeMarks([{ name: 'Betrag', evidence: evidence(values) }]);

describe('the decimal mark of a column', () => {
  it.each<[values: string[], certainty: string, mark: string | null]>([
    // Nothing to say: plain numbers with a point, which are read as they stand.
    [['1200', '5'], 'nothing', null],
    [['1200.50', '-12.5'], 'nothing', null],
    [['0.500'], 'nothing', null],
    [[], 'nothing', null],
    // One reading only.
    [['1.200,50'], 'proven', 'comma'],
    [['12,50'], 'proven', 'comma'],
    [['1200,5', '1200'], 'proven', 'comma'],
    [['1.234.567'], 'proven', 'comma'],
    [['0,500'], 'proven', 'comma'],
    [["1'200,50"], 'proven', 'comma'],
    [['1 200,50'], 'proven', 'comma'],
    [['1,200.50'], 'proven', 'point'],
    [['1,234,567'], 'proven', 'point'],
    [["1'200.50"], 'proven', 'point'],
    [['1,200', '12.50'], 'proven', 'point'],
    [['1.200', '12,50'], 'proven', 'comma'],
    // Three decimals, as some currencies have them, are no surprise where every number has them.
    [['1234.500', '1.234'], 'proven', 'point'],
    [['0,125', '1,234'], 'proven', 'comma'],
    // Two readings, and nothing that decides.
    [['1.234'], 'likely', 'comma'],
    [['1,234'], 'likely', 'point'],
    [['1,234', '1.234'], 'open', null],
    [['1.234', '1200'], 'likely', 'comma'],
    [['1 234'], 'open', null],
    [["1'234"], 'open', null],
    // A number with three decimals among others with two may be one with thousands from another hand.
    [['1200.50', '1.234'], 'likely', 'point'],
    [['12,50', '1,234'], 'likely', 'comma'],
    // Two ways in one column.
    [['1.200,50', '1,200.50'], 'conflict', null],
    [['12.50', '12,50'], 'conflict', null],
    [['1.234', '12.50', '12,50'], 'conflict', null],
    // What is no number proves nothing.
    [['12,50', 'n/a', '-'], 'proven', 'comma'],
    [['n/a'], 'nothing', null],
  ])('%j: %s, %s', (values, certainty, mark) => {
    expect(conclude(values)).toMatchObject({ certainty, value: mark });
  });

  it('counts what is no number', () => {
    expect(evidence(['12,50', 'n/a', '-'])).toMatchObject({ unread: 2, filled: 3, none: { line: 3, typed: 'n/a' } });
  });
});

describe('the decimal mark of a file', () => {
  const both = (one: string[], two: string[], isFactor = false) =>
    concludeMarks([
      { name: 'amount', evidence: evidence(one) },
      { name: 'factor', evidence: evidence(two, isFactor) },
    ]);

  it.each<[string[], string[], string, string | null]>([
    [['12,50'], ['3'], 'proven', 'comma'],
    [['3'], ['12,50'], 'proven', 'comma'],
    [['1,234.50'], ['0.5'], 'proven', 'point'],
    // Another column proves nothing about this one.
    [['1.234'], ['12,50'], 'likely', 'comma'],
    [['12,50'], ['12.50'], 'conflict', null],
  ])('%j and %j: %s, %s', (one, two, certainty, mark) => {
    expect(both(one, two)).toMatchObject({ certainty, value: mark });
  });

  it('knows that a multiplier is below ten', () => {
    expect(both(['3'], ['1.250'], true)).toMatchObject({ certainty: 'nothing' });
    expect(both(['3'], ['1,250'], true)).toMatchObject({ certainty: 'proven', value: 'comma' });
    expect(both(['12,50'], ['1.250'], true)).toMatchObject({ certainty: 'conflict' });
  });
});

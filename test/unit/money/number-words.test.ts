import { expect, it } from 'vitest';
import { numberWords } from '../../../src/money/number-words.js';

it.each<[string, string]>([
  ['0', 'zero'],
  ['12.50', 'twelve and 50 cents'],
  ['1200.50', 'one thousand two hundred and 50 cents'],
  ['1200.05', 'one thousand two hundred and 5 cents'],
  ['1234', 'one thousand two hundred and thirty-four'],
  ['1.234', 'one point two three four'],
  ['-100.00', 'minus one hundred'],
  ['1000019', 'one million nineteen'],
  ['1002000000', 'one billion two million'],
  ['1234567890123456', '1234567890123456'],
])('%s is %s', (text, words) => {
  expect(numberWords(text, true)).toBe(words);
});

it('knows cents in money alone', () => {
  expect(numberWords('1.25', false)).toBe('one point two five');
});

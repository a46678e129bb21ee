/** Numbers as words. Unlike digits with marks, they have only one reading. */

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const THOUSANDS = ['', ' thousand', ' million', ' billion', ' trillion'];
const LARGEST_DIGITS = 3 * THOUSANDS.length;

/**
 * `1200.50` → `one thousand two hundred and 50 cents`; `1.234` → `one point two three four`.
 * @param text in JSON's notation, without an exponent
 * @param isMoney one or two decimals are cents
 */
export function numberWords(text: string, isMoney: boolean): string {
  const [, minus = '', whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole.length > LARGEST_DIGITS) return text;
  const words = `${minus === '' ? '' : 'minus '}${wholeWords(whole)}`;
  if (/^0*$/.test(decimals)) return words;
  if (isMoney && decimals.length <= 2) return `${words} and ${Number(decimals.padEnd(2, '0'))} cents`;
  return `${words} point ${Array.from(decimals, (digit) => SMALL[Number(digit)]).join(' ')}`;
}

function wholeWords(digits: string): string {
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const named = groups.map((group, i) => ({ value: Number(group), name: THOUSANDS[groups.length - 1 - i] ?? '' }));
  const words = named.filter(({ value }) => value > 0).map(({ value, name }) => `${hundreds(value)}${name}`);
  return words.length === 0 ? 'zero' : words.join(' ');
}

function hundreds(value: number): string {
  const hundred = Math.floor(value / 100);
  const rest = value % 100;
  const head = hundred === 0 ? '' : `${SMALL[hundred]} hundred`;
  if (rest === 0) return head;
  const tail =
    rest < 20 ? SMALL[rest] : [TENS[Math.floor(rest / 10)], ...(rest % 10 === 0 ? [] : [SMALL[rest % 10]])].join('-');
  return head === '' ? (tail ?? '') : `${head} and ${tail}`;
}

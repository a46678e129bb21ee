/** The sign or the code of a currency beside an amount. CONTRACT: `--currency-signs`. */
import { SPACES } from './numbers.js';

/** An amount apart from its sign. */
export interface SignedAmount {
  /** As it was typed: `£`, `kr`, `EUR`. */
  readonly sign: string;
  /** The currencies that use it, the likeliest first. */
  readonly currencies: readonly string[];
  /** Everything else of the text, with the minus in front of it. */
  readonly number: string;
}

const DOLLARS = 'USD/CAD/AUD/NZD/SGD/HKD/TWD/BBD/BMD/BND/BSD/BZD/FJD/GYD/JMD/KYD/LRD/NAD/SBD/SRD/TTD/XCD';

/**
 * Currencies, each with its signs as they are written. A sign that several currencies share agrees with each of them; one
 * that a few islands share with a large currency (`£`) stands for that one alone.
 */
const WRITTEN = [
  'EUR €; GBP £; INR ₹; RUB ₽; UAH ₴; TRY ₺; ILS ₪; KRW ₩; THB ฿; VND ₫; PHP ₱; NGN ₦; GHS ₵; CRC ₡; KZT ₸; GEL ₾; AZN ₼',
  'USD US$; CAD C$ CA$; AUD A$ AU$; NZD NZ$; SGD S$; HKD HK$; TWD NT$; BRL R$; PLN zł; CZK Kč; HUF Ft; RON lei; BGN лв лв.',
  'JPY 円; CNY 元; JPY/CNY ¥ ￥; CHF Fr Fr. SFr SFr. sFr.; SEK/NOK/DKK/ISK kr kr. Kr Kr.',
  `${DOLLARS} $`,
].join('; ');

/** The currencies that a sign stands for. */
const SIGNS = new Map<string, readonly string[]>(
  WRITTEN.split('; ').flatMap((entry) => {
    const [codes = '', ...signs] = entry.split(' ');
    return signs.map((sign) => [sign, codes.split('/')] as const);
  }),
);

const escaped = (sign: string): string => sign.replace(/[$.]/g, '\\$&');
const SIGN = `(${[...SIGNS.keys()].map(escaped).join('|')}|[A-Z]{3})`;
/** `$5`, `-$5`, `EUR -5`: one minus at most. */
const BEFORE = new RegExp(`^(-?)${SIGN}[${SPACES}]*(\\d.*)$|^${SIGN}[${SPACES}]*(-\\d.*)$`, 'su');
/** `5 €`, `-5,50 EUR` */
const BEHIND = new RegExp(`^(-?\\d.*?)[${SPACES}]*${SIGN}$`, 'su');

/** No amount is longer. The patterns restart at every digit: a huge cell would take over an hour. */
const LONGEST_NUMBER = 100;

/** Null for an amount without a sign, and for any text in which a sign stands elsewhere. @param typed trimmed */
export function splitSign(typed: string): SignedAmount | null {
  const last = typed.charCodeAt(typed.length - 1);
  if (isDigit(typed.charCodeAt(typed.charCodeAt(0) === MINUS ? 1 : 0)) && isDigit(last)) return null;
  if (typed.length > LONGEST_NUMBER) return null;
  const before = BEFORE.exec(typed);
  if (before !== null) {
    const [, minus = '', sign = before[4] ?? '', rest = before[5] ?? ''] = before;
    return signedAmount(sign, `${minus}${rest}`);
  }
  const [, number, sign = ''] = BEHIND.exec(typed) ?? [];
  return number === undefined ? null : signedAmount(sign, number);
}

const MINUS = 0x2d;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The currencies that a sign or a code stands for; null for a text that is neither. */
export function currenciesOf(sign: string): readonly string[] | null {
  return SIGNS.get(sign) ?? (/^[A-Z]{3}$/.test(sign) ? [sign] : null);
}

/** Three capitals that are no sign are a code, of whatever currency. */
function signedAmount(sign: string, number: string): SignedAmount {
  return { sign, currencies: SIGNS.get(sign) ?? [sign], number };
}

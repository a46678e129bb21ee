/** The sign or the code of a currency next to an amount. CONTRACT: `--currency-signs`. */
import { SPACES } from './numbers.js';

export interface SignedAmount {
  /** As typed: `£`, `kr`, `EUR`. */
  readonly sign: string;
  /** The currencies that use it, the likeliest first. */
  readonly currencies: readonly string[];
  /** The rest of the text, with the minus in front of it. */
  readonly number: string;
}

const DOLLARS = 'USD/CAD/AUD/NZD/SGD/HKD/TWD/BBD/BMD/BND/BSD/BZD/FJD/GYD/JMD/KYD/LRD/NAD/SBD/SRD/TTD/XCD';

/**
 * Currencies, each with its signs as they are written. A sign that several currencies share agrees with each of them;
 * one that a few islands share with a large currency (`£`) means only that currency.
 */
const WRITTEN = [
  'EUR €; GBP £; INR ₹; RUB ₽; UAH ₴; TRY ₺; ILS ₪; KRW ₩; THB ฿; VND ₫; PHP ₱; NGN ₦; GHS ₵; CRC ₡; KZT ₸; GEL ₾; AZN ₼',
  'USD US$; CAD C$ CA$; AUD A$ AU$; NZD NZ$; SGD S$; HKD HK$; TWD NT$; BRL R$; PLN zł; CZK Kč; HUF Ft; RON lei; BGN лв лв.',
  'JPY 円; CNY 元; JPY/CNY ¥ ￥; CHF Fr Fr. SFr SFr. sFr.; SEK/NOK/DKK/ISK kr kr. Kr Kr.',
  `${DOLLARS} $`,
].join('; ');

/** Sign → its currencies. */
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

/** Null for an amount without a sign, and for a text with a sign elsewhere. @param typed trimmed */
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

/** The currencies of a sign or a code; null for any other text. */
export function currenciesOf(sign: string): readonly string[] | null {
  return SIGNS.get(sign) ?? (/^[A-Z]{3}$/.test(sign) ? [sign] : null);
}

/** Three capitals that are not a sign are a code, of whatever currency. */
function signedAmount(sign: string, number: string): SignedAmount {
  return { sign, currencies: SIGNS.get(sign) ?? [sign], number };
}

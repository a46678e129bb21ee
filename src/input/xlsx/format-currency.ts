/** The currency that a number format shows: `€` of `[$€-407]`. */
import { currenciesOf, splitSign } from '../numbers.js';

export interface ShownCurrency {
  /** As a person sees it. */
  readonly sign: string;
  /** The codes of the currencies that it can stand for. Of a sign that is not known, the sign itself. */
  readonly codes: readonly string[];
}

/** `[$SIGN-LANGUAGE]`: a sign, or a language alone. */
export const CURRENCY_TAG = /\[\$([^\]-]*)(?:-([^\]]*))?\]/g;

/** Signs that spreadsheets write into formats, beside those that people write with amounts. Arabic ones without marks of direction. */
const FORMAT_SIGNS = new Map<string, readonly string[]>(
  [
    'IDR Rp Rp.; MYR RM; ZAR R; PEN S/ S/.; BOB Bs Bs. $b; VES Bs.S; PAB B/.; GTQ Q; HNL L L.; NIO C$; DOP RD$; JMD J$',
    'TTD TT$; BZD BZ$; UYU $U; PYG Gs Gs. ₲; MNT ₮; LAK ₭; KHR ៛; BDT ৳; INR/PKR/LKR/NPR/MUR Rs Rs. ₨; LKR රු.; AFN ؋',
    'IRR ريال ﷼ ریال; KGS сом; UZS сўм soʻm; AZN ман. man.; AMD դր. ֏; GEL Lari; ALL Lek Lekë; RSD Din. din. дин. РСД',
    'BAM KM КМ; MKD ден. ден; HRK kn; UAH грн. грн; RUB р. руб. руб р; BYN Br; MDL L lei; ISK kr. ISK; PHP Php PhP; KES KSh Ksh',
    'ETB ብር; XOF/XAF CFA FCFA; TZS TSh; UGX USh; CNY/JPY 元 圆 円; CNY RMB; KRW 원; HKD HK$; TWD NT$; MXN MX$; EUR Euro EURO',
    'AED د.إ.; BHD د.ب.; DZD د.ج.; EGP ج.م.; IQD د.ع.; JOD د.ا.; KWD د.ك.; LBP ل.ل.; LYD د.ل.; MAD د.م.; OMR ر.ع.; QAR ر.ق.',
    'SAR ر.س.; SYP ل.س.; TND د.ت.; YER ر.ي.; ILS NIS; PLN zl; CHF SFr. CHF Fr; SEK/NOK/DKK/ISK kr kr.',
  ]
    .join('; ')
    .split('; ')
    .flatMap((entry) => {
      const [codes = '', ...signs] = entry.split(' ');
      return signs.map((sign) => [sign, codes.split('/')] as const);
    }),
);

/** By the number of a language: the currency that is written `$` there, and is not a dollar. */
const PESOS = new Map(
  Object.entries({ '80A': 'MXN', '2C0A': 'ARS', '340A': 'CLP', '240A': 'COP', '380A': 'UYU', '1C0A': 'DOP' }),
);

/** Marks of the direction of writing. */
const DIRECTION_MARKS = /[\u200e\u200f\u061c]/g;

/** @param language the number of a language, as formats have it; empty if it has none */
function shownCurrency(written: string, language = ''): ShownCurrency {
  const sign = written.replace(DIRECTION_MARKS, '').trim();
  const code = /^[a-z]{3}$/i.test(sign) ? sign.toUpperCase() : sign;
  const known = [...(currenciesOf(sign) ?? []), ...(FORMAT_SIGNS.get(sign) ?? [])];
  const peso = sign === '$' ? PESOS.get(language.toUpperCase()) : undefined;
  if (peso !== undefined) known.push(peso);
  return { sign, codes: known.length > 0 ? [...new Set(known)] : [code] };
}

/** Whether the sign alone, in another format, would stand for the same currencies. */
export function isPlainSign({ sign, codes }: ShownCurrency): boolean {
  return shownCurrency(sign).codes.join() === codes.join();
}

/** The currencies in the tags of a format. */
export function taggedCurrencies(code: string): ShownCurrency[] {
  const found = new Map<string, ShownCurrency>();
  for (const [, written = '', language] of code.matchAll(CURRENCY_TAG)) {
    const currency = shownCurrency(written, language);
    if (currency.sign !== '') found.set(currency.codes.join(), currency);
  }
  return [...found.values()];
}

const WORDS = /[^\d\s()\-\u2212.,'’]+\.?/g;

/** The currency that is shown with a number, and the rest of the text; null if there is none. */
export function splitCurrency(seen: string): { readonly currency: ShownCurrency; readonly number: string } | null {
  const signed = splitSign(seen);
  if (signed !== null) return { currency: shownCurrency(signed.sign), number: signed.number };
  const [sign, other] = seen.match(WORDS) ?? [];
  if (sign === undefined || other !== undefined || !FORMAT_SIGNS.has(sign)) return null;
  return { currency: shownCurrency(sign), number: seen.replace(sign, '').trim() };
}

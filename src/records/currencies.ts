/** Currencies: their codes, their decimals, and how people read amounts in them. */
import { type Decimal, decimalsOf, groupThousands } from '../money/decimal.js';
import { RECORD_INFO, type RecordType } from './types.js';

/** The active codes of ISO 4217 (list one, January 2026). Any other code gets a warning, never an error. */
const CODES =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG';

export const CURRENCIES: ReadonlySet<string> = new Set(CODES.split(' '));

/** Currencies that do not have two decimals, by number of decimals (ISO 4217, minor units). */
const MINOR_UNITS: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];
/** Metals, units of account and test codes: ISO 4217 defines no minor unit for them. */
const NO_MINOR_UNIT = 'XAD XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX';

const DIGITS: ReadonlyMap<string, number | null> = new Map([
  ...MINOR_UNITS.flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, digits] as const)),
  ...NO_MINOR_UNIT.split(' ').map((code) => [code, null] as const),
]);

/** 2 for EUR, 0 for JPY; null if not known. */
export function currencyDigits(code: string | null): number | null {
  if (code === null || !CURRENCIES.has(code)) return null;
  const digits = DIGITS.get(code);
  return digits === undefined ? 2 : digits;
}

/** With one decimal, an amount looks as if a digit were lost. */
const LEAST = 2;

/**
 * The fewest decimals to show: those of the currency, and 0 for amounts in cents. Null if not known: then all amounts
 * of one kind get the same number.
 */
export function leastDigits(type: string, currency: string | null): number | null {
  return RECORD_INFO[type as RecordType].unit === null ? currencyDigits(currency) : null;
}

/** The fewest decimals for amounts without known digits, when one of them needs `most`. */
export function commonDigits(most: number): number {
  return Math.min(most, 1) * LEAST;
}

/** `1,234.50 EUR`, `900 JPY`, `6,750 EUR cents`. Without its unit, the last would be read as 6,750 EUR. */
export function moneyText(amount: Decimal, currency: string | null, type: string): string {
  const digits = leastDigits(type, currency) ?? commonDigits(decimalsOf(amount));
  const { unit } = RECORD_INFO[type as RecordType];
  return [groupThousands(amount, digits), currency, unit].filter((word) => word !== null).join(' ');
}

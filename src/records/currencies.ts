/** The active currency codes of ISO 4217 (list one, January 2026). A code that is not here is doubted, never refused. */

const CODES =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG';

export const CURRENCIES: ReadonlySet<string> = new Set(CODES.split(' '));

/** Digits behind the point that are not two, after ISO 4217; null for what has no smaller unit. */
const DIGITS: readonly (readonly [digits: number | null, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
  [null, 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'],
];
const OTHER_DIGITS = new Map(DIGITS.flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, digits])));

/** How many digits amounts of a currency have behind the point: 2 for EUR, 0 for JPY. Null for a code that is not known. */
export function currencyDigits(code: string): number | null {
  if (!CURRENCIES.has(code)) return null;
  const digits = OTHER_DIGITS.get(code);
  return digits === undefined ? 2 : digits;
}

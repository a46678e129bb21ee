/**
 * Usual names of columns in ordinary files, in English and German, and their fields. Each field has two lists. A `sure`
 * name is that field with practical certainty, and no ordinary file has two columns of such names for one field. A
 * `likely` name is only ever suggested to a person.
 */
import { CURRENCIES } from '../records/currencies.js';
import { fieldAt } from '../records/fields.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import type { RecordType } from '../records/types.js';

export interface UsualField {
  /** Dot path. */
  readonly field: string;
  /** Whether the name is the field with practical certainty; otherwise it is only likely. */
  readonly exact: boolean;
}

interface Names {
  readonly sure?: string;
  readonly likely?: string;
}

const DATES: Names = {
  sure: 'leistungsdatum',
  likely:
    'date datum tag buchungstag buchungsdatum valuta valutadatum wertstellung belegdatum rechnungsdatum zahldatum zahltag zahlungsdatum abrechnungsdatum arbeitstag einsatztag einsatzdatum workdate dateofwork paymentdate datepaid paiddate transactiondate postingdate bookingdate valuedate invoicedate awarddate',
};

/** Folded as {@link normalizeName} does, with spaces between them. */
const SYNONYMS: Readonly<Record<string, Names>> = {
  user_id: {
    sure: 'benutzerid nutzerid',
    likely:
      'user userno usernumber username benutzer nutzer worker workerid workername freelancer freelancerid contractor contractorid employee employeeid employeeno employeenumber employeename staffid staffno payrollnumber payrollno mitarbeiter mitarbeiterid mitarbeiternr mitarbeiternummer personalnr personalnummer persnr payee payeename recipient recipientname beneficiary beneficiaryname empfanger empfaenger empfangername zahlungsempfanger zahlungsempfaenger begunstigter beguenstigter begunstigterzahlungspflichtiger beguenstigterzahlungspflichtiger auftraggeberbegunstigter auftraggeberempfanger namezahlungsbeteiligter supplier suppliername supplierid supplierno suppliernumber vendor vendorname vendorid vendorno vendornumber lieferant lieferantennr lieferantennummer kreditor kreditornr kreditorennummer name fullname iban kontonummer konto kontonr account accountno accountnumber email emailaddress mail wallet walletaddress',
  },
  amount: {
    sure: 'betrag zahlbetrag zahlungsbetrag auszahlungsbetrag uberweisungsbetrag ueberweisungsbetrag payoutamount paymentamount',
    likely:
      'amt amountpaid paidamount amountdue netamount grossamount totalamount total sum summe netto brutto net gross nettobetrag bruttobetrag gesamtbetrag rechnungsbetrag umsatz umsatzohnesollhabenkz wert value preis price pay payment payout auszahlung zahlung lohn honorar verdienst vergutung verguetung pramie praemie salary wage wages fee reward bonus spend credit debit haben soll amountawarded grantamount',
  },
  title: {
    sure: 'titel',
    likely:
      'verwendungszweck buchungstext betreff bezeichnung text zweck zahlungsgrund grund leistung tatigkeit taetigkeit purpose subject reason narrative memo paymentdetails paymentreference expensetype expensearea task taskname aufgabe job jobtitle service',
  },
  description: {
    sure: 'beschreibung',
    likely:
      'bemerkung bemerkungen kommentar kommentare anmerkung anmerkungen notiz notizen erlauterung comment comments note notes remark remarks details summary',
  },
  billing_date: DATES,
  delivery_date: DATES,
  currency: {
    sure: 'wahrung waehrung wahrungscode waehrungscode currencycode ccy',
    likely: 'whg wkz wkzumsatz cur curr devise isocode',
  },
  cost_center_key: {
    sure: 'kostenstelle costcenter costcentre costcentercode costcentrecode',
    likely:
      'kst kostenstellennummer kostenstellennr kost kost1 kost1kostenstelle kostentrager kostentraeger department departmentfamily abteilung entity projekt projektnr projektnummer project projectcode projectno projectnumber costobject budget',
  },
  'cost_center_data.customer_id': { likely: 'customerid kundennr kundennummer customerno customernumber' },
  'cost_center_data.company': { likely: 'company firma unternehmen' },
  reference_id: {
    sure: 'referenzid',
    likely:
      'referenz reference ref refno belegnr belegnummer belegfeld1 rechnungsnr rechnungsnummer rechnung invoice invoiceno invoicenumber transactionid transactionno transactionnumber transaktionsid orderid orderno ordernumber auftragsnr auftragsnummer kundenreferenz documentno documentnumber voucherno grantid grantno grantnumber awardid awardno awardnumber paymentid id',
  },
  gig_task_id: { likely: 'task taskid taskno taskkey tasknumber aufgabe aufgabenid aufgabennr' },
  quantity: {
    sure: 'menge qty',
    likely: 'anzahl stuck stueck stuckzahl stueckzahl units unit pieces count number hours stunden',
  },
  multiplier: { sure: 'multiplikator', likely: 'faktor factor' },
  base_price: { likely: 'price unitprice preis einzelpreis stuckpreis stueckpreis grundpreis rate satz stundensatz' },
  url: { likely: 'link webseite website' },
  start_at: { likely: 'start beginn anfang startdate starttime startdatum' },
  end_at: { likely: 'end ende enddate endtime enddatum' },
  total_seats: { likely: 'seats platze plaetze' },
};

/** By the folded name, for each type. */
const TABLES = new Map<RecordType, ReadonlyMap<string, UsualField>>();

function tableOf(type: RecordType): ReadonlyMap<string, UsualField> {
  const known = TABLES.get(type);
  if (known !== undefined) return known;
  const fields = RECORD_SCHEMAS[type].inputFields;
  const table = new Map<string, UsualField>();
  const add = (names: string | undefined, field: string, exact: boolean): void => {
    for (const name of names?.split(' ') ?? []) if (!table.has(name)) table.set(name, { field, exact });
  };
  for (const { name } of fields) add(normalizeName(name), name, true);
  const usual = Object.entries(SYNONYMS).filter(([field]) => fieldAt(fields, field) !== null);
  for (const [field, { sure }] of usual) add(sure, field, true);
  for (const [field, { likely }] of usual) add(likely, field, false);
  TABLES.set(type, table);
  return table;
}

/** Removes differences in case, spaces, punctuation and accents. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

const LONGEST_COLUMN_NAME = 80;

/** The usual field of a column with this name, or null. `Amount (EUR)` is an amount; this does not set its currency. */
export function fieldBySynonym(name: string, type: RecordType): UsualField | null {
  if (name.length > LONGEST_COLUMN_NAME) return null;
  const table = tableOf(type);
  const found = table.get(normalizeName(name)) ?? amountIn(name, table);
  return found ?? likelyByEnd(name, table);
}

/** `Betrag EUR`, `Amount (£)`, `Umsatz in EUR` */
function amountIn(name: string, table: ReadonlyMap<string, UsualField>): UsualField | null {
  const [, start = '', sign = ''] =
    /^(.*?)[\s_]*[([]?(?:(?<!\p{L})in\s+)?(\p{Sc}|(?<!\p{L})[A-Z]{3})[)\]]?$/u.exec(name.trim()) ?? [];
  if (sign.length === 3 && !CURRENCIES.has(sign)) return null;
  const found = table.get(normalizeName(start));
  return found?.field === 'amount' ? found : null;
}

/** Last parts of German compounds. */
const ENDS = ['betrag', 'datum', 'wahrung', 'waehrung', 'kostenstelle'];

/** `Net amount`, `Rechnungsbetrag netto`, `Buchungswährung`: the last word, or its end, shows the meaning. */
function likelyByEnd(name: string, table: ReadonlyMap<string, UsualField>): UsualField | null {
  const words = name
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map(normalizeName)
    .filter((word) => word !== '');
  const last = table.get(words.at(-1) ?? '');
  const end = ENDS.find((ending) => words.some((word) => word.endsWith(ending))) ?? '';
  const found = last?.exact === true ? last : table.get(end);
  return found === undefined ? null : { field: found.field, exact: false };
}

/** Whether only the last word of a name shows its field: `Original currency`. */
export function isByLastWord(name: string, type: RecordType): boolean {
  const table = tableOf(type);
  const isWhole = table.has(normalizeName(name)) || amountIn(name, table) !== null;
  return !isWhole && name.length <= LONGEST_COLUMN_NAME && likelyByEnd(name, table) !== null;
}

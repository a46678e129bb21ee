/** Columns that show whether a row is to be paid at all. */
import { normalizeName } from '../input/column-synonyms.js';
import type { ColumnProfile } from './column-profiles.js';

/** A column that shows whether a row is to be paid at all: debit or credit, or a status. */
export interface StatusColumn {
  readonly column: string;
  /** What it shows: `a status`. */
  readonly shows: string;
}

interface StatusMark {
  readonly shows: string;
  /** Folded names of such columns, with any words. */
  readonly names: RegExp;
  /** Folded words of such columns, under any name. */
  readonly words: ReadonlySet<string>;
  /** Already one word shows what the column is. */
  readonly isClear: boolean;
}

const wordSet = (...lines: string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')));

const STATUS_MARKS: readonly StatusMark[] = [
  {
    shows: 'debit and credit',
    isClear: true,
    names:
      /^(?:sh|dc|crdr|drcr|vorzeichen|sign)$|sollhaben|habensoll|debitcredit|creditdebit|debetcredit|afbij|^sens$|^direction$/,
    words: wordSet(
      'haben soll cr dr ct dt credit debit debet kredit crdt dbit gutschrift lastschrift belastung ausgang eingang ausgabe',
      'einnahme in out af bij income expense deposit withdrawal receipt cargo abono accredito addebito dare avere uznanie',
      'obciazenie debe haber',
    ),
  },
  {
    shows: 'a status',
    isClear: true,
    names:
      /status|statut|zustand|^etat$|estado|^stato$|stav$|freigabe|freigegeben|genehmigt|approved|approval|cancel|storn|annul|void|^(?:is)?paid$|^bezahlt$|^gezahlt$|^ausgezahlt$|^paye$|^pagado$|^pagato$|^betaald$|^zaplacon[oey]$|^reversed$|^posted$|^booked$|^gebucht$|^gesperrt$|^betalt$|^utbetalt$|^maksettu$|^fizetve$|^odendi$|^placeno$|^clearing(?:document|doc)?$|^ausgleichsbeleg$|^ausgleich$/,
    words: wordSet(
      'paid unpaid open pending approved rejected declined cancelled canceled void voided draft failed returned reversed',
      'completed complete processed authorised authorized posted unposted booked hold onhold new closed queued reversal',
      'bezahlt unbezahlt offen genehmigt abgelehnt storniert storno entwurf ausgefuhrt ausgefuehrt fehlgeschlagen freigegeben',
      'gesperrt gebucht vorgemerkt paye payee annule annulee enattente valide validee rejete rejetee brouillon pagado',
      'pendiente anulado rechazado aprobado pagato annullato inattesa approvato betaald openstaand geannuleerd goedgekeurd',
      'zaplacono anulowano oczekuje',
    ),
  },
  {
    shows: 'yes and no',
    isClear: false,
    names: /^(?:yesno|janein)$/,
    words: wordSet(
      'yes no ja nein nee nej si oui non sim nao tak nie ano ne da igen nem evet hayir kylla ei да нет wahr falsch true false',
    ),
  },
  {
    shows: 'payments and other rows',
    isClear: false,
    names:
      /^(?:(?:transaction|payment|transaktions?|zahlungs?|buchungs?|umsatz)(?:type|typ|art)|type|typ|tipus|druh|rodzaj)$/,
    words: wordSet(
      'payment payments payout refund refunds fee fees chargeback charge adjustment transfer rechnung hourly fixedprice',
      'milestone bonus massenzahlung masspayment bankgutschrift gebuhr gebuehr erstattung ruckzahlung rueckzahlung',
    ),
  },
];

/** Signs and letters mean something only in pairs. */
const PAIRS: ReadonlySet<string> = new Set(['h s', 'c d', 'd k', '+ -']);

/** Null for any other column. In one that marks rows, other words may stand as well: `DEBIT`, `CREDIT`, `FEE`. */
export function statusColumn(column: string, profile: ColumnProfile): StatusColumn | null {
  const { words, hasDecimals } = profile;
  if (words === null || words.size === 0 || profile.areDates) return null;
  const values = [...words.keys()].map((word) => word.toLowerCase());
  const letters = [...new Set(values)].filter((value) => value.length === 1).toSorted();
  const isPair = letters.some((one, i) => letters.slice(i + 1).some((other) => PAIRS.has(`${one} ${other}`)));
  const isNamed = ({ names }: StatusMark): boolean => names.test(normalizeName(column)) && !hasDecimals;
  const isWorded = (mark: StatusMark): boolean => {
    const known = values.filter((value) => hasWord(mark, value)).length;
    return known * 2 >= values.length && (known > 1 || (values.length === 1 && mark.isClear));
  };
  const mark = STATUS_MARKS.find(
    (each, i) => isNamed(each) || isWorded(each) || (i === 0 && isPair && values.length <= 3),
  );
  return mark === undefined ? null : { column, shows: mark.shows };
}

/** `Umsatz gebucht` has the word of a status. */
function hasWord({ words }: StatusMark, value: string): boolean {
  return words.has(normalizeName(value)) || value.split(/\s+/).some((part) => words.has(normalizeName(part)));
}

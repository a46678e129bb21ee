/** Columns that show whether a row is to be paid at all: debit or credit, or a status. */
import type { ColumnEvidence } from './evidence.js';

export interface Marking {
  readonly column: string;
  readonly what: 'debit and credit' | 'a status';
}

/** Words in exports for money in or out: each pair in alphabetical order. */
const DIRECTIONS: ReadonlySet<string> = new Set([
  ...['h s', 'haben soll', 'c d', 'd k', 'cr dr', 'ct dt', 'credit debit', 'credit debet', 'debet kredit', 'crdt dbit'],
  ...['gutschrift lastschrift', 'belastung gutschrift', 'gutschrift rechnung', 'ausgang eingang', 'ausgabe einnahme'],
  ...[
    'in out',
    'af bij',
    '+ -',
    'expense income',
    'deposit withdrawal',
    'payment receipt',
    'cargo abono',
    'abono cargo',
  ],
  ...['crédit débit', 'accredito addebito', 'dare avere', 'avere dare', 'uznanie obciążenie', 'debe haber'],
]);

/** Folded names of such columns, whatever their words are. */
const DIRECTION_NAME =
  /^(?:sh|dc|crdr|drcr)$|sollhaben|habensoll|debitcredit|creditdebit|debetcredit|afbij|^sens$|^direction$/;
const STATUS_NAME =
  /status|statut|zustand|^etat$|estado|^stato$|stav$|freigabe|freigegeben|genehmigt|approved|approval|cancelled|storniert/;

const STATUS_WORDS: ReadonlySet<string> = new Set(
  [
    'paid unpaid open pending approved rejected declined cancelled canceled void voided draft failed returned reversed',
    'completed complete processed authorised authorized posted unposted hold onhold new closed queued refunded',
    'bezahlt unbezahlt offen genehmigt abgelehnt storniert entwurf ausgefuhrt ausgefuehrt fehlgeschlagen freigegeben gesperrt',
    'paye payee annule annulee enattente valide validee rejete rejetee brouillon pagado pendiente anulado rechazado aprobado',
    'pagato annullato inattesa approvato betaald openstaand geannuleerd goedgekeurd zaplacono anulowano oczekuje',
  ].flatMap((words) => words.split(' ')),
);

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Null for any other column, and if all rows have the same word. */
export function markingOf(column: string, { words }: ColumnEvidence): Marking | null {
  if (words === null || words.size < 2) return null;
  const all = [...words.keys()];
  const pair = [...new Set(all.map((word) => word.toLowerCase()))].sort().join(' ');
  const name = folded(column);
  if (DIRECTIONS.has(pair) || (DIRECTION_NAME.test(name) && words.size <= MOST_DIRECTIONS))
    return { column, what: 'debit and credit' };
  const isStatus = STATUS_NAME.test(name) || all.every((word) => STATUS_WORDS.has(folded(word)));
  return isStatus ? { column, what: 'a status' } : null;
}

/** Some exports have two more for reversals. */
const MOST_DIRECTIONS = 4;

/** Payouts that name a gig result which the target has created: the service may pay results itself. CONTRACT: "Money". */
import { createdAnswers, paymentsOf } from '../journal/pages.js';
import type { PaymentId, StoredPayment } from '../journal/payment.js';
import { isAmong, referenceHash } from '../prepare/result-references.js';
import { createdId } from '../report/record-report.js';
import type { HistoryQuery } from './candidates.js';

/** A gig result that is created. */
export interface ReferencedResult {
  /** The service's. */
  readonly id: string;
  readonly payment: StoredPayment;
}

/**
 * By entry: the result that its reference names. The answers of all results of the target are read once, and only if a
 * payout may name one.
 * @param isWanted whether an entry may still be sent
 * @throws JournalError
 */
export async function findReferencedResults(
  { journal, target, prepared, idPath }: HistoryQuery,
  isWanted: (entry: number) => boolean,
): Promise<Map<number, ReferencedResult>> {
  const { references } = prepared;
  const results = new Map<number, ReferencedResult>();
  const wanted = references.sortedHashes(isWanted);
  if (wanted.length === 0) return results;
  const mayBeWanted = wantedTest(wanted, idPath);
  const found = new Map<number, { readonly id: string; readonly payment: PaymentId }>();
  for await (const answers of createdAnswers(target, 'result', journal))
    for (const { id: payment, response } of answers) {
      const id = mayBeWanted(response) ? createdId(response, idPath) : null;
      if (id !== null && isAmong(wanted, referenceHash(id))) found.set(referenceHash(id), { id, payment });
    }
  if (found.size === 0) return results;
  const named = [...references.entriesWith(found)].filter(([entry]) => isWanted(entry));
  const payments = named.map(([entry, hash]) => [entry, found.get(hash)?.payment as PaymentId] as const);
  const ids = new Map([...found.values()].map(({ id, payment }) => [payment, id]));
  for await (const [entry, payment] of paymentsOf(payments, journal))
    results.set(entry, { id: ids.get(payment.id) ?? '', payment });
  return results;
}

/**
 * Whether an answer has a wanted id under the name that ids have, wherever it stands. To parse each of 400,000 answers
 * would take longer than to read them.
 */
function wantedTest(wanted: Float64Array, idPath: string): (response: string) => boolean {
  const names = new Set(['id', idPath.split('.').at(-1) ?? '']);
  const written = [...names].map((name) => JSON.stringify(name).replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const member = new RegExp(String.raw`(?:${written.join('|')})\s*:\s*(?:"([^"]*)"|(-?\d[^\s,}\]]*))`, 'g');
  return (response) => {
    member.lastIndex = 0;
    for (let found = member.exec(response); found !== null; found = member.exec(response)) {
      const value = found[1] ?? found[2] ?? '';
      // A text with escapes is another one when it is read.
      if (value.includes('\\') || isAmong(wanted, referenceHash(value))) return true;
    }
    return false;
  };
}

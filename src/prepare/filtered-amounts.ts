/** The amounts of rows that `--only` filters out: no records, but a person is told what they come to. */
import type { FilteredRow, TypedAmount } from '../input/filtered-rows.js';
import { checkRecord } from '../records/check.js';
import { parseDecimal } from '../money/decimal.js';
import type { Finding, Issue } from '../records/issue.js';
import type { RecordSchema } from '../records/schema.js';
import type { Prices } from './prices.js';

/** Fields from which amounts in cents are computed. */
const FACTORS = /^(?:quantity|multiplier|base_price|tasks)\b/;

/** Null for a row without an amount. @param now milliseconds since 1970 */
export function filteredAmount(row: FilteredRow, kind: RecordSchema, prices: Prices, now: number): TypedAmount | null {
  if (kind.amountField !== null) return row.typedAmount();
  const { input, findings, unreadable } = row.raw.read();
  if (input === null) return { amount: null, currency: null };
  const found: Finding[] = [...findings];
  const body = checkRecord(kind, input, { now, unreadable, report: (finding) => void found.push(finding) });
  const { gig_task_id: task, base_price: own, currency } = body;
  const isWrong = found.some(({ severity, field }) => severity === 'error' && FACTORS.test(field ?? ''));
  const listed = typeof task === 'string' ? prices.priceOf(task, undefined, () => undefined) : null;
  const price = typeof own === 'number' ? parseDecimal(String(own)) : listed;
  return {
    amount: isWrong ? null : kind.amount(body, price),
    currency: typeof currency === 'string' && currency !== '' ? currency : null,
  };
}

/** A filtered row is no record that a flag could skip. */
export function reportFiltered(
  { findings, raw: { line, sheetRow } }: FilteredRow,
  file: string,
  report: (issue: Issue) => void,
): void {
  for (const finding of findings) {
    const issue = { ...finding, file, record: null, line };
    report(sheetRow === undefined ? issue : { ...issue, row: sheetRow });
  }
}

/** Other content under a key takes the place of the refused payment of that key. CONTRACT: "Which payment a record is". */
import { keptBody } from '../prepare/bodies.js';
import type { Journal } from '../journal/journal.js';
import { type Decimal, parseDecimal } from '../money/decimal.js';
import { moneyText } from '../records/currencies.js';
import { positionText } from '../records/issue.js';
import { type RecordType, subjectOf } from '../records/types.js';
import { printable } from '../report/printable.js';
import { pluralize } from '../report/table.js';
import type { Assessment } from './assessment.js';
import { historyAt } from './history.js';
import { placeIn } from './origins.js';

/** One line, with both payees and amounts of the first one; null if there is none. @throws JournalError */
export async function replacedPaymentsText(assessment: Assessment, journal: Journal | null): Promise<string | null> {
  const { exceptions, history, prepared } = assessment;
  const found = [...exceptions].flatMap(([index, disposition]) => {
    const { own, corrects } = historyAt(index, history);
    const isTaken = disposition.kind === 'send' && own?.state === 'rejected' && disposition.replaces.includes(own.id);
    return isTaken && corrects === null ? [{ index, own }] : [];
  });
  const [first] = found.sort((one, other) => one.index - other.index);
  if (first === undefined || journal === null) return null;
  const { index, own } = first;
  const { entries } = prepared;
  const [before, now] = await journal.bodies([own.id, entries.payment(index)]);
  const { type, currency } = entries.groupOf(index);
  const amount = entries.amount(index);
  const then = aboutText(before ?? null, own.amount === null ? null : parseDecimal(own.amount), own.currency, own.type);
  const about = aboutText(now ?? keptBody(prepared, index), amount, currency, type as RecordType);
  const takes = pluralize(
    found.length,
    'record takes the place of a refused payment',
    'records take the place of refused payments',
  );
  return printable(
    `${takes} with the same key (${positionText(placeIn(prepared, index))}: ${about}, instead of ${then}).`,
  );
}

function aboutText(body: string | null, amount: Decimal | null, currency: string | null, type: RecordType): string {
  const parts = [subjectOf(body), ...(amount === null ? [] : [moneyText(amount, currency, type)])];
  return parts.filter((text) => text !== '').join(', ');
}

/** The journal's answers page by page: a run may have a million records. */
import type { Journal } from './journal.js';
import type { RecordType } from '../records/types.js';
import type { PaymentId, Run, StoredRecord, TargetName } from './payment.js';
import type { ConfirmedPayment, PaymentStretch } from './plan.js';

/** Records per query. */
export const ROWS_PER_QUERY = 1000;

/** A run's records. @throws JournalError */
export async function* loadRecords(run: Run, journal: Journal): AsyncGenerator<StoredRecord, void> {
  for await (const page of pagesOf((from) => journal.records(run, from, ROWS_PER_QUERY))) yield* page;
}

/** All pages about a run's records. @param read returns a page, starting at a record */
export async function* pagesOf<Item extends { readonly index: number }>(
  read: (from: number) => Promise<Item[]>,
): AsyncGenerator<Item[], void> {
  for (let page = await read(0); page.length > 0;) {
    yield page;
    page = page.length < ROWS_PER_QUERY ? [] : await read((page.at(-1)?.index ?? 0) + 1);
  }
}

/** The known payments of these entries. @throws JournalError */
export async function* paymentsOf(named: Iterable<readonly [index: number, payment: PaymentId]>, journal: Journal) {
  for (const page of chunksOf(named, ROWS_PER_QUERY)) {
    const found = await journal.byId([...new Set(page.map(([, id]) => id))]);
    const known = new Map(found.map((payment) => [payment.id, payment]));
    for (const [index, id] of page) {
      const payment = known.get(id);
      if (payment !== undefined) yield [index, payment] as const;
    }
  }
}

/** The answers of the target's created payments of a type, some thousand at a time. @throws JournalError */
export async function* createdAnswers(
  target: TargetName,
  type: RecordType,
  journal: Journal,
): AsyncGenerator<ConfirmedPayment[]> {
  const stretches = await journal.stretches(target, type);
  let asked: PaymentStretch[] = [];
  let count = 0;
  for (const stretch of shortStretches(stretches)) {
    asked.push(stretch);
    count += stretch.last - stretch.first + 1;
    if (count < ANSWERS_AT_ONCE) continue;
    yield await journal.answersIn(asked);
    asked = [];
    count = 0;
  }
  if (asked.length > 0) yield await journal.answersIn(asked);
}

const ANSWERS_AT_ONCE = 4000;

/** The same payments, each once. Runs that continue, or have the same file, list the same ones. */
function* shortStretches(stretches: readonly PaymentStretch[]): Iterable<PaymentStretch> {
  let end = -1;
  for (const { first, last } of stretches.toSorted((one, other) => one.first - other.first)) {
    for (let from = Math.max(first, end + 1); from <= last; from += ANSWERS_AT_ONCE)
      yield { first: from, last: Math.min(last, from + ANSWERS_AT_ONCE - 1) };
    end = Math.max(end, last);
  }
}

export function* chunksOf<Item>(items: Iterable<Item>, most: number): Iterable<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    if (chunk.push(item) < most) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

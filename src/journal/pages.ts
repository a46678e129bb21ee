/** The journal's answers page by page: a run may have a million records. */
import type { Journal } from './journal.js';
import type { PaymentId, Run, StoredRecord } from './payment.js';

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

export function* chunksOf<Item>(items: Iterable<Item>, most: number): Iterable<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    if (chunk.push(item) < most) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

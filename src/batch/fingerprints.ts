/** The fingerprints of the records of a run, in typed arrays: at most 36 bytes each. */
import type { Fingerprint } from '../keys/fingerprint.js';
import { PAGE_SIZE, pageOf, placeOnPage } from './pages.js';

interface Page {
  readonly content: BigInt64Array;
  readonly similarity: BigInt64Array;
  /** {@link NO_HASH} for none. Many files have no references, dates or quantities, and then no page of them. */
  reference: BigInt64Array | null;
  measure: BigInt64Array | null;
  /** {@link NO_DATE} for none. */
  date: Int32Array | null;
}

/** A hash may be zero too, but it is likelier that two references share theirs: at worst, a record is doubted. */
const NO_HASH = 0n;
/** Not any year of four digits. */
const NO_DATE = -(2 ** 31);

export class Fingerprints {
  /** Pages of records that have none may be missing. */
  private readonly pages: (Page | undefined)[] = [];

  set(index: number, { content, similarity, reference, date, measure }: Fingerprint): void {
    const page = (this.pages[pageOf(index)] ??= newPage());
    const at = placeOnPage(index);
    page.content[at] = content;
    page.similarity[at] = similarity;
    if (reference !== null) page.reference ??= new BigInt64Array(PAGE_SIZE);
    if (page.reference !== null) page.reference[at] = reference ?? NO_HASH;
    if (measure !== null) page.measure ??= new BigInt64Array(PAGE_SIZE);
    if (page.measure !== null) page.measure[at] = measure ?? NO_HASH;
    if (date !== null) page.date ??= new Int32Array(PAGE_SIZE).fill(NO_DATE);
    if (page.date !== null) page.date[at] = date ?? NO_DATE;
  }

  /** Of zeros where none was set. */
  at(index: number): Fingerprint {
    const page = this.pages[pageOf(index)];
    const at = placeOnPage(index);
    const date = page?.date?.[at] ?? NO_DATE;
    return {
      content: page?.content[at] ?? 0n,
      similarity: this.similarity(index),
      reference: hashOrNull(page?.reference?.[at]),
      date: date === NO_DATE ? null : date,
      measure: hashOrNull(page?.measure?.[at]),
    };
  }

  /** 0 where no fingerprint was set. */
  similarity(index: number): bigint {
    return this.pages[pageOf(index)]?.similarity[placeOnPage(index)] ?? 0n;
  }
}

function hashOrNull(hash = NO_HASH): bigint | null {
  return hash === NO_HASH ? null : hash;
}

function newPage(): Page {
  return {
    content: new BigInt64Array(PAGE_SIZE),
    similarity: new BigInt64Array(PAGE_SIZE),
    reference: null,
    measure: null,
    date: null,
  };
}

/** The list of a run: records that follow each other without a gap, as their payments do, are one stretch. */
import type { PaymentId, RunRecord, StoredRecord } from './payment.js';

/** A record of a run as it points at its payment. */
export type Pointer = Pick<StoredRecord, 'index' | 'file' | 'record' | 'line'> & {
  readonly payment: PaymentId;
  readonly standsFor: PaymentId | null;
};

export interface Stretch extends Pointer {
  readonly length: number;
}

/** A stretch as it is stored. */
export type Span = readonly [
  index: number,
  count: number,
  payment: PaymentId,
  file: number,
  record: number,
  line: number | null,
  standsFor: PaymentId | null,
];

/**
 * What spans have of at most `count` records from the place `from` on.
 * @param spans in order, from the last one that begins at `from` or before
 */
export function stretchesIn(spans: readonly Span[], from: number, count: number): Stretch[] {
  const stretches: Stretch[] = [];
  let left = count;
  for (const [index, size, payment, file, record, line, standsFor] of spans) {
    const skipped = Math.max(0, from - index);
    const length = Math.min(size - skipped, left);
    if (length <= 0) continue;
    left -= length;
    const place = {
      index: index + skipped,
      file,
      record: record + skipped,
      line: line === null ? null : line + skipped,
    };
    stretches.push({ ...place, standsFor: moved(standsFor, skipped), payment: payment + skipped, length });
  }
  return stretches;
}

/** The records of stretches, one by one. */
export function pointersIn(stretches: readonly Stretch[]): Pointer[] {
  return stretches.flatMap(({ length, ...first }) =>
    Array.from({ length }, (_, i) => {
      const { index, record, line, payment, standsFor } = first;
      const place = { index: index + i, record: record + i, line: line === null ? null : line + i };
      return { ...first, ...place, payment: payment + i, standsFor: moved(standsFor, i) };
    }),
  );
}

function moved(payment: PaymentId | null, by: number): PaymentId | null {
  return payment === null ? null : payment + by;
}

/** Records as the stretches that they are: most files are a few, whatever their length. */
export function* inStretches(records: Iterable<RunRecord>): Iterable<Stretch> {
  let first: RunRecord | null = null;
  let length = 0;
  for (const record of records) {
    if (first !== null && follows(first, length, record)) length++;
    else {
      if (first !== null) yield { ...first, length };
      first = record;
      length = 1;
    }
  }
  if (first !== null) yield { ...first, length };
}

function follows(
  first: RunRecord,
  count: number,
  { index, payment, file, record, line, standsFor }: RunRecord,
): boolean {
  return (
    index === first.index + count &&
    payment === first.payment + count &&
    record === first.record + count &&
    file === first.file &&
    standsFor === moved(first.standsFor, count) &&
    line === (first.line === null ? null : first.line + count)
  );
}

/** What an invalid record has none of. */
export const NO_PAYMENT = {
  payment: null,
  standsFor: null,
  key: null,
  bodyHash: null,
  body: null,
  amount: null,
  currency: null,
  costCenter: null,
  outcome: null,
  isClaimed: false,
  replacedBy: null,
} as const;

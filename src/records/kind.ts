/** What a record type is made of. */
import type { Decimal } from '../money/decimal.js';
import type { Body, Field, Rule } from './field.js';
import type { Report } from './issue.js';

export type RecordType = 'gig' | 'result' | 'payout';

/** The fields of one kind of object and the conditions between them: enough to read and check it. */
export interface Shape {
  readonly fields: readonly Field[];
  readonly rules: readonly Rule[];
  /** An input field beside those of the record: amounts are computed from it, and it is never sent. Null for none. */
  readonly price: Field | null;
  /** Reports warnings about the record as a whole. */
  readonly doubts?: (body: Body, report: Report) => void;
}

export interface Kind extends Shape {
  readonly type: RecordType;
  readonly plural: string;
  /** Path below the base URL. service-interface.md, "Endpoints". */
  readonly path: string;
  /** The column by which a file of this type is recognised. */
  readonly mark: string;
  /** Whether the service takes an idempotency_key, so that a repeated request does nothing twice. */
  readonly keyed: boolean;
  /** Records that agree in all of these fields, as they read, may be one and the same (`similar-record`). */
  readonly similarity: readonly string[];
  /**
   * An ID and a date that tell similar records apart, but only where both have one from their files and the two differ.
   * Null for none.
   */
  readonly reference: string | null;
  readonly date: string | null;
  /** A number that tells how much of it there is, where the amount is computed from it. Null for none. */
  readonly measure: string | null;
  /** The unit of its amounts, as totals print it; null where it is not known. */
  readonly unit: string | null;
  /** Says in words what its amounts are: the heading of its totals, where the unit is known, and of explained amounts. */
  readonly unitWords: string;
  /** Says in sentences how its amounts are computed: the end of an HTML report. */
  readonly howComputed: string;
  /** The number field whose value is the record's money; null where the money is computed from more than one field. */
  readonly amountField: string | null;
  /** A record's money, null when a price is not known. @param price base price of a result's task in cents, null when unknown */
  readonly amount: (body: Body, price: Decimal | null) => Decimal | null;
  /** How the amount came about, for `--explain`: `3 × 250 × 1.5`. */
  readonly steps: (body: Body, price: Decimal | null) => string;
}

const withPrice = new Map<Shape, readonly Field[]>();

/** The fields that input of this type may have: those of the record, and its price. One list for all records. */
export function inputFields(shape: Shape): readonly Field[] {
  const { fields, price } = shape;
  if (price === null) return fields;
  let all = withPrice.get(shape);
  if (all === undefined) withPrice.set(shape, (all = [...fields, price]));
  return all;
}

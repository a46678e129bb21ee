/** The definition of a record type. */
import type { Decimal } from '../money/decimal.js';
import type { Body, Field, Rule } from './field.js';
import type { Report } from './issue.js';

export type RecordType = 'gig' | 'result' | 'payout';

/** The fields of one kind of object and the conditions between them: enough to read and check it. */
export interface Shape {
  readonly fields: readonly Field[];
  readonly rules: readonly Rule[];
  /** An additional input field for the price. It is used to compute amounts and never sent. Null for none. */
  readonly price: Field | null;
  /** Reports warnings about the record as a whole. */
  readonly doubts?: (body: Body, report: Report) => void;
}

export interface RecordSchema extends Shape {
  readonly type: RecordType;
  readonly plural: string;
  /** Path below the base URL. service-interface.md, "Endpoints". */
  readonly path: string;
  /** The column by which a file of this type is recognised. */
  readonly mark: string;
  /** Whether the service takes an idempotency_key, so that a repeated request does nothing twice. */
  readonly keyed: boolean;
  /** Who is paid: the field with the payee; of a gig, the fields that tell it from others. */
  readonly payee: readonly string[];
  /** The field that says what a payee gets the money for; of a gig, what it is called. */
  readonly purpose: string;
  /**
   * An ID and a date that distinguish similar records if both records have one from their files and the two differ.
   * Null for none.
   */
  readonly reference: string | null;
  readonly date: string | null;
  /** The fields that, next to reference and date, show the same work: if they come from files, they count more. */
  readonly compared: readonly string[];
  /** A number for the quantity, if the amount is computed from it. Null for none. */
  readonly measure: string | null;
  /** The unit of its amounts in totals; null if not known. */
  readonly unit: string | null;
  /** Describes its amounts: the heading of totals whose unit is known, and of explained amounts. */
  readonly unitWords: string;
  /** Sentences on how its amounts are computed, for the end of an HTML report. */
  readonly howComputed: string;
  /** The number field that contains the record's money; null if the money is computed from several fields. */
  readonly amountField: string | null;
  /** Null when a price is not known. @param price base price of a result's task in cents, null when unknown */
  readonly amount: (body: Body, price: Decimal | null) => Decimal | null;
  /** The calculation of the amount, for `--explain`: `3 × 250 × 1.5`. */
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

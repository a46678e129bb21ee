/** What stands beside the fields of a record in the input, and is never sent. */
import type { Field } from './field.js';
import type { Kind, RecordType } from './kind.js';

const UNSENT: Readonly<Partial<Record<RecordType, readonly Field[]>>> = {
  result: [
    {
      name: 'base_price',
      kind: 'number',
      required: false,
      help: 'base price of the gig task in cents, for the total; never sent; may come from --prices instead',
      example: '250',
    },
  ],
};

/** The fields that input of this type may have: those of the record, and those that are never sent. */
export function inputFields({ type, fields }: Kind): readonly Field[] {
  return [...fields, ...(UNSENT[type] ?? [])];
}

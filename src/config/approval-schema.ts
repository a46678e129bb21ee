/** The shape of an approval file. Loaded only where one is read. */
import * as z from 'zod';

const count = z.int().min(0);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string();

const total = z.strictObject({
  currency: text.nullable(),
  cost_center: text.nullable(),
  count,
  amount: text.regex(/^-?\d+(?:\.\d+)?$/),
  unpriced: count,
});
const totals = z.array(total);

/** Without its checksum. */
export const approvalDocument = z.strictObject({
  gigwork_approval: z.number(),
  about: z.array(text),
  at: z.iso.datetime(),
  by: z.strictObject({ user: text, host: text }),
  version: text,
  command_line: text,
  target: text,
  batch_id: text,
  digest: hash,
  count,
  totals: z.strictObject({ payout: totals, result: totals, gig: totals }),
  flags: z.strictObject({
    skip_created: z.boolean(),
    skip_similar: z.boolean(),
    send_similar: count.nullable(),
    skip_invalid: z.boolean().nullable(),
    key_columns: z.array(text).nullable(),
    resend_unknown: z.boolean(),
    key_lifetime: z.number().min(0),
  }),
  files: z.array(z.strictObject({ path: text, sha256: hash, records: count })),
});

export type ApprovalDocument = Readonly<z.infer<typeof approvalDocument>>;

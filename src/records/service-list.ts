/**
 * A row of the service's own list of what it has. The service documents no such list: these are the columns that are
 * compared, and a file may lack any of them. CONTRACT: "Reconciling with the service's own list".
 */
import * as z from 'zod/mini';
import { currency, id, inputSchema, money, strictObject, text, timestamp } from './schema.js';

const listedPayment = strictObject({
  idempotency_key: z.optional(id('key under which it was sent', { example: '2026-11-anna' })),
  id: z.optional(id('id that the service gave it', { example: 'po_71' })),
  status: z.optional(text('what the service says of it', { example: 'paid' })),
  user_id: z.optional(id('ID of the associated user', { example: 'usr_7f3a91' })),
  amount: z.optional(money('amount, as it was sent', { example: 1200 })),
  currency: z.optional(currency('currency of the amount', { example: 'EUR' })),
  title: z.optional(text('title, of a gig', { example: 'Shelf audit Berlin' })),
  start_at: z.optional(timestamp('start of a gig', { example: 1796112000 })),
});

export type ListedPayment = z.infer<typeof listedPayment>;

export const LISTED_PAYMENT = inputSchema(listedPayment);

export type RecordType = 'gig' | 'result' | 'payout';
export type Body = Readonly<Record<string, unknown>>;

/**
 * The ledger's key of a record: the JSON of what makes it one business event, without its idempotency key, so that a
 * changed key cannot hide a second payment.
 */
export function businessRow(type: RecordType, body: Body): string {
  const { title, description } = body;
  if (type === 'gig') return JSON.stringify([type, title, body['start_at'], description]);
  const of = (result: string, payout: string): unknown => body[type === 'result' ? result : payout];
  const { user_id: user, gig_task_id: task, reference_id: reference } = body;
  const count = of('quantity', 'amount');
  const date = of('delivery_date', 'billing_date');
  return JSON.stringify([type, user, title, count, task, reference, date, description]);
}

/** What was carried out, and what is remembered of each idempotency key. */
export class ServiceLedger {
  /** How often each business row was carried out, whatever its key. */
  readonly executions = new Map<string, number>();
  private readonly remembered = new Map<string, { readonly text: string; readonly answer: string }>();
  private readonly keyMemory: boolean;
  private issued = 0;

  constructor(keyMemory: boolean) {
    this.keyMemory = keyMemory;
  }

  /**
   * Gives the answer to a record and carries it out where `execute` says so; a remembered key never executes again.
   * @param text the body as it arrived
   */
  settle(type: RecordType, body: Body, text: string, execute: boolean): { conflict: boolean; answer: string } {
    const key = this.memoryKey(type, body['idempotency_key']);
    const known = key === null ? undefined : this.remembered.get(key);
    if (known) return { conflict: known.text !== text, answer: known.answer };
    this.issued += 1;
    const answer = JSON.stringify({ ...body, id: `${type}-${this.issued}` });
    if (execute) {
      const row = businessRow(type, body);
      this.executions.set(row, (this.executions.get(row) ?? 0) + 1);
      if (key !== null) this.remembered.set(key, { text, answer });
    }
    return { conflict: false, answer };
  }

  total(): number {
    return [...this.executions.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Gigs have no idempotency key (service-interface.md, "Gig"), so one in a gig protects nothing. */
  private memoryKey(type: RecordType, key: unknown): string | null {
    return this.keyMemory && type !== 'gig' && typeof key === 'string' ? `${type} ${key}` : null;
  }
}

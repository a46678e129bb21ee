// @ts-check

/** @typedef {'gig' | 'result' | 'payout'} RecordType */
/** @typedef {Readonly<Record<string, unknown>>} Body */

/** Documented in service.d.ts. @type {(type: RecordType, body: Body) => string} */
export function businessRow(type, body) {
  if (type === 'gig') return JSON.stringify([type, body.title, body.start_at, body.description]);
  const result = type === 'result';
  return JSON.stringify([
    type,
    body.user_id,
    body.title,
    result ? body.quantity : body.amount,
    body.gig_task_id,
    body.reference_id,
    result ? body.delivery_date : body.billing_date,
    body.description,
  ]);
}

/**
 * What was carried out, and what is remembered of each idempotency key.
 * @param {boolean} keyMemory
 */
export function createLedger(keyMemory) {
  /** @type {Map<string, number>} */
  const executions = new Map();
  /** @type {Map<string, { text: string, answer: string }>} */
  const remembered = new Map();
  let issued = 0;

  /** Gigs have no idempotency key (service-interface.md, "Gig"), so one in a gig protects nothing.
   * @type {(type: RecordType, body: Body) => string | undefined} */
  function memoryKey(type, body) {
    const key = body.idempotency_key;
    return keyMemory && type !== 'gig' && typeof key === 'string' ? `${type} ${key}` : undefined;
  }

  /**
   * Gives the answer to a record and carries it out where `execute` says so; a remembered key never executes again.
   * @param {RecordType} type
   * @param {Body} body
   * @param {string} text the body as it arrived
   * @param {boolean} execute
   * @returns {{ conflict: boolean, answer: string }}
   */
  function settle(type, body, text, execute) {
    const key = memoryKey(type, body);
    const known = key === undefined ? undefined : remembered.get(key);
    if (known) return { conflict: known.text !== text, answer: known.answer };
    issued += 1;
    const answer = JSON.stringify({ ...body, id: `${type}-${issued}` });
    if (execute) {
      const row = businessRow(type, body);
      executions.set(row, (executions.get(row) ?? 0) + 1);
      if (key !== undefined) remembered.set(key, { text, answer });
    }
    return { conflict: false, answer };
  }

  function total() {
    let sum = 0;
    for (const count of executions.values()) sum += count;
    return sum;
  }

  return { executions, settle, total };
}

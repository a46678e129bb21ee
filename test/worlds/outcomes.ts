/** What becomes of payments by the answers that a call got. CONTRACT: "Sending". */
import type { Payment, State } from './history.js';
import type { Asked } from './service.js';

export interface Outcome {
  /** One of these; several where the CONTRACT leaves it open. */
  readonly states: readonly State[];
  readonly doubtSince: number | null;
}

/** @param asked the payment's requests in one call, in order */
export function outcomeOf(payment: Payment, asked: readonly Asked[]): Outcome {
  let { doubtSince } = payment;
  let isRefused = false;
  for (const { answer, at } of asked) {
    switch (answer) {
      case 'created':
        return { states: ['created'], doubtSince: null };
      case 'refused':
      case 'missing':
        isRefused = true;
        break;
      case 'conflict':
        if (payment.row.type === 'gig') isRefused = true;
        else doubtSince ??= at;
        break;
      case 'unauthorized':
      case 'moved':
      case 'busy':
        break;
      default:
        doubtSince ??= at;
    }
  }
  if (doubtSince !== null) return { states: ['unknown'], doubtSince };
  if (isRefused) return { states: ['rejected'], doubtSince };
  // One that was rejected and is tried again in vain is as it was, or open.
  return { states: payment.state === 'rejected' ? ['rejected', 'open'] : ['open'], doubtSince };
}

/** The requests of a call by what they were for. A gig's key is not sent: its content tells it. */
export function asksFor(payment: Payment, asked: readonly Asked[]): Asked[] {
  return asked.filter(({ key, content }) =>
    payment.row.type === 'gig' ? content === payment.content : key === payment.key,
  );
}

/** What becomes of payments by the answers that a call got. CONTRACT: "Sending". */
import type { Payment, State } from './history.js';
import type { Answer, Asked } from './service.js';

export interface Outcome {
  /** One of these; several where the CONTRACT leaves it open. */
  readonly states: readonly State[];
  readonly doubtSince: number | null;
  readonly wasCutOff: boolean;
}

const CUT_OFF: readonly Answer[] = ['lost', 'lost-done', 'failed', 'failed-done'];

/**
 * @param asked the payment's requests in one call, in order
 * @param isWrongTarget the call stopped for that: then 404 says nothing of the record
 */
export function outcomeOf(payment: Payment, asked: readonly Asked[], isWrongTarget: boolean): Outcome {
  let { doubtSince } = payment;
  let isRefused = false;
  const isGig = payment.row.type === 'gig';
  for (const { answer, at } of asked) {
    switch (answer) {
      case 'created':
        return { states: ['created'], doubtSince: null, wasCutOff: false };
      case 'refused':
        isRefused = true;
        break;
      case 'missing':
        isRefused = isRefused || !isWrongTarget;
        break;
      case 'conflict':
        if (isGig) isRefused = true;
        else doubtSince ??= at;
        break;
      case 'moved':
        if (isGig) doubtSince ??= at;
        break;
      case 'unauthorized':
      case 'busy':
        break;
      default:
        doubtSince ??= at;
    }
  }
  const last = asked.findLast(({ answer }) => answer !== 'busy');
  const wasCutOff = last === undefined ? payment.wasCutOff : CUT_OFF.includes(last.answer);
  if (doubtSince !== null) return { states: ['unknown'], doubtSince, wasCutOff };
  if (isRefused) return { states: ['rejected'], doubtSince, wasCutOff };
  // One that was rejected and is tried again in vain is open, or as it was.
  return { states: payment.state === 'rejected' ? ['open', 'rejected'] : ['open'], doubtSince, wasCutOff };
}

/** The requests of a call by what they were for. A gig's key is not sent: its content tells it. */
export function asksFor(
  payment: Pick<Payment, 'row' | 'content'> & { key: string | null },
  asked: readonly Asked[],
): Asked[] {
  return asked.filter(({ key, content }) =>
    payment.row.type === 'gig' ? content === payment.content : key === payment.key,
  );
}

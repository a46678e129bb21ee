/** How a call ends: one table from its conclusion, its counts and the signal to an exit code. PURE. CONTRACT: "Exit codes". */
import type { DeliveryStop, StopCause } from '../delivery/circuit-breaker.js';
import { isNoHost } from '../delivery/http/failure.js';
import { isRefusedByProxy } from '../delivery/http/proxy-used.js';
import { EXIT } from '../errors.js';
import type { RecordCounts } from '../report/reporter.js';
import type { RefusalReason } from '../review/refusal.js';

/** Why a call ended before its end. CONTRACT: `stop_reason`. */
export type StopReason = DeliveryStop | 'usage' | RefusalReason;

export interface ExitStatus {
  readonly exitCode: number;
  readonly stopReason: StopReason | null;
}

/** What decides the exit code of each kind of conclusion. */
export type Ending =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'refused'; readonly refusal: { readonly reason: RefusalReason } }
  /** `approved` is null unless a person has approved the run in this call. */
  | { readonly kind: 'planned'; readonly approved: object | null }
  | { readonly kind: 'nothing-left' }
  | { readonly kind: 'delivered'; readonly stop: StopCause };

/** The records of the call at its end. */
export interface EndCounts extends RecordCounts {
  /** How many of the unknown records only a person can settle. */
  readonly held: number;
  /** A record without protection came into doubt, and others are left unsent: calling again would endanger those. */
  readonly leavesUnprotected: boolean;
}

/** @param signalExit the code of the signal that came; null for none */
export function exitStatusOf(ending: Ending, counts: EndCounts, signalExit: number | null): ExitStatus {
  switch (ending.kind) {
    case 'interrupted':
      return { exitCode: signalExit ?? EXIT.again, stopReason: 'interrupted' };
    case 'refused':
      return { exitCode: exitCodeOfRefusal(ending.refusal.reason), stopReason: ending.refusal.reason };
    case 'planned':
      // A payment that would be sent again counts as planned. An approval stays valid, whatever else is in doubt.
      if (counts.unknown > 0 && ending.approved === null) return { exitCode: EXIT.person, stopReason: null };
      return { exitCode: exitCodeOfSettled(counts), stopReason: null };
    case 'nothing-left':
      return deliveredStatus(null, counts, signalExit);
    case 'delivered':
      return deliveredStatus(ending.stop, counts, signalExit);
  }
}

/** The end of a call that has sent what it could. */
function deliveredStatus(stop: StopCause, counts: EndCounts, signalExit: number | null): ExitStatus {
  const { unknown, not_sent: notSent, held, leavesUnprotected } = counts;
  const stopReason = stop?.reason ?? null;
  if (stopReason === 'internal') return { exitCode: EXIT.internal, stopReason };
  // A signal that came after the last record has stopped nothing.
  if (unknown === 0 && notSent === 0)
    return { exitCode: exitCodeOfSettled(counts), stopReason: stopReason === 'interrupted' ? null : stopReason };
  if (stopReason === 'interrupted') return { exitCode: signalExit ?? EXIT.again, stopReason };
  const clearsUp = unknown > held && !(stop !== null && needsPerson(stop));
  // Calling again helps only if it sends something.
  const isLeft = unknown > held || notSent > 0;
  const passes = isLeft && !leavesUnprotected && (clearsUp || (stop === null ? notSent > 0 : isPassing(stop)));
  return { exitCode: passes ? EXIT.again : EXIT.person, stopReason };
}

function exitCodeOfSettled({ rejected, invalid }: RecordCounts): number {
  return rejected > 0 || invalid > 0 ? EXIT.partly : EXIT.ok;
}

/** The exit code of a call that was refused before it sent anything. */
function exitCodeOfRefusal(reason: RefusalReason): number {
  if (reason === 'busy') return EXIT.again;
  return reason === 'not_confirmed' || reason === 'not_approved' ? EXIT.usage : EXIT.refused;
}

/**
 * Whether a person has to act before anything else is sent: no request can reach the service, the journal does not know
 * this run, or a person wanted the run to stop here. Then another call clears up no doubt.
 */
function needsPerson(stop: NonNullable<StopCause>): boolean {
  const { reason } = stop;
  if (reason === 'tls' || reason === 'too_many_rejected' || reason === 'in_doubt') return true;
  return (reason === 'unreachable' || reason === 'journal') && !isPassing(stop);
}

/** Whether another call may succeed without anybody's help. */
function isPassing({ reason, detail, isPassing: journal = false }: NonNullable<StopCause>): boolean {
  return (
    reason === 'throttled' || journal || (reason === 'unreachable' && !isNoHost(detail) && !isRefusedByProxy(detail))
  );
}

/** Of what the CONTRACT can mean, what a call has done: the first verdict that fits. */
import { isTold, type Judged, toldOf, warningsOf } from './check.js';
import type { Fate } from './fates.js';
import type { Entry, History } from './history.js';
import { type Call, judge, type Verdict } from './judge.js';
import { asksFor } from './outcomes.js';
import { acceptable, READINGS } from './readings.js';

/** By file and record: the key of the payment that it is told to stand for. */
export function standsForIn(records: readonly Told[]): Map<string, string> {
  return new Map(
    records.flatMap(({ file, record, stands_for: payment }) => (payment ? [[`${file} ${record}`, payment.key]] : [])),
  );
}

/** A record as events and `batch show` have it. */
export interface Told {
  readonly file: string;
  readonly record: number;
  readonly stands_for: { readonly key: string } | null;
}

export function verdictFor(asked: Call, history: History, did: Pick<Judged, 'called' | 'asked' | 'dry'>): Verdict {
  const call = { ...asked, named: standsForIn(did.called.events.filter(({ event }) => event === 'record')) };
  const chosen = judge(call, history, READINGS);
  if (did.called.summary === undefined || fits(chosen, did)) return chosen;
  for (const readings of acceptable().slice(1)) {
    const verdict = judge(call, history, readings);
    if (fits(verdict, did)) return verdict;
  }
  return chosen;
}

function fits(verdict: Verdict, { called, asked, dry }: Pick<Judged, 'called' | 'asked' | 'dry'>): boolean {
  const { code, summary } = called;
  if (verdict.refused !== null) return summary.stop_reason === verdict.refused;
  if (code === 2 || code === 3) return false;
  if (warningsOf(verdict).some(([warning, count]) => isTold(warning, called) !== count > 0)) return false;
  const all = toldOf({ verdict, called });
  return verdict.fates.every((fate, i) => {
    const payment = fate.is === 'told' || fate.is === 'send' ? fate.payment : null;
    const wasSent = payment !== null && asksFor(payment, asked).length > 0;
    // What nobody asked for has no outcome.
    const isNews = fate.is === 'send' && payment === null && !dry && all[i]?.status !== 'not_sent';
    if (isNews && asksFor(verdict.entries[i] as Entry, asked).length === 0) return false;
    // What is to be sent again is sent, unless something stops the run.
    const isKept = payment !== null && !wasSent && !dry && summary.stop_reason === null;
    if (fate.is === 'send' && isKept && all[i]?.status === 'unknown') return false;
    return fitsOne(fate, String(all[i]?.status), wasSent, dry);
  });
}

function fitsOne(fate: Fate, status: string, wasSent: boolean, dry: boolean): boolean {
  switch (fate.is) {
    case 'send':
      return dry ? status === 'planned' : ['created', 'rejected', 'unknown', 'not_sent'].includes(status);
    case 'told':
      return !wasSent && (status === fate.as || (fate.as === 'rejected' && status === 'skipped'));
    case 'left':
      return ['skipped', 'unknown'].includes(status);
    default:
      return status === 'invalid';
  }
}

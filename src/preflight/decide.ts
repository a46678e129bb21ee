/** What a person has decided about repeats, applied to the records' fates. PURE. CONTRACT: "Repeats". */
import type { Decisions } from '../ledger/payment.js';
import { type Fate, type FateRules, ofDoubt } from './fate.js';
import type { Known } from './known.js';
import type { Repeat } from './repeats.js';

/** What refuses the run until a person decides. */
export interface Undecided {
  readonly repeats: readonly Repeat[];
  /** How many similar records there are, where `--send-similar` allows fewer; else null. */
  readonly similar: number | null;
}

export interface Decided {
  /** Of records that are left out, by index. */
  readonly fates: ReadonlyMap<number, Fate>;
  readonly undecided: Undecided;
}

export function decide(repeats: readonly Repeat[], decisions: Decisions, known: Known, rules: FateRules): Decided {
  const fates = new Map<number, Fate>();
  const open: Repeat[] = [];
  const similar = repeats.filter(({ code }) => code === 'similar-record');
  for (const repeat of repeats) {
    if (repeat.code === 'similar-record') continue;
    if (repeat.code === 'created-before' && decisions.skipCreated)
      fates.set(repeat.index, leftOut(repeat, known, rules));
    else open.push(repeat);
  }
  if (decisions.skipSimilar) for (const repeat of similar) fates.set(repeat.index, leftOut(repeat, known, rules));
  const most = decisions.sendSimilar;
  const isTooMany = !decisions.skipSimilar && similar.length > (most ?? 0);
  if (isTooMany) open.push(...similar);
  return { fates, undecided: { repeats: open, similar: isTooMany && most !== null ? similar.length : null } };
}

/** It was paid already, a person says. What is in doubt under its own key is sent again while that protects it. */
function leftOut({ index, standsFor, corrects, own: row }: Repeat, known: Known, rules: FateRules): Fate {
  const own = known.byKey.get(index) ?? null;
  const isOwnDoubt = own?.id === standsFor.id && own.state === 'unknown' && !corrects;
  const again = isOwnDoubt ? ofDoubt(own, rules) : null;
  if (again?.what === 'send') return again;
  // What it is similar to does not end the doubt about itself.
  if (own?.state === 'unknown' && own.id !== standsFor.id && !corrects)
    return { what: 'settled', state: 'unknown', payment: own.id };
  return { what: 'left-out', payment: row, standsFor };
}

/** What is asked is only what no flag has decided. */
export function withAnswer(flags: Decisions, { skipCreated, skipSimilar, sendSimilar }: Decisions): Decisions {
  return {
    skipCreated: flags.skipCreated || skipCreated,
    skipSimilar: flags.skipSimilar || skipSimilar,
    sendSimilar: sendSimilar ?? flags.sendSimilar,
  };
}

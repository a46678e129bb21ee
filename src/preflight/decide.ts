/** What a person has decided about repeats, applied to the records' fates. PURE. CONTRACT: "Repeats". */
import type { ClaimRules } from '../ledger/plan.js';
import type { Decisions } from '../ledger/payment.js';
import { type Fate, ofDoubt } from './fate.js';
import type { Known } from './known.js';
import type { Repeat } from './repeats.js';

/** What refuses the run until a person decides. */
export interface Undecided {
  readonly repeats: readonly Repeat[];
  /** How many similar records there are, where `--send-similar` allows fewer; else null. */
  readonly similar: number | null;
}

/** The fates of records that are left out, by index, and what is still open. */
export function decide(
  repeats: readonly Repeat[],
  { skipCreated, skipSimilar, sendSimilar }: Decisions,
  known: Known,
  rules: ClaimRules,
): { readonly fates: ReadonlyMap<number, Fate>; readonly undecided: Undecided } {
  const fates = new Map<number, Fate>();
  const open: Repeat[] = [];
  const { length: similar } = repeats.filter(({ code }) => code === 'similar-record');
  const isTooMany = !skipSimilar && similar > (sendSimilar ?? 0);
  const skips = {
    'created-before': skipCreated,
    'similar-record': skipSimilar,
    'open-before': false,
    'not-rejected': false,
  };
  for (const repeat of repeats) {
    if (skips[repeat.code]) fates.set(repeat.index, leftOut(repeat, known, rules));
    else if (repeat.code !== 'similar-record' || isTooMany) open.push(repeat);
  }
  return { fates, undecided: { repeats: open, similar: isTooMany && sendSimilar !== null ? similar : null } };
}

/** It was paid already, a person says. What is in doubt under its own key is sent again while that protects it. */
function leftOut({ index, standsFor, corrects, own: row }: Repeat, known: Known, rules: ClaimRules): Fate {
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

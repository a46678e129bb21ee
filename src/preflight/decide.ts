/** What a person has decided about repeats, applied to the records' fates. PURE. CONTRACT: "Repeats". */
import type { Decisions, KnownPayment } from '../ledger/payment.js';
import type { Fate } from './fate.js';
import type { Repeat } from './repeats.js';

/** What refuses the run until a person decides. */
export interface Undecided {
  readonly repeats: readonly Repeat[];
  /** `--send-similar` says another number than there are: how many there are; null where it says nothing wrong. */
  readonly similar: number | null;
}

/**
 * Changes the fates of the records that are left out, and gives the repeats that nobody has decided about.
 * @param mayResend whether a record in doubt since a time is sent again under its own key
 */
export function decide(
  repeats: readonly Repeat[],
  fates: (Fate | null)[],
  decisions: Decisions,
  mayResend: (index: number, doubtSince: number) => boolean,
): Undecided {
  const counted = repeats.filter(({ counts }) => counts);
  const skipsSame = decisions.skipCreated || decisions.skipSimilar;
  const open: Repeat[] = [];
  for (const repeat of counted) {
    if (repeat.code === 'similar-record') continue;
    if (skipsSame) fates[repeat.index] = leaveOut(repeat, fates, mayResend);
    else open.push(repeat);
  }
  // One that is open elsewhere may be similar too: that is asked when it is to be sent.
  const similar = counted.filter(({ code, index }) => code === 'similar-record' && fates[index]?.what !== 'repeat');
  const sends = decisions.sendSimilar === similar.length;
  if (decisions.skipSimilar) for (const repeat of similar) fates[repeat.index] = leaveOut(repeat, fates, mayResend);
  else if (!sends) open.push(...similar);
  const isWrong = decisions.sendSimilar !== null && !sends;
  return { repeats: open, similar: isWrong ? similar.length : null };
}

/** It was paid already, a person says: the record stands for that payment, whatever becomes of it. */
function leaveOut(
  { index, standsFor, standsAs }: Repeat,
  fates: readonly (Fate | null)[],
  mayResend: (index: number, doubtSince: number) => boolean,
): Fate {
  const fate = fates[index];
  // Its own key is in doubt and still protects it: sending it again settles the doubt, leaving it out does not.
  if (fate?.what === 'send' && fate.again === 'unknown') return fate;
  // A row that corrects a payment which was corrected already stands for a payment of another key.
  const isOwnKey =
    fate?.what === 'repeat' &&
    fate.payment.id === standsFor.id &&
    fate.code === 'created-before' &&
    fate.corrects !== true;
  if (isOwnKey && standsAs === 'same' && standsFor.state === 'unknown' && mayResend(index, standsFor.doubtSince ?? 0))
    return { what: 'send', payment: standsFor.id, again: 'unknown', replaced: [] };
  return stateOf(standsFor, standsAs);
}

function stateOf({ id, state }: KnownPayment, leftOut: 'same' | 'similar'): Fate {
  // One that is open in another run is sent by this one, and that run then shows it as created already.
  if (state === 'not_sent' && leftOut === 'same') return { what: 'send', payment: id, again: null, replaced: [] };
  return { what: state, payment: id, leftOut };
}

/** What is asked is only what no flag has decided. */
export function withAnswer(flags: Decisions, { skipCreated, skipSimilar, sendSimilar }: Decisions): Decisions {
  return {
    skipCreated: flags.skipCreated || skipCreated,
    skipSimilar: flags.skipSimilar || skipSimilar,
    sendSimilar: sendSimilar ?? flags.sendSimilar,
  };
}

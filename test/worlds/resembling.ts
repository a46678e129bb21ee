/** Which payments a record resembles: in its batch, at another target on its host, in another batch, or once corrected. */
import { type Entry, isReplaced, lastCorrection, type Payment, type Run, runsOf } from './history.js';
import {
  haveOtherDates,
  haveOwnKeys,
  haveSameDate,
  haveSameReference,
  areToldApart,
  isLike,
  isLikeElsewhere,
  isSameAmount,
  isSameBill,
  isSameCurrency,
  isSameUser,
  type Side,
} from './likeness.js';
import type { Readings } from './readings.js';
import type { Asking } from './repeats.js';
import type { Source } from './sheet.js';
import { hostOf } from './words.js';

const RECENT = 6 * 24 * 3_600_000;

/** A payment as it stood in a file. */
export function sideOf(payment: Payment, { lastFileCounts }: Readings): Side {
  const source = lastFileCounts ? payment.sources.at(-1) : payment.sources[0];
  return { ...payment, source: source as Side['source'] };
}

/** (c) The same line of a file with the same bytes. */
export function isSamePlace({ source }: Entry, payment: Payment, readings: Readings): boolean {
  return placesOf(payment, readings).some(({ digest, line }) => digest === source.digest && line === source.line);
}

function placesOf({ sources }: Payment, { everyFileCounts }: Readings): readonly Source[] {
  return everyFileCounts ? sources : sources.slice(0, 1);
}

/**
 * @param against payments that are created or in doubt, and for which no other record of the input stands
 * @param repeated payments that the input repeats
 */
export function findResembled(
  i: number,
  against: readonly Payment[],
  repeated: ReadonlySet<Payment>,
  asking: Asking,
): Payment[] {
  const entry = asking.entries[i] as Entry;
  const found = against.filter(
    (payment) => payment.row.type === entry.row.type && isSimilar(entry, payment, repeated, asking),
  );
  return [...new Set([...found, ...findCorrections(entry, against, asking)])];
}

function isSimilar(entry: Entry, payment: Payment, repeated: ReadonlySet<Payment>, asking: Asking): boolean {
  const { batch, target, readings } = asking;
  const side = sideOf(payment, readings);
  const isInBatch = payment.batch === batch;
  if (payment.target !== target) {
    const isNeighbour = isInBatch && hostOf(payment.target) === hostOf(target);
    const isSame = payment.content === entry.content || isSameBill(entry, side, readings);
    return isNeighbour && (isSame || isSamePlace(entry, payment, readings));
  }
  if (!isInBatch) return isSimilarElsewhere(entry, payment, asking);
  if (isSamePlace(entry, payment, readings) || isLike(entry, side) || isSameBill(entry, side, readings)) return true;
  return isLeftOver(entry, payment, repeated, asking);
}

/** (d) A file that was mended after it was paid. */
function isLeftOver(entry: Entry, payment: Payment, repeated: ReadonlySet<Payment>, asking: Asking): boolean {
  const { readings } = asking;
  const side = sideOf(payment, readings);
  if (entry.row.type === 'gig' || haveOwnKeys(entry, side) || haveOtherDates(entry, side)) return false;
  const isSameLine = placesOf(payment, readings).some(({ line }) => line === entry.source.line);
  const isSameMoney = isSameAmount(entry.row, payment.row) && isSameCurrency(entry.row, payment.row);
  if (!isSameUser(entry.row, payment.row) || (!isSameLine && !isSameMoney)) return false;
  const runs = runsThatHad(payment, asking);
  return [...repeated].some(
    (other) => other !== payment && runsThatHad(other, asking).some((each) => runs.includes(each)),
  );
}

/** The runs that a payment belongs to. */
export function runsThatHad(payment: Payment, { history, readings }: Asking): Run[] {
  const runs = runsOf(payment, history);
  return runs.filter((each) => readings.isOfEveryRun || each.name === payment.settledBy || each === runs.at(-1));
}

function isSimilarElsewhere(entry: Entry, payment: Payment, asking: Asking): boolean {
  const { batch, readings } = asking;
  const side = sideOf(payment, readings);
  const isSame = payment.content === entry.content;
  if (areToldApart(entry, side) || !isLikeElsewhere(entry, side, readings)) return false;
  if (haveOwnKeys(entry, side) && !isSame && readings.ownKeysOnlyByContentElsewhere) return false;
  if (batch === 'default' || payment.state === 'unknown' || isYoung(payment, asking)) return true;
  if (haveSameDate(entry, side)) return true;
  const isNearBatch = payment.batch === 'default' || (entry.row.type === 'payout' && haveSameReference(entry, side));
  return isNearBatch && isOnlyOtherBatch(entry, payment, asking);
}

/** Other batches' payments are near while they are young, or came since the run that goes on. */
function isYoung({ changedAt, knownSince }: Payment, { now, run }: Asking): boolean {
  return now - changedAt < RECENT || (run !== null && knownSince > run.gate);
}

/** No third batch has paid the same. */
function isOnlyOtherBatch(entry: Entry, { batch: only }: Payment, asking: Asking): boolean {
  const { history, batch, target, readings } = asking;
  return history.payments.every((each) => {
    const isOther = each.target === target && each.batch !== batch && each.batch !== only && each.state === 'created';
    const side = sideOf(each, readings);
    const isApart = readings.toldApartIsNotTheSame && areToldApart(entry, side);
    return !(isOther && each.row.type === entry.row.type && !isApart && isLikeElsewhere(entry, side, readings));
  });
}

/** The last corrections of rejected payments that it resembles, with the same amount. */
function findCorrections(entry: Entry, against: readonly Payment[], asking: Asking): Payment[] {
  const { history, batch, target, now, readings, run } = asking;
  return history.payments.flatMap((payment) => {
    if (payment.target !== target || !isReplaced(payment, history) || payment.row.type !== entry.row.type) return [];
    const side = sideOf(payment, readings);
    const isAlike = isSamePlace(entry, payment, readings) || isLike(entry, side) || isSameBill(entry, side, readings);
    const last = lastCorrection(payment, history);
    if (!isAlike || !isSameAmount(entry.row, payment.row) || !against.includes(last)) return [];
    const isRecent = now - last.changedAt < RECENT || (readings.doubtfulCorrectionAtAnyAge && last.state === 'unknown');
    const isSince = readings.correctionSinceTheRunCounts && run !== null && last.knownSince > run.gate;
    return last.batch === batch || isRecent || isSince ? [last] : [];
  });
}

/** Findings of the doctor: one line each. */
import type { LostOriginal } from '../journal/location.js';
import { localDay } from '../util/local-time.js';

export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  /** The finding. */
  readonly message: string;
  /** What to do about it; null when nothing needs to be done. */
  readonly remedy: string | null;
}

export function ok(name: string, message: string): Check {
  return { name, state: 'ok', message, remedy: null };
}

/** @param remedy null if the message contains it */
export function warn(name: string, message: string, remedy: string | null): Check {
  return { name, state: 'warn', message, remedy };
}

/** @param remedy null if the message contains it */
export function fail(name: string, message: string, remedy: string | null): Check {
  return { name, state: 'fail', message, remedy };
}

/** A run would begin a new journal. @param why it would be new, @param remedy if it should not be new */
export function newJournal(why: string, remedy: string): Check {
  const message = `${why}: a run would begin a new journal, which does not know of any earlier payments`;
  return warn('journal', message, remedy);
}

/** The journal was restored from a copy. */
export function endsEarly({ journal, at }: LostOriginal): Check {
  const message = `it comes from a copy of ${journal}, which was lost: it does not know what was paid between ${localDay(at)} and its restoring`;
  return warn(
    'journal',
    message,
    'find those payments in the service, or in the reports of those runs, before you send them again',
  );
}

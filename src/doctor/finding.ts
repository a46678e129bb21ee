/** Findings of the doctor: one line each. */

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

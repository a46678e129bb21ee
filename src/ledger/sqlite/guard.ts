/** Makes the store's functions fulfil promises, and every failure name the file and the remedy. */
import { explained } from './failures.js';

type Call = (...values: never[]) => unknown;

/** The same object, whose functions give promises. */
export type Promised<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Promise<Result>
    : Part[Name];
};

/** The same object, whose functions give promises, with their failures explained. @param part a plain object */
export function guarded<Part extends object>(part: Part, file: string): Promised<Part> {
  const members = Object.entries(part).map(([name, member]: [string, unknown]) => [
    name,
    typeof member === 'function' ? guardedCall(member as Call, file) : member,
  ]);
  return Object.fromEntries(members) as Promised<Part>;
}

function guardedCall(call: Call, file: string): Call {
  // SQLite answers at once. A thrown failure becomes a promise's, so that nobody meets two kinds of failure.
  return async (...values) => {
    try {
      return call(...values);
    } catch (cause) {
      throw explained(cause, file);
    }
  };
}

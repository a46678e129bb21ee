/** Makes every failure of the store name the file and the remedy. */
import { explained } from './failures.js';

/** The same object, with the failures of its functions explained. @param part a plain object */
export function guarded<Part extends object>(part: Part, file: string): Part {
  const members = Object.entries(part).map(([name, member]: [string, unknown]) => [
    name,
    typeof member === 'function' ? guardedCall(member as Call, file) : member,
  ]);
  return Object.fromEntries(members) as Part;
}

type Call = (...values: unknown[]) => unknown;

function guardedCall(call: Call, file: string): Call {
  return (...values) => {
    try {
      return call(...values);
    } catch (cause) {
      throw explained(cause, file);
    }
  };
}

/** The same rows, read only when they are asked for, with failures explained. */
export function* guardedRows<Row>(rows: Iterable<Row>, file: string): Iterable<Row> {
  try {
    yield* rows;
  } catch (cause) {
    throw explained(cause, file);
  }
}

/** What a reporter tells while the same input is read once more. */
import type { Reporter } from './reporter.js';

/** Until `speak` is called only progress is shown: all else was told when the input was read first. */
export function readAgain(reporter: Reporter): { readonly reporter: Reporter; readonly speak: () => void } {
  let speaks = false;
  const later =
    <Told>(tell: (told: Told) => void) =>
    (told: Told): void => {
      if (speaks) tell(told);
    };
  const { note, issue, explain } = reporter;
  return {
    reporter: { ...reporter, note: later(note), issue: later(issue), explain: later(explain) },
    speak: () => {
      speaks = true;
    },
  };
}

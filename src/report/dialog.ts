/** Questions at a terminal. The answer that nobody gave is always no. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { formatDecimal, groupThousands } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { printable } from './printable.js';
import type { ReviewReport } from './reporter.js';

type Asker = (question: string, signal: AbortSignal) => Promise<string | null>;

/** What the person wants done with repeats. */
export interface RepeatWish {
  readonly skipCreated: boolean;
  readonly payAgain: number | null;
}

export interface TerminalDialog {
  readonly present: boolean;
  aboutRepeats(review: ReviewReport, signal: AbortSignal): Promise<RepeatWish | null>;
  confirm(review: ReviewReport, signal: AbortSignal): Promise<boolean>;
}

/** A dialog on a terminal; without one on both sides, nobody is there to ask. */
export function terminalDialog(stdin: Readable & { isTTY?: boolean }, stderr: Writable & { isTTY?: boolean }): TerminalDialog {
  const ask: Asker = (question, signal) => askLine(stdin, stderr, question, signal);
  return {
    present: stdin.isTTY === true && stderr.isTTY === true,
    aboutRepeats: (review, signal) => aboutRepeats(review, ask, signal),
    confirm: (review, signal) => confirm(review, ask, signal),
  };
}

/** Null when the input ends or the signal comes. */
function askLine(stdin: Readable, stderr: Writable, question: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    // Not as a terminal: Ctrl-C stays a signal, and the line is edited by the terminal itself.
    const lines = createInterface({ input: stdin, terminal: false });
    const end = (answer: string | null): void => {
      signal.removeEventListener('abort', cancel);
      lines.close();
      resolve(answer);
    };
    const cancel = (): void => end(null);
    lines.once('line', (line) => end(line.trim()));
    lines.once('close', () => resolve(null));
    signal.addEventListener('abort', cancel, { once: true });
    stderr.write(question);
  });
}

async function aboutRepeats({ repeats }: ReviewReport, ask: Asker, signal: AbortSignal): Promise<RepeatWish | null> {
  const before = (repeats['created-before'] ?? 0) + (repeats['same-content'] ?? 0);
  const similar = repeats['similar-record'] ?? 0;
  let skipCreated = false;
  if (before > 0) {
    const answer = await ask(
      `${before} records were sent before. [s] leave them out, [p] pay them again, anything else stops: `,
      signal,
    );
    if (answer !== 's' && answer !== 'p') return null;
    skipCreated = answer === 's';
  }
  const again = similar + (skipCreated ? 0 : before);
  if (again === 0) return { skipCreated, payAgain: null };
  const kind = skipCreated || before === 0 ? 'similar to earlier ones' : 'repeats of earlier ones';
  const typed = await ask(`${again} records are ${kind}. To send them all the same, type their number: `, signal);
  return typed === String(again) ? { skipCreated, payAgain: again } : null;
}

async function confirm({ toSend }: ReviewReport, ask: Asker, signal: AbortSignal): Promise<boolean> {
  const sums = sumByCurrency(toSend.totals);
  for (const sum of sums) {
    const sends = sum.type === 'gig' || sum.count === sum.unpriced ? await confirmCount(sum, ask, signal) : await confirmTotal(sum, ask, signal);
    if (!sends) return false;
  }
  return sums.length > 0;
}

async function confirmCount({ type, count }: TotalRow, ask: Asker, signal: AbortSignal): Promise<boolean> {
  const what = count === 1 ? type : KINDS[type as RecordType].plural;
  const answer = await ask(`Send ${count} ${what}? [y/N] `, signal);
  return answer !== null && /^y(es)?$/i.test(answer);
}

/** Typing the total makes a person look at it. */
async function confirmTotal({ type, currency, amount, count, unpriced }: TotalRow, ask: Asker, signal: AbortSignal): Promise<boolean> {
  const money = `${groupThousands(amount)}${currency === null ? '' : ` ${printable(currency)}`}`;
  const without = unpriced === 0 ? '' : `, and ${unpriced} without a known price`;
  const typed = await ask(`Send ${count} ${KINDS[type as RecordType].plural}, ${money}${without}? Type the total to send: `, signal);
  return typed !== null && (typed === formatDecimal(amount) || typed === groupThousands(amount));
}

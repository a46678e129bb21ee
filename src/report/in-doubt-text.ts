/** Payments in doubt that a person has to look up in the service, and how the result is recorded. */
import type { Flag } from '../follow-up/command-line.js';
import { type CommandText, flag } from '../follow-up/commands.js';
import type { Journal } from '../journal/journal.js';
import type { StoredPayment } from '../journal/payment.js';
import { localDay } from '../util/local-time.js';
import { formatCount, pluralize } from './table.js';

/** Those of one run. */
export interface InDoubtSummary {
  readonly run: string;
  /** The day when the first of them came into doubt, YYYY-MM-DD. */
  readonly since: string;
  readonly count: number;
  readonly areGigs: boolean;
  /** Null if there are several. */
  readonly only: OnlyInDoubt | null;
}

/** A payment that a command can name. */
export interface OnlyInDoubt {
  readonly key: string;
  /** Names its record to `batch settle`: by its line, as people know it, where that is sure. */
  readonly flag: Flag;
}

/** Payments in doubt by the run that has them. */
export class InDoubtTally {
  private readonly runs = new Map<string, RunInDoubt>();

  /** @param since when it came into doubt, milliseconds since 1970 */
  add(payment: StoredPayment, since: number): void {
    const { name } = payment.run;
    const found = this.runs.get(name) ?? { since, count: 0, areGigs: true, only: payment };
    this.runs.set(name, found);
    found.count++;
    found.since = Math.min(found.since, since);
    found.areGigs &&= payment.type === 'gig';
    // Two records may be the same payment.
    if (found.only?.id !== payment.id) found.only = null;
  }

  /** @throws JournalError */
  async summaries(journal: Journal): Promise<InDoubtSummary[]> {
    const summaries: InDoubtSummary[] = [];
    for (const [run, { since, count, areGigs, only }] of this.runs) {
      const named = only === null ? null : { key: only.key, flag: await flagNaming(only, journal) };
      summaries.push({ run, since: localDay(since), count, areGigs, only: named });
    }
    return summaries;
  }
}

interface RunInDoubt {
  since: number;
  count: number;
  areGigs: boolean;
  /** Null if there are several. */
  only: StoredPayment | null;
}

/** How `batch settle` finds the record. A line may be another record once the run has continued with another file. */
async function flagNaming({ id, key, run: { name } }: StoredPayment, journal: Journal): Promise<Flag> {
  const run = (await journal.runs({ beginning: name })).find((each) => each.name === name);
  const [place = null] = await journal.places([id]);
  const isSure = run?.files.length === 1 && place !== null && !(await journal.hasOtherFiles(run));
  if (!isSure) return flag('--key', key);
  return place.line === null ? flag('--record', `${place.record}`) : flag('--line', `${place.line}`);
}

/** The number of these payments. */
export function countInDoubt(doubts: readonly InDoubtSummary[]): number {
  return doubts.reduce((sum, { count }) => sum + count, 0);
}

/** Whether all that is left of a run are doubts of other runs: to continue it would send nothing. */
export function isLeftElsewhere(
  run: string | null,
  records: { readonly unknown: number; readonly not_sent: number },
  doubts: readonly InDoubtSummary[],
): boolean {
  const others = countInDoubt(doubts.filter((doubt) => doubt.run !== run));
  return others > 0 && others === records.unknown && records.not_sent === 0;
}

/**
 * Without its end, which differs between a terminal and a program: how a person then records the result. A guess would
 * pay somebody twice, or not at all.
 * @param isAfter the run is to be resumed first
 */
export function inDoubtText({ run, since, count, areGigs }: InDoubtSummary, isAfter = false): string {
  const what = pluralize(count, areGigs ? 'gig' : 'record');
  const it = count === 1 ? 'it' : 'each';
  const look = isAfter ? `If that does not clear it up, look ${it} up` : `Look ${it} up`;
  return `${what} of run ${run} may have been ${areGigs ? 'created' : 'paid'} (in doubt since ${since}). ${look} in the service first, do not guess, and then record the result`;
}

/** The same with the command. */
export function settleText(doubt: InDoubtSummary, command: CommandText, isAfter = false): string {
  const { run, only } = doubt;
  const settle = command(`batch settle ${run}`, only === null ? [] : [only.flag]);
  const named = only === null ? `${settle} --line N` : settle;
  return `${inDoubtText(doubt, isAfter)}: ${named} --created --note TEXT, or --not-created --note TEXT`;
}

/** So many are looked up one by one. */
export const FEW_IN_DOUBT = 5;

/** How an export of the service records the results of all of them. */
function reconcileText({ run, count, areGigs }: InDoubtSummary, command: CommandText): string {
  const reconcile = `${command(`batch reconcile FILE --run ${run}`)} --as-of TIME --note TEXT`;
  return `If the service can export its ${areGigs ? 'gigs' : 'payments'}, FILE settles all ${formatCount(count)} at once: ${reconcile}`;
}

/**
 * The same, and where to find the records.
 * @param shown the run whose records the person sees; null for none
 */
export function settleTexts(
  doubts: readonly InDoubtSummary[],
  shown: string | null,
  command: CommandText,
  isAfter = false,
): string[] {
  return doubts.flatMap((doubt) => {
    const { run, count, only } = doubt;
    const texts = [settleText(doubt, command, isAfter)];
    const show = command(`batch show ${run}`);
    if (run !== shown && only === null)
      texts.push(`N is the line of the record in its file, or several: 3,5,9-12. See the lines with: ${show}`);
    else if (run !== shown) texts.push(`See the record with: ${show}`);
    if (count > FEW_IN_DOUBT) texts.push(reconcileText(doubt, command));
    return texts;
  });
}

/** Payments in doubt that a person has to look up in the service, by the run that has them. */
import { localDay } from '../util/local-time.js';
import { pluralize } from './table.js';

export interface InDoubtSummary {
  readonly run: string;
  /** The day when the first of them came into doubt, YYYY-MM-DD. */
  readonly since: string;
  readonly count: number;
  readonly areGigs: boolean;
  /** The key of the payment; null if there are several. */
  readonly key: string | null;
}

/** Collects payments in doubt. */
export function createInDoubtTally() {
  const runs = new Map<string, { since: number; count: number; areGigs: boolean; key: string | null }>();
  return {
    /** @param run that has the payment. @param since milliseconds since 1970 */
    add: (run: string, since: number, { type, key }: { readonly type: string; readonly key: string }): void => {
      const found = runs.get(run) ?? { since: Infinity, count: 0, areGigs: true, key };
      runs.set(run, found);
      found.count++;
      found.since = Math.min(found.since, since);
      found.areGigs &&= type === 'gig';
      // Two records may be the same payment.
      if (found.key !== key) found.key = null;
    },
    told: (): InDoubtSummary[] =>
      [...runs].map(([run, { since, ...found }]) => ({ run, since: localDay(since), ...found })),
  };
}

/** The number of these payments. */
export function heldIn(doubts: readonly InDoubtSummary[]): number {
  return doubts.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Without its end, which differs between a terminal and a program: how a person then records the result.
 * @param isAfter the run is to be resumed first
 */
export function heldWords({ run, since, count, areGigs }: InDoubtSummary, isAfter = false): string {
  const what = pluralize(count, areGigs ? 'gig' : 'record');
  const it = count === 1 ? 'it' : 'each';
  const look = isAfter ? `If that does not clear it up, look ${it} up` : `Look ${it} up`;
  return `${what} of run ${run} may have been ${areGigs ? 'created' : 'paid'} (in doubt since ${since}). ${look} in the service, then record the result`;
}

/** The words with the command. @param further flags that name the journal */
export function settleWords(doubt: InDoubtSummary, program: string, further: string, isAfter = false): string {
  const settle = `${program} batch settle ${doubt.run}${further}`;
  return `${heldWords(doubt, isAfter)}: ${settle} --line N --created --note TEXT, or --not-created --note TEXT`;
}

/**
 * The same, and where to find the lines.
 * @param shown the run whose records the person sees; null for none
 */
export function settleLines(
  doubts: readonly InDoubtSummary[],
  shown: string | null,
  program: string,
  further: string,
  isAfter = false,
): string[] {
  return doubts.flatMap((doubt) => [
    settleWords(doubt, program, further, isAfter),
    ...(doubt.run === shown
      ? []
      : [
          `N is the line of the record in its file, or several: 3,5,9-12. See the lines with: ${program} batch show ${doubt.run}${further}`,
        ]),
  ]);
}

/**
 * Rows that are still open stay with their run: a corrected file has them too, under other keys. Empty if none is open.
 * @param program and further flags, which name the journal
 */
export function openLines(run: string, open: number, program: string, further: string): string[] {
  if (open === 0) return [];
  const close = `${program} batch close ${run}${further} --note TEXT`;
  return [
    `That continues with the file as it is. If you change the file, close this run first, or both the old and the changed records are sent: ${close}`,
  ];
}

/** Whether all that is left of a run are doubts of other runs: to continue it would send nothing. */
export function isLeftElsewhere(
  run: string | null,
  records: Readonly<Record<string, number>>,
  doubts: readonly InDoubtSummary[],
): boolean {
  const others = heldIn(doubts.filter((doubt) => doubt.run !== run));
  return others > 0 && others === records['unknown'] && (records['not_sent'] ?? 0) === 0;
}

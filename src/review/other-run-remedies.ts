/** What has to be done first about payments that block a run: open or in doubt in another run, or refused there. */
import type { StoredPayment } from '../journal/payment.js';
import type { RunOptions } from '../options.js';
import type { Remedy, RemedyCode } from '../report/reporter.js';
import type { IssueLog } from './issue-log.js';
import type { Place } from './origins.js';
import { doubtRules } from './disposition.js';
import { inDoubtSinceDay } from './repeat-words.js';

/**
 * One way out; empty if it does not apply.
 * @param placeholders the words of the command that a person must replace
 */
export function remedyIf(
  isOne: boolean,
  code: RemedyCode,
  when: string,
  command: readonly string[],
  placeholders: readonly string[] = [],
): Remedy[] {
  // Commands are shown without the values of headers, which may be secrets.
  const headers = command.filter((_, i) => command[i - 1] === '--header');
  return isOne ? [{ code, when, command, placeholders: [...placeholders, ...headers] }] : [];
}

/** A payment that a person has to see to first. */
interface Blocking {
  readonly payment: StoredPayment;
  readonly place: Place | null;
  /** The record of the input differs from it: its row was changed since. */
  readonly isEdited?: boolean;
}

/** For records whose keys belong to other content. Their own rows are left out, or corrected. */
export function conflictRemedies({ conflicts }: IssueLog, now: number, options: RunOptions): Remedy[] {
  return otherRunRemedies(
    // The row has other content than the open payment: it was changed since.
    conflicts
      .filter(({ payment }) => payment.state !== 'created')
      .map(({ payment, place }) => ({ payment, place, isEdited: payment.state === 'not_sent' })),
    { after: 'then leave this row out', again: 'then run this command again' },
    now,
    options,
  );
}

/**
 * Unfinished runs come first: continuing one pays nobody twice. A correction that was rejected is corrected itself.
 * @param after what to do once its payments are paid, @param again and once they are given up or known not to be
 * @param now milliseconds since 1970
 */
export function otherRunRemedies(
  blocking: readonly Blocking[],
  { after, again }: Readonly<{ after: string; again: string }>,
  now: number,
  options: RunOptions,
): Remedy[] {
  const { onward, place, safety, output, send } = options;
  const { isProtected } = doubtRules(safety.keyLifetimeMs, send.timeoutMs, false, () => now);
  return [...new Set(blocking.map(({ payment }) => payment.run.name))].flatMap((run) => {
    const own = blocking.filter(({ payment }) => payment.run.name === run);
    const payments = own.map(({ payment }) => payment);
    const doubtful = payments.filter(({ state }) => state === 'unknown');
    const { length: open } = payments.filter(({ state }) => state === 'not_sent');
    const unfinished = doubtful.length + open;
    // Resuming sends nothing of what only a person can settle.
    const isResumed =
      open > 0 ||
      doubtful.some(({ type, doubtSince, at, lifetimeMs }) =>
        isProtected({ type, doubtSince: doubtSince ?? at, lifetimeMs }),
      );
    const records = `run ${run} is to pay all that it has open or in doubt, as it stands there`;
    const batch = (name: string, ...words: string[]): string[] => [
      onward.program,
      'batch',
      name,
      run,
      ...place,
      ...words,
    ];
    const stored = own[0]?.place?.run;
    const resume = stored === undefined ? batch('resume') : onward.resumeStored(stored);
    // Those who read this decide whether they are asked, whatever the call said that began the run.
    const typed = resume.filter((word) => word !== '--yes' && word !== '--json');
    const asHere = [...(safety.yes ? ['--yes'] : []), ...(output.json ? ['--json'] : [])];
    const { length: edited } = own.filter(({ isEdited }) => isEdited === true);
    const rows = edited === 1 ? 'the changed row is' : 'the changed rows are';
    const isNew = edited === 0 ? '' : `${rows} to be paid as now in the file: `;
    const close = remedyIf(
      open > 0,
      'close',
      `${isNew}run ${run} is not to pay what it has open; ${again}`,
      batch('close', '--note', 'TEXT'),
      ['TEXT'],
    );
    const asBefore = edited === 0 ? '' : ', without the changes in the file';
    return [
      // Whoever has changed a row means the new one.
      ...(edited > 0 ? close : []),
      ...remedyIf(isResumed, 'resume', `${records}${asBefore}; ${after}`, [...typed, ...asHere]),
      // Closing a run settles nothing.
      ...doubtful.flatMap((payment) => settleConflictRemedies(payment, batch, { after, again })),
      ...(edited > 0 ? [] : close),
      ...remedyIf(
        unfinished < payments.length,
        'rejects',
        `the refused row is to be corrected: it is in the rejects of run ${run}`,
        rejectsAgain(resume),
        resume.includes('--rejects') ? [] : ['FILE'],
      ),
    ];
  });
}

function settleConflictRemedies(
  payment: StoredPayment,
  batch: (name: string, ...words: string[]) => string[],
  { after, again }: Readonly<{ after: string; again: string }>,
): Remedy[] {
  const { key, run, type } = payment;
  const it = `the ${type === 'gig' ? 'gig' : 'payment'} ${key} of run ${run.name} (in doubt since ${inDoubtSinceDay(payment)})`;
  const settle = (outcome: string): string[] => batch('settle', '--key', key, outcome, '--note', 'TEXT');
  return [
    ...remedyIf(true, 'settle', `the service has ${it}; ${after}`, settle('--created'), ['TEXT']),
    ...remedyIf(true, 'settle', `the service does not have ${it}; ${again}`, settle('--not-created'), ['TEXT']),
  ];
}

/** Writes the rejects of a run, and sends nothing. */
function rejectsAgain(resume: readonly string[]): string[] {
  return [...resume, ...(resume.includes('--rejects') ? [] : ['--rejects', 'FILE']), '--dry-run'];
}

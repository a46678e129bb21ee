/** What has to be done first about payments of other runs: open, in doubt, or refused there. CONTRACT: `remedies`. */
import type { StoredPayment } from '../journal/payment.js';
import type { RunOptions } from '../options.js';
import { FEW_IN_DOUBT, type InDoubtSummary } from '../report/in-doubt-text.js';
import { wordingFor } from '../report/status-text.js';
import type { Remedy, RemedyCode } from '../report/reporter.js';
import { doubtRules } from '../review/disposition.js';
import type { IssueLog } from '../review/issue-log.js';
import type { Place } from '../review/origins.js';
import { inDoubtSinceDay } from '../review/history-issues.js';
import { type CommandLine, placeholdersIn, toWords, withFlags, withoutFlags } from './command-line.js';
import { batchCommand, OUTPUT_FILES, flag, reconcileCommand, resumeStoredCommand, settleCommand } from './commands.js';

/** @param placeholders the words of the command that a person must replace */
export function remedy(code: RemedyCode, when: string, line: CommandLine, ...placeholders: readonly string[]): Remedy {
  const command = toWords(line);
  // Commands are shown without the values of headers, which may be secrets.
  const headers = command.filter((_, i) => command[i - 1] === '--header');
  return { code, when, command, placeholders: [...placeholdersIn(line), ...placeholders, ...headers] };
}

/** A payment that a person has to see to first. */
interface Blocking {
  readonly payment: StoredPayment;
  readonly place: Place | null;
  /** The record of the input differs from it: its row was changed since. */
  readonly isEdited: boolean;
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

/** What to do once the payments of a run are paid, and once they are given up or known not to be. */
interface Afterwards {
  readonly after: string;
  readonly again: string;
}

/** @param now milliseconds since 1970 */
export function otherRunRemedies(
  blocking: readonly Blocking[],
  afterwards: Afterwards,
  now: number,
  options: RunOptions,
): Remedy[] {
  const runs = new Set(blocking.map(({ payment }) => payment.run.name));
  return [...runs].flatMap((run) => {
    const own = blocking.filter(({ payment }) => payment.run.name === run);
    return remediesOfRun(run, own, afterwards, now, options);
  });
}

/** Resuming it comes first: that pays nobody twice. A correction that was rejected is corrected itself. */
function remediesOfRun(
  run: string,
  blocking: readonly Blocking[],
  { after, again }: Afterwards,
  now: number,
  options: RunOptions,
): Remedy[] {
  const { safety, output, send } = options;
  const { isProtected } = doubtRules(safety.keyLifetimeMs, send.timeoutMs, false, () => now);
  const doubtful = blocking.map(({ payment }) => payment).filter(({ state }) => state === 'unknown');
  const open = blocking.filter(({ payment }) => payment.state === 'not_sent').length;
  const edited = blocking.filter(({ isEdited }) => isEdited).length;
  const wording = wordingFor(blocking.map(({ payment }) => payment));
  const stored = blocking[0]?.place?.run;
  const resume = stored === undefined ? batchCommand('resume', run, options) : resumeStoredCommand(stored, options);
  const remedies: Remedy[] = [];
  // Resuming sends nothing of what only a person can settle.
  if (
    open > 0 ||
    doubtful.some(({ type, doubtSince, at, lifetimeMs }) =>
      isProtected({ type, doubtSince: doubtSince ?? at, lifetimeMs }),
    )
  ) {
    const asBefore = edited === 0 ? '' : ', without the changes in the file';
    const when = `run ${run} is to ${wording.pay} all that it has open or in doubt, as it stands there${asBefore}; ${after}`;
    // Those who read this decide whether they are asked, whatever the call said that began the run.
    const asHere = [...(safety.yes ? [flag('--yes')] : []), ...(output.json ? [flag('--json')] : [])];
    remedies.push(remedy('resume', when, withFlags(withoutFlags(resume, ['--yes', '--json']), asHere)));
  }
  // Closing a run settles nothing.
  for (const payment of doubtful) {
    const it = `the ${wordingFor([payment]).noun} ${payment.key} of run ${run} (in doubt since ${inDoubtSinceDay(payment)})`;
    remedies.push(settleRemedy(true, `${it}; ${after}`, run, payment.key, options));
    remedies.push(settleRemedy(false, `${it}; ${again}`, run, payment.key, options));
  }
  if (open > 0) {
    const rows = edited === 1 ? 'the changed row is' : 'the changed rows are';
    const isNew = edited === 0 ? '' : `${rows} to be ${wording.paid} as now in the file: `;
    const when = `${isNew}run ${run} is not to ${wording.pay} what it has open; ${again}`;
    const close = remedy('close', when, batchCommand('close', run, options, [flag('--note', 'TEXT')]), 'TEXT');
    // Whoever has changed a row means the new one.
    if (edited > 0) remedies.unshift(close);
    else remedies.push(close);
  }
  if (doubtful.length + open < blocking.length) {
    const when = `the refused row is to be corrected: this writes the rejects of run ${run}; correct a copy of them`;
    // Writes the rejects, and sends nothing. A dry run replaces no file of the run.
    const line = withFlags(withoutFlags(resume, OUTPUT_FILES), [flag('--rejects', 'FILE'), flag('--dry-run')]);
    remedies.push(remedy('rejects', when, line, 'FILE'));
  }
  return remedies;
}

/** A guess would pay somebody twice, or not at all. @param key null if a person knows it */
function settleRemedy(isCreated: boolean, it: string, run: string, key: string | null, options: RunOptions): Remedy {
  const when = `you have looked it up, and the service ${isCreated ? 'has' : 'does not have'} ${it}`;
  const placeholders = key === null ? ['KEY', 'TEXT'] : ['TEXT'];
  return remedy('settle', when, settleCommand(isCreated, key ?? 'KEY', run, options), ...placeholders);
}

/** How a person records the outcome of payments: for each answer of the service a command. */
export function settleRemedies(doubts: readonly InDoubtSummary[], options: RunOptions): Remedy[] {
  return doubts.flatMap(({ run, since, only, count, areGigs }) => {
    const key = only?.key ?? null;
    const it = `${key === null ? 'a record' : `the record ${key}`} of run ${run} (in doubt since ${since})`;
    const atOnce = `the service can export its ${areGigs ? 'gigs' : 'payments'}: FILE settles all ${count} records of run ${run} at once`;
    return [
      ...(count > FEW_IN_DOUBT
        ? [remedy('reconcile', atOnce, reconcileCommand(run, options), 'FILE', 'TIME', 'TEXT')]
        : []),
      settleRemedy(true, it, run, key, options),
      settleRemedy(false, it, run, key, options),
    ];
  });
}

/** The end of a call: its exit code, its reasons, and the command that continues. CONTRACT: "Exit codes". */
import type { DeliveryStop, StopCause } from '../delivery/circuit-breaker.js';
import { isNoHost } from '../delivery/http/failure.js';
import { isRefusedByProxy, proxyFailure, proxyWords } from '../delivery/http/proxy-used.js';
import { EXIT, JournalError } from '../errors.js';
import type { RunOptions } from '../options.js';
import type { Assessment } from '../review/assessment.js';
import type { RefusalReason } from '../review/refusal.js';
import type { Reporter, RunSummary } from '../report/reporter.js';
import { type CalledSummary, type RecordCounts, summaryOf } from '../report/summary.js';
import { pluralize } from '../report/table.js';

/** Why a call ended before its end. CONTRACT: `stop_reason`. */
export type StopReason = DeliveryStop | 'usage' | RefusalReason;

export interface ExitStatus {
  readonly exitCode: number;
  readonly stopReason: StopReason | null;
  readonly reasons: readonly string[];
}

/** What a call has sent, beyond its counts. */
interface Sent {
  /** How many of the unknown records only a person can settle. */
  readonly held: number;
  /** A record without protection came into doubt, and others are left unsent: calling again would endanger those. */
  readonly leavesUnprotected: boolean;
  readonly stopped: StopCause;
  /** The code of the signal that came, or null. */
  readonly signalExit: number | null;
}

/** The end of a call that has sent what it could. */
export function exitStatusOf(
  { created, rejected, invalid, unknown, not_sent: notSent }: RecordCounts,
  { held, leavesUnprotected, stopped, signalExit }: Sent,
  options: RunOptions,
): ExitStatus {
  if (stopped?.reason === 'internal')
    return { exitCode: EXIT.internal, stopReason: 'internal', reasons: [stopWords(stopped, options)] };
  const nobody = created === 0 && unknown === 0 ? 'This call paid nobody. ' : '';
  const reasons = stopped === null ? [] : [`${nobody}${stopWords(stopped, options)}`];
  const stopReason = stopped?.reason ?? null;
  // A signal that came after the last record has stopped nothing.
  if (unknown === 0 && notSent === 0) {
    const done = rejected > 0 || invalid > 0 ? EXIT.partly : EXIT.ok;
    return stopReason === 'interrupted'
      ? { exitCode: done, stopReason: null, reasons: [] }
      : { exitCode: done, stopReason, reasons };
  }
  if (stopReason === 'interrupted') return { exitCode: signalExit ?? EXIT.again, stopReason, reasons };
  const clearsUp = unknown > held && !(stopped !== null && needsPerson(stopped));
  // Calling again helps only if it sends something.
  const isLeft = unknown > held || notSent > 0;
  const passes = isLeft && !leavesUnprotected && (clearsUp || (stopped === null ? notSent > 0 : isPassing(stopped)));
  return { exitCode: passes ? EXIT.again : EXIT.person, stopReason, reasons };
}

/**
 * Whether a person has to act before anything else is sent: no request can reach the service, the journal does not know
 * this run, or a person wanted the run to stop here. Then another call clears up no doubt.
 */
function needsPerson(stopped: NonNullable<StopCause>): boolean {
  const { reason } = stopped;
  if (reason === 'tls' || reason === 'too_many_rejected' || reason === 'in_doubt') return true;
  return (reason === 'unreachable' || reason === 'journal') && !isPassing(stopped);
}

/** Whether another call may succeed without anybody's help. */
function isPassing({ reason, detail, isPassing: journal = false }: NonNullable<StopCause>): boolean {
  return (
    reason === 'throttled' || journal || (reason === 'unreachable' && !isNoHost(detail) && !isRefusedByProxy(detail))
  );
}

/** The exit code of a call that was refused before it sent anything. */
export function exitCodeOfRefusal(reason: RefusalReason): number {
  if (reason === 'busy') return EXIT.again;
  return reason === 'not_confirmed' || reason === 'not_approved' ? EXIT.usage : EXIT.refused;
}

/**
 * The end of a delivery that failed. An internal error is treated like any other failure: durable outcomes are
 * reported, with the command that continues.
 * @param isInterrupted after a signal, the journal is not waited for. What only a person can mend is still told
 */
export function stopFromError(cause: unknown, isInterrupted: boolean): NonNullable<StopCause> {
  if (cause instanceof JournalError) {
    const reason = isInterrupted && cause.isPassing ? 'interrupted' : 'journal';
    return { reason, detail: cause.message, isPassing: cause.isPassing };
  }
  return { reason: 'internal', detail: cause instanceof Error ? cause.message : String(cause) };
}

/** The stack of an internal error, line by line; empty for any other failure. */
export function stackOf(cause: unknown): string[] {
  return cause instanceof JournalError || !(cause instanceof Error) ? [] : (cause.stack ?? '').split('\n');
}

/** The command, the program and the duration. */
export function summaryBase(options: RunOptions): CalledSummary & Pick<RunSummary, 'people'> & Partial<RunSummary> {
  const { command, safety, target, caller, startedAt, now } = options;
  return {
    command,
    dry_run: safety.dryRun,
    target: target?.name ?? null,
    batch_id: safety.batchId,
    version: caller.version,
    started_at: new Date(startedAt).toISOString(),
    duration_ms: Math.max(0, Math.round(now() - startedAt)),
    people: {
      approves: safety.approve !== null,
      sends: false,
      doubts: [],
      written: [],
      choices: [],
      later: [],
    },
  };
}

/** The end of a call that a signal ended before everything was read. Returns its exit code. */
export async function finishInterrupted(options: RunOptions, reporter: Reporter, exitCode: number): Promise<number> {
  const stopReason = 'interrupted';
  const reasons = ['Stopped while reading the input. Nothing was sent'];
  const next = nextCommand({ exitCode, stopReason, run: null, options });
  await reporter.summary(
    summaryOf({ ...summaryBase(options), exit_code: exitCode, stop_reason: stopReason, reasons, next }),
  );
  return exitCode;
}

/** If no run began, the same call may succeed later. */
const CUT_SHORT: ReadonlySet<StopReason> = new Set(['interrupted', 'journal', 'busy']);

interface Ended extends Omit<ExitStatus, 'reasons'> {
  readonly run: string | null;
  readonly options: RunOptions;
}

/** The words of the command that continues; null when there is nothing to continue. */
export function nextCommand({ exitCode, stopReason, run, options }: Ended): readonly string[] | null {
  if (exitCode === EXIT.ok || exitCode === EXIT.partly || exitCode === EXIT.refused || exitCode === EXIT.usage)
    return null;
  const { program, resume, rerun, isRepeatable } = options.onward;
  if (run !== null) return [program, 'batch', 'resume', run, ...resume];
  return isRepeatable && stopReason !== null && CUT_SHORT.has(stopReason) ? rerun : null;
}

/** Releases all resources, even if one release fails. The next call cleans up the rest, by this process's name. */
export async function releaseAll(steps: readonly (() => Promise<unknown> | undefined)[]): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (cause) {
      if (!(cause instanceof JournalError)) throw cause;
    }
  }
}

const REMEDIES: Readonly<Record<Exclude<DeliveryStop, 'unauthorized' | 'journal'>, string>> = {
  wrong_target:
    'The answers do not look like those of the gig work service. Nothing more was sent. Check the address. If it is wrong, close this run, and only then run the first command again with the right --base-url: else both addresses may pay',
  redirected:
    'The service redirected the request. gigwork never follows redirects, and keeps a separate history for each address. If you trust the other address: settle here what may have been paid, and close this run. Then remove everything that was created from the file, and run it with that --base-url',
  tls: 'There is no trusted connection with the service. Correct that first',
  unreachable: 'The service cannot be reached. Check the network, or wait',
  throttled:
    'For 15 minutes the service has only answered "too many requests" or "too early". Continue later, or with a lower --rate',
  in_doubt:
    'Three gigs in a row got no clear answer, and each may have been created. Nothing more was sent. First look these gigs up in the service and record the results. Once the service works again, continue',
  too_many_rejected:
    'The service has refused as many records as --stop-after allows. Look at the reasons before you continue',
  interrupted: 'Stopped by Ctrl-C or a signal',
  internal: 'Internal error in gigwork, so nothing more was sent. Run it again with --debug to see the details',
};

const NO_HOST = 'There is no host with this name. Correct the address or the name service';

/** Why the run stopped, in one sentence with the remedy. */
function stopWords(stopped: NonNullable<StopCause>, options: RunOptions): string {
  const { reason, detail } = stopped;
  const told = options.redactor.redact(detail ?? '').replace(/\.$/, '');
  if (reason === 'journal') return `Nothing more was sent: ${told}`;
  const usual =
    reason === 'unauthorized' ? credentialsHint(options) : (proxyOrHostHint(stopped, options) ?? REMEDIES[reason]);
  const remedy = stopped.remedy ?? usual;
  return detail === null ? remedy : `${remedy} (${told})`;
}

/** Names the place of the credentials, never their value. */
function credentialsHint({ send: { credentialPlaces } }: RunOptions): string {
  const ask = 'Ask the person who set up gigwork to';
  return credentialPlaces.length === 0
    ? `The service asks for a token (HTTP 401), and none is set. ${ask} set GIGWORK_TOKEN, or token in the config file`
    : `The service did not accept the token or headers that gigwork sends (HTTP 401). They come from ${credentialPlaces.join(' and ')}. ${ask} correct them there`;
}

/** If there is a proxy, the proxy could not be reached: the service was never asked. */
function proxyOrHostHint({ reason, detail }: NonNullable<StopCause>, { target, send }: RunOptions): string | null {
  if (reason !== 'unreachable' || target?.kind !== 'url') return null;
  const proxy = proxyWords(target.baseUrl, send.proxy);
  if (proxy !== null)
    return `${proxyFailure(proxy, detail)}: ${isRefusedByProxy(detail) ? 'correct user name and password in the variable, or ask whoever runs the proxy' : 'check the variable, the proxy and the network'}`;
  return isNoHost(detail) ? NO_HOST : null;
}

/** Records that the call could not send from the journal. */
export function prunedReasons({ exceptions }: Assessment): string[] {
  const pruned = [...exceptions.values()].filter(
    (disposition) => 'isPruned' in disposition && disposition.isPruned === true,
  );
  return pruned.length === 0
    ? []
    : [
        `The journal cannot send ${pluralize(pruned.length, 'record')} again, because batch prune removed the contents. To pay, import the file again, with --retry-rejected for what was refused`,
      ];
}

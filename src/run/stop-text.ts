/** Why a call stopped, and what a person can do, in sentences. */
import { type DeliveryStop, HTTP_FORBIDDEN, type StopCause } from '../delivery/circuit-breaker.js';
import { isNoHost } from '../delivery/http/failure.js';
import { isRefusedByProxy, proxyFailure, proxyText } from '../delivery/http/proxy-used.js';
import { JournalError } from '../errors.js';
import type { TotalRow } from '../money/totals.js';
import type { RunOptions } from '../options.js';
import type { RecordCounts } from '../report/reporter.js';
import { type Wording, wordingFor } from '../report/status-text.js';
import { pluralize } from '../report/table.js';
import type { Assessment } from '../review/assessment.js';

/** Why a delivery stopped before its end; empty if everything was sent all the same. @param rows of the call's records */
export function stopReasons(
  stop: StopCause,
  { created, unknown, not_sent: notSent }: RecordCounts,
  rows: readonly TotalRow[],
  options: RunOptions,
): string[] {
  if (stop === null) return [];
  const wording = wordingFor(rows);
  const why = stopText(stop, wording, options);
  if (stop.reason === 'internal') return [why];
  // A signal that came after the last record has stopped nothing.
  if (stop.reason === 'interrupted' && unknown === 0 && notSent === 0) return [];
  if (created > 0 || unknown > 0) return [why];
  return [`${wording.pay === 'pay' ? 'This call paid nobody' : 'This call created nothing'}. ${why}`];
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

const remediesIn = ({
  pay,
  paid,
}: Wording): Readonly<Record<Exclude<DeliveryStop, 'unauthorized' | 'journal'>, string>> => ({
  wrong_target: `The answers do not look like those of the gig work service. Nothing more was sent. Check the address. If it is wrong, close this run, and only then run the first command again with the right --base-url: else both addresses may ${pay}${pay === 'pay' ? '' : ' them'}`,
  redirected: `The service redirected the request. gigwork never follows redirects, and keeps a separate history for each address. If you trust the other address: settle here what may have been ${paid}, and close this run. Then remove everything that was created from the file, and run it with that --base-url`,
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
});

function settleFirst({ noun, pay }: Wording): string {
  const may = `some ${noun}s may have been ${noun === 'payment' ? 'made' : 'created'} there`;
  return `The target does not look like the gig work service, but ${may}. Look them up in the service, record each result, and close this run. Only then try another address: it could ${pay} them again`;
}
const OUTAGE = 'the service is down, or fails with these records: ask the people who run it';
const NO_HOST = 'There is no host with this name. Correct the address or the name service';

/** Why the run stopped, in one sentence with the remedy. */
function stopText(stopped: NonNullable<StopCause>, wording: Wording, options: RunOptions): string {
  const detail = detailText(stopped);
  const told = options.redactor.redact(detail ?? '').replace(/\.$/, '');
  if (stopped.reason === 'journal') return `Nothing more was sent: ${told}`;
  const remedy = remedyText(stopped, stopped.reason, wording, options);
  return detail === null ? remedy : `${remedy} (${told})`;
}

/** What was found, in few words; null if the remedy says all. */
function detailText({ detail, unansweredInARow, statuses }: NonNullable<StopCause>): string | null {
  if (unansweredInARow !== undefined) return `${unansweredInARow} records in a row got no definite answer`;
  if (statuses === undefined) return detail;
  const hint = statuses.includes(HTTP_FORBIDDEN)
    ? '; 403 may also mean that the token or the account may not do this'
    : '';
  return `nothing but HTTP ${statuses.join(', ')} was answered${hint}`;
}

function remedyText(
  stopped: NonNullable<StopCause>,
  reason: Exclude<DeliveryStop, 'journal'>,
  wording: Wording,
  options: RunOptions,
): string {
  if (stopped.mayHavePaid === true) return settleFirst(wording);
  if (stopped.unansweredInARow !== undefined) return OUTAGE;
  if (reason === 'unauthorized') return credentialsHint(options);
  return proxyOrHostHint(stopped, options) ?? remediesIn(wording)[reason];
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
  const proxy = proxyText(target.baseUrl, send.proxy);
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

/** What to do next, in words: why a run stopped, and the command that goes on. */
import { EXIT } from '../errors.js';
import { shellWord } from '../util/shell-word.js';
import { proxyFailure, proxyWords } from '../delivery/http/proxy-used.js';
import type { RunOptions } from '../options.js';
import type { StopReason } from './summary.js';
import type { Stopped, DeliveryStop } from '../delivery/circuit-breaker.js';

const REMEDIES: Readonly<Record<DeliveryStop, string>> = {
  unauthorized:
    'the service does not accept the credentials (HTTP 401): check the token (GIGWORK_TOKEN) or the headers, then go on',
  wrong_target:
    'the target does not look like the gig work service: run the first command again with the right --base-url',
  redirected:
    'the service redirected the request, and redirects are never followed: if you trust the address that it names, run the first command again with that as --base-url; records that were created under this address are not known under that one, so take them out first',
  tls: 'the connection is not trusted: check the address, or give the certificate authority with --ca',
  unreachable: 'the service cannot be reached: check the address and the network, then go on',
  throttled:
    'the service has answered nothing but "too many requests" or "too early" for 15 minutes: go on later, or with a lower --rate',
  too_many_rejected: 'as many records were rejected as --stop-after allows: look at the reasons before going on',
  journal: 'the journal could not be written, so nothing more was sent',
  interrupted: 'stopped by a signal',
  internal: 'gigwork has a fault of its own, so nothing more was sent: run it again with --debug to see the details',
};

/** Why the run stopped, in one sentence with the remedy. */
export function stopWords(stopped: NonNullable<Stopped>, options: RunOptions): string {
  const remedy = stopped.remedy ?? noWay(stopped, options) ?? REMEDIES[stopped.reason];
  return stopped.detail === null ? remedy : `${remedy} (${options.secrets.hide(stopped.detail)})`;
}

/** With a proxy on the way, the proxy is what could not be reached: the service was never asked. */
function noWay({ reason, detail }: NonNullable<Stopped>, { target, send }: RunOptions): string | null {
  if (reason !== 'unreachable' || target?.kind !== 'url') return null;
  const proxy = proxyWords(target.baseUrl, send.proxy);
  if (proxy === null) return null;
  return `${proxyFailure(proxy, detail)}: check the variable, the proxy and the network, then go on`;
}

/** How a call ended. */
export interface Ended {
  readonly exitCode: number;
  readonly stopReason: StopReason | null;
  readonly run: string | null;
  readonly options: RunOptions;
}

/** The command that goes on, or null when there is nothing to go on with. */
export function nextCommand({ exitCode, stopReason, run, options }: Ended): string | null {
  if (exitCode === EXIT.ok || exitCode === EXIT.partly || exitCode === EXIT.refused || exitCode === EXIT.usage)
    return null;
  const { argv, place, target } = options;
  if (run !== null) {
    const sandbox = target?.kind === 'sandbox' ? ['--sandbox'] : [];
    return `gigwork ${shown(['batch', 'resume', run, ...place, ...sandbox, ...wordsOf(argv)], options)}`;
  }
  if (stopReason !== 'interrupted' && stopReason !== 'journal') return null;
  return `gigwork ${shown(argv, options)}`;
}

/**
 * A command line that may be seen, and pasted. The names of files, folders and profiles stay as they are: with a part
 * hidden, they would name something else.
 */
function shown(argv: readonly string[], { secrets, platform }: Pick<RunOptions, 'secrets' | 'platform'>): string {
  const isPlace = (word: string, i: number): boolean =>
    PLACE_OPTIONS.has(argv[i - 1] ?? '') || PLACE_OPTIONS.has(word.split('=', 1)[0] ?? '');
  // Secrets are hidden before quoting, which would change a secret that contains quotes.
  return argv.map((word, i) => shellWord(isPlace(word, i) ? word : secrets.hide(word), platform)).join(' ');
}

/** Options whose value is a file, a folder or the name of a profile. */
const PLACE_OPTIONS: ReadonlySet<string> = new Set([
  ...['--state-dir', '--journal', '--config', '--profile'],
  ...['--ca', '--cert', '--key'],
]);
/**
 * Options that the command to go on needs, to reach the target and to send as before. Not `--stop-after`: rejected
 * records would reach the same number before anything else is sent.
 */
const WAY_OPTIONS: ReadonlySet<string> = new Set([
  ...['--ca', '--cert', '--key', '--header', '--key-lifetime'],
  ...['--rate', '--concurrency', '--timeout', '--retries'],
]);
/** What was said once for all: no question is asked, and what was created meanwhile is left out. */
const WAY_FLAGS: ReadonlySet<string> = new Set(['--allow-http', '--yes', '--skip-created', '--skip-similar']);

/** The words of a command line that belong to these options. */
function wordsOf(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    const [name = ''] = word.split('=', 1);
    if (WAY_FLAGS.has(word) || (WAY_OPTIONS.has(name) && word !== name)) words.push(word);
    else if (WAY_OPTIONS.has(name)) words.push(word, argv[++i] ?? '');
  }
  return words;
}

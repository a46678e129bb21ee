/** What `batch reconcile` compares: the words of its flags, the target in force, and the named run or batch. */
import { parseChoice } from '../config/parsers.js';
import { type SettingSources, settingValue } from '../config/resolve.js';
import { resolveTarget, responseRules, targetNamed } from '../config/target.js';
import { targetScope } from '../delivery/open-target.js';
import { UsageError } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import type { Run, TargetName } from '../journal/payment.js';
import { timestampProblem } from '../input/timestamp-text.js';
import { readTimestamp } from '../input/timestamps.js';
import type { ServiceExport } from '../reconcile/export-rows.js';
import type { ReconcileRules, ReconcileScope } from '../reconcile/reconciliation.js';
import { statusWord } from '../reconcile/verdict.js';
import type { World } from '../world.js';
import type { FlagsWith } from './command.js';
import { longestRequestMs } from './request-time.js';
import { findRun } from './with-journal.js';

export type ReconcileFlags = FlagsWith<
  'as_of' | 'run' | 'batch_id' | 'status_created' | 'status_not_created' | 'absent' | 'note'
>;

/** The flags as a person means them, as far as they say nothing of the journal. */
export interface ReconcileWords {
  /** Milliseconds since 1970. */
  readonly asOf: number;
  readonly createdWords: ReadonlySet<string>;
  readonly notCreatedWords: ReadonlySet<string>;
  readonly isAbsenceTaken: boolean;
  readonly note: string;
}

/** @throws UsageError */
export function reconcileWords(flags: ReconcileFlags, settings: SettingSources, world: World): ReconcileWords {
  const { run, batch_id: batchId, absent, note } = flags;
  if (run !== undefined && batchId !== undefined)
    throw new UsageError('--run and --batch-id say two things to compare; leave one out');
  if (note === undefined || note.trim() === '')
    throw new UsageError('reconciling needs a --note that says where the export comes from');
  const createdWords = statusWords('--status-created', flags.status_created);
  const notCreatedWords = statusWords('--status-not-created', flags.status_not_created);
  for (const word of createdWords)
    if (notCreatedWords.has(word))
      throw new UsageError(`the status "${word}" cannot mean both: leave it out of --status-created or the other`);
  const isAbsenceTaken = absent !== undefined && parseChoice('--absent', absent, ['not-created']) === 'not-created';
  if (isAbsenceTaken && (flags.only ?? []).length > 0)
    throw new UsageError(
      '--absent not-created needs the whole list, and --only leaves rows out: leave out one of the two. To name the statuses that count, use --status-created and --status-not-created',
    );
  return { asOf: asOfTime(flags, settings, world), createdWords, notCreatedWords, isAbsenceTaken, note };
}

function statusWords(flag: string, typed: string | undefined): ReadonlySet<string> {
  const words = typed === undefined ? [] : typed.split(',').map(statusWord);
  if (words.includes('')) throw new UsageError(`${flag} takes statuses of the list, separated by commas`);
  return new Set(words);
}

/** A fraction of a second, before the offset or at the end. */
const FRACTION = /(?<=:\d\d)[.,]\d+(?=\s*(?:Z|[+-][\d:]+)?$)/i;

function asOfTime(
  { as_of: typed, date_format: order }: ReconcileFlags,
  settings: SettingSources,
  world: World,
): number {
  if (typed === undefined)
    throw new UsageError('say when the export was made: --as-of 2026-11-28T18:00:00+01:00, with its offset');
  const dateOrder = order === undefined ? null : settingValue('date_format', settings);
  const notation = { dateOrder, timeZone: settingValue('time_zone', settings) };
  const reading = readTimestamp(typed.replace(FRACTION, ''), notation);
  if (!reading.ok) throw new UsageError(`--as-of: ${timestampProblem(typed.trim(), reading.fault, notation)}`);
  const fraction = Number(`0${FRACTION.exec(typed.trim())?.[0].replace(',', '.') ?? ''}`);
  const asOf = reading.seconds * 1000 + Math.floor(fraction * 1000);
  if (asOf <= world.now()) return asOf;
  throw new UsageError(`--as-of ${typed} is in the future: an export shows what was there when it was made`);
}

/** @throws UsageError for flags that the list cannot serve */
export function requireColumns({ columns, files }: ServiceExport, words: ReconcileWords): void {
  const names = files.map(({ path }) => path).join(', ');
  const hasPlaces = columns.has('title') && columns.has('start_at');
  if (!columns.has('idempotency_key') && !columns.has('id') && !hasPlaces)
    throw new UsageError(
      `${names}: no column says which payment a row is. Name one: --map COLUMN=idempotency_key, or COLUMN=id. For gigs, title and start_at together`,
    );
  const isStatusNamed = words.createdWords.size + words.notCreatedWords.size > 0;
  if (isStatusNamed && !columns.has('status'))
    throw new UsageError(
      `${names}: there is no column status, so no status can be named. If it has another name: --map COLUMN=status`,
    );
}

/** @throws UsageError, JournalError */
export async function reconcileScope(
  flags: ReconcileFlags,
  settings: SettingSources,
  journal: Journal,
  world: World,
): Promise<ReconcileScope> {
  const runs = await namedRuns(flags, settings, journal, world);
  const [run] = runs ?? [];
  const target: TargetName =
    run === undefined ? await targetInForce(settings, world) : { target: run.target, scope: run.scope };
  return {
    journal,
    target,
    runs,
    batchId: flags.batch_id ?? null,
    type: settingValue('type', settings),
    idPath: responseRules(settings, target.target).id,
  };
}

/** At least one; null if neither a run nor a batch is named. */
async function namedRuns(
  { run: name, batch_id: batchId }: ReconcileFlags,
  settings: SettingSources,
  journal: Journal,
  world: World,
): Promise<readonly Run[] | null> {
  if (name !== undefined) {
    const run = await findRun(journal, name);
    requireTargetOf(run, settings);
    return [run];
  }
  if (batchId === undefined) return null;
  const named = targetNamed(settings, '');
  const isNamed = named !== null && !named.startsWith('#');
  const target = isNamed ? await targetInForce(settings, world) : undefined;
  const runs = await journal.runs(target === undefined ? { batchId } : { batchId, target });
  if (runs.length === 0)
    throw new UsageError(
      `no run belongs to batch ${JSON.stringify(batchId)}${named === null ? '' : ` at ${named}`}; see the names: gigwork batch list`,
    );
  const targets = [...new Set(runs.map((run) => run.target))];
  if (targets.length > 1)
    throw new UsageError(
      `batch ${JSON.stringify(batchId)} has runs at several targets (${targets.join(', ')}). Name one with --base-url or --profile`,
    );
  return runs.toReversed();
}

/** The run has its target: only flags can contradict it, not what is set for other calls. @throws UsageError */
function requireTargetOf(run: Run, settings: SettingSources): void {
  const [stored = ''] = run.target.split('#');
  const named = targetNamed({ ...settings, env: {}, layers: [] }, stored);
  if (named === null || named === run.target) return;
  throw new UsageError(`run ${run.name} went to ${run.target}, and the flags name ${named}: leave them out`);
}

async function targetInForce(settings: SettingSources, world: World): Promise<TargetName> {
  const target = resolveTarget(settings, true, world);
  if (target === null)
    throw new UsageError(
      'no target: name the service with --base-url, GIGWORK_BASE_URL or --profile, or name a run with --run or a batch with --batch-id',
    );
  return { target: target.name, scope: await targetScope(target) };
}

/** How the list is judged. */
export function reconcileRules(words: ReconcileWords, settings: SettingSources, now: number): ReconcileRules {
  const { asOf, createdWords, notCreatedWords, isAbsenceTaken } = words;
  const requestMsOf = (run: Run): number => longestRequestMs(run, settings);
  return { asOf, createdWords, notCreatedWords, isAbsenceTaken, requestMsOf, now };
}

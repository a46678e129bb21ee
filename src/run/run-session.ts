/** One call: its options, its surroundings, and what it has open. Opened in one place, and closed in one place. */
import { requireTarget } from '../config/target.js';
import type { Interruption } from '../delivery/interruption.js';
import { openTarget, type OpenTarget, targetScope } from '../delivery/open-target.js';
import { JournalError } from '../errors.js';
import { openForRun, requireRoomFor } from '../journal/open.js';
import type { Target, RunOptions } from '../options.js';
import { checkInput } from '../prepare/input-checks.js';
import type { Dialog } from '../report/dialog.js';
import type { Reporter } from '../report/reporter.js';
import { doubtRules } from '../review/disposition.js';
import { IssueLog } from '../review/issue-log.js';
import { loadPaidBefore } from '../review/paid-before.js';
import type { PaidBefore } from '../review/paid-before.js';
import type { ReviewContext } from '../review/review-context.js';
import type { World } from '../world.js';
import { openOutputs, type Outputs } from './output-files.js';

/** What people and programs are told, and who answers questions. */
export interface CallTerminal {
  readonly reporter: Reporter;
  readonly dialog: Dialog;
}

/** Releases what a call has open. Called in the reverse order of opening. */
export type Closers = Set<() => Promise<unknown>>;

export interface RunSession extends ReviewContext {
  readonly interruption: Interruption;
  readonly outputs: Outputs;
  /** When the call began, by the clock of its world. Milliseconds since 1970. */
  readonly startedAt: number;
  /** The open target; null in a dry run. */
  readonly service: OpenTarget | null;
  /** Sentences about the plan that a program reads among the reasons. */
  readonly remarks: readonly string[];
  readonly closers: Closers;
}

/**
 * Opens what the call needs; a dry run only reads, and starts nothing.
 * @param closers gets what has to be released, also when this fails
 * @throws UsageError, JournalError
 */
export async function openSession(
  options: RunOptions,
  terminal: CallTerminal,
  world: World,
  interruption: Interruption,
  closers: Closers,
): Promise<RunSession> {
  const { safety, send } = options;
  const { reporter } = terminal;
  if (!safety.dryRun) requireRoomFor(options.journal.place);
  const outputs = await openOutputs(options, world);
  closers.add(() => Promise.resolve(outputs.log?.end()));
  if (options.resume === null) await checkInput(options.input, safety.keyColumns, world.cwd());
  // Only now: a wrong value of a flag is reported before a missing flag.
  requireTarget(options);
  const opened = await openHistory(options, reporter, world, interruption, closers);
  await outputs.checkPresent(opened?.journal?.journal ?? null);
  const now = opened?.journal?.now ?? world.now;
  const remarks: string[] = [];
  const journal = opened?.journal?.journal ?? null;
  const paidBefore = loadOnce(() => loadPaidBefore(options, journal, opened?.target ?? null));
  return {
    options,
    dialog: terminal.dialog,
    reporter,
    interruption,
    outputs,
    closers,
    remarks,
    journal,
    paidBefore,
    // The clock is the journal's, if it has one.
    world: { ...world, now },
    startedAt: now() - (world.now() - options.startedAt),
    target: opened?.target ?? null,
    service: opened?.service ?? null,
    before: opened?.journal ?? { begins: false, lastPaymentAt: null },
    issues: new IssueLog(options, reporter),
    rules: {
      ...doubtRules(safety.keyLifetimeMs, send.timeoutMs, safety.resendUnknown, now),
      retryRejected: safety.retryRejected,
    },
    remark: (text, isRisk = false) => {
      if (options.output.json || isRisk) remarks.push(text);
      if (!options.output.json) reporter.note(text);
    },
  };
}

function loadOnce(load: () => Promise<PaidBefore | null>): () => Promise<PaidBefore | null> {
  let loaded: Promise<PaidBefore | null> | null = null;
  return () => (loaded ??= load());
}

/** Null in a dry run without a target. */
async function openHistory(
  options: RunOptions,
  reporter: Reporter,
  world: World,
  interruption: Interruption,
  closers: Closers,
) {
  const { target } = options;
  if (target === null) return null;
  const service = options.safety.dryRun ? null : await openService(target, world, closers);
  const name = { target: target.name, scope: service?.scope ?? (await targetScope(target)) };
  const journal = await openForRun(
    {
      ...options.journal,
      ...journalAccess(options),
      asks: !options.safety.yes,
      type: options.input.type,
      interrupted: interruption.signal,
      note: (text) => reporter.note(text),
    },
    name,
    target.kind === 'url',
    world,
  );
  if (journal !== null) {
    closers.add(() => journal.journal.detach());
    if (!options.safety.dryRun) await journal.journal.recover();
  }
  return { service, target: name, journal };
}

async function openService(target: Target, world: World, closers: Closers): Promise<OpenTarget> {
  const service = await openTarget(target, world);
  closers.add(() => service.close());
  return service;
}

/** For whom the journal is opened; null to read only, as in a dry run and a call that approves by file. */
function journalAccess({ safety: { dryRun, approve }, caller }: RunOptions) {
  const onlyApproves = approve?.file === null;
  return { caller: dryRun && !onlyApproves ? null : caller, onlyApproves, mayReadCopy: dryRun && approve === null };
}

/** Releases everything, even if a release fails. The next call cleans up the rest, by this process's name. */
export async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = [];
  for (const close of [...closers].reverse()) {
    try {
      await close();
    } catch (cause) {
      if (!(cause instanceof JournalError)) failures.push(cause);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** The end of a call: its records are settled and reported, its files written, and its summary told. */
import type { StopCause } from '../delivery/circuit-breaker.js';
import type { ConfirmedAnswers } from '../delivery/confirmed-answers.js';
import { EXIT, JournalError } from '../errors.js';
import { joinFiltered } from '../input/filtered-rows.js';
import { toWords } from '../follow-up/command-line.js';
import { rerunIfRepeatable, resumeCommand } from '../follow-up/commands.js';
import { settleRemedies } from '../follow-up/other-run-remedies.js';
import { correctionRemedies, refusalChoices, remediesFor } from '../follow-up/remedies.js';
import type { Run } from '../journal/payment.js';
import type { TotalRow } from '../money/totals.js';
import type { RunOptions } from '../options.js';
import { type CallRecords, findUnpaid } from '../report/call-records.js';
import type { GigOverview } from '../report/gig-overview.js';
import { type Notice, resendTexts } from '../report/history-text.js';
import type { PayeeChanges } from '../report/payee-changes-text.js';
import { countEntries, createSummary, NO_RECORDS, NOBODY_TOLD, type RecordCounts } from '../report/reporter.js';
import { countInDoubt, type InDoubtSummary } from '../report/in-doubt-text.js';
import { missingFileText } from '../report/status-text.js';
import { countResends } from '../review/resends.js';
import type { Assessment } from '../review/assessment.js';
import { sendsAny } from '../review/build-plan.js';
import { findNotices } from '../review/notices.js';
import { loadGigOverview } from '../review/record-bodies.js';
import { changesForFiles } from '../review/payee-changes.js';
import type { UnsentVerdict } from '../review/review.js';
import { answerNotes } from './answer-notes.js';
import { type EndCounts, type Ending, type ExitStatus, exitStatusOf, type StopReason } from './exit-status.js';
import { findHeldInDoubt, gigsInDoubt, leavesUnprotected } from './in-doubt.js';
import { RecordReporter } from './record-reporter.js';
import { applyDispositions, applyRefusal, createRecordStates, settlePending } from './record-states.js';
import type { RunSession } from './run-session.js';
import { prunedReasons, stopFromError, stopReasons } from './stop-text.js';

/** What has become of a call. */
export type RunConclusion = UnsentVerdict | DeliveredRun;

export interface DeliveredRun {
  readonly kind: 'delivered';
  readonly assessment: Assessment;
  /** Earlier payments, as they were before the gate. */
  readonly notices: readonly Notice[];
  /** What the review found before the gate. */
  readonly changes: PayeeChanges | null;
  readonly run: Run;
  /** Null if everything was sent. */
  readonly stop: StopCause;
  readonly confirmed: ConfirmedAnswers;
  readonly recorder: RecordReporter;
}

/** A run begins to be sent: the states of its records before that. */
export function beginReport(
  session: RunSession,
  assessment: Assessment,
  run: Run,
  isReviewed: boolean,
): RecordReporter {
  const states = createRecordStates(session, assessment, run);
  applyDispositions(assessment, states);
  if (!isReviewed) noteResends(session, assessment, false);
  const recorder = new RecordReporter(states, assessment, session.reporter);
  recorder.begin();
  return recorder;
}

/** How the records of a call have ended, and why. */
interface SettledCall {
  readonly call: CallRecords;
  readonly counts: RecordCounts;
  readonly totals: readonly TotalRow[];
  readonly doubts: readonly InDoubtSummary[];
  readonly status: ExitStatus;
  readonly reasons: string[];
}

/** Every record gets its state and is reported; then the run ends. */
async function settle(session: RunSession, conclusion: RunConclusion): Promise<SettledCall> {
  const { assessment } = conclusion;
  const isDelivered = conclusion.kind === 'delivered';
  const recorder = isDelivered ? conclusion.recorder : await reportUnsent(session, conclusion);
  const stop = isDelivered ? await stopOf(conclusion, session) : null;
  const { call } = recorder;
  const { records: counts, totals } = countEntries(call.prepared.entries);
  const doubts = await findHeldInDoubt(session, call, assessment);
  const endCounts: EndCounts = {
    ...counts,
    held: Math.max(countInDoubt(doubts), gigsInDoubt(call.prepared.entries)),
    leavesUnprotected: isDelivered && leavesUnprotected(session, call, assessment),
  };
  const ending: Ending = isDelivered ? { kind: 'delivered', stop } : conclusion;
  const status = exitStatusOf(ending, endCounts, session.interruption.exitCode);
  await recordEnd(session, conclusion, call.run, status);
  const reasons = [
    ...(await reasonsOf(session, conclusion, stop, recorder)),
    ...session.remarks,
    ...prunedReasons(assessment),
  ];
  return { call, counts, totals, doubts, status, reasons };
}

/** Settles and reports the records, writes the files, and tells the summary. Returns the exit code. */
export async function finishCall(session: RunSession, conclusion: RunConclusion): Promise<number> {
  const { options, interruption, outputs, before, issues } = session;
  const { assessment } = conclusion;
  const { call, counts, totals, doubts, status, reasons } = await settle(session, conclusion);
  const isRefused = conclusion.kind === 'refused';
  if (isRefused && reasons[0] !== undefined) reasons[0] = `Nothing was sent: ${reasons[0]}`;
  const notices = await earlierNotices(session, conclusion);
  const changes = conclusion.kind === 'delivered' ? conclusion.changes : await changesForFiles(assessment, session);
  const written = await outputs.write(call, {
    changes,
    at: session.world.now(),
    digest: assessment.digest,
    refusal: isRefused ? conclusion.refusal.reasons : [],
    approved: conclusion.kind === 'planned' ? conclusion.approved : null,
    journal: session.journal,
    continued: assessment.history.run,
    sentNothing: isRefused || conclusion.kind === 'interrupted',
  });
  reasons.push(...written.notes);
  const isPaid = conclusion.kind === 'delivered' || conclusion.kind === 'nothing-left';
  if (written.failure !== null)
    reasons.push(isPaid ? missingFileText(written.failure, counts, totals) : written.failure);
  // The results are in the journal, and the log only describes them: the code stays.
  const missing = await outputs.log?.end();
  if (typeof missing === 'string') reasons.push(`the log file ${options.output.logFile} is incomplete: ${missing}`);
  // Only success turns into a failure. Any other code describes the outcome of the records, so it stays.
  const exitCode = written.failure !== null && status.exitCode === EXIT.ok ? EXIT.internal : status.exitCode;
  const corrected = correctionRemedies(options, call.prepared, written.rejects, isRefused);
  const called = summaryBase(session, call.prepared.batchId);
  // From here on only the reader is waited for.
  interruption.end();
  await session.reporter.summary(
    createSummary({
      ...called,
      records: counts,
      totals,
      // The journal set the start time of the run that this call began.
      startedAt:
        call.run !== null && call.run.number === call.prepared.drafts?.number ? call.run.startedAt : called.startedAt,
      exitCode,
      stopReason: status.stopReason,
      reasons,
      run: call.run?.name ?? null,
      digest: assessment.digest,
      notices,
      warnings: issues.warnings,
      held: countInDoubt(doubts),
      filtered: joinFiltered(call.prepared.files),
      people: {
        ...called.people,
        sends: conclusion.kind === 'delivered' && sendsAny(assessment),
        doubts,
        unpaid: isRefused ? null : await findUnpaid(call),
        written: written.written,
        changes: options.safety.dryRun ? changes : null,
        choices: isRefused ? refusalChoices(conclusion.refusal.reason, assessment, issues, options) : [],
        gigs: await plannedGigs(session, conclusion),
        later: [...corrected, ...written.later],
      },
      newJournal: before.begins,
      lastPaymentAt: before.lastPaymentAt,
      remedies: [
        ...remediesFor(status.stopReason, assessment, issues, options),
        ...settleRemedies(doubts, options),
        ...corrected,
        ...written.later,
      ],
      next: nextCommand(status, call.run?.name ?? null, options),
    }),
  );
  return exitCode;
}

/** The end of a call that a signal ended before everything was read. Returns its exit code. */
export async function finishUnread(session: RunSession): Promise<number> {
  const status = exitStatusOf({ kind: 'interrupted' }, NO_COUNTS, session.interruption.exitCode);
  const summary = createSummary({
    ...summaryBase(session, session.options.safety.batchId),
    exitCode: status.exitCode,
    stopReason: status.stopReason,
    reasons: ['Stopped while reading the input. Nothing was sent'],
    next: nextCommand(status, null, session.options),
  });
  await session.reporter.summary(summary);
  return status.exitCode;
}

const NO_COUNTS: EndCounts = { ...NO_RECORDS, held: 0, leavesUnprotected: false };

/** The records of a call that sends nothing: each gets its state, and is reported. */
async function reportUnsent(session: RunSession, verdict: UnsentVerdict): Promise<RecordReporter> {
  const { assessment, kind } = verdict;
  const { entries } = assessment.prepared;
  const states = createRecordStates(session, assessment, kind === 'nothing-left' ? assessment.history.run : null);
  if (kind === 'refused') applyRefusal(assessment, states);
  else if (kind !== 'interrupted') applyDispositions(assessment, states);
  if (kind === 'planned') {
    settlePending(entries, () => 'planned');
    noteResends(session, assessment, true);
  }
  if (kind === 'interrupted') settlePending(entries, () => 'not_sent');
  const recorder = new RecordReporter(states, assessment, session.reporter);
  await recorder.reportRemaining();
  return recorder;
}

/** Why a delivery ended, after everything that it has done was reported: the journal may fail then, too. */
async function stopOf({ recorder, stop }: DeliveredRun, { interruption }: RunSession): Promise<StopCause> {
  const failure = await recorder.reportDelivered();
  return stop ?? (failure === null ? null : stopFromError(failure, interruption.exitCode !== null));
}

/** May fail: the run then counts as cut off, and the same command continues it. */
async function recordEnd(
  { journal, world }: RunSession,
  { kind }: RunConclusion,
  run: Run | null,
  { exitCode, stopReason }: ExitStatus,
): Promise<void> {
  if (run === null || journal === null) return;
  // The call that did the work may have been cut off before it could report its end.
  if (kind !== 'delivered' && run.end?.exitCode === exitCode) return;
  try {
    await journal.end(run, { finishedAt: world.now(), exitCode, stopReason });
  } catch (cause) {
    if (!(cause instanceof JournalError)) throw cause;
  }
}

/** Why not everything was sent, or confirmed: sentences. */
async function reasonsOf(
  { options }: RunSession,
  conclusion: RunConclusion,
  stop: StopCause,
  recorder: RecordReporter,
): Promise<readonly string[]> {
  switch (conclusion.kind) {
    case 'refused':
      return conclusion.refusal.reasons;
    case 'interrupted':
      return ['Nothing was sent: stopped before that'];
    case 'planned':
    case 'nothing-left':
      return [];
    case 'delivered': {
      const { prepared } = recorder.call;
      const { records, totals } = countEntries(prepared.entries);
      return [
        ...stopReasons(stop, records, totals, options),
        ...(await recorder.reasonsText()),
        ...answerNotes(conclusion.confirmed, prepared, (text) => options.redactor.redact(text)),
      ];
    }
  }
}

/** Earlier payments that a person should know of. A refused call left out no records either. */
async function earlierNotices({ journal }: RunSession, conclusion: RunConclusion): Promise<readonly Notice[]> {
  if (conclusion.kind === 'delivered') return conclusion.notices;
  const notices = await findNotices(conclusion.assessment, journal);
  return conclusion.kind === 'refused' ? notices.filter(({ code }) => code !== 'skipped') : notices;
}

/** An overview of the gigs that would be sent, for people. */
async function plannedGigs({ options, journal }: RunSession, conclusion: RunConclusion): Promise<GigOverview | null> {
  if (conclusion.kind !== 'planned' || options.output.json) return null;
  return loadGigOverview(conclusion.assessment, journal, options.input.style.timeZone);
}

/** Reports records that are sent again after an earlier attempt. @param isPlanned only in a plan */
function noteResends({ rules, reporter }: RunSession, assessment: Assessment, isPlanned: boolean): void {
  for (const text of resendTexts(countResends(assessment, rules), isPlanned)) reporter.note(text);
}

/** The command, the program and the duration. */
function summaryBase({ options, world, startedAt }: RunSession, batchId: string) {
  const { command, safety, target, caller } = options;
  return {
    command,
    dryRun: safety.dryRun,
    target: target?.name ?? null,
    batchId,
    version: caller.version,
    startedAt,
    durationMs: Math.max(0, Math.round(world.now() - startedAt)),
    people: { ...NOBODY_TOLD, approves: safety.approve !== null },
  };
}

/** If no run began, the same call may succeed later. */
const CUT_SHORT: ReadonlySet<StopReason> = new Set(['interrupted', 'journal', 'busy']);

/** The words of the command that continues the run of this name; null when there is nothing to continue. */
export function nextCommand(
  { exitCode, stopReason }: ExitStatus,
  run: string | null,
  options: RunOptions,
): readonly string[] | null {
  if (exitCode === EXIT.ok || exitCode === EXIT.partly || exitCode === EXIT.refused || exitCode === EXIT.usage)
    return null;
  if (run !== null) return toWords(resumeCommand(run, options));
  if (stopReason === null || !CUT_SHORT.has(stopReason)) return null;
  const rerun = rerunIfRepeatable(options);
  return rerun === null ? null : toWords(rerun);
}

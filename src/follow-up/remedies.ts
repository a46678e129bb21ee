/** Ways out of a refusal: each with its case and its command. CONTRACT: `remedies`. */
import { DEFAULT_BATCH } from '../keys/key.js';
import { isStdin } from '../input/source.js';
import type { RunOptions } from '../options.js';
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { leaveOutText } from '../report/history-text.js';
import type { Remedy } from '../report/reporter.js';
import { type Wording, wordingFor } from '../report/status-text.js';
import { pluralize } from '../report/table.js';
import type { Assessment } from '../review/assessment.js';
import type { Repeat } from '../review/disposition.js';
import type { IssueLog } from '../review/issue-log.js';
import type { RefusalReason } from '../review/refusal.js';
import { type Flag, withFiles } from './command-line.js';
import {
  batchCommand,
  CONTROLS,
  correctedRejectsCommand,
  filesToKeep,
  flag,
  rerunWith,
  setupCommand,
} from './commands.js';
import { conflictRemedies, otherRunRemedies, remedy } from './other-run-remedies.js';

/** The ways out of a refusal for this reason; empty if the person can only correct the input. */
export function remediesFor(
  reason: string | null,
  assessment: Assessment,
  issues: IssueLog,
  options: RunOptions,
): Remedy[] {
  switch (reason) {
    case 'repeats':
      return repeatRemedies(assessment, options);
    case 'invalid_input': {
      const remedies = [
        ...setupRemedies(assessment.prepared, options),
        ...conflictRemedies(issues, assessment.now, options),
      ];
      const when = 'the valid records are to be sent without the others';
      if (issues.canSkip(assessment))
        remedies.push(remedy('skip-invalid', when, rerunWith(options, [flag('--skip-invalid')])));
      return remedies;
    }
    case 'control_total': {
      const line = rerunWith(options, [flag('--dry-run')], [...CONTROLS, '--dry-run', ...filesToKeep(options)]);
      return [remedy('dry-run', 'you want to see what the input has', line)];
    }
    case 'not_confirmed': {
      const line = rerunWith(options, [flag('--yes'), ...digestFlags(assessment)], ['--yes', '--expect-digest']);
      return [remedy('confirm', 'exactly these records are to be sent', line)];
    }
    case 'not_approved':
      return approvalRemedies(options);
    default:
      return [];
  }
}

/** For files whose columns no flag names yet. A person was told when the file was opened. */
function setupRemedies({ files }: PreparedRecords, options: RunOptions): Remedy[] {
  const { input, settings } = options;
  return files
    .filter(({ isUnrecognised, path }) => isUnrecognised && !isStdin(path, settings.cwd))
    .map(({ path }) => {
      const when = `the columns of ${path} are to be given their fields once, for every month`;
      return remedy('setup', when, setupCommand(path, input.type, options));
    });
}

/** The same for a person, who sees to all reasons at once. */
export function refusalChoices(
  reason: RefusalReason,
  assessment: Assessment,
  issues: IssueLog,
  options: RunOptions,
): Remedy[] {
  if (reason === 'busy' || reason === 'not_approved' || reason === 'not_confirmed') return [];
  return [
    ...(issues.refusal(assessment).length === 0 ? [] : conflictRemedies(issues, assessment.now, options)),
    ...(assessment.undecided.length === 0 ? [] : repeatRemedies(assessment, options)),
  ];
}

/** Only what this person has seen is sent: no row that is added before the command is run. */
function digestFlags({ digest }: Assessment): Flag[] {
  return digest === null ? [] : [flag('--expect-digest', digest)];
}

/** Another person approves, and then the call is the same: with the file, or the approval in the shared journal. */
function approvalRemedies(options: RunOptions): Remedy[] {
  const isShared = options.journal.place.kind === 'postgresql';
  const approve = rerunWith(
    options,
    [flag('--approve', isShared ? null : 'FILE')],
    ['--approval', '--yes', ...filesToKeep(options)],
  );
  const send = rerunWith(options, isShared ? [] : [flag('--approval', 'FILE')], ['--approval']);
  return [
    remedy('approve', 'another person approves it', approve, ...(isShared ? [] : ['--approve=FILE'])),
    remedy('use-approval', 'another person has approved it', send, ...(isShared ? [] : ['FILE'])),
  ];
}

/** For repeats without a decision; in the order in which a person should try them. */
export function repeatRemedies(assessment: Assessment, options: RunOptions): Remedy[] {
  const { undecided } = assessment;
  if (undecided.length === 0) return options.safety.strict ? strictRemedies(options) : [];
  const blocked = undecided.filter(({ code }) => code === 'open-before' || code === 'not-rejected');
  // No flag decides about these: until they are seen to, every other way is refused again.
  return blocked.length > 0 ? blockedRemedies(blocked, assessment, options) : undecidedRemedies(assessment, options);
}

/** Warnings about the history have refused the call. */
function strictRemedies(options: RunOptions): Remedy[] {
  const when = 'the warnings about earlier payments are as they should be';
  const without = remedy('not-strict', when, rerunWith(options, [], ['--strict']));
  if (options.safety.batchNamed || options.resume !== null) return [without];
  const named = rerunWith(options, [flag('--batch-id', 'NAME')]);
  return [remedy('new-batch', 'these payments have a batch, which this call does not name', named, 'NAME'), without];
}

function blockedRemedies(
  blocked: readonly Repeat[],
  { prepared: { entries }, undecided, placeOf, now }: Assessment,
  options: RunOptions,
): Remedy[] {
  const isAnyPaid = undecided.some(isPaidBefore);
  const then = `then run this command again${isAnyPaid ? ' with --skip-created' : ''}`;
  const blocking = blocked
    // What a live call sends can only be waited for.
    .filter(({ standsFor }) => !standsFor.isLive)
    .map(({ standsFor, index }) => {
      const isEdited = standsFor.content !== entries.fingerprint(index).content;
      return { payment: standsFor, place: placeOf(standsFor), isEdited };
    });
  return otherRunRemedies(blocking, { after: then, again: then }, now, options);
}

function isPaidBefore({ code }: Repeat): boolean {
  return code === 'created-before' || code === 'other-batch';
}

function undecidedRemedies(assessment: Assessment, options: RunOptions): Remedy[] {
  const { prepared, undecided } = assessment;
  const { batchId, replaces } = prepared;
  const paid = undecided.filter(isPaidBefore);
  const alike = undecided.filter(({ code }) => code === 'similar-record');
  const mended = paid.filter(({ index }) => replaces.has(index)).length;
  const skipPaid = paid.length === 0 ? [] : [flag('--skip-created')];
  const wording = wordingFor(undecided.map(({ standsFor }) => standsFor));
  const created = paid.filter(({ standsFor }) => standsFor.state === 'created').length;
  const before = paidText(created, paid.length, wording);
  const [other = '', ...others] = new Set(undecided.map(({ newest }) => newest.batchId));
  const isInput = options.resume === null;
  // Another batch pays everything again: offered only if no record is a correction, or has its own key.
  const isPlain = undecided.every(({ code, index }) => code !== 'other-batch' && !replaces.has(index));
  const isHere = undecided.some(({ code, newest }) => code === 'created-before' || newest.batchId === batchId);
  const elsewhere = [flag('--batch-id', 'NAME')];
  const remedies: Remedy[] = [];
  // If there are similar ones too, these are decided together.
  if (paid.length > 0 && alike.length === 0) {
    const when = `${before}: ${leaveOutText(paid.length, paid.length - created, wording)}`;
    remedies.push(remedy('skip-created', when, rerunWith(options, skipPaid)));
  }
  // In its own batch, a key identifies a payment: the person may have forgotten to name the batch.
  if (isInput && others.length === 0 && other !== batchId) {
    const line = rerunWith(options, [flag('--batch-id', other)], ['--batch-id']);
    remedies.push(remedy('same-batch', `the input is for batch ${other}, as before`, line));
  }
  if (alike.length > 0) {
    const besides = paid.length === 0 ? '' : `, and ${before}`;
    remedies.push(...similarRemedies(alike, { skipPaid, besides, sameRun: digestFlags(assessment) }, options));
  }
  // In another batch that the person has named, the records are for another period already.
  if ((isHere || !options.safety.batchNamed) && isInput && isPlain) {
    const when = `all of these are for another period or purpose: this ${wording.pay}s them again. If they were ${wording.paid} lately, you are asked once more`;
    remedies.push(remedy('new-batch', when, rerunWith(options, elsewhere, ['--batch-id']), 'NAME'));
  }
  if (mended > 0) {
    const line = withFiles(
      rerunWith(options, elsewhere, ['--batch-id', '--rejects', '--results', ...filesToKeep(options)]),
      ['FILE'],
    );
    remedies.push(remedy('separate-file', correctedText(mended), line, 'FILE', 'NAME'));
  }
  return remedies;
}

interface SimilarAdvice {
  /** What leaves out the records that were paid already. */
  readonly skipPaid: readonly Flag[];
  /** What the case says about those. */
  readonly besides: string;
  readonly sameRun: readonly Flag[];
}

function similarRemedies(
  repeats: readonly Repeat[],
  { skipPaid, besides, sameRun }: SimilarAdvice,
  options: RunOptions,
): Remedy[] {
  const count = repeats.length;
  const taken = repeats.filter(({ isTaken }) => isTaken).length;
  const alike = pluralize(count, 'similar record is', 'similar records are');
  const send = rerunWith(
    options,
    [...skipPaid, flag('--send-similar', `${count}`), ...sameRun],
    ['--expect-digest', '--skip-similar'],
  );
  const separate = rerunWith(options, [], ['--skip-similar', '--rejects', '--results', ...filesToKeep(options)]);
  return [
    taken === 0
      ? remedy(
          'skip-similar',
          `${alike} the same as before${besides}`,
          rerunWith(options, [...skipPaid, flag('--skip-similar')]),
        )
      : remedy(
          'separate-file',
          takenText(taken, wordingFor(repeats.map(({ standsFor }) => standsFor))),
          withFiles(separate, ['FILE']),
          'FILE',
        ),
    remedy(
      'send-similar',
      `${alike} to be ${wordingFor(repeats.map(({ standsFor }) => standsFor)).paid} in addition${besides}`,
      send,
    ),
  ];
}

/** `4 records were paid already, and 2 may have been paid` */
function paidText(created: number, all: number, { paid }: Wording): string {
  const doubtful = all - created;
  const known = `${pluralize(created, 'record was', 'records were')} ${paid} already`;
  if (doubtful === 0) return known;
  return created === 0
    ? `${pluralize(doubtful, 'record')} may have been ${paid}`
    : `${known}, and ${doubtful} may have been ${paid}`;
}

/**
 * A corrected row has the batch of the payment that it corrects: for another purpose it must be a plain row. Without
 * this way, a person whose correction equals an old payment would find no way to pay it.
 */
function correctedText(count: number): string {
  const which = pluralize(count, 'corrected record is', 'corrected records are');
  const them = count === 1 ? 'it' : 'them';
  return `${which} for another period or purpose: copy ${them} to a separate FILE without the column gigwork_key`;
}

/** One payment is left out for one record. */
function takenText(count: number, { noun }: Wording): string {
  const [record, them] = count === 1 ? ['record repeats', 'it'] : ['records repeat', 'them'];
  return `${count} ${record} a ${noun} that another record here repeats too. Move ${them} to a separate FILE. Import this file again with --skip-similar, and the separate one afterwards`;
}

/**
 * How records that were refused or invalid are sent once a person has corrected them: in the batch of their run. An
 * invalid row has no key, so nothing but this command says to which batch it belongs. In another batch it would be a
 * separate payment.
 * @param rejects paths of the rejects files that contain records
 * @param isRefused nothing was sent
 */
export function correctionRemedies(
  options: RunOptions,
  { entries, batchId }: PreparedRecords,
  rejects: readonly string[],
  isRefused: boolean,
): Remedy[] {
  const { resume, safety, input } = options;
  // How the run that is resumed has read its input, this call does not know. Its rejects name their batch by their keys.
  if (resume !== null) return [];
  const batch = batchId === DEFAULT_BATCH ? [] : [flag('--batch-id', batchId)];
  if (rejects.length > 0) {
    const when = `the cause is corrected, at the service or in a copy of the rejects file (write the name of the copy into this command)${isRefused ? ', and only these records are to be sent' : ''}`;
    return [remedy('import-rejects', when, correctedRejectsCommand(rejects, batch, options))];
  }
  const invalid = entries.countOf('invalid');
  const isFromFiles = input.files.length > 0 && !input.files.includes('-');
  if (isRefused || invalid === 0 || !isFromFiles || safety.dryRun) return [];
  const when = `the ${pluralize(invalid, 'invalid record is', 'invalid records are')} corrected in the input`;
  const added = [...(safety.batchNamed ? [] : batch), flag('--skip-created')];
  return [
    remedy('import-again', when, rerunWith(options, added, ['--skip-invalid', ...CONTROLS, ...filesToKeep(options)])),
  ];
}

/** How files that could not be written are written later. @param failed their paths, as typed */
export function reportRemedies(run: string, failed: readonly string[], options: RunOptions): Remedy[] {
  const { taskList } = options.output;
  const remedies: Remedy[] = [];
  if (failed.some((path) => path !== taskList))
    remedies.push(reportRemedy(run, '--report', 'a report of all records', options));
  if (taskList !== null && failed.includes(taskList))
    remedies.push(reportRemedy(run, '--task-list', 'the tasks of its gigs', options));
  return remedies;
}

function reportRemedy(run: string, name: '--report' | '--task-list', what: string, options: RunOptions): Remedy {
  const overwrite = options.output.overwrite ? [flag('--overwrite')] : [];
  const line = batchCommand('report', run, options, [flag(name, 'FILE'), ...overwrite]);
  return remedy('report', `a file can be written, to have ${what}`, line, 'FILE');
}

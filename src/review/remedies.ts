/** Ways out of a refusal: each with its case and its command. CONTRACT: `remedies`. */
import type { RunOptions } from '../options.js';
import type { Remedy } from '../report/reporter.js';
import { pluralize } from '../report/table.js';
import type { Repeat } from './disposition.js';
import type { IssueLog } from './issue-log.js';
import type { Assessment } from './assessment.js';
import { conflictRemedies, otherRunRemedies, remedyIf } from './other-run-remedies.js';

/** The ways out of a refusal for this reason; empty if the person can only correct the input. */
export function remediesFor(
  reason: string | null,
  assessment: Assessment,
  issues: IssueLog,
  options: RunOptions,
): Remedy[] {
  const call = (words: readonly string[], without?: readonly string[]): string[] =>
    repeatCommand(options, words, without);
  switch (reason) {
    case 'repeats':
      return remediesOf(assessment, options);
    case 'invalid_input':
      return [
        ...conflictRemedies(issues, assessment.now, options),
        ...remedyIf(
          issues.canSkip(assessment),
          'skip-invalid',
          'the valid records are to be sent without the others',
          call(['--skip-invalid']),
        ),
      ];
    case 'control_total':
      return remedyIf(
        true,
        'dry-run',
        'you want to see what the input has',
        call(['--dry-run'], [...CONTROLS, '--dry-run']),
      );
    case 'not_confirmed': {
      const digest = assessment.digest === null ? [] : ['--expect-digest', assessment.digest];
      return remedyIf(
        true,
        'confirm',
        'exactly these records are to be sent',
        call(['--yes', ...digest], ['--yes', '--expect-digest']),
      );
    }
    case 'not_approved':
      return approvals(options);
    default:
      return [];
  }
}

export const CONTROLS = ['--expect-count', '--expect-total', '--expect-digest', '--approval'];

/** Another person approves, and then the call is the same: with the file, or the approval in the shared journal. */
function approvals(options: RunOptions): Remedy[] {
  const isShared = options.journal.place.kind === 'postgresql';
  const without = ['--approval', '--yes'];
  const file = isShared ? [] : ['FILE'];
  const approve = repeatCommand(options, ['--approve', ...file], without);
  const sent = repeatCommand(options, isShared ? [] : ['--approval', ...file], ['--approval']);
  return [
    ...remedyIf(true, 'approve', 'another person approves it', approve, file),
    ...remedyIf(true, 'use-approval', 'another person has approved it', sent, file),
  ];
}

/** For repeats without a decision; in the order in which a person should try them. */
export function remediesOf(
  { prepared: { batchId, replaces, entries }, undecided, placeOf, digest, now }: Assessment,
  options: RunOptions,
): Remedy[] {
  if (undecided.length === 0) {
    const when = 'the warnings about earlier payments are as they should be';
    return remedyIf(options.safety.strict, 'not-strict', when, repeatCommand(options, [], ['--strict']));
  }
  const blocked = undecided.filter(({ code }) => code === 'open-before' || code === 'not-rejected');
  const paid = undecided.filter(({ code }) => code === 'created-before' || code === 'other-batch');
  // No flag decides about these: until they are seen to, every other way is refused again.
  if (blocked.length > 0) {
    const then = `then run this command again${paid.length === 0 ? '' : ' with --skip-created'}`;
    return otherRunRemedies(
      // What a live call sends can only be waited for.
      blocked
        .filter(({ standsFor }) => !standsFor.isLive)
        .map(({ standsFor, index }) => {
          const isEdited = standsFor.content !== entries.fingerprint(index).content;
          return { payment: standsFor, place: placeOf(standsFor), isEdited };
        }),
      { after: then, again: then },
      now,
      options,
    );
  }
  const alikeOnes = undecided.filter(({ code }) => code === 'similar-record');
  const { length: similar } = alikeOnes;
  const mended = paid.filter(({ index }) => replaces.has(index)).length;
  const same = paid.length === 0 ? [] : ['--skip-created'];
  const before = paidWords(paid.filter(({ standsFor }) => standsFor.state === 'created').length, paid.length);
  const besides = paid.length === 0 ? '' : `, and ${before}`;
  const [other = '', ...others] = new Set(undecided.map(({ newest }) => newest.batchId));
  const isInput = options.resume === null;
  // In its own batch, a key identifies a payment: the person may have forgotten to name the batch.
  const isOtherBatch = isInput && others.length === 0 && other !== batchId;
  // Another batch pays everything again: offered only if no record is a correction, or has its own key.
  const isPlain = undecided.every(({ code, index }) => code !== 'other-batch' && !replaces.has(index));
  const isHere = undecided.some(({ code, newest }) => code === 'created-before' || newest.batchId === batchId);
  const elsewhere = ['--batch-id', 'NAME'];
  // Only what this person has seen is sent: no row that is added before the command is run.
  const sameRun = digest === null ? [] : ['--expect-digest', digest];
  const call = (words: readonly string[], without?: readonly string[]): string[] =>
    repeatCommand(options, words, without);
  return [
    // If there are similar ones too, these are decided together.
    ...remedyIf(
      paid.length > 0 && similar === 0,
      'skip-created',
      `${before}: leave ${paid.length === 1 ? 'it' : 'them'} out`,
      call(same),
    ),
    ...remedyIf(
      isOtherBatch,
      'same-batch',
      `the input is for batch ${other}, as before`,
      call(['--batch-id', other], ['--batch-id']),
    ),
    ...similarWays(alikeOnes, { same, besides, sameRun }, options),
    ...remedyIf(
      // In another batch that the person has named, the records are for another period already.
      (isHere || !options.safety.batchNamed) && isInput && isPlain,
      'new-batch',
      'all of these are for another period or purpose. If they were paid lately, you are asked once more',
      call(elsewhere, ['--batch-id']),
      ['NAME'],
    ),
    ...(mended === 0
      ? []
      : remedyIf(true, 'separate-file', separateWords(mended), separately(elsewhere, options, ['--batch-id']), [
          'FILE',
          'NAME',
        ])),
  ];
}

/** For similar records, with words and flags about the records that were paid already. */
function similarWays(
  repeats: readonly Repeat[],
  { same, besides, sameRun }: Readonly<{ same: string[]; besides: string; sameRun: string[] }>,
  options: RunOptions,
): Remedy[] {
  const { length: similar } = repeats;
  const taken = repeats.filter(({ isTaken }) => isTaken).length;
  const alike = pluralize(similar, 'similar record is', 'similar records are');
  const skip = repeatCommand(options, [...same, '--skip-similar']);
  const send = repeatCommand(
    options,
    [...same, '--send-similar', `${similar}`, ...sameRun],
    ['--expect-digest', '--skip-similar'],
  );
  return [
    ...remedyIf(similar > 0 && taken === 0, 'skip-similar', `${alike} the same as before${besides}`, skip),
    ...remedyIf(taken > 0, 'separate-file', takenWords(taken), separately([], options, ['--skip-similar']), ['FILE']),
    ...remedyIf(similar > 0, 'send-similar', `${alike} to be paid in addition${besides}`, send),
  ];
}

/** `4 records were paid already, and 2 may have been paid` */
function paidWords(created: number, all: number): string {
  const doubtful = all - created;
  const paid = `${pluralize(created, 'record was', 'records were')} paid already`;
  if (doubtful === 0) return paid;
  const what = created === 0 ? pluralize(doubtful, 'record') : `${doubtful}`;
  return `${created === 0 ? '' : `${paid}, and `}${what} may have been paid`;
}

/**
 * A corrected row has the batch of the payment that it corrects: for another purpose it must be a plain row. Without
 * this way, a person whose correction equals an old payment would find no way to pay it.
 */
function separateWords(count: number): string {
  const which = pluralize(count, 'corrected record is', 'corrected records are');
  const them = count === 1 ? 'it' : 'them';
  return `${which} for another period or purpose: copy ${them} to a separate FILE without the column gigwork_key`;
}

/** One payment is left out for one record. */
function takenWords(count: number): string {
  const [record, them] = count === 1 ? ['record repeats', 'it'] : ['records repeat', 'them'];
  return `${count} ${record} a payment that another record here repeats too. Move ${them} to a separate FILE. Import this file again with --skip-similar, and the separate one afterwards`;
}

function separately(words: readonly string[], options: RunOptions, without: readonly string[] = []): string[] {
  const all = repeatCommand(options, words, [...without, '--rejects', '--results']);
  const { files } = options.onward;
  const first = all.findIndex((word) => files.includes(word));
  return all.flatMap((word, i) => (i === first ? 'FILE' : files.includes(word) ? [] : word));
}

/** Of the options that are left out of a command. */
const VALUED: readonly string[] = ['--batch-id', '--send-similar', '--rejects', '--results', ...CONTROLS];

/** The same call with further words. @param without options that are left out */
export function repeatCommand(
  { onward }: RunOptions,
  words: readonly string[],
  without: readonly string[] = [],
): string[] {
  const end = onward.rerun.includes('--') ? onward.rerun.indexOf('--') : onward.rerun.length;
  const drop = [...without, '--send-similar'];
  const head = onward.rerun.slice(0, end).filter((word, i, all) => {
    const before = all[i - 1] ?? '';
    return !drop.includes(word.split('=', 1)[0] ?? '') && !(drop.includes(before) && VALUED.includes(before));
  });
  const added = words.filter((word) => !word.startsWith('--skip-') || !head.includes(word));
  return [...head, ...added, ...onward.rerun.slice(end)];
}

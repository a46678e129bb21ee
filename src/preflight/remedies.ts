/** What can be done about a refusal: each way with the case that it is for, and its command. CONTRACT: `remedies`. */
import type { Prepared } from '../batch/prepare.js';
import type { RunOptions } from '../options.js';
import type { Remedy } from '../report/reporter.js';
import { counted } from '../report/table.js';
import { commandText } from '../util/shell-word.js';
import type { Assessment } from './assess.js';
import { exampleBatch } from './repeat-words.js';
import type { Repeat, RepeatCode } from './repeats.js';

/** Of repeats that nobody has decided about; in the order in which they are to be tried. */
export function remediesOf(prepared: Prepared, { undecided }: Assessment, options: RunOptions): Remedy[] {
  const { repeats } = undecided;
  const { batchId, replaces } = prepared;
  const { resume, safety } = options;
  const way = (isOne: boolean, when: string, words: readonly string[], without: readonly string[] = []): Remedy[] =>
    isOne ? [{ when, command: again(options, words, without) }] : [];
  if (repeats.length === 0)
    return way(safety.strict, 'the warnings about earlier payments are as they should be', [], ['--strict']);
  const of = (code: RepeatCode): Repeat[] => repeats.filter((repeat) => repeat.code === code);
  const [paid, { length: similar }] = [of('created-before'), of('similar-record')];
  const same = paid.length === 0 ? [] : ['--skip-created'];
  const alike = counted(similar, 'similar record is', 'similar records are');
  const [other, ...others] = new Set(repeats.map(({ newest }) => newest.batchId));
  // In its own batch, a payment is known by its key: the batch may have been forgotten.
  const isOtherBatch = resume === null && others.length === 0 && other !== undefined && other !== batchId;
  // Another batch pays everything once more: that is offered only where no record is a correction or open.
  const isPlain = repeats.every(({ code, index }) => code !== 'open-before' && !replaces.has(index));
  const isHere = repeats.some(({ code, newest }) => code === 'created-before' || newest.batchId === batchId);
  return [
    ...runsFirst(repeats, options),
    ...rejectsFirst(repeats, options),
    // Where there are similar ones too, these are decided together.
    ...way(paid.length > 0 && similar === 0, sameWords(paid), same),
    ...way(isOtherBatch, `the input is for batch ${other}, as before`, ['--batch-id', other ?? ''], ['--batch-id']),
    ...way(similar > 0, `${alike} the same ${similar === 1 ? 'payment' : 'payments'} as before`, [
      ...same,
      '--skip-similar',
    ]),
    ...way(similar > 0, `${alike} to be paid in addition`, [...same, '--send-similar', `${similar}`]),
    ...way(
      isHere && resume === null && isPlain,
      'all of these records are for another period or purpose, which has its own name',
      ['--batch-id', exampleBatch(options, batchId)],
      ['--batch-id'],
    ),
    ...separately(
      paid.filter(({ index }) => replaces.has(index)),
      batchId,
      options,
    ),
  ];
}

function sameWords(paid: readonly Repeat[]): string {
  return paid.every(({ standsFor }) => standsFor.state === 'created')
    ? `${counted(paid.length, 'record was', 'records were')} paid already`
    : counted(paid.length, 'record is the same payment as before', 'records are the same payments as before');
}

/** A corrected row has the batch of the payment that it corrects: for another purpose it must be a plain row. */
function separately({ length }: readonly Repeat[], batchId: string, options: RunOptions): Remedy[] {
  if (length === 0) return [];
  const batch = ['--batch-id', exampleBatch(options, batchId)];
  const words = again(options, batch, ['--batch-id', '--rejects', '--results']);
  const isFile = (word: string | undefined): boolean => word !== undefined && options.input.files.includes(word);
  const first = words.findIndex(isFile);
  const command = words.flatMap((word, i) => (i === first ? 'FILE' : isFile(word) ? [] : word));
  const them = length === 1 ? 'it' : 'them';
  return [
    {
      when: `${counted(length, 'corrected record is', 'corrected records are')} for another period or purpose: copy ${them} to a separate FILE without the column gigwork_key`,
      command,
    },
  ];
}

/** Unfinished runs come first: going on with one pays nobody twice. */
function runsFirst(repeats: readonly Repeat[], { onward }: RunOptions): Remedy[] {
  const open = repeats.filter(
    ({ code, standsFor }) => code === 'open-before' || (code === 'not-rejected' && standsFor.state !== 'rejected'),
  );
  return runsOf(open).flatMap((run) => {
    const payments = open.flatMap(({ standsFor }) => (standsFor.run.name === run ? standsFor : []));
    const count = payments.length;
    const doubtful = payments.filter(({ state }) => state === 'unknown');
    const place = [run, ...closeWords(onward.resume)];
    const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
    return [
      {
        when: `${counted(count, 'record', 'records')} of run ${run} ${are} to be paid as that run has ${them}; then run this command again`,
        // What was decided about this input says nothing of that run's.
        command: ['gigwork', 'batch', 'resume', run, ...onward.resume.filter((word) => !word.startsWith('--skip-'))],
      },
      // Closing a run settles nothing.
      ...doubtful.map(({ key }) => ({
        when: `the service does not have the payment ${key}; then run this command again`,
        command: ['gigwork', 'batch', 'settle', ...place, '--key', key, '--not-created', '--note', 'TEXT'],
      })),
      ...(doubtful.length === count
        ? []
        : [
            {
              when: `run ${run} is not to pay what it has open; then run this command again`,
              command: ['gigwork', 'batch', 'close', ...place, '--note', 'TEXT'],
            },
          ]),
    ];
  });
}

/** A correction that was rejected is corrected itself. */
function rejectsFirst(repeats: readonly Repeat[], { onward }: RunOptions): Remedy[] {
  const rejected = repeats.filter(({ code, standsFor }) => code === 'not-rejected' && standsFor.state === 'rejected');
  return runsOf(rejected).map((run) => ({
    when: `the correction was rejected too: correct the rejects of run ${run}, which shows them`,
    command: ['gigwork', 'batch', 'show', run, ...closeWords(onward.resume)],
  }));
}

function runsOf(repeats: readonly Repeat[]): string[] {
  return [...new Set(repeats.map(({ standsFor }) => standsFor.run.name))];
}

/** Of what names the place, only what `batch close` takes. */
function closeWords(words: readonly string[]): string[] {
  const names = ['--state-dir', '--journal', '--config', '--profile'];
  return words.flatMap((name, i) => (names.includes(name) ? [name, words[i + 1] ?? ''] : []));
}

/** Of the options that are left out of a command. */
const VALUED: readonly string[] = ['--batch-id', '--send-similar', '--rejects', '--results'];

/** The call once more, with further words. @param without options that are left out */
function again({ onward }: RunOptions, words: readonly string[], without: readonly string[]): string[] {
  const end = onward.again.includes('--') ? onward.again.indexOf('--') : onward.again.length;
  const drop = [...without, '--send-similar'];
  const head = onward.again.slice(0, end).filter((word, i, all) => {
    const before = all[i - 1] ?? '';
    return !drop.includes(word.split('=', 1)[0] ?? '') && !(drop.includes(before) && VALUED.includes(before));
  });
  const added = words.filter((word) => !word.startsWith('--skip-') || !head.includes(word));
  return [...head, ...added, ...onward.again.slice(end)];
}

/** `- 3 records were paid already: gigwork payout create …` */
export function remedyLines(remedies: readonly Remedy[], platform: NodeJS.Platform): string[] {
  return remedies.map(({ when, command }) => `- ${when}: ${commandText(command, platform)}`);
}

/** What can be done about a refusal: each way with the case that it is for, and its command. CONTRACT: `remedies`. */
import type { Prepared } from '../batch/prepare.js';
import type { KnownPayment } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import { counted } from '../report/table.js';
import { commandText } from '../util/shell-word.js';
import type { Assessment } from './assess.js';
import type { Remedy } from '../report/reporter.js';
import { exampleBatch } from './repeat-words.js';
import type { Repeat, RepeatCode } from './repeats.js';

/** Of repeats that nobody has decided about; in the order in which they are to be tried. */
export function remediesOf(prepared: Prepared, { undecided }: Assessment, options: RunOptions): Remedy[] {
  const { repeats } = undecided;
  const count = (code: RepeatCode): number => repeats.filter((repeat) => repeat.code === code).length;
  const [sent, similar] = [count('created-before'), count('similar-record')];
  const same = sent === 0 ? [] : ['--skip-created'];
  if (repeats.length === 0)
    return options.safety.strict
      ? [
          {
            when: 'the warnings about earlier payments are as they should be',
            command: again(options, [], ['--strict']),
          },
        ]
      : [];
  return [
    ...runsFirst(repeats, options),
    ...rejectsFirst(repeats, options),
    // Where there are similar ones too, these are decided together.
    ...(sent === 0 || similar > 0 ? [] : [{ when: sameWords(repeats), command: again(options, same) }]),
    ...sameBatch(prepared, repeats, options),
    ...(similar === 0
      ? []
      : [
          {
            when: `${counted(similar, 'similar record is', 'similar records are')} the same ${similar === 1 ? 'payment' : 'payments'} as before`,
            command: again(options, [...same, '--skip-similar']),
          },
          {
            when: `${counted(similar, 'similar record is', 'similar records are')} to be paid in addition`,
            command: again(options, [...same, '--send-similar', `${similar}`]),
          },
        ]),
    ...(mayBeOther(prepared, repeats, options)
      ? [
          {
            when: 'all of these records are for another period or purpose, which has its own name',
            command: again(options, ['--batch-id', exampleBatch(options, prepared.batchId)], ['--batch-id']),
          },
        ]
      : []),
    ...separately(prepared, repeats, options),
  ];
}

function sameWords(repeats: readonly Repeat[]): string {
  const created = repeats.filter(({ code }) => code === 'created-before');
  if (created.every(({ standsFor }) => standsFor.state === 'created'))
    return `${counted(created.length, 'record was', 'records were')} paid already`;
  return counted(created.length, 'record is the same payment as before', 'records are the same payments as before');
}

/** The batch may have been forgotten: in its own batch, a payment is known by its key. */
function sameBatch({ batchId }: Prepared, repeats: readonly Repeat[], options: RunOptions): Remedy[] {
  const batches = new Set(repeats.map(({ newest }) => newest.batchId));
  const [other] = batches;
  if (options.resume !== null || batches.size !== 1 || other === undefined || other === batchId) return [];
  const command = again(options, ['--batch-id', other], ['--batch-id']);
  return [{ when: `the input is for batch ${other}, as before`, command }];
}

/** Another batch pays everything once more: that is offered only where no record is a correction or open. */
function mayBeOther({ replaces, batchId }: Prepared, repeats: readonly Repeat[], { resume }: RunOptions): boolean {
  const isHere = repeats.some(({ code, newest }) => code === 'created-before' || newest.batchId === batchId);
  return (
    isHere && resume === null && repeats.every(({ code, index }) => code !== 'open-before' && !replaces.has(index))
  );
}

/** A corrected row has the batch of the payment that it corrects: for another purpose it must be a plain row. */
function separately({ replaces, batchId }: Prepared, repeats: readonly Repeat[], options: RunOptions): Remedy[] {
  const { length } = repeats.filter(({ code, index }) => code === 'created-before' && replaces.has(index));
  if (length === 0) return [];
  const files = new Set(options.input.files);
  const words = again(
    options,
    ['--batch-id', exampleBatch(options, batchId)],
    ['--batch-id', '--rejects', '--results'],
  );
  const [first, ...others] = words.flatMap((word, i) => (files.has(word) ? i : []));
  const command = words.flatMap((word, i) => (i === first ? 'FILE' : others.includes(i) ? [] : word));
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
  const runs = new Map<string, KnownPayment[]>();
  for (const { code, standsFor } of repeats) {
    const isOpen = code === 'open-before' || (code === 'not-rejected' && standsFor.state !== 'rejected');
    if (isOpen) runs.set(standsFor.run.name, [...(runs.get(standsFor.run.name) ?? []), standsFor]);
  }
  return [...runs].flatMap(([run, payments]) => {
    const count = payments.length;
    const doubtful = payments.filter(({ state }) => state === 'unknown');
    const place = [run, ...closeWords(onward.resume)];
    const them = counted(count, 'record', 'records');
    // What was decided about this input says nothing of that run's.
    const resume = onward.resume.filter((word) => !word.startsWith('--skip-'));
    return [
      {
        when: `${them} of run ${run} ${count === 1 ? 'is' : 'are'} to be paid as that run has ${count === 1 ? 'it' : 'them'}; then run this command again`,
        command: ['gigwork', 'batch', 'resume', run, ...resume],
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
  const corrections = repeats.filter(
    ({ code, standsFor }) => code === 'not-rejected' && standsFor.state === 'rejected',
  );
  return [...new Set(corrections.map(({ standsFor }) => standsFor.run.name))].map((run) => ({
    when: `the correction was rejected too: correct the rejects of run ${run}, which shows them`,
    command: ['gigwork', 'batch', 'show', run, ...closeWords(onward.resume)],
  }));
}

/** Of what names the place, only what `batch close` takes. */
function closeWords(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++)
    if (['--state-dir', '--journal', '--config', '--profile'].includes(words[i] as string))
      kept.push(words[i] as string, words[++i] ?? '');
  return kept;
}

/** Of the options that are left out of a command. */
const VALUED: readonly string[] = ['--batch-id', '--send-similar', '--rejects', '--results'];

/** The call once more, with further words. @param without options that are left out */
function again({ onward }: RunOptions, words: readonly string[], without: readonly string[] = []): string[] {
  const end = onward.again.includes('--') ? onward.again.indexOf('--') : onward.again.length;
  const drop = new Set([...without, '--send-similar']);
  const takesValue = (name: string): boolean => VALUED.includes(name);
  const head = onward.again.slice(0, end).filter((word, i, all) => {
    const before = all[i - 1] ?? '';
    return !drop.has(word.split('=', 1)[0] ?? '') && !(drop.has(before) && takesValue(before));
  });
  return [
    ...head,
    ...words.filter((word) => !word.startsWith('--skip-') || !head.includes(word)),
    ...onward.again.slice(end),
  ];
}

/** `- 3 records were paid already: gigwork payout create …` */
export function remedyLines(remedies: readonly Remedy[], platform: NodeJS.Platform): string[] {
  return remedies.map(({ when, command }) => `- ${when}: ${commandText(command, platform)}`);
}

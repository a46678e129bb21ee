/** What can be done about a refusal: each way with the case that it is for, and its command. CONTRACT: `remedies`. */
import type { Prepared } from '../batch/prepare.js';
import type { KnownPayment } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import type { Remedy } from '../report/reporter.js';
import { counted } from '../report/table.js';
import type { Assessment } from './assess.js';
import { exampleBatch } from './repeat-words.js';
import type { Repeat, RepeatCode } from './repeats.js';

/** Of repeats that nobody has decided about; in the order in which they are to be tried. */
export function remediesOf(
  { batchId, replaces }: Prepared,
  { undecided: { repeats } }: Assessment,
  options: RunOptions,
): Remedy[] {
  const way = (isOne: boolean, when: string, words: readonly string[], without: readonly string[] = []): Remedy[] =>
    isOne ? [{ when, command: again(options, words, without) }] : [];
  if (repeats.length === 0)
    return way(options.safety.strict, 'the warnings about earlier payments are as they should be', [], ['--strict']);
  const of = (code: RepeatCode): Repeat[] => repeats.filter((repeat) => repeat.code === code);
  const [paid, { length: similar }] = [of('created-before'), of('similar-record')];
  const same = paid.length === 0 ? [] : ['--skip-created'];
  const alike = counted(similar, 'similar record is', 'similar records are');
  const [other, ...others] = new Set(repeats.map(({ newest }) => newest.batchId));
  const mayName = options.resume === null;
  // In its own batch, a payment is known by its key: the batch may have been forgotten.
  const isOtherBatch = mayName && others.length === 0 && other !== undefined && other !== batchId;
  // Another batch pays everything once more: that is offered only where no record is a correction or open.
  const isPlain = repeats.every(({ code, index }) => code !== 'open-before' && !replaces.has(index));
  const isHere = repeats.some(({ code, newest }) => code === 'created-before' || newest.batchId === batchId);
  const elsewhere = ['--batch-id', exampleBatch(options, batchId)];
  return [
    ...runsFirst(repeats, options),
    // Where there are similar ones too, these are decided together.
    ...way(
      paid.length > 0 && similar === 0,
      `${counted(paid.length, 'record was', 'records were')} paid already`,
      same,
    ),
    ...way(isOtherBatch, `the input is for batch ${other}, as before`, ['--batch-id', other ?? ''], ['--batch-id']),
    ...way(similar > 0, `${alike} the same as before`, [...same, '--skip-similar']),
    ...way(similar > 0, `${alike} to be paid in addition`, [...same, '--send-similar', `${similar}`]),
    ...way(isHere && mayName && isPlain, 'all of these are for another period or purpose', elsewhere, ['--batch-id']),
    ...separately(paid.filter(({ index }) => replaces.has(index)).length, elsewhere, options),
  ];
}

/**
 * A corrected row has the batch of the payment that it corrects: for another purpose it must be a plain row. Without this
 * way a person who mends a payment into one that was paid long ago is told of none to pay it.
 */
function separately(count: number, batch: readonly string[], options: RunOptions): Remedy[] {
  if (count === 0) return [];
  const words = again(options, batch, ['--batch-id', '--rejects', '--results']);
  const isFile = (word: string | undefined): boolean => word !== undefined && options.input.files.includes(word);
  const first = words.findIndex(isFile);
  const command = words.flatMap((word, i) => (i === first ? 'FILE' : isFile(word) ? [] : word));
  const which = counted(count, 'corrected record is', 'corrected records are');
  const when = `${which} for another period or purpose: copy ${count === 1 ? 'it' : 'them'} to a separate FILE without the column gigwork_key`;
  return [{ when, command }];
}

/** Unfinished runs come first: going on with one pays nobody twice. A correction that was rejected is corrected itself. */
function runsFirst(repeats: readonly Repeat[], { onward }: RunOptions): Remedy[] {
  const runs = new Map<string, KnownPayment[]>();
  for (const { code, standsFor } of repeats)
    if (code === 'open-before' || code === 'not-rejected')
      runs.set(standsFor.run.name, [...(runs.get(standsFor.run.name) ?? []), standsFor]);
  return [...runs].flatMap(([run, payments]) => {
    const place = [run, ...closeWords(onward.resume)];
    const doubtful = payments.filter(({ state }) => state === 'unknown');
    const open = payments.filter(({ state }) => state === 'not_sent');
    const { length: unfinished } = [...doubtful, ...open];
    const remedies: Remedy[] = [];
    if (unfinished > 0)
      remedies.push({
        when: `${counted(unfinished, 'record', 'records')} of run ${run} ${unfinished === 1 ? 'is' : 'are'} to be paid as it stands there; then run this command again`,
        // What was decided about this input says nothing of that run's.
        command: ['gigwork', 'batch', 'resume', run, ...onward.resume.filter((word) => !word.startsWith('--skip-'))],
      });
    // Closing a run settles nothing.
    for (const { key } of doubtful)
      remedies.push({
        when: `the service does not have the payment ${key}; then run this command again`,
        command: ['gigwork', 'batch', 'settle', ...place, '--key', key, '--not-created', '--note', 'TEXT'],
      });
    if (open.length > 0)
      remedies.push({
        when: `run ${run} is not to pay what it has open; then run this command again`,
        command: ['gigwork', 'batch', 'close', ...place, '--note', 'TEXT'],
      });
    if (unfinished < payments.length)
      remedies.push({
        when: `the correction was rejected too: correct the rejects of run ${run}, which shows them`,
        command: ['gigwork', 'batch', 'show', ...place],
      });
    return remedies;
  });
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

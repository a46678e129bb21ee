/** How records that were refused or invalid are sent once a person has corrected them: in the batch of their run. */
import { DEFAULT_BATCH } from '../keys/key.js';
import type { RunOptions } from '../options.js';
import type { PreparedRecords } from '../prepare/prepare.js';
import { repeatCommand, CONTROLS } from '../review/remedies.js';
import { remedyIf } from '../review/other-run-remedies.js';
import type { Remedy } from '../report/reporter.js';
import { pluralize } from '../report/table.js';

/**
 * An invalid row has no key, so nothing but this command says to which batch it belongs. In another batch it would be a
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
  const { onward, resume, safety, input, command } = options;
  // How the run that is resumed has read its input, this call does not know. Its rejects name their batch by their keys.
  if (resume !== null) return [];
  const batch = batchId === DEFAULT_BATCH ? [] : ['--batch-id', batchId];
  if (rejects.length > 0) {
    const when = `the cause is corrected, in the rejects file or at the service${isRefused ? ', and only these records are to be sent' : ''}`;
    const words = [...command.split(' '), ...rejects, ...batch, ...textOptions(rejects, onward.corrected)];
    return remedyIf(true, 'import-rejects', when, [onward.program, ...words]);
  }
  const invalid = entries.countOf('invalid');
  const isTyped = input.files.length > 0 && !input.files.includes('-');
  if (isRefused || invalid === 0 || !isTyped || safety.dryRun) return [];
  const when = `the ${pluralize(invalid, 'invalid record is', 'invalid records are')} corrected in the input`;
  const added = safety.batchNamed ? [] : batch;
  const words = repeatCommand(options, [...added, '--skip-created'], ['--skip-invalid', ...CONTROLS]);
  return remedyIf(true, 'import-again', when, words);
}

/** A file of text has no sheets, whatever its input had. */
function textOptions(files: readonly string[], words: readonly string[]): readonly string[] {
  if (!files.every((file) => /\.(?:csv|tsv|txt)$/i.test(file))) return words;
  return words.filter((word, i) => word !== '--sheet' && words[i - 1] !== '--sheet');
}

/** Writes the approval of a call that approves, and prints the command that sends the approved run. */
import { resolve } from 'node:path';
import { withoutUser } from '../config/journal-url.js';
import { DEFAULT_BATCH } from '../keys/key.js';
import type { ApprovedRun } from '../journal/audit-log.js';
import type { Journal } from '../journal/journal.js';
import type { RunOptions } from '../options.js';
import { repeatCommand } from './remedies.js';
import { writeFileAtomically } from '../report/atomic-file.js';
import { shellCommand, headerHint } from '../util/shell-quote.js';
import type { World } from '../world.js';

/** The sender must be able to read it, and only its owner may write it. The umask may restrict that. */
const READABLE = 0o644;

/**
 * Returns the file's path, and the command that sends, for a person.
 * @param at milliseconds since 1970
 */
export async function writeApproval(
  path: string,
  run: ApprovedRun,
  at: number,
  options: RunOptions,
  world: World,
): Promise<string[]> {
  const { approvalText } = await import('../config/approval-file.js');
  const text = approvalText({ ...run, ...options.caller, at });
  await writeFileAtomically(path, world.cwd(), [text], READABLE);
  const words = approvedSendCommand(resolve(world.cwd(), path), run, options);
  return [
    `Approval written: ${path}`,
    `To send what it approves: ${shellCommand(words, options.platform)}`,
    ...headerHint(options.headerNames),
  ];
}

/** Writes the approval into the shared journal. This call sends nothing, whatever happens. @throws JournalError */
export async function approveInJournal(
  run: ApprovedRun,
  options: RunOptions,
  journal: Journal,
  note: (text: string) => void,
): Promise<void> {
  await journal.approve(run, options.caller);
  note(`Approval written into the journal, as given by its user ${journal.user ?? ''}`);
  // The approver may not send: the sender uses another name.
  const words = approvedSendCommand(null, run, options).map(withoutUser);
  note(`To send what it approves, as another user of the database: ${shellCommand(words, options.platform)}`);
  headerHint(options.headerNames).forEach(note);
}

/**
 * The call as typed, without the approval, and with the decisions of the review.
 * @param path of the file with the approval; null for one in the journal, which the run finds there
 */
export function approvedSendCommand(
  path: string | null,
  { flags, batchId }: Pick<ApprovedRun, 'flags' | 'batchId'>,
  options: RunOptions,
): string[] {
  const words = [
    ...(options.resume !== null || batchId === DEFAULT_BATCH ? [] : ['--batch-id', batchId]),
    ...(flags.skipCreated ? ['--skip-created'] : []),
    ...(flags.skipSimilar ? ['--skip-similar'] : []),
    ...(flags.sendSimilar === null ? [] : ['--send-similar', `${flags.sendSimilar}`]),
    ...(path === null ? [] : ['--approval', path]),
  ];
  return repeatCommand(options, words, ['--approve', '--batch-id']);
}

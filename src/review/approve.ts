/** Writes the approval of a call that approves, and prints the command that sends the approved run. */
import { resolve } from 'node:path';
import type { ApprovedRun } from '../journal/audit-log.js';
import type { Journal } from '../journal/journal.js';
import type { RunOptions } from '../options.js';
import { toShell } from '../follow-up/command-line.js';
import { sendApprovedCommand } from '../follow-up/commands.js';
import type { OutputWriter } from '../report/output-writer.js';
import { headerHint } from '../util/shell-quote.js';

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
  writer: OutputWriter,
): Promise<string[]> {
  const { approvalText } = await import('../config/approval-file.js');
  const text = approvalText({ ...run, ...options.caller, at });
  await writer.write(path, [text], READABLE);
  const send = sendApprovedCommand(resolve(writer.cwd, path), run, options);
  return [
    `Approval written: ${path}`,
    `To send what it approves: ${toShell(send, options.platform)}`,
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
  const send = sendApprovedCommand(null, run, options);
  note(`To send what it approves, as another user of the database: ${toShell(send, options.platform)}`);
  headerHint(options.headerNames).forEach(note);
}

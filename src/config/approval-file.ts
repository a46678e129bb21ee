/** An approval as a file: written by the call that approves, read by the call that sends. CONTRACT: "Approval". */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { reasonOf } from '../input/source.js';
import { sha256 } from '../keys/key.js';
import { type Approved, approvedDeed, approvedRun, type ApprovedRun, isWhole } from '../ledger/event.js';
import type { Approval } from '../ledger/payment.js';
import { sumByCurrency } from '../money/totals.js';
import type { FileApproval } from '../options.js';
import { moneyText } from '../records/currencies.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import type { Person } from '../world.js';
import { textOf } from './config-file.js';

/** Of the file's format. Another one is refused. */
const APPROVAL_FORMAT = 2;

/** Totals may be as many as the records, where each has a cost center of its own. Bytes. */
const LARGEST = 256 * 1024 * 1024;

/** What the file says, but for its format and the checksum over all of it. */
interface ApprovalDocument {
  /** For people. */
  readonly about: readonly string[];
  readonly at: string;
  readonly by: Person;
  readonly version: string;
  readonly command_line: string;
  /** As the log of a journal has it. */
  readonly approved: Approved;
}

/** The file's text: JSON that a person can read, and a checksum over all of it. */
export function approvalText(approval: Omit<Approval, 'note' | 'event'>): string {
  const { at, by, version, commandLine } = approval;
  const document: ApprovalDocument = {
    about: aboutLines(approval),
    at: new Date(at).toISOString(),
    by: { user: by.user, host: by.host },
    version,
    command_line: commandLine,
    approved: approvedDeed(approval),
  };
  const whole = { gigwork_approval: APPROVAL_FORMAT, ...document };
  return `${textWith(whole, checksumOf(whole))}\n`;
}

function aboutLines({ totals }: ApprovedRun): string[] {
  const sums = sumByCurrency(totals).map(({ type, currency, amount, count: of, unpriced }) => {
    const kind = type as RecordType;
    const without = unpriced === 0 ? '' : `, ${unpriced} of them without a known price`;
    const { plural } = KINDS[kind];
    return `${of} ${of === 1 ? plural.replace(/s$/, '') : plural}${without}: ${moneyText(amount, currency, kind)} in all`;
  });
  return [
    'An approval of gigwork: these payments may be sent, and no others.',
    ...sums,
    'To send them: the same command with --approval and the name of this file, instead of --approve.',
    'Who approved is what the machine said of its user: a record, and no proof. The checksum finds a file that was damaged or edited; it is no signature.',
  ];
}

function checksumOf(document: object): string {
  return sha256(JSON.stringify(document));
}

function textWith(document: object, checksum: unknown): string {
  return JSON.stringify({ ...document, checksum }, null, 2);
}

/** @param path as it was given. @throws UsageError when it cannot be read, is no approval, or was edited */
export function readApproval(path: string, cwd: string): FileApproval {
  const { at: time, by, version, command_line: commandLine, approved } = checkedDocument(path, textIn(path, cwd));
  const at = Date.parse(time);
  if (Number.isNaN(at) || !isWhole(approved)) throw noApproval(path);
  const note = `file ${path}: a record of user and machine, no proof`;
  try {
    return { ...approvedRun(approved), ...{ file: path, note, event: null, at, by, version, commandLine } };
  } catch (cause) {
    throw noApproval(path, cause);
  }
}

function textIn(path: string, cwd: string): string {
  if (path === '') throw new UsageError('--approval needs the name of a file');
  try {
    const full = resolve(cwd, path);
    const found = statSync(full);
    if (!found.isFile()) throw new Error('it is not a file');
    if (found.size > LARGEST) throw new Error('it is too large for an approval');
    // A mail may change the ends of lines, and an editor the end of the file.
    return textOf(readFileSync(full)).replaceAll('\r\n', '\n').trimEnd();
  } catch (cause) {
    throw new UsageError(`--approval ${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

function checkedDocument(path: string, written: string): ApprovalDocument {
  const { checksum, ...document } = parsed(path, written);
  const { gigwork_approval: format } = document;
  if (typeof format === 'number' && format !== APPROVAL_FORMAT)
    throw new UsageError(
      `--approval ${path} was written by another version of gigwork (format ${format}, this one reads ${APPROVAL_FORMAT}): have it approved with the same version`,
    );
  if (format !== APPROVAL_FORMAT) throw noApproval(path);
  // Text as well as content: of a name that stands twice in it, only the last one would count.
  if (checksumOf(document) !== checksum || textWith(document, checksum) !== written)
    throw new UsageError(
      `--approval ${path} was edited or damaged after it was written: its checksum does not fit. Nothing is sent by it; take the file as it was written, or have the run approved again with --approve=FILE`,
    );
  // Nothing but this program writes such a checksum.
  return document as unknown as ApprovalDocument;
}

function parsed(path: string, written: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below: what is no JSON is no approval either.
  }
  throw noApproval(path);
}

function noApproval(path: string, cause?: unknown): UsageError {
  return new UsageError(
    `--approval ${path} is not an approval, or not a whole one: name a file that --approve=FILE has written`,
    { cause },
  );
}

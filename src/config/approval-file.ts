/**
 * An approval as a file: the call that approves writes it, the call that sends reads it. CONTRACT: "Approval". Loaded
 * only when needed: zod takes time.
 */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../errors.js';
import { systemErrorText } from '../input/source.js';
import { sha256 } from '../keys/key.js';
import { approvalEvent, approvedRun, type ApprovedRun, flagsDocument } from '../journal/audit-log.js';
import type { Approval } from '../journal/payment.js';
import { sumByCurrency } from '../money/totals.js';
import type { FileApproval } from '../options.js';
import { moneyText } from '../records/currencies.js';
import { amountUnit, RECORD_INFO, RECORD_TYPES, type RecordType } from '../records/types.js';
import { utf8Text } from './named-file.js';

/** Of the file's format. Another one is refused. */
const APPROVAL_FORMAT = 1;

/** Bytes. There may be as many totals as records, if each record has a different cost center. */
const LARGEST_BYTES = 256 * 1024 * 1024;

/** The file's text: JSON that a person can read, with a checksum over all of it. */
export function approvalText(approval: Omit<Approval, 'note' | 'event'>): string {
  const { at, by, version, commandLine, flags, files } = approval;
  const { target, batchId, digest, count, totals } = approvalEvent(approval);
  const ofType = (type: RecordType): object[] =>
    totals
      .filter((row) => row.type === type)
      .map(({ type: _type, unpriced, ...row }) => ({ ...row, unit: amountUnit(type), unpriced }));
  const document = {
    gigwork_approval: APPROVAL_FORMAT,
    about: aboutLines(approval),
    at: new Date(at).toISOString(),
    by: { user: by.user, host: by.host },
    version,
    command_line: commandLine,
    target,
    batch_id: batchId,
    digest,
    count,
    totals: Object.fromEntries(RECORD_TYPES.map((type) => [type, ofType(type)])),
    flags: flagsDocument(flags),
    files: files.map(({ path, sha256: hash, records }) => ({ path, sha256: hash, records })),
  };
  return `${textWith(document, checksumOf(document))}\n`;
}

function aboutLines({ totals }: ApprovedRun): string[] {
  const sums = sumByCurrency(totals).map(({ type, currency, amount, count: of, unpriced }) => {
    const kind = type as RecordType;
    const without = unpriced === 0 ? '' : `, ${unpriced} of them without a known price`;
    const { plural } = RECORD_INFO[kind];
    return `${of} ${of === 1 ? plural.replace(/s$/, '') : plural}${without}: ${moneyText(amount, currency, kind)} in all`;
  });
  return [
    'An approval of gigwork: these payments may be sent, and no others.',
    ...sums,
    'To send them: the same command with --approval and the name of this file, instead of --approve.',
    'The computer named the approver; nobody checked the name. The checksum finds a file that was damaged or edited; it is not a signature.',
  ];
}

function checksumOf(document: object): string {
  return sha256(JSON.stringify(document));
}

function textWith(document: object, checksum: unknown): string {
  return JSON.stringify({ ...document, checksum }, null, 2);
}

const count = z.int().min(0);
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
const textSchema = z.string();

const total = z.strictObject({
  currency: textSchema.nullable(),
  cost_center: textSchema.nullable(),
  count,
  amount: textSchema.regex(/^-?\d+(?:\.\d+)?$/),
  unpriced: count,
  /** Files of earlier versions lack it. */
  unit: z.optional(textSchema.nullable()),
});
const totals = z.array(total);

const approvalDocument = z.strictObject({
  about: z.array(textSchema),
  at: z.iso.datetime(),
  by: z.strictObject({ user: textSchema, host: textSchema }),
  version: textSchema,
  command_line: textSchema,
  target: textSchema,
  batch_id: textSchema,
  digest: hashSchema,
  count,
  totals: z.strictObject({ payout: totals, result: totals, gig: totals }),
  flags: z.strictObject({
    skip_created: z.boolean(),
    skip_similar: z.boolean(),
    send_similar: count.nullable(),
    skip_invalid: z.boolean().nullable(),
    key_columns: z.array(textSchema).nullable(),
    resend_unknown: z.boolean(),
    key_lifetime: z.number().min(0),
  }),
  files: z.array(z.strictObject({ path: textSchema, sha256: hashSchema, records: count })),
});

type ApprovalDocument = Readonly<z.infer<typeof approvalDocument>>;

/** @param path as typed. @throws UsageError when it cannot be read, is not an approval, or was edited */
export function readApproval(path: string, cwd: string): FileApproval {
  const { at, by, version, flags, ...document } = checkedDocument(path, textIn(path, cwd));
  const ofType = (type: RecordType) => document.totals[type].map(({ unit: _unit, ...row }) => ({ type, ...row }));
  const run = approvedRun({
    kind: 'approved',
    of: null,
    target: document.target,
    batchId: document.batch_id,
    digest: document.digest,
    count: document.count,
    totals: RECORD_TYPES.flatMap(ofType),
    files: document.files,
    flags: {
      skipCreated: flags.skip_created,
      skipSimilar: flags.skip_similar,
      sendSimilar: flags.send_similar,
      skipInvalid: flags.skip_invalid,
      keyColumns: flags.key_columns,
      resendUnknown: flags.resend_unknown,
      keyLifetimeHours: flags.key_lifetime,
    },
  });
  return {
    ...run,
    file: path,
    note: `file ${path}: user name taken from the computer, not verified`,
    event: null,
    at: Date.parse(at),
    by,
    version,
    commandLine: document.command_line,
  };
}

function textIn(path: string, cwd: string): string {
  if (path === '') throw new UsageError('--approval needs the name of a file');
  try {
    const full = resolve(cwd, path);
    const found = statSync(full);
    if (!found.isFile()) throw new Error('it is not a file');
    if (found.size > LARGEST_BYTES) throw new Error('it is too large for an approval');
    // A mail program may change the line ends, and an editor the end of the file.
    return utf8Text(readFileSync(full)).replaceAll('\r\n', '\n').trimEnd();
  } catch (cause) {
    throw new UsageError(`--approval ${path} cannot be read: ${systemErrorText(cause)}`, { cause });
  }
}

function checkedDocument(path: string, written: string): ApprovalDocument {
  const { checksum, ...document } = parseDocument(path, written);
  const { gigwork_approval: format, ...rest } = document;
  if (typeof format === 'number' && format !== APPROVAL_FORMAT)
    throw new UsageError(
      `--approval ${path} was written by another version of gigwork (format ${format}, this one reads ${APPROVAL_FORMAT}): have it approved with the same version`,
    );
  if (format !== APPROVAL_FORMAT) throw noApproval(path);
  // Compares the text as well as the content: of a duplicate name, JSON would only show the last value.
  if (checksumOf(document) !== checksum || textWith(document, checksum) !== written)
    throw new UsageError(
      `--approval ${path} was edited or damaged after it was written: its checksum does not fit. Nothing is sent by it; take the file as it was written, or have the run approved again with --approve=FILE`,
    );
  const found = approvalDocument.safeParse(rest);
  if (!found.success) throw noApproval(path);
  return found.data;
}

function parseDocument(path: string, written: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below: a text that is not JSON is not an approval either.
  }
  throw noApproval(path);
}

function noApproval(path: string): UsageError {
  return new UsageError(
    `--approval ${path} is not an approval, or not a whole one: name a file that --approve=FILE has written`,
  );
}

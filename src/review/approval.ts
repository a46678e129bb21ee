/** Who approved what, and whether that allows the run that would be sent. CONTRACT: "Approval". PURE. */
import type { ApprovedFlags, ApprovedRun } from '../journal/audit-log.js';
import type { Approval, Decisions, SignedDecision, Run } from '../journal/payment.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import type { FileApproval, RunOptions } from '../options.js';
import { RECORD_INFO, type RecordType } from '../records/types.js';
import { moneyText } from '../records/currencies.js';
import { personText } from '../report/table.js';
import { localTime } from '../util/local-time.js';
import type { Person } from '../world.js';
import { DEFAULT_LIFETIME_MS } from './disposition.js';
import type { Assessment } from './assessment.js';

const HOUR_MS = 3_600_000;

/** The run that would be sent. Target and digest are empty in a dry run without a target, which nobody can approve. */
export function describeRun(
  { prepared, digest, records, totals, decisions }: Assessment,
  options: RunOptions,
): ApprovedRun {
  return {
    target: options.target?.name ?? '',
    batchId: prepared.batchId,
    digest: digest ?? '',
    count: records.valid,
    totals: totals.map((row) => ({ ...row, status: '' })),
    flags: flagsOf(decisions, options),
    files: prepared.files.map(({ path, sha256, records: count }) => ({ path, sha256, records: count })),
  };
}

function flagsOf(decisions: Decisions, { safety, resume }: RunOptions): ApprovedFlags {
  return {
    ...decisions,
    resendUnknown: safety.resendUnknown,
    skipInvalid: resume === null ? safety.skipInvalid : null,
    keyColumns: resume === null ? safety.keyColumns : null,
    keyLifetimeHours: (safety.keyLifetimeMs ?? DEFAULT_LIFETIME_MS) / HOUR_MS,
  };
}

/** All differences that keep an approval from allowing a run; empty if it allows the run. */
export function approvalDifferences(approval: FileApproval, found: ApprovedRun): string[] {
  const differences = differencesOf(approval, found);
  if (differences.length === 0) return [];
  return [
    `--approval ${approval.file} is for another run than this one. What differs from what ${personText(approval.by)} approved:`,
    ...differences.map((words) => `- ${words}`),
  ];
}

function differencesOf(approved: ApprovedRun, found: ApprovedRun): string[] {
  const differences = [
    ...differs('target', approved.target, found.target || 'none, since this is a dry run without one'),
    ...differs('batch', approved.batchId, found.batchId),
    ...flagDifferences(approved.flags, found.flags),
    ...differs('count', `${approved.count} valid records`, `${found.count}`, approved.count === found.count),
    ...totalDifferences(approved.totals, found.totals),
  ];
  if (differences.length > 0 || approved.digest === found.digest) return differences;
  return [
    `records: at least one is another one now, or they stand in another order (approved: digest ${approved.digest}; this run: ${found.digest || 'none'})`,
  ];
}

function differs(what: string, approved: string, found: string, isSame = approved === found): string[] {
  return isSame ? [] : [`${what}: approved was ${approved}, this run has ${found}`];
}

/** In the order of the message. */
const FLAGS: readonly (readonly [member: keyof ApprovedFlags, name: string])[] = [
  ['skipCreated', '--skip-created'],
  ['skipSimilar', '--skip-similar'],
  ['sendSimilar', '--send-similar'],
  ['skipInvalid', '--skip-invalid'],
  ['keyColumns', '--key-columns'],
  ['resendUnknown', '--resend-unknown'],
  ['keyLifetimeHours', '--key-lifetime'],
];

function flagDifferences(approved: ApprovedFlags, found: ApprovedFlags): string[] {
  return FLAGS.flatMap(([member, name]) => {
    // If a run is resumed, some were decided when it began.
    if (member !== 'sendSimilar' && (approved[member] === null || found[member] === null)) return [];
    const before = typedFlag(name, approved[member]);
    const after = typedFlag(name, found[member]);
    if (before === after) return [];
    return `flags: approved ${before === '' ? `without ${name}` : `with ${before}`}, this run is ${after === '' ? 'without it' : `with ${after}`}`;
  });
}

/** A flag as typed; empty if it is not set. */
function typedFlag(name: string, value: ApprovedFlags[keyof ApprovedFlags]): string {
  const text = String(value ?? '');
  if (text === '' || value === false) return '';
  return value === true ? name : `${name} ${text}`;
}

/** By type and currency. */
function totalDifferences(approved: readonly TotalRow[], found: readonly TotalRow[]): string[] {
  const before = new Map(sumByCurrency(approved).map((row) => [nameOf(row), figureOf(row)]));
  const after = new Map(sumByCurrency(found).map((row) => [nameOf(row), figureOf(row)]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) =>
    differs(`total of ${name}`, before.get(name) ?? 'none', after.get(name) ?? 'none'),
  );
}

function nameOf({ type, currency }: TotalRow): string {
  const { plural } = RECORD_INFO[type as RecordType];
  return currency === null ? `${plural} without a currency` : `${plural} in ${currency}`;
}

function figureOf({ type, currency, amount, unpriced }: TotalRow): string {
  const text = moneyText(amount, currency, type);
  return unpriced === 0 ? text : `${text} and ${unpriced} without a known price`;
}

/** Who approved a run, as far as is known before it is sent. */
export interface Approvers {
  /** The user of the shared journal's database; null on a journal of one machine. */
  readonly user: string | null;
  /** Approvals for runs of this digest in the journal itself, newest first. */
  readonly given: readonly Approval[];
  /** The run that continues: its earlier approval is still valid. */
  readonly run: Run | null;
}

/** The sender as a person: on a shared journal, the database's user, whom nobody else can claim to be. */
function senderOf({ user }: Approvers, { caller }: RunOptions): Person {
  return user === null ? caller.by : { ...caller.by, user };
}

interface Word extends SignedDecision {
  readonly isProof: boolean;
}

/**
 * Why the settings do not let a run be sent; empty if they do. Outside a shared journal, a person is the user of a
 * machine: the same name on two machines counts as one person. With a shared journal, an approval file does not count.
 */
export function missingApproval(options: RunOptions, found: ApprovedRun, of: Approvers): string[] {
  const { safety, target } = options;
  const { requireApproval, approval } = safety;
  if (requireApproval === null || target?.kind !== 'url') return [];
  const offered = [...fitting(of.given, found), ...(approval === null ? [] : [approval])];
  const words: Word[] = offered.map((each) => ({ ...each, isProof: each.event !== null }));
  const stored = of.run?.approvedBy ?? null;
  const beyond = stored === null ? [] : flagDifferences(stored.flags, withinOf(found.flags, stored.flags));
  if (stored !== null && beyond.length === 0) words.push(stored);
  const isByAnother = (word: Word): boolean =>
    of.user === null ? !isSamePerson(word.by, options.caller.by) : word.isProof && word.by.user !== of.user;
  if (words.some(isByAnother)) return [];
  const asks = `${requireApproval} asks for an approval by another person than the sender, who is ${personText(senderOf(of, options))}`;
  const remedy =
    of.user === null
      ? 'Let another person run the same command with --approve=FILE, and send it with --approval FILE'
      : "Let another person run the same command with --approve, as another user of the journal's database; then run it again";
  return [`${asks}; ${presentText(words[0], beyond, found, of)}. ${remedy}`];
}

function fitting(given: readonly Approval[], found: ApprovedRun): Approval[] {
  return given.filter((each) => differencesOf(each, found).length === 0);
}

/**
 * The approval that exists, and why it does not allow the run.
 * @param word an approval that would allow it if another person had given it
 * @param beyond how it differs from the approved run
 */
function presentText(
  word: Word | undefined,
  beyond: readonly string[],
  found: ApprovedRun,
  { user, given: [other], run }: Approvers,
): string {
  if (word !== undefined && user !== null && !word.isProof)
    return `${personText(word.by)} approved it in a file. With a shared journal, only an approval in the journal counts`;
  if (word !== undefined) return `this run was approved by ${personText(word.by)}`;
  const stored = run?.approvedBy ?? null;
  const near = stored !== null && beyond.length > 0 ? stored : other;
  if (near === undefined) return 'there is none';
  const differences = near === other ? differencesOf(other, found) : beyond;
  return `what ${personText(near.by)} approved differs from this run (${differences.join('; ')})`;
}

/** A call that uses fewer flags than were approved needs no new approval. */
function withinOf(flags: ApprovedFlags, approved: ApprovedFlags): ApprovedFlags {
  return {
    ...flags,
    sendSimilar: flags.sendSimilar ?? approved.sendSimilar,
    resendUnknown: flags.resendUnknown || approved.resendUnknown,
    keyLifetimeHours: Math.max(flags.keyLifetimeHours, approved.keyLifetimeHours),
  };
}

function isSamePerson(one: Person, other: Person): boolean {
  const folded = ({ user }: Person): string => user.normalize('NFC').toLowerCase();
  return folded(one) === folded(other);
}

/**
 * The approval that becomes the run's; null if the run keeps its present one, or has none. An approval of the sender
 * does not replace another person's, nor an approval in a file one that is proven.
 */
export function approvalToKeep(options: RunOptions, found: ApprovedRun, of: Approvers): Approval | null {
  const fits = fitting(of.given, found);
  const others = fits.find(({ by }) => by.user !== of.user);
  const stored = of.run?.approvedBy ?? null;
  const offered = others ?? options.safety.approval ?? fits[0] ?? null;
  if (others !== undefined || offered === null || stored === null) return offered;
  if (stored.isProof && offered.event === null) return null;
  const isSenders = ({ by }: SignedDecision): boolean => isSamePerson(by, senderOf(of, options));
  return isSenders(offered) && !isSenders(stored) ? null : offered;
}

/** Who approved the run, for the person who sends it. */
export function approvedText({ at, by, note }: SignedDecision, options: RunOptions, of: Approvers): string {
  const self = isSamePerson(by, senderOf(of, options)) ? '; the same person sends it' : '';
  return `approved by ${personText(by)}, ${localTime(at)} (${note})${self}`;
}

/** Who has approved a run, and whether that is another person than its sender. CONTRACT: "Approval". PURE. */
import type { ApprovedFlags } from '../ledger/event.js';
import type { Approval, Decisions, PersonsWord, Run } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import { personWords } from '../report/table.js';
import type { Person } from '../world.js';
import { differencesOf, flagDifferences, flagsOf, type FoundRun } from './approval.js';

/** Who approved a run, as far as is known before it is sent. */
export interface Approvers {
  /** The user of the shared journal's database; null on a journal of one machine. */
  readonly user: string | null;
  /** Approvals of runs of this digest in the journal itself, the newest first. */
  readonly given: readonly Approval[];
  /** The run that goes on: what was approved when it began still is. */
  readonly run: Run | null;
}

/** What the sender is as a person: on a shared journal, the database's user, whom nobody else can claim to be. */
function senderOf({ user }: Approvers, { caller }: RunOptions): Person {
  return user === null ? caller.by : { ...caller.by, user };
}

/**
 * Why the settings do not let a run be sent; empty where they do. Outside a shared journal, a person is the user of a
 * machine: the same name on two machines is taken for one person. In one, a file proves nothing.
 */
export function missingApproval(options: RunOptions, found: FoundRun, decisions: Decisions, of: Approvers): string[] {
  const { safety, target } = options;
  const { requireApproval } = safety;
  if (requireApproval === null || target?.kind !== 'url') return [];
  const beyond = goesBeyond(options, decisions, of);
  const holds = [...holding(options, found, of), ...(beyond.length === 0 ? storedOf(of) : [])];
  if (holds.some((word) => isByAnother(word, options, of))) return [];
  const sender = senderOf(of, options);
  const asks = `${requireApproval} asks for an approval by another person than the sender, who is ${personWords(sender)}`;
  return [`${asks}; ${presentWords(holds, beyond, found, options, of)}. Nothing was sent. ${remedyOf(of)}`];
}

interface Word extends PersonsWord {
  readonly isProof: boolean;
}

/** What allows this very call, beside what was approved when its run began. */
function holding({ safety: { approval } }: RunOptions, found: FoundRun, { given }: Approvers): Word[] {
  const fits = given.filter((each) => differencesOf(each, found).length === 0);
  return [...fits, ...(approval === null ? [] : [approval])].map((each) => ({ ...each, isProof: each.event !== null }));
}

function storedOf({ run }: Approvers): Word[] {
  const stored = run?.approvedBy ?? null;
  return stored === null ? [] : [stored];
}

function goesBeyond(options: RunOptions, decisions: Decisions, { run }: Approvers): string[] {
  const flags = run?.approvedBy?.flags;
  return flags === undefined ? [] : flagDifferences(flags, withinOf(flagsOf(decisions, options), flags));
}

function isByAnother(word: Word, options: RunOptions, of: Approvers): boolean {
  if (of.user !== null) return word.isProof && word.by.user !== of.user;
  return !isSamePerson(word.by, options.caller.by);
}

function presentWords(
  [own]: readonly Word[],
  beyond: readonly string[],
  found: FoundRun,
  { safety: { approval } }: RunOptions,
  { user, given, run }: Approvers,
): string {
  if (user !== null && own?.isProof !== true && approval !== null)
    return `the file ${approval.file} says that ${personWords(approval.by)} approved it, but a file proves nothing, and on a shared journal only an approval in the journal counts`;
  const said = own ?? run?.approvedBy ?? null;
  if (user !== null && said?.isProof === false)
    return `that ${personWords(said.by)} approved it says only the user who sent it, and only an approval in the journal counts`;
  if (own !== undefined) return `this run was approved by ${personWords(own.by)}`;
  if (beyond.length > 0)
    return `what ${personWords(run?.approvedBy?.by as Person)} approved for run ${run?.name ?? ''} had other flags (${beyond.join('; ')})`;
  const [other] = given;
  if (other === undefined) return 'there is none';
  return `what ${personWords(other.by)} approved is another run (${differencesOf(other, found).join('; ')})`;
}

function remedyOf({ user }: Approvers): string {
  if (user === null)
    return 'Let another person run the same command with --approve=FILE, and send it with --approval FILE';
  return "Let another person run the same command with --approve, as another user of the journal's database; then run it again";
}

/** What a call leaves away of that which was approved needs no new approval. */
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
 * What the run has as its approval from now on; null where it keeps the one that it has, or has none. One of the sender
 * does not take the place of another person's, nor a file's that of one that is proven.
 */
export function approvalToKeep(options: RunOptions, found: FoundRun, of: Approvers): Approval | null {
  const { approval } = options.safety;
  const fits = of.given.filter((each) => differencesOf(each, found).length === 0);
  const others = fits.find(({ by }) => by.user !== of.user);
  const stored = of.run?.approvedBy ?? null;
  if (others !== undefined) return others;
  const offered = approval ?? fits[0] ?? null;
  if (offered === null || stored === null) return offered;
  if (stored.isProof && offered.event === null) return null;
  const isOwn = isSamePerson(offered.by, senderOf(of, options));
  return isOwn && !isSamePerson(stored.by, senderOf(of, options)) ? null : offered;
}

/** Who approved what is about to be sent, for the person who sends it. */
export function approvedWords({ at, by, note }: PersonsWord, options: RunOptions, of: Approvers): string {
  const when = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const self = isSamePerson(by, senderOf(of, options)) ? '; the same person sends it' : '';
  return `approved by ${personWords(by)}, ${when} (${note})${self}`;
}

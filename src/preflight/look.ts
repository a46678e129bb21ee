/** What the ledger knows of the input, and what follows from it. */
import { bodyHashOf } from '../batch/bodies.js';
import type { Prepared } from '../batch/prepare.js';
import { startDigest } from '../keys/key.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ClaimRules } from '../ledger/plan.js';
import type { Decisions, TargetName } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import type { Approvers } from './approver.js';
import { assess, type Assessment } from './assess.js';
import { type Known, lookUp, NOTHING_KNOWN } from './known.js';

/** What the call knows once it has looked. */
export interface Looked {
  /** Null in a dry run without a target. */
  readonly digest: string | null;
  readonly known: Known;
  readonly assessment: Assessment;
}

export interface LookOptions {
  readonly options: RunOptions;
  /** Null in a dry run without one. */
  readonly target: TargetName | null;
  /** Null where there is none yet. */
  readonly ledger: Ledger | null;
  readonly rules: ClaimRules;
  readonly decisions: Decisions;
  /** The ledger's clock, milliseconds since 1970. */
  readonly now: () => number;
}

export async function look(prepared: Prepared, of: LookOptions): Promise<Looked> {
  const { options, target, ledger, rules, decisions } = of;
  const { resume } = options;
  for (;;) {
    const now = of.now();
    const digest = target === null ? null : (resume?.digest ?? digestOf(target.target, prepared));
    const known =
      ledger === null || target === null || digest === null
        ? NOTHING_KNOWN
        : await lookUp({ ledger, target, prepared, digest, resume, now });
    // Another run has passed its gate between the look-ups, which have not seen the same history.
    if (ledger !== null && target !== null && known.version !== (await ledger.version(target))) continue;
    const name = target?.target ?? '';
    return { digest, known, assessment: assess(prepared, known, { doubt: rules, decisions, target: name, now }) };
  }
}

/** The digest that a person signs, over the valid records in the order of the input. */
export function digestOf(target: string, prepared: Prepared): string {
  const { entries } = prepared;
  const digest = startDigest(target);
  for (let index = 0; index < entries.length; index++) {
    const key = entries.key(index);
    if (key !== null) digest.add(key, bodyHashOf(prepared, index));
  }
  return digest.finish();
}

/** Who has approved what was looked at. */
export async function approversOf(ledger: Ledger | null, { digest, known }: Looked): Promise<Approvers> {
  const given = ledger === null || digest === null ? [] : await ledger.approvals(digest);
  return { user: ledger?.user ?? null, given, run: known.run };
}

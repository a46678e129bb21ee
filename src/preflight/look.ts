/** What the ledger knows of the input, and what follows from it. */
import type { Prepared } from '../batch/prepare.js';
import type { ClaimRules, Ledger, TargetName } from '../ledger/ledger.js';
import type { Decisions, Run } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import type { Approvers } from './approver.js';
import { assess, type Assessment, digestOf } from './assess.js';
import type { Issues } from './issues.js';
import { type Known, lookUp, NOTHING_KNOWN } from './known.js';
import { placesOf } from './places.js';
import type { PlaceOf } from './repeat-words.js';

/** What the call knows once it has looked: the fates are those of the last look. */
export interface Looked {
  /** Null in a dry run without a target. */
  readonly digest: string | null;
  readonly known: Known;
  readonly assessment: Assessment;
  readonly placeOf: PlaceOf;
}

export interface LookOptions {
  readonly options: RunOptions;
  /** Null in a dry run without one. */
  readonly target: TargetName | null;
  /** Null where there is none yet. */
  readonly ledger: Ledger | null;
  readonly issues: Issues;
  readonly rules: ClaimRules;
  readonly decisions: Decisions;
  /** The ledger's clock, milliseconds since 1970. */
  readonly now: () => number;
  /** The run that goes on, once a person has decided about repeats that have come since it began. */
  readonly goesOn: Run | null;
}

/** A key that belongs to other content makes its record invalid; then everything is looked at once more. */
export async function look(prepared: Prepared, of: LookOptions): Promise<Looked> {
  const { options, target, ledger, issues, rules } = of;
  const { batchId, batchNamed } = options.safety;
  const named = options.resume ?? of.goesOn;
  for (;;) {
    const now = of.now();
    const digest = target === null ? null : (options.resume?.digest ?? digestOf(target.target, prepared));
    const known =
      ledger === null || target === null || digest === null
        ? NOTHING_KNOWN
        : await lookUp({
            ...{ ledger, target, prepared, digest, batchId },
            ...{ decisions: of.decisions, resume: named, now },
          });
    // Another run has passed its gate between the look-ups, which have not seen the same history.
    if (ledger !== null && target !== null && known.version !== (await ledger.version(target))) continue;
    // `--send-similar` was obeyed when the run passed its gate; what has come since is another decision.
    const isOn = known.run !== null && named === null;
    const decisions = isOn ? { ...of.decisions, sendSimilar: null } : of.decisions;
    const assessment = assess(prepared, known, {
      ...{ rules, retryRejected: rules.retryRejected, bringsBodies: options.resume === null },
      ...{ batchId, batchNamed, decisions },
    });
    const placeOf = await placesOf({ known, assessment }, ledger, options.caller.by);
    const history = { prepared, placeOf, target: target?.target ?? '', now };
    await issues.addConflicts(assessment.conflicts, history);
    if (assessment.conflicts.length > 0) continue;
    await issues.addRepeats(assessment, history);
    await issues.addHistory(known, batchId, history);
    return { digest, known, assessment, placeOf };
  }
}

/** Who has approved what was looked at. */
export async function approversOf(ledger: Ledger | null, { digest, known }: Looked): Promise<Approvers> {
  const given = ledger === null || digest === null ? [] : await ledger.approvals(digest);
  return { user: ledger?.user ?? null, given, run: known.run };
}

/** The look at the history: it is loaded, assessed, and what it says of the records is written into them. */
import type { Journal } from '../journal/journal.js';
import type { Decisions, Run } from '../journal/payment.js';
import { restoreGateAmounts } from '../prepare/stored-run.js';
import { chunksOf } from '../journal/pages.js';
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { countEntries } from '../report/reporter.js';
import { assess, type AssessRules, type Conclusions } from './assess.js';
import { type Assessment, dispositionsIn, paymentOf, runDigest } from './assessment.js';
import { EMPTY_HISTORY, loadHistory, type PaymentHistory } from './history.js';
import { keyConflicts } from './history-issues.js';
import { findOrigins } from './origins.js';
import { requireHeaders, requireNotClosed } from './requirements.js';
import type { ReviewContext } from './review-context.js';

/**
 * Looks at the history until the records agree with it. What it finds is written into the records here, and nowhere
 * else in the review: contents that are gone, amounts that are fixed, and keys that belong to other content.
 * @throws JournalError
 */
export async function assessRecords(
  context: ReviewContext,
  records: PreparedRecords,
  decisions: Decisions,
): Promise<Assessment> {
  const { options, target, journal, world, issues } = context;
  const { resume, caller } = options;
  for (let prepared = records; ;) {
    const now = world.now();
    const digest = target === null ? null : (resume?.digest ?? runDigest(target.target, prepared));
    const history = await currentHistory(context, prepared, digest, now);
    const rules: AssessRules = {
      doubt: { ...context.rules, namedBatch: options.safety.batchNamed ? prepared.batchId : null },
      decisions,
      target: target?.target ?? '',
      now,
      isDryRun: options.safety.dryRun,
    };
    const conclusions = assess(prepared, history, rules);
    const gone = resume === null || journal === null ? [] : await unsendable(conclusions, prepared, journal);
    if (gone.length > 0) {
      prepared = { ...prepared, pruned: new Set([...prepared.pruned, ...gone]) };
      continue;
    }
    const { entries } = prepared;
    if (journal !== null) await restoreGateAmounts(entries, (index) => paymentOf(index, conclusions, history), journal);
    const placeOf = await findOrigins(conclusions, history, prepared, journal, caller.by);
    const assessment = { ...conclusions, ...countEntries(entries), prepared, history, decisions, now, digest, placeOf };
    requireHeaders(history.run, options);
    const conflicts = [...keyConflicts(assessment)];
    if (conflicts.length === 0) return assessment;
    await issues.addConflicts(conflicts);
    for (const { index, issue } of conflicts) entries.invalidate(index, issue.message);
  }
}

/** The history as all look-ups have seen it: none that another run has changed between two of them. */
async function currentHistory(
  { options: { resume, response }, target, journal }: ReviewContext,
  prepared: PreparedRecords,
  digest: string | null,
  now: number,
): Promise<PaymentHistory> {
  if (journal === null || target === null || digest === null) return EMPTY_HISTORY;
  for (;;) {
    const present = await presentRun(resume, journal);
    const history = await loadHistory({ journal, target, prepared, digest, resume: present, now, idPath: response.id });
    if (history.version === (await journal.version(target))) return history;
  }
}

/**
 * `batch prune` may have removed contents since the run was read, and nothing else has them.
 * @returns the records that would be sent without one
 */
async function unsendable(conclusions: Conclusions, prepared: PreparedRecords, journal: Journal): Promise<number[]> {
  const gone: number[] = [];
  for (const page of chunksOf(dispositionsIn(prepared, conclusions), PAYMENTS_AT_ONCE)) {
    const payments = page.flatMap(([index, disposition]) =>
      disposition.kind === 'send' && !prepared.pruned.has(index)
        ? [[index, disposition.payment ?? prepared.entries.payment(index)] as const]
        : [],
    );
    const pruned = new Set(await journal.pruned(payments.map(([, payment]) => payment)));
    gone.push(...payments.filter(([, payment]) => pruned.has(payment)).map(([index]) => index));
  }
  return gone;
}

/** How many payments are looked up at once. */
const PAYMENTS_AT_ONCE = 2000;

/** The run as it is now: a colleague may have closed it since it was named. @throws UsageError if it is closed */
async function presentRun(run: Run | null, journal: Journal): Promise<Run | null> {
  if (run === null) return null;
  const [present = run] = await journal.runs({ name: run.name });
  requireNotClosed(present);
  return present;
}

/** Safety flags, and the setting `require_approval` → what the gate checks. */
import { UsageError } from '../errors.js';
import { DEFAULT_BATCH } from '../keys/key.js';
import type { Decisions } from '../ledger/payment.js';
import type { SafetyOptions } from '../options.js';
import type { World } from '../world.js';
import { journalPlace } from './places.js';
import { type Settings, valueOf, writtenName } from './sources.js';

const HOUR_MS = 3_600_000;

/** @throws UsageError, also for an approval file that cannot be read or was edited */
export async function safetyOptions(settings: Settings, world: World): Promise<SafetyOptions> {
  const batchId = valueOf('batch_id', settings);
  const keyLifetime = valueOf('key_lifetime', settings);
  const checked = {
    dryRun: valueOf('dry_run', settings) || valueOf('approve', settings) !== null,
    expectCount: valueOf('expect_count', settings),
    expectTotals: valueOf('expect_total', settings),
    expectDigest: valueOf('expect_digest', settings),
    yes: valueOf('yes', settings),
    batchId: batchId ?? DEFAULT_BATCH,
    batchNamed: batchId !== null,
    keyColumns: valueOf('key_columns', settings) ?? [],
    decisions: decisionsOf(settings),
    retryRejected: valueOf('retry_rejected', settings),
    skipInvalid: valueOf('skip_invalid', settings),
    strict: valueOf('strict', settings),
    resendUnknown: valueOf('resend_unknown', settings),
    keyLifetimeMs: keyLifetime === null ? null : keyLifetime * HOUR_MS,
    stopAfter: valueOf('stop_after', settings),
  };
  return { ...checked, ...(await approvalOptions(settings, world)) };
}

function decisionsOf(settings: Settings): Decisions {
  const skipSimilar = valueOf('skip_similar', settings);
  const sendSimilar = valueOf('send_similar', settings);
  if (skipSimilar && sendSimilar !== null)
    throw new UsageError('--skip-similar and --send-similar contradict each other; leave one out');
  return { skipCreated: valueOf('skip_created', settings), skipSimilar, sendSimilar };
}

/** What is approved, what allows a run, and whether an approval is required. */
async function approvalOptions(
  settings: Settings,
  world: World,
): Promise<Pick<SafetyOptions, 'approve' | 'approval' | 'requireApproval'>> {
  const approve = valueOf('approve', settings);
  const approval = valueOf('approval', settings);
  if (approve === '' && journalPlace(settings, world).kind === 'file')
    throw new UsageError(
      '--approve without a file writes the approval into a journal that several machines share, and this journal is a folder of one machine. Name a file, with = before it: --approve=FILE',
    );
  if (approve !== null && approval !== null)
    throw new UsageError('--approve approves a run, and --approval sends one that was approved; leave one out');
  if (approve !== null && valueOf('dry_run', settings))
    throw new UsageError('--approve sends nothing as it is; leave --dry-run out');
  return {
    approve: approve === null ? null : { file: approve === '' ? null : approve },
    approval: approval === null ? null : await read(approval, world),
    requireApproval: valueOf('require_approval', settings) ? writtenName('require_approval', settings) : null,
  };
}

async function read(path: string, world: World): Promise<SafetyOptions['approval']> {
  const { readApproval } = await import('./approval-file.js');
  return readApproval(path, world.cwd());
}

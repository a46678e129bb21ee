/** Flags and settings about approvals → what is approved, what allows a run, and whether one is required. */
import { UsageError } from '../errors.js';
import type { SafetyOptions } from '../options.js';
import type { World } from '../world.js';
import type { SafetyFlags } from './flags.js';
import { named, type Settings } from './sources.js';

/** @throws UsageError, also for an approval file that cannot be read or was edited */
export async function approvalOptions(
  { approve, approval, dryRun }: SafetyFlags,
  settings: Settings,
  world: World,
): Promise<Pick<SafetyOptions, 'approve' | 'approval' | 'requireApproval'>> {
  if (approve === '')
    throw new UsageError(
      '--approve without a file writes the approval into a journal that several machines share, and this journal is a folder of one machine. Name a file, with = before it: --approve=FILE',
    );
  if (approve !== undefined && approval !== undefined)
    throw new UsageError('--approve approves a run, and --approval sends one that was approved; leave one out');
  if (approve !== undefined && dryRun === true)
    throw new UsageError('--approve sends nothing as it is; leave --dry-run out');
  const [setting, isRequired] = named('require_approval', settings);
  return {
    approve: approve ?? null,
    approval: approval === undefined ? null : await read(approval, world),
    requireApproval: isRequired ? setting : null,
  };
}

async function read(path: string, world: World): Promise<SafetyOptions['approval']> {
  const { readApproval } = await import('./approval-file.js');
  return readApproval(path, world.cwd());
}

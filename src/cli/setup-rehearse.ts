/** The dry run that shows what a profile makes of its file: the same preparation as every run's. */
import { type Profile, rehearsal } from '../config/profile-settings.js';
import type { Kind } from '../records/kind.js';
import type { SummaryReport } from '../report/reporter.js';
import { runRecords } from '../run.js';
import type { World } from '../world.js';
import type { SetupCall } from './setup-call.js';
import { openTerminal } from './terminal.js';

export interface Rehearsed {
  readonly exitCode: number;
  /** Null where a signal ended it. */
  readonly summary: SummaryReport | null;
  /** At least one record can be sent, and the file has no fault of its own. */
  readonly isUsable: boolean;
}

/** Everything for people goes to standard error: standard output is for what setup makes. */
export async function rehearse(
  call: SetupCall,
  kind: Kind,
  name: string,
  profile: Profile,
  world: World,
): Promise<Rehearsed> {
  const { format, padShortRows, prices, allowTotalRow, quiet, color, debug } = call.flags;
  const flags = defined({ format, padShortRows, prices, allowTotalRow, quiet, color, debug });
  const command = { command: `${kind.type} create`, type: kind.type, file: call.file, flags };
  const options = await rehearsal(command, name, profile, call.place, world);
  const { reporter, dialog } = openTerminal(options, { ...world, stdout: world.stderr });
  let summary: SummaryReport | null = null;
  let isFaulty = false;
  const listening: typeof reporter = {
    ...reporter,
    issue: (issue) => {
      isFaulty ||= issue.fault === true;
      reporter.issue(issue);
    },
    summary: (report) => {
      summary = report;
      reporter.summary(report);
    },
  };
  const exitCode = await runRecords(options, world, listening, dialog);
  return { exitCode, summary, isUsable: !isFaulty && validIn(summary) > 0 };
}

function validIn(summary: SummaryReport | null): number {
  return summary?.records['valid'] ?? 0;
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

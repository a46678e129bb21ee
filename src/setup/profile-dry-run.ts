/** The dry run of a profile, which shows what it does to its file. */
import { layerOf } from '../config/config-file.js';
import { type Profile, settingsWithoutProfile } from '../config/profiles.js';
import { runOptions } from '../config/run-options.js';
import { EXIT } from '../errors.js';
import { callerFrom, newCommandLine } from '../follow-up/command-line.js';
import { terminalDialog } from '../report/dialog.js';
import type { RunSummary } from '../report/reporter.js';
import { terminalReporter } from '../report/terminal-reporter.js';
import { runRecords } from '../run/run.js';
import type { Issue } from '../records/issue.js';
import type { LayoutAnalysis } from './analyze.js';
import { profileName } from './profile.js';
import type { SetupCall } from './setup-call.js';

/** The result of a dry run. */
export interface ProfileDryRun {
  readonly exitCode: number;
  /** Null if a signal ended it. */
  readonly summary: RunSummary | null;
  /** Why the file cannot be sent like this, in a sentence; or null. */
  readonly fault: string | null;
  /** The file has no fault, but a setting that only a person knows is missing: its encoding. */
  readonly isUnproven: boolean;
}

/**
 * A dry run that shows the effect of a profile on its file: the same preparation as every run. All its output goes to
 * standard error: standard output is for the result of setup.
 */
export async function dryRunProfile(
  call: SetupCall,
  analysis: LayoutAnalysis,
  profile: Profile,
): Promise<ProfileDryRun> {
  const { file, flags, place, world } = call;
  const { answers, schema } = analysis;
  const { format, prices, quiet, color, debug } = flags;
  // The run checks flags about columns and fields: a person may have changed these answers since.
  const { map, set, ignore_columns } = flags.yes === true ? flags : {};
  const answered = { allow_negative: answers.allowNegative, allow_total_row: answers.allowTotalRow };
  const kept = { ...answered, format, prices, quiet, color, debug, map, set, ignore_columns };
  const given = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  const below = settingsWithoutProfile({ ...given, dry_run: true, progress: false }, place, world);
  const layer = layerOf('profile', profileName(call, analysis), profile, place.path);
  const settings = { ...below, layers: [layer, ...below.layers] };
  const command = `${schema.type} create`;
  const configured = await runOptions({ command, type: schema.type, files: [file], fields: {} }, settings, world);
  const commandLine = newCommandLine(world.program(), command, [], []);
  const options = {
    ...configured,
    target: null,
    journal: { ...configured.journal, place: { kind: 'file', folder: null }, required: false },
    commandLine,
    caller: callerFrom(commandLine, configured.redactor, world),
  } as const;
  const reporter = terminalReporter(options, { ...world, stdout: world.stderr });
  let summary = null as RunSummary | null;
  let isFaulty = false;
  let isGuessDoubted = false;
  const listening: typeof reporter = {
    ...reporter,
    issue: (issue) => {
      isFaulty ||= issue.fault === true;
      isGuessDoubted ||= isDoubtOfGuess(issue);
      reporter.issue(issue);
    },
    summary: (report) => {
      summary = report;
      return reporter.summary(report);
    },
  };
  const terminal = { reporter: listening, dialog: terminalDialog(world.stdin, world.stderr) };
  const exitCode = await runRecords(options, terminal, world);
  const fault = 'The file cannot be sent like this:';
  if (!isFaulty && (summary?.records['valid'] ?? 0) === 0)
    return { exitCode, summary, fault: `${fault} no row can be sent.`, isUnproven: false };
  if (isGuessDoubted)
    return {
      exitCode,
      summary,
      fault: `${fault} its encoding was guessed, and the words named above look wrong. Save it as CSV UTF-8, or name --encoding.`,
      isUnproven: exitCode === EXIT.ok,
    };
  // Without a person, nobody would correct single records.
  const isRefused = isFaulty || (flags.yes === true && exitCode !== EXIT.ok);
  return { exitCode, summary, fault: isRefused ? `${fault} it has the faults named above.` : null, isUnproven: false };
}

/** Whether letters were read wrongly. U+FFFD is in the file itself: it says nothing of the encoding. */
function isDoubtOfGuess({ code, value }: Issue): boolean {
  return code === 'doubtful-encoding' && value?.includes('\ufffd') !== true;
}

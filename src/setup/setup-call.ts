/** One call of setup: its command line as answers, and the dry run of its profile. */
import { inputOptions } from '../config/input-options.js';
import { parseName } from '../config/parsers.js';
import { type ConfigPlace, dryRunOptions, type Profile, settingsWithoutProfile } from '../config/profiles.js';
import { resolveTable, type RunFlags } from '../config/resolve.js';
import { EXIT } from '../errors.js';
import { terminalDialog } from '../report/dialog.js';
import { printable } from '../report/printable.js';
import type { RunSummary } from '../report/reporter.js';
import { widthOf, wrapText } from '../report/table.js';
import { terminalReporter } from '../report/terminal-reporter.js';
import { callerFrom, newCommandLine } from '../follow-up/command-line.js';
import { runRecords } from '../run/run.js';
import type { World } from '../world.js';
import type { LayoutAnalysis } from './analyze.js';
import type { Answers } from './answers.js';
import { profileName } from './profile.js';
import type { SampleOptions } from './sample-source.js';

export interface SetupFlags extends RunFlags {
  readonly print?: boolean;
}

/** One call of setup, with everything that its parts need. */
export interface SetupCall {
  readonly file: string;
  readonly flags: SetupFlags;
  readonly world: World;
  /** Shows a message to a person. */
  readonly say: (text: string) => void;
  readonly place: ConfigPlace;
  /** Those on the command line. */
  readonly answers: Answers;
  /** How the analysis reads the file. */
  readonly source: SampleOptions;
}

/** @throws UsageError for a flag that cannot be read */
export function createSetupCall(file: string, flags: SetupFlags, place: ConfigPlace, world: World): SetupCall {
  const settings = settingsWithoutProfile(flags, place, world);
  const inForce = inputOptions({ files: [file], type: null, settings, fields: {} });
  // The config file's settings for all files about the notation of cells may be wrong for this file.
  const own = inputOptions({ files: [file], type: null, settings: { ...settings, layers: [] }, fields: {} });
  const set = [...resolveTable('set', settings)];
  return {
    file,
    flags,
    world,
    place,
    say: (text) => {
      for (const line of wrapText(printable(text), widthOf(world.stderr))) world.stderr.write(`${line}\n`);
    },
    source: {
      path: file,
      rules: inForce,
      from: { cwd: world.cwd(), stdin: world.stdin, stop: new AbortController().signal },
    },
    answers: {
      type: inForce.type,
      headerLine: own.headerLine,
      map: inForce.map,
      ignore: inForce.ignoreColumns,
      set: new Map(set.filter(([, { from }]) => from === 'flag').map(([path, { value }]) => [path, value])),
      setForAll: set.filter(([, { from }]) => from !== 'flag').map(([path]) => path),
      decimal: flags.decimal === undefined ? null : own.style.decimal,
      dateOrder: flags.date_format === undefined ? null : own.style.dateOrder,
      negate: flags.negate ?? null,
      ignoreOthers: flags.ignore_other_columns ?? false,
      only: inForce.only.map(({ written }) => written),
      padShortRows: inForce.padShortRows,
      allowNegative: flags.allow_negative ?? false,
      allowTotalRow: flags.allow_total_row ?? false,
      settled: new Set(),
      profile: flags.profile === undefined ? null : parseName('--profile', flags.profile),
      baseUrl: flags.base_url ?? null,
    },
  };
}

/** The result of a dry run. */
export interface ProfileDryRun {
  readonly exitCode: number;
  /** Null if a signal ended it. */
  readonly summary: RunSummary | null;
  /** Why the file cannot be sent like this, in a sentence; or null. */
  readonly fault: string | null;
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
  const command = `${schema.type} create`;
  const dryRun = { command, type: schema.type, file, flags: given };
  const configured = await dryRunOptions(dryRun, profileName(call, analysis), profile, place, world);
  const commandLine = newCommandLine(world.program(), command, [], []);
  const options = { ...configured, commandLine, caller: callerFrom(commandLine, configured.redactor, world) };
  const reporter = terminalReporter(options, { ...world, stdout: world.stderr });
  let summary = null as RunSummary | null;
  let isFaulty = false;
  const listening: typeof reporter = {
    ...reporter,
    issue: (issue) => {
      isFaulty ||= issue.fault === true;
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
    return { exitCode, summary, fault: `${fault} no row can be sent.` };
  // Without a person, nobody would correct single records.
  const isRefused = isFaulty || (flags.yes === true && exitCode !== EXIT.ok);
  return { exitCode, summary, fault: isRefused ? `${fault} it has the faults named above.` : null };
}

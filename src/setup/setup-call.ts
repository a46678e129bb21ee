/** The call of setup: its command line, the dry run of its profile, and the command for every month. */
import { basename, extname, resolve } from 'node:path';
import { type ConfigKeys, resolveTable, type RunFlags } from '../config/resolve.js';
import { inputOptions } from '../config/input-options.js';
import { type ConfigPlace, type Profile, dryRunOptions, settingsWithoutProfile } from '../config/profiles.js';
import { parseName } from '../config/parsers.js';
import { EXIT } from '../errors.js';
import type { SurveyOptions } from './sample-source.js';
import type { Answers } from './answers.js';
import type { LayoutAnalysis } from './analyze.js';
import { terminalDialog } from '../report/dialog.js';
import { escapeControls, printable } from '../report/printable.js';
import type { RunSummary } from '../report/reporter.js';
import { widthOf, wrapText } from '../report/table.js';
import { terminalReporter } from '../report/terminal-reporter.js';
import { runRecords } from '../run/run.js';
import { shellCommand } from '../util/shell-quote.js';
import type { World } from '../world.js';

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
  readonly answers: Answers;
  /** How the survey reads the file. */
  readonly source: SurveyOptions;
}

/** @throws UsageError for a flag that cannot be read */
export function setupCall(file: string, flags: SetupFlags, place: ConfigPlace, world: World): SetupCall {
  const below = settingsWithoutProfile(flags, place, world);
  const inForce = inputOptions({ files: [file], type: null, settings: below, fields: {} });
  // The config file's settings for all files about the notation of cells may be wrong for this file.
  const own = inputOptions({ files: [file], type: null, settings: { ...below, layers: [] }, fields: {} });
  const set = [...resolveTable('set', below)];
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
      from: {
        cwd: world.cwd(),
        stdin: world.stdin,
        stop: new AbortController().signal,
      },
    },
    answers: {
      type: inForce.type,
      headerLine: own.headerLine,
      map: inForce.map,
      ignore: inForce.ignoreColumns,
      set: new Map(set.flatMap(([path, { value, from }]) => (from === 'flag' ? [[path, value]] : []))),
      setForAll: set.flatMap(([path, { from }]) => (from === 'flag' ? [] : [path])),
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

/** The name that the person has given, or one from the file's name that is the same every month. */
export function profileName({ file }: SetupCall, { answers, kind }: LayoutAnalysis): string {
  if (answers.profile !== null) return answers.profile;
  const stem = basename(file, extname(file)).normalize('NFC').toLowerCase();
  const words = stem.split(/[^\p{L}\p{N}]+/u).filter((word) => /\p{L}/u.test(word) && !/^\d|\d{4}/.test(word));
  return words.join('-').slice(0, LONGEST_NAME) || kind.type;
}

const LONGEST_NAME = 40;

/** The result of a dry run. */
export interface Rehearsed {
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
export async function dryRunProfile(call: SetupCall, analysis: LayoutAnalysis, profile: Profile): Promise<Rehearsed> {
  const { file, flags, place, world } = call;
  const {
    answers,
    kind: { type },
  } = analysis;
  const { format, prices, quiet, color, debug } = flags;
  const { allowNegative, allowTotalRow } = answers;
  // The run checks flags about columns and fields: a person may have changed these answers since.
  const { map, set, ignore_columns } = flags.yes === true ? flags : {};
  const kept = {
    format,
    prices,
    allow_negative: allowNegative,
    allow_total_row: allowTotalRow,
    quiet,
    color,
    debug,
    map,
    set,
    ignore_columns,
  };
  const given = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  const options = await dryRunOptions(
    { command: `${type} create`, type, file, flags: given },
    profileName(call, analysis),
    profile,
    place,
    world,
  );
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
  const isEmpty = (summary?.records['valid'] ?? 0) === 0;
  // Without a person, nobody would correct single records.
  const isRefused = isFaulty || (flags.yes === true && exitCode !== EXIT.ok);
  const why = isEmpty && !isFaulty ? 'no row can be sent' : isRefused ? 'it has the faults named above' : null;
  return { exitCode, summary, fault: why === null ? null : `The file cannot be sent like this: ${why}.` };
}

/** The command for every month, from any folder: with the flags that a profile cannot contain. @param name of the profile */
function monthlyWords({ file, flags, place, world }: SetupCall, analysis: LayoutAnalysis, name: string): string[] {
  const given = (flag: string, value: string | undefined): string[] => (value === undefined ? [] : [flag, value]);
  const isNamed = flags.config !== undefined || (world.env['GIGWORK_CONFIG'] ?? '') !== '';
  const { kind, answers } = analysis;
  const fromRoot = (path: string): string => resolve(world.cwd(), path);
  const month = analysis.month ?? new Date(world.now()).toISOString().slice(0, 'YYYY-MM'.length);
  return [
    world.program(),
    kind.type,
    'create',
    fromRoot(file),
    '--profile',
    name,
    ...given('--config', isNamed ? fromRoot(place.path) : undefined),
    ...given('--format', flags.format),
    ...(answers.allowNegative ? ['--allow-negative'] : []),
    ...given('--prices', flags.prices === undefined ? undefined : fromRoot(flags.prices)),
    ...(answers.allowTotalRow ? ['--allow-total-row'] : []),
    '--batch-id',
    month,
  ];
}

/**
 * Prints the profile, or shows where it is, and the command for every month.
 * @param written the profile as it is in the config file now, if it is not only printed
 */
export function tellEnd(
  call: SetupCall,
  analysis: LayoutAnalysis,
  profile: Profile,
  written: ConfigKeys,
  { records }: RunSummary,
): void {
  const { flags, place, world, say } = call;
  const isPrinted = flags.print === true;
  const name = profileName(call, analysis);
  const command = monthlyWords(call, analysis, name);
  if ((records['invalid'] ?? 0) > 0)
    say('Some rows named above cannot be sent. Correct them in the file first: until then, gigwork sends none of it.');
  if (flags.json === true) {
    const document = { profile: name, config: isPrinted ? null : place.path, settings: profile, command, records };
    world.stdout.write(`${escapeControls(JSON.stringify(document, null, 2))}\n`);
    return;
  }
  if (isPrinted) {
    world.stdout.write(`${JSON.stringify(profile, null, 2)}\n`);
    return say(`Nothing was written. Put this under "profiles", as "${name}", into a config file.`);
  }
  say(`The profile ${name} is in ${place.path}. Nothing was sent.`);
  // An earlier profile of this name may have had an address.
  const hasAddress = 'base_url' in written || place.config.base_url !== undefined;
  if (!hasAddress && (world.env['GIGWORK_BASE_URL'] ?? '') === '') say(NO_ADDRESS);
  say("Every month, with that month's file and name:");
  const lines = wrapText(printable(shellCommand(command, world.platform)), widthOf(world.stdout));
  world.stdout.write(`${lines.join('\n')}\n`);
}

const NO_ADDRESS =
  'This command still needs the address of the service: add --base-url URL, or set it up again with it. To try it out, add --sandbox.';

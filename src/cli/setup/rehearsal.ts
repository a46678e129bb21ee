/** A new profile is tried out on its file, by a dry run that people see; then it is written, or printed. */
import { profileIn, type Profile, rehearsal } from '../../config/profiles.js';
import { EXIT } from '../../errors.js';
import { printable } from '../../report/printable.js';
import type { SummaryReport } from '../../report/reporter.js';
import { runRecords } from '../../run.js';
import { commandText } from '../../util/shell-word.js';
import type { World } from '../../world.js';
import { writeDocument } from '../document.js';
import { openTerminal } from '../records.js';
import { type Known, monthlyWords, type SetupCall } from './setup-call.js';
import { asWritten, writeProfile } from './profile.js';

/** Says something to a person. */
export type Say = (text: string) => void;

export interface NewProfile {
  readonly name: string;
  readonly profile: Profile;
  /** Called when the dry run has shown what the profile makes of the file. @throws Stopped */
  readonly agree: () => Promise<void>;
}

/** Shows what a dry run gives, and writes the profile where it reads the file. Gives the exit code. */
export async function tryOut(call: SetupCall, known: Known, made: NewProfile, say: Say, world: World): Promise<number> {
  const { exitCode, summary, isFaulty } = await rehearse(call, known, made, world);
  // A signal ended it.
  if (summary === null) return exitCode;
  if (isFaulty || (summary.records['valid'] ?? 0) === 0) {
    say('Nothing was written: read in this way, the file has no record that could be sent.');
    return EXIT.refused;
  }
  await made.agree();
  await finish(call, known, made, summary, say, world);
  return EXIT.ok;
}

interface Rehearsed {
  readonly exitCode: number;
  /** Null where a signal ended it. */
  readonly summary: SummaryReport | null;
  /** The file has a fault that is not a record's. */
  readonly isFaulty: boolean;
}

/**
 * The dry run that shows what a profile makes of its file: the same preparation as every run's. All that it says goes to
 * standard error: standard output is for what setup makes.
 */
async function rehearse(
  { file, flags, place }: SetupCall,
  { kind }: Known,
  { name, profile }: NewProfile,
  world: World,
): Promise<Rehearsed> {
  const { format, padShortRows, prices, allowTotalRow, quiet, color, debug } = flags;
  // What was said of columns and fields, the run checks: a person may have answered otherwise since.
  const { map, set, ignoreColumns } = flags.yes === true ? flags : {};
  const kept = { format, padShortRows, prices, allowTotalRow, quiet, color, debug, map, set, ignoreColumns };
  const given = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  const command = { command: `${kind.type} create`, type: kind.type, file, flags: given };
  const options = await rehearsal(command, name, profile, place, world);
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
  return { exitCode, summary, isFaulty };
}

/** Writes the profile, or prints it, and says what every month's command is. */
async function finish(
  call: SetupCall,
  { kind, ways }: Known,
  { name, profile }: NewProfile,
  { records }: SummaryReport,
  say: Say,
  world: World,
): Promise<void> {
  const { flags, place } = call;
  const isPrinted = flags.print === true;
  const written = asWritten(place, name, profile);
  if (!isPrinted) await writeProfile(place.path, name, written, profileIn(place.config, name));
  const command = monthlyWords(call, { kind, name, month: ways.month }, world);
  if ((records['invalid'] ?? 0) > 0)
    say('The profile reads the file, and the records named above have faults of their own: correct them in the file.');
  if (flags.json === true) {
    writeDocument({ profile: name, config: isPrinted ? null : place.path, settings: profile, command, records }, world);
  } else if (isPrinted) {
    world.stdout.write(`${JSON.stringify(profile, null, 2)}\n`);
    say(`Nothing was written: this is what stands under "profiles", as "${name}", in a config file.`);
  } else {
    say(`The profile ${name} is in ${place.path}. Nothing was sent.`);
    // A profile of this name may have been there before, with an address.
    const hasAddress = 'base_url' in written || place.config.base_url !== undefined;
    if (!hasAddress && (world.env['GIGWORK_BASE_URL'] ?? '') === '') say(NO_ADDRESS);
    say("Every month, with that month's file and name:");
    world.stdout.write(`${printable(commandText(command, world.platform))}\n`);
  }
}

const NO_ADDRESS =
  'It needs the address of the service, too: --base-url URL, or "base_url" in the config file; --sandbox tries it out.';

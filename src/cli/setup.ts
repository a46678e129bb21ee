/** `gigwork setup FILE`: a file that nobody adapted becomes a profile. CONTRACT: "Setting a file up". */
import { isDeepStrictEqual } from 'node:util';
import { configPlace, type Profile } from '../config/profile-settings.js';
import { EXIT, UsageError } from '../errors.js';
import { FileFault } from '../input/raw.js';
import { startSurvey, type Survey } from '../input/setup/survey.js';
import { sizeOf } from '../input/source.js';
import type { Kind } from '../records/kind.js';
import { KINDS } from '../records/kinds.js';
import { printable } from '../report/printable.js';
import { widthOf, wrapped } from '../report/table.js';
import { commandText } from '../util/shell-word.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';
import {
  checkSaid,
  monthlyWords,
  profileName,
  type SetupCall,
  setupCall,
  type SetupFlags,
  surveyOptions,
} from './setup-call.js';
import { profileOf } from './setup-profile.js';
import { type Rehearsed, rehearse } from './setup-rehearse.js';
import { foundLines, openPoints } from './setup-words.js';
import { writeProfile } from './setup-write.js';

type Say = (text: string) => void;

/** Gives the exit code. @throws UsageError for wrong usage, or a config file that cannot be used; nothing is written then */
export async function setUp(file: string, flags: SetupFlags, world: World): Promise<number> {
  const call = setupCall(file, flags, await configPlace(flags, world), world);
  if ((await sizeOf(file, world.cwd())) === null)
    throw new UsageError(`setup reads its file several times: ${file} must be a file on the disk`);
  const say: Say = (text) => {
    for (const line of wrapped(printable(text), widthOf(world.stderr))) world.stderr.write(`${line}\n`);
  };
  try {
    return await setUpAlone(call, say, world);
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    const line = cause.line === null ? '' : `, line ${cause.line}`;
    say(`error: ${file}${line}: ${cause.message} [${cause.code}]`);
    say('Nothing was written. Correct the file, and set it up again.');
    return EXIT.refused;
  }
}

/** Takes what the file proves, and asks nothing. */
async function setUpAlone(call: SetupCall, say: Say, world: World): Promise<number> {
  const survey = await startSurvey(surveyOptions(call, world))(call.answers);
  const kind = survey.type.value === null ? null : KINDS[survey.type.value];
  if (kind !== null) checkSaid(call, survey, kind);
  const open = openPoints(survey, kind, world.platform);
  if (open.length > 0 || kind === null) {
    say(`${call.file}: not proven by the file, and not said:`);
    for (const { text, say: flags } of open) say(`  ${text}${flags.length === 0 ? '' : `. Say ${flags.join(' or ')}`}`);
    say(
      'Nothing was written. Say these things on the command line, or run setup without --yes at a terminal: it asks.',
    );
    return EXIT.usage;
  }
  const found = foundIn(call, survey, kind, world);
  refuseOther(call, found);
  if (call.flags.quiet !== true) for (const line of foundLines(survey, kind)) say(line);
  const tried = await rehearse(call, kind, found.name, found.profile, world);
  if (tried.summary === null) return tried.exitCode;
  if (!tried.isUsable) {
    say('Nothing was written: read in this way, the file has no record that could be sent.');
    return EXIT.refused;
  }
  return finish(call, kind, found, tried, say, world);
}

/** A profile and its name. */
interface Found {
  readonly name: string;
  readonly profile: Profile;
}

function foundIn(call: SetupCall, survey: Survey, kind: Kind, world: World): Found {
  const profile = profileOf(survey, call.answers, kind, call.flags, call.place.config, world.cwd());
  return { name: profileName(call, kind), profile };
}

/** Nobody can be asked whether the other profile is needed any more. @throws UsageError */
function refuseOther({ flags, place }: SetupCall, { name, profile }: Found): void {
  const other = place.config.profiles?.[name];
  if (flags.print === true || other === undefined || isDeepStrictEqual(other, profile)) return;
  throw new UsageError(
    `the config file ${place.path} has another profile "${name}" already: name this one with --profile, or print it with --print. Nothing was written`,
  );
}

/** Writes the profile, or prints it, and says what every month's command is. */
async function finish(
  call: SetupCall,
  kind: Kind,
  { name, profile }: Found,
  { summary }: Rehearsed,
  say: Say,
  world: World,
): Promise<number> {
  const { flags, place } = call;
  const isPrinted = flags.print === true;
  if (!isPrinted) await writeProfile(place.path, name, profile, place.config.profiles?.[name]);
  const command = monthlyWords(call, kind, name, world);
  if ((summary?.records['invalid'] ?? 0) > 0)
    say('The profile reads the file, and the records named above have faults of their own: correct them in the file.');
  if (flags.json === true) {
    const { records = {} } = summary ?? {};
    writeDocument({ profile: name, config: isPrinted ? null : place.path, settings: profile, command, records }, world);
  } else if (isPrinted) {
    world.stdout.write(`${JSON.stringify(profile, null, 2)}\n`);
    say(`Nothing was written: this is what stands under "profiles", as "${name}", in a config file.`);
  } else {
    say(`The profile ${name} is in ${place.path}. Nothing was sent. Every month, with that month's file and name:`);
    world.stdout.write(`${printable(commandText(command, world.platform))}\n`);
  }
  return EXIT.ok;
}

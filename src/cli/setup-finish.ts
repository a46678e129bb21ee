/** The end of setup: what the dry run has shown, the profile in its place, and the command for every month. */
import type { ConfigPlace, Profile } from '../config/profile-settings.js';
import { EXIT } from '../errors.js';
import type { Answers, Survey } from '../input/setup/survey.js';
import type { Ways } from '../input/setup/ways.js';
import type { Kind } from '../records/kind.js';
import { printable } from '../report/printable.js';
import { commandText } from '../util/shell-word.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';
import { monthlyWords, type SetupCall } from './setup-call.js';
import { asWritten, existing, profileOf } from './setup-profile.js';
import type { Rehearsed } from './setup-rehearse.js';
import { writeProfile } from './setup-write.js';

export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

/** Says something to a person. */
export type Say = (text: string) => void;

/** All that is known of a file, by proof or by answers. */
export interface Known {
  readonly survey: Survey;
  readonly ways: Ways;
  readonly answers: Answers;
  readonly kind: Kind;
}

export function profileIn(call: SetupCall, { survey, ways, answers, kind }: Known, world: World): Profile {
  return profileOf(survey, ways, answers, kind, call.flags, call.place.config, world.cwd());
}

export function unusable(say: Say): number {
  say('Nothing was written: read in this way, the file has no record that could be sent.');
  return EXIT.refused;
}

/** Writes the profile, or prints it, and says what every month's command is. */
export async function finish(
  call: SetupCall,
  { kind, ways }: Known,
  { name, profile }: NamedProfile,
  { summary }: Rehearsed,
  say: Say,
  world: World,
): Promise<number> {
  const { flags, place } = call;
  const isPrinted = flags.print === true;
  const written = asWritten(place, name, profile);
  if (!isPrinted) await writeProfile(place.path, name, written, existing(place.config, name));
  const command = monthlyWords(call, { kind, name, month: ways.month }, world);
  if ((summary?.records['invalid'] ?? 0) > 0)
    say('The profile reads the file, and the records named above have faults of their own: correct them in the file.');
  if (flags.json === true) {
    const { records = {} } = summary ?? {};
    writeDocument({ profile: name, config: isPrinted ? null : place.path, settings: profile, command, records }, world);
  } else if (isPrinted) {
    world.stdout.write(`${JSON.stringify(profile, null, 2)}\n`);
    say(`Nothing was written: this is what stands under "profiles", as "${name}", in a config file.`);
  } else {
    say(`The profile ${name} is in ${place.path}. Nothing was sent.`);
    if (!hasAddress(written, place, world)) say(NO_ADDRESS);
    say("Every month, with that month's file and name:");
    world.stdout.write(`${printable(commandText(command, world.platform))}\n`);
  }
  return EXIT.ok;
}

const NO_ADDRESS =
  'It needs the address of the service, too: --base-url URL, or "base_url" in the config file; --sandbox tries it out.';

/** @param profile it may have been there before, with an address */
function hasAddress(profile: object, { config }: ConfigPlace, { env }: World): boolean {
  return 'base_url' in profile || config.base_url !== undefined || (env['GIGWORK_BASE_URL'] ?? '') !== '';
}

/** `gigwork setup FILE`: a file that nobody adapted becomes a profile. CONTRACT: "Setting a file up". */
import { configPlace } from '../config/profile-settings.js';
import { EXIT, UsageError } from '../errors.js';
import { FileFault } from '../input/raw.js';
import { startSurvey } from '../input/setup/survey.js';
import { sizeOf } from '../input/source.js';
import { KINDS } from '../records/kinds.js';
import { printable } from '../report/printable.js';
import { widthOf, wrapped } from '../report/table.js';
import type { World } from '../world.js';
import { checkSaid, profileName, type SetupCall, setupCall, type SetupFlags, surveyOptions } from './setup-call.js';
import { finish, type NamedProfile, profileIn, type Say, unusable } from './setup-finish.js';
import { isOther } from './setup-profile.js';
import { rehearse } from './setup-rehearse.js';
import { foundLines, openPoints } from './setup-words.js';

/** Gives the exit code. @throws UsageError for wrong usage, or a config file that cannot be used; nothing is written then */
export async function setUp(file: string, flags: SetupFlags, world: World): Promise<number> {
  const call = setupCall(file, flags, await configPlace(flags, world), world);
  if ((await sizeOf(file, world.cwd())) === null)
    throw new UsageError(`setup reads its file several times: ${file} must be a file on the disk`);
  const say: Say = (text) => {
    for (const line of wrapped(printable(text), widthOf(world.stderr))) world.stderr.write(`${line}\n`);
  };
  try {
    if (flags.yes === true) return await setUpAlone(call, say, world);
    refuseNobody(world);
    const { setUpTogether } = await import('./setup-together.js');
    return await setUpTogether(call, say, world);
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    const line = cause.line === null ? '' : `, line ${cause.line}`;
    say(`error: ${file}${line}: ${cause.message} [${cause.code}]`);
    say('Nothing was written. Correct the file, and set it up again.');
    return EXIT.refused;
  }
}

/** @throws UsageError where nobody can be asked */
function refuseNobody({ stdin, stderr }: World): void {
  if (stdin.isTTY === true && stderr.isTTY) return;
  throw new UsageError(
    'setup asks questions, and there is no terminal to ask them at; --yes asks none, and takes what the file proves',
  );
}

/** Takes what the file proves, and asks nothing. */
async function setUpAlone(call: SetupCall, say: Say, world: World): Promise<number> {
  const file = startSurvey(surveyOptions(call, world));
  const survey = await file.look(call.answers);
  const kind = survey.type.value === null ? null : KINDS[survey.type.value];
  if (kind !== null) checkSaid(call, survey, kind);
  const ways = survey.fields === null ? null : await file.ways(survey, survey.fields, call.answers);
  const open = openPoints(survey, ways, kind, world.platform);
  if (open.length > 0 || kind === null || ways === null) {
    say(`${call.file} does not prove everything. Say one of the flags below each of these:`);
    for (const { text, say: flags } of open)
      for (const line of [`- ${text}`, ...flags.map((flag) => `    ${flag}`)]) say(line);
    if ((survey.fields?.suggestions.length ?? 0) > 0)
      say('--ignore-other-columns drops every column that nothing is said of.');
    say('Nothing was written. Or run setup without --yes at a terminal: it asks.');
    return EXIT.usage;
  }
  const known = { survey, ways, answers: call.answers, kind };
  const found = { name: profileName(call, kind), profile: profileIn(call, known, world) };
  refuseOther(call, found);
  if (call.flags.quiet !== true) for (const line of foundLines(survey, ways, kind)) say(line);
  const tried = await rehearse(call, kind, found.name, found.profile, world);
  if (tried.summary === null) return tried.exitCode;
  if (!tried.isUsable) return unusable(say);
  return finish(call, known, found, tried, say, world);
}

/** Nobody can be asked whether the other profile is needed any more. @throws UsageError */
function refuseOther({ flags, place }: SetupCall, { name, profile }: NamedProfile): void {
  if (flags.print === true || !isOther(place, name, profile)) return;
  throw new UsageError(
    `the config file ${place.path} has another profile "${name}" already: name this one with --profile, or print it with --print. Nothing was written`,
  );
}

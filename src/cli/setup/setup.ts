/** `gigwork setup FILE`: a file that nobody adapted becomes a profile. CONTRACT: "Setting a file up". */
import { profileIn } from '../../config/config-file.js';
import { configPlace, type Profile } from '../../config/profiles.js';
import { chooseColor } from '../../config/settings.js';
import { EXIT, UsageError } from '../../errors.js';
import { FileFault } from '../../input/raw.js';
import { sheetsToChoose } from '../../input/setup/survey-source.js';
import { startSurvey, type Survey } from '../../input/setup/survey.js';
import { sizeOf } from '../../input/source.js';
import { KINDS } from '../../records/kinds.js';
import { printable } from '../../report/printable.js';
import { widthOf, wrapped } from '../../report/table.js';
import { SIGNAL_EXIT, type StopSignal, type World } from '../../world.js';
import { askAll, type Prompts, type Question, Stopped } from './dialogue.js';
import { askName, asWritten, isOther, profileOf, writeProfile } from './profile.js';
import { givenLines, questionsOf } from './questions.js';
import { rehearse, type Say, tellEnd } from './rehearsal.js';
import { type Found, profileName, type SetupCall, setupCall, type SetupFlags } from './setup-call.js';
import { WAYS } from './way-questions.js';

/** Gives the exit code. @throws UsageError for wrong usage, or a config file that cannot be used; nothing is written then */
export async function setUp(file: string, flags: SetupFlags, world: World): Promise<number> {
  const call = setupCall(file, flags, await configPlace(flags, world), world);
  if ((await sizeOf(file, world.cwd())) === null)
    throw new UsageError(`setup reads its file several times: ${file} must be a file on the disk`);
  const say: Say = (text) => {
    for (const line of wrapped(printable(text), widthOf(world.stderr))) world.stderr.write(`${line}\n`);
  };
  const person = flags.yes === true ? null : await openPerson(flags, world);
  try {
    return await setUpWith(person?.prompts ?? null, call, say, world);
  } catch (cause) {
    if (cause instanceof Stopped) {
      say('Stopped: nothing was written.');
      return cause.isInterrupt ? SIGNAL_EXIT[person?.signal() ?? 'SIGINT'] : EXIT.usage;
    }
    if (!(cause instanceof FileFault)) throw cause;
    const line = cause.line === null ? '' : `, line ${cause.line}`;
    say(`error: ${file}${line}: ${cause.message} [${cause.code}]`);
    say('Nothing was written. Correct the file, and set it up again.');
    return EXIT.refused;
  }
}

interface Person {
  readonly prompts: Prompts;
  /** What has interrupted the questions; null where it was a key. */
  readonly signal: () => StopSignal | null;
}

/** @throws UsageError where nobody can be asked */
async function openPerson(flags: SetupFlags, world: World): Promise<Person> {
  if (world.stdin.isTTY !== true || !world.stderr.isTTY)
    throw new UsageError(
      'setup asks questions, and there is no terminal to ask them at; --yes asks none, and takes what the file proves',
    );
  const stop = new AbortController();
  let signalled: StopSignal | null = null;
  world.onStopSignal((signal) => {
    signalled ??= signal;
    stop.abort();
  });
  const { openPrompts } = await import('./clack-prompts.js');
  const color = chooseColor({ flags, env: world.env }, world).value;
  return { prompts: openPrompts(world, color, stop.signal), signal: () => signalled };
}

/** @param prompts null to take what the file proves. @throws FileFault, Stopped, UsageError */
async function setUpWith(prompts: Prompts | null, first: SetupCall, say: Say, world: World): Promise<number> {
  const call = prompts === null ? first : await withSheet(first, prompts);
  const found = await lookAtFile(prompts, call, say, world);
  if (found === null) return EXIT.usage;
  const { flags, place } = call;
  const profile = profileOf(call, found, world.cwd());
  const name = await nameOf(prompts, call, profile, profileName(call, found.kind));
  if (prompts === null && flags.quiet !== true) for (const line of foundLines(found)) say(line);
  const { exitCode, summary, isFaulty } = await rehearse(call, found.kind, name, profile, world);
  // A signal ended it.
  if (summary === null) return exitCode;
  if (isFaulty || (summary.records['valid'] ?? 0) === 0) {
    say('Nothing was written: read in this way, the file has no record that could be sent.');
    return EXIT.refused;
  }
  const written = asWritten(place, name, profile);
  if (flags.print !== true) {
    const isAgreed = prompts === null || (await prompts.yes(`Write the profile ${name} into ${place.path}?`));
    if (!isAgreed) throw new Stopped();
    await writeProfile(place.path, name, written, profileIn(place.config, name));
  }
  tellEnd(call, found, { name, profile, written }, summary, say, world);
  return EXIT.ok;
}

/** Null where nobody can be asked what the file does not prove: then it is said. */
async function lookAtFile(prompts: Prompts | null, call: SetupCall, say: Say, world: World): Promise<Found | null> {
  const look = startSurvey(call.source);
  const questions = (survey: Survey): Iterable<Question> => questionsOf(survey, world.platform);
  const survey = prompts === null ? await look(call.answers) : await askAll(call.answers, look, questions, prompts);
  if (prompts === null && !isProven(call, survey, [...questions(survey)], say)) return null;
  return { survey, kind: KINDS[survey.type.value ?? 'payout'] };
}

/** What the profile is called. One that is only printed needs no other name. */
async function nameOf(
  prompts: Prompts | null,
  { flags, place }: SetupCall,
  profile: Profile,
  offered: string,
): Promise<string> {
  if (flags.print === true) return offered;
  if (prompts !== null) return askName(flags.profile, offered, profile, place, prompts);
  // Nobody can be asked whether the other profile is needed any more.
  if (isOther(place, offered, profile))
    throw new UsageError(
      `the config file ${place.path} has another profile "${offered}" already: name this one with --profile, or print it with --print. Nothing was written`,
    );
  return offered;
}

/** Names everything that the file does not prove. */
function isProven({ file }: SetupCall, { fields }: Survey, questions: readonly Question[], say: Say): boolean {
  const open = questions.flatMap((question) => question.open ?? []);
  if (open.length === 0) return true;
  say(`${file} does not prove everything. Say one of the flags below each of these:`);
  for (const point of open)
    for (const line of [`- ${point.text}`, ...point.say.map((flag) => `    ${flag}`)]) say(line);
  if (fields.suggestions.length > 0) say('--ignore-other-columns drops every column that nothing is said of.');
  say('Nothing was written. Or run setup without --yes at a terminal: it asks.');
  return false;
}

/** What was found, and why it is taken so. */
function foundLines({ survey, kind }: Found): string[] {
  const { header, type, ways } = survey;
  const points = [header, type, ...WAYS.map(({ concluded }) => concluded(ways))];
  return [...givenLines(survey, kind), ...points.map(({ because }) => because).filter((because) => because !== '')];
}

/** Asks which sheet is meant, where a workbook has several. */
async function withSheet(call: SetupCall, prompts: Prompts): Promise<SetupCall> {
  const { flags, source } = call;
  const names = await sheetsToChoose(source);
  if (names.length === 0) return call;
  const choices = names.map((name) => ({ value: name, label: name }));
  const sheet = await prompts.choose('Which sheet has the table?', choices);
  return { ...call, flags: { ...flags, sheet }, source: { ...source, rules: { ...source.rules, sheet } } };
}

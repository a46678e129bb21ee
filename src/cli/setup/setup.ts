/** `gigwork setup FILE`: a file that nobody adapted becomes a profile. CONTRACT: "Setting a file up". */
import { configPlace, type Profile } from '../../config/profiles.js';
import { chooseColor } from '../../config/settings.js';
import { EXIT, UsageError } from '../../errors.js';
import { FileFault } from '../../input/raw.js';
import { sheetsToChoose } from '../../input/setup/survey-source.js';
import { startSurvey } from '../../input/setup/survey.js';
import { sizeOf } from '../../input/source.js';
import { KINDS } from '../../records/kinds.js';
import { printable } from '../../report/printable.js';
import { widthOf, wrapped } from '../../report/table.js';
import { SIGNAL_EXIT, type StopSignal, type World } from '../../world.js';
import { type Known, profileName, type SetupCall, setupCall, type SetupFlags, surveyOptions } from './setup-call.js';
import { askAll, type OpenPoint, type Prompts, Stopped } from './dialogue.js';
import { askName, isOther, profileOf } from './profile.js';
import { givenLines, questionsOf } from './questions.js';
import { type NewProfile, type Say, tryOut } from './rehearsal.js';

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
    return await setUpTogether(call, say, world);
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
  const { answers, flags, place } = call;
  const file = startSurvey(surveyOptions(call, world));
  const open: OpenPoint[] = [];
  for await (const question of questionsOf(file, answers, world.platform))
    if (question.open !== null) open.push(question.open);
  const survey = await file.look(answers);
  if (open.length > 0 || survey.type.value === null) {
    say(`${call.file} does not prove everything. Say one of the flags below each of these:`);
    for (const point of open)
      for (const line of [`- ${point.text}`, ...point.say.map((flag) => `    ${flag}`)]) say(line);
    if (survey.fields.suggestions.length > 0) say('--ignore-other-columns drops every column that nothing is said of.');
    say('Nothing was written. Or run setup without --yes at a terminal: it asks.');
    return EXIT.usage;
  }
  const kind = KINDS[survey.type.value];
  const known = { survey, kind, answers, ways: await file.ways(survey, answers) };
  const [name, profile] = [profileName(call, kind), profileOf(call, known, world.cwd())];
  // Nobody can be asked whether the other profile is needed any more.
  if (flags.print !== true && isOther(place, name, profile))
    throw new UsageError(
      `the config file ${place.path} has another profile "${name}" already: name this one with --profile, or print it with --print. Nothing was written`,
    );
  if (flags.quiet !== true) for (const line of foundLines(known)) say(line);
  return tryOut(call, known, { name, profile, agree: () => Promise.resolve() }, say, world);
}

/** What was found, and why it is taken so. */
function foundLines({ survey, ways, answers, kind }: Known): string[] {
  const { decimal, dateOrder, currency, negate } = ways;
  const reasons = [survey.header, survey.type, decimal, dateOrder, currency, negate].map(({ because }) => because);
  return [...givenLines(survey, answers, kind), ...reasons.filter((because) => because !== '')];
}

/** Asks what the file does not prove. @throws FileFault; UsageError where nobody can be asked */
async function setUpTogether(first: SetupCall, say: Say, world: World): Promise<number> {
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
  const color = chooseColor({ flags: first.flags, env: world.env }, world).value;
  const { openPrompts } = await import('./clack-prompts.js');
  const prompts = openPrompts(world, color, stop.signal);
  try {
    const call = await withSheet(first, prompts, world);
    const file = startSurvey(surveyOptions(call, world));
    const answers = await askAll(call.answers, (known) => questionsOf(file, known, world.platform), prompts);
    const survey = await file.look(answers);
    const kind = KINDS[survey.type.value ?? 'payout'];
    const known = { survey, kind, answers, ways: await file.ways(survey, answers) };
    const profile = profileOf(call, known, world.cwd());
    return await tryOut(call, known, await newProfile(call, profileName(call, kind), profile, prompts), say, world);
  } catch (cause) {
    if (!(cause instanceof Stopped)) throw cause;
    say('Stopped: nothing was written.');
    return cause.isInterrupt ? SIGNAL_EXIT[signalled ?? 'SIGINT'] : EXIT.usage;
  }
}

/** Asks which sheet is meant, where a workbook has several. */
async function withSheet(call: SetupCall, prompts: Prompts, world: World): Promise<SetupCall> {
  const names = await sheetsToChoose(surveyOptions(call, world));
  if (names.length === 0) return call;
  const choices = names.map((name) => ({ value: name, label: name }));
  const sheet = await prompts.choose('Which sheet has the table?', choices);
  return { ...call, flags: { ...call.flags, sheet }, rules: { ...call.rules, sheet } };
}

/** Asks what the profile is to be called. One that is only printed needs neither a name nor a yes. */
async function newProfile(
  { flags: { print, profile: given }, place }: SetupCall,
  offered: string,
  profile: Profile,
  prompts: Prompts,
): Promise<NewProfile> {
  if (print === true) return { name: offered, profile, agree: () => Promise.resolve() };
  const name = await askName(given, offered, profile, place, prompts);
  const agree = async (): Promise<void> => {
    if (!(await prompts.yes(`Write the profile ${name} into ${place.path}?`))) throw new Stopped();
  };
  return { name, profile, agree };
}

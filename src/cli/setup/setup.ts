/** `gigwork setup FILE`: makes a profile for an unknown file. CONTRACT: "Setting a file up". */
import { profileIn } from '../../config/config-file.js';
import { configPlace } from '../../config/profiles.js';
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
import { Back, Dialogue, type Prompts, type Question, STOP, Stopped } from './dialogue.js';
import { keptAnswers } from './kept-answers.js';
import {
  addressOf,
  askAddress,
  askName,
  asWritten,
  checkAddress,
  isOther,
  profileOf,
  writeProfile,
} from './profile.js';
import { givenLines, previewOf, questionsOf } from './questions.js';
import { rehearse, type Say, tellEnd } from './rehearsal.js';
import { type Found, profileName, type SetupCall, setupCall, type SetupFlags } from './setup-call.js';
import { unsentLines } from './unsent.js';
import { WAYS } from './way-questions.js';

/** Returns the exit code. @throws UsageError for wrong usage or an unusable config file, before anything is written */
export async function setUp(file: string, flags: SetupFlags, world: World): Promise<number> {
  const call = setupCall(file, flags, await configPlace(flags, world), world);
  if (flags.baseUrl !== undefined) checkAddress(flags.baseUrl, world);
  if ((await sizeOf(file, world.cwd())) === null)
    throw new UsageError(`setup reads its file several times: ${file} must be a file on the disk`);
  const say: Say = (text) => {
    for (const line of wrapped(printable(text), widthOf(world.stderr))) world.stderr.write(`${line}\n`);
  };
  const person = flags.yes === true ? null : await openPerson(flags, world);
  try {
    return await (person === null ? takeProven(call, say, world) : askPerson(person.prompts, call, say, world));
  } catch (cause) {
    if (cause instanceof Stopped) {
      say('Stopped: nothing was written. Your answers are kept for the next setup of this file.');
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
  /** The signal that has interrupted the questions; null if it was a key. */
  readonly signal: () => StopSignal | null;
}

/** @throws UsageError if nobody can be asked */
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

/** @throws FileFault, UsageError */
async function takeProven(call: SetupCall, say: Say, world: World): Promise<number> {
  const { flags, place } = call;
  const survey = await startSurvey(call.source)(call.answers);
  const questions = [...questionsOf(survey, world.platform, Infinity)];
  if (!isProven(call, survey, questions, say)) return EXIT.usage;
  const found = foundIn(survey);
  const profile = profileOf(call, found, world.cwd());
  const name = profileName(call, found.kind);
  // Nobody can be asked whether the other profile is still needed.
  if (flags.print !== true && isOther(call, name, profile, world))
    throw new UsageError(
      `the config file ${place.path} has another profile "${name}" already: name this one with --profile, or print it with --print. Nothing was written`,
    );
  if (flags.quiet !== true) for (const line of foundLines(found, questions)) say(line);
  const { exitCode, summary, isFaulty } = await rehearse(call, found, name, profile, world);
  // A signal ended it.
  if (summary === null) return exitCode;
  if (exitCode !== EXIT.ok || (summary.records['valid'] ?? 0) === 0) {
    const isEmpty = (summary.records['valid'] ?? 0) === 0 && !isFaulty;
    const why = isEmpty ? 'it has no record that could be sent' : 'it has the faults named above';
    say(`Nothing was written. The file cannot be sent like this: ${why}. Correct it, and set it up again.`);
    return exitCode === EXIT.ok ? EXIT.refused : exitCode;
  }
  const written = asWritten(call, name, profile, addressOf(call));
  if (flags.print !== true) await writeProfile(place.path, name, written, profileIn(place.config, name));
  tellEnd(call, found, { name, profile, written }, summary, say, world);
  return EXIT.ok;
}

/** @throws FileFault, Stopped, UsageError */
async function askPerson(prompts: Prompts, first: SetupCall, say: Say, world: World): Promise<number> {
  const call = await withSheet(first, prompts);
  const kept = await keptAnswers(call, world);
  const dialogue = new Dialogue(kept.history, prompts, kept.keep);
  const look = startSurvey(call.source);
  const start = await look(kept.history.at(-1) ?? call.answers);
  if (start.header.isProven) prompts.show('The file begins like this:', previewOf(start, prompts.room));
  const again = kept.history.length > 1 ? 'Your answers of the last time are kept. ' : '';
  prompts.say(`${again}< goes back one question, Ctrl-C stops.`);
  for (;;) {
    const survey = await dialogue.untilKnown(look, (each) => questionsOf(each, world.platform, prompts.room));
    try {
      const code = await finish(prompts, call, foundIn(survey), say, world);
      if (code === EXIT.ok) kept.forget();
      return code;
    } catch (cause) {
      if (!(cause instanceof Back)) throw cause;
      dialogue.goBack();
    }
  }
}

/** The dry run, the name, the address; then the profile is written. @throws Back, Stopped, UsageError */
async function finish(prompts: Prompts, call: SetupCall, found: Found, say: Say, world: World): Promise<number> {
  const { flags, place } = call;
  const profile = profileOf(call, found, world.cwd());
  const offered = profileName(call, found.kind);
  const { exitCode, summary, isFaulty } = await rehearse(call, found, offered, profile, world);
  // A signal ended it.
  if (summary === null) return exitCode;
  if (isFaulty || (summary.records['valid'] ?? 0) === 0) {
    const choices = [{ value: 'back', label: 'Go back one question' } as const, STOP];
    const why = isFaulty ? 'it has the faults named above' : 'no row could be sent';
    if ((await prompts.choose(`The file cannot be sent like this: ${why}.`, choices)) === 'back') throw new Back();
    throw new Stopped();
  }
  for (const line of unsentLines(found)) prompts.say(line);
  let [name, address] = [offered, addressOf(call)];
  if (flags.print !== true) {
    name = await askName(call, offered, profile, prompts, world);
    address = await askAddress(call, name, prompts, world);
    const write = { value: 'write', label: 'Yes' } as const;
    const answer = await prompts.choose(`Write the profile ${name} into ${place.path}?`, [write, STOP], 0);
    if (answer === 'stop') throw new Stopped();
  }
  const written = asWritten(call, name, profile, address);
  if (flags.print !== true) await writeProfile(place.path, name, written, profileIn(place.config, name));
  tellEnd(call, found, { name, profile, written }, summary, say, world);
  return EXIT.ok;
}

function foundIn(survey: Survey): Found {
  return { survey, kind: KINDS[survey.type.value ?? 'payout'] };
}

/** Names everything that the file does not prove. */
function isProven({ file }: SetupCall, { fields }: Survey, questions: readonly Question[], say: Say): boolean {
  const open = questions.flatMap((question) => question.open ?? []);
  if (open.length === 0) return true;
  say(`${file}: gigwork could not work these points out by itself. Add one option for each:`);
  for (const point of open)
    for (const line of [`- ${point.text}`, ...point.say.map((flag) => `    ${flag}`)]) say(line);
  if (fields.suggestions.length > 0) say('--ignore-other-columns ignores all columns not mentioned above.');
  say('Nothing was written. Or run setup without --yes at a terminal: it asks.');
  return false;
}

/** The conclusions, with their reasons. */
function foundLines({ survey, kind }: Found, questions: readonly Question[]): string[] {
  const { type, ways } = survey;
  const points = [type, ...WAYS.map(({ concluded }) => concluded(ways))];
  const [header = '', ...told] = questions.map((question) => question.told ?? '');
  const lines = [
    header,
    ...givenLines(survey, kind),
    ...points.map(({ because }) => because),
    ...told.slice(-1),
    ...unsentLines({ survey, kind }),
  ];
  return lines.filter((line) => line !== '');
}

/** Asks for the sheet, if a workbook has several. */
async function withSheet(call: SetupCall, prompts: Prompts): Promise<SetupCall> {
  const { flags, source } = call;
  const names = await sheetsToChoose(source);
  if (names.length === 0) return call;
  const choices = names.map((name) => ({ value: name, label: name }));
  for (;;) {
    try {
      const sheet = await prompts.choose('Which sheet has the table?', choices);
      return { ...call, flags: { ...flags, sheet }, source: { ...source, rules: { ...source.rules, sheet } } };
    } catch (cause) {
      if (!(cause instanceof Back)) throw cause;
    }
  }
}

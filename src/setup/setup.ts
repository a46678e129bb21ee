/**
 * `gigwork setup FILE`: makes a profile for an unknown file. CONTRACT: "Setting a file up". The file and the answers so
 * far make a survey. The survey makes points: each is certain, or a question. Each answer makes the next survey. When no
 * question is left, the survey makes the profile.
 */
import { profileIn } from '../config/config-file.js';
import { configPlace } from '../config/profiles.js';
import { chooseColor } from '../config/run-options.js';
import { EXIT, UsageError } from '../errors.js';
import { FileFault } from '../input/raw-record.js';
import { optionsOf } from './answers.js';
import { sheetsToChoose } from './sample-source.js';
import { latest, createAnalyzer, type LayoutAnalysis } from './analyze.js';
import { sizeOf } from '../input/source.js';
import type { RunSummary } from '../report/reporter.js';
import { SIGNAL_EXIT, type World } from '../world.js';
import {
  agreementPoint,
  doubtPoints,
  missingPoints,
  suggestedPoints,
  typePoint,
  unsentLines,
} from './column-questions.js';
import {
  WizardBack,
  createWizard,
  type SetupStep,
  type Prompts,
  type Question,
  STOP,
  WizardStopped,
} from './wizard.js';
import {
  currencyPoint,
  headerPoint,
  markPoint,
  nameList,
  orderPoint,
  previewLines,
  shortRowsPoint,
} from './file-questions.js';
import { toConfigKeys, checkAddress, isOther, profileOf, profilePoints, writeProfile } from './profile.js';
import { markingPoints, signsPoint, totalPoints, unfilledPoints } from './row-questions.js';
import {
  profileName,
  dryRunProfile,
  type Rehearsed,
  type SetupCall,
  setupCall,
  type SetupFlags,
  tellEnd,
} from './setup-call.js';

/**
 * Everything that a file leaves open, in the order of the questions. At a terminal they are asked; `--yes` names those
 * that the file does not prove. An answer adds to the known facts. The points are then made again.
 */
function* filePoints(analysis: LayoutAnalysis): Iterable<SetupStep> {
  yield headerPoint(analysis);
  // The apparent names on a line that may not be a header are of no use.
  if (!analysis.header.isProven) return;
  yield shortRowsPoint(analysis);
  yield typePoint(analysis);
  if (analysis.type.value === null) return;
  const questions = [
    suggestedPoints,
    missingPoints,
    agreementPoint,
    doubtPoints,
    markPoint,
    orderPoint,
    currencyPoint,
    markingPoints,
    totalPoints,
    signsPoint,
    unfilledPoints,
  ];
  for (const of of questions) yield* [of(analysis)].flat();
}

/** Returns the exit code. @throws UsageError for wrong usage or an unusable config file, before anything is written */
export async function setUp(file: string, flags: SetupFlags, world: World): Promise<number> {
  const call = setupCall(file, flags, await configPlace(flags, world), world);
  if (flags.base_url !== undefined) checkAddress(flags.base_url, world);
  if ((await sizeOf(file, world.cwd())) === null)
    throw new UsageError(`setup reads its file several times: ${file} must be a file on the disk`);
  try {
    return await (flags.yes === true ? setUpUnattended(call) : setUpInteractively(call, await openPerson(call)));
  } catch (cause) {
    if (cause instanceof WizardStopped) {
      call.say('Stopped: nothing was written. To continue with your answers, run the same command again.');
      return cause.signal === null ? EXIT.usage : SIGNAL_EXIT[cause.signal];
    }
    if (!(cause instanceof FileFault)) throw cause;
    const line = cause.line === null ? '' : `, line ${cause.line}`;
    call.say(`error: ${file}${line}: ${cause.message} [${cause.code}]`);
    call.say('Nothing was written. Correct the file, and set it up again.');
    return EXIT.refused;
  }
}

/** @throws UsageError if nobody can be asked */
async function openPerson({ flags, world }: SetupCall): Promise<Prompts> {
  if (world.stdin.isTTY !== true || !world.stderr.isTTY)
    throw new UsageError(
      'setup asks questions, but this is not a terminal. With --yes it asks nothing, and uses only what the file proves',
    );
  const stop = new AbortController();
  world.onStopSignal((signal) => stop.abort(signal));
  const { openPrompts } = await import('./prompts.js');
  return openPrompts(world, chooseColor({ flags, env: world.env }, world).value, stop.signal);
}

/** @throws FileFault, UsageError */
async function setUpUnattended(call: SetupCall): Promise<number> {
  const { flags, place, say } = call;
  const analysis = await createAnalyzer(call.source)(call.answers);
  const points = [...filePoints(analysis)];
  const open = points.filter((point) => typeof point !== 'string' && point.isOptional !== true) as Question[];
  if (open.length > 0) {
    sayOpen(call, analysis, open);
    return EXIT.usage;
  }
  // Nobody can be asked whether the other profile is still needed.
  if (flags.print !== true && isOther(call, analysis))
    throw new UsageError(
      `the config file ${place.path} has another profile "${profileName(call, analysis)}" already: name this one with --profile, or print it with --print. Nothing was written`,
    );
  const tell = (line: string): void => {
    if (flags.quiet !== true && line !== '') say(line);
  };
  for (const point of points)
    for (const line of typeof point === 'string' ? [point] : (point.shown?.lines(Infinity) ?? [])) tell(line);
  const { exitCode, summary, fault } = await dryRunProfile(call, analysis, profileOf(call, analysis));
  // A signal ended it.
  if (summary === null) return exitCode;
  if (fault !== null) {
    say(`Nothing was written. ${fault} Correct it, and set it up again.`);
    return exitCode === EXIT.ok ? EXIT.refused : exitCode;
  }
  for (const line of unsentLines(analysis)) tell(line);
  await finish(call, analysis, summary);
  return EXIT.ok;
}

/** Names everything that the file does not prove. */
function sayOpen(
  { file, say, world: { platform } }: SetupCall,
  { fields }: LayoutAnalysis,
  open: readonly Question[],
): void {
  say(`${file}: gigwork could not work these points out by itself. Add one option for each:`);
  for (const { fact = '', ask, choices, options } of open) {
    say(`- ${`${fact} ${ask}`.trim()}`);
    const own = choices.map(({ value, isOnlyAsked }) =>
      isOnlyAsked === true || typeof value === 'string' || 'ask' in value ? '' : optionsOf(value, platform),
    );
    for (const option of options ?? own) if (option !== '') say(`    ${option}`);
  }
  if (fields.missing.length > 0 && fields.others.length > 0) say(`Columns without a field: ${nameList(fields.others)}`);
  if (fields.suggestions.length > 0) say('--ignore-other-columns ignores all columns not mentioned above.');
  say('Nothing was written. Or run setup without --yes at a terminal: it asks.');
}

/** @throws FileFault, Stopped, UsageError */
async function setUpInteractively(first: SetupCall, prompts: Prompts): Promise<number> {
  const call = await withSheet(first, prompts);
  const dialogue = await createWizard(call, prompts);
  const { header, names, profiles } = await dialogue.survey();
  const rows = [names, ...profiles.cells.slice(0, PREVIEWED)];
  if (header.isProven) prompts.show('The file begins like this:', previewLines(rows, prompts.room));
  const again = dialogue.isResumed ? 'Your earlier answers are kept. ' : '';
  prompts.say(`${again}< goes back one question, Ctrl-C stops.`);
  const latestRun = latest(dryRunProfile);
  const tried = (analysis: LayoutAnalysis): Promise<Rehearsed> => {
    const profile = profileOf(call, analysis);
    const { allowNegative, allowTotalRow } = analysis.answers;
    return latestRun(JSON.stringify([profile, allowNegative, allowTotalRow]), () => [call, analysis, profile]);
  };
  const analysis = await dialogue.untilKnown(async function* (each) {
    yield* filePoints(each);
    const { fault } = await tried(each);
    if (fault !== null) yield { ask: fault, choices: [{ value: 'back', label: 'Go back one question' }, STOP] };
    yield* unsentLines(each);
    if (call.flags.print !== true) yield* profilePoints(call, each);
  });
  const { summary, exitCode } = await tried(analysis);
  // A signal ended it.
  if (summary === null) return exitCode;
  await finish(call, analysis, summary);
  dialogue.forget();
  return EXIT.ok;
}

const PREVIEWED = 5;

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
      if (!(cause instanceof WizardBack)) throw cause;
    }
  }
}

/** Writes the profile. @throws UsageError */
async function finish(call: SetupCall, analysis: LayoutAnalysis, summary: RunSummary): Promise<void> {
  const { place, flags } = call;
  const profile = profileOf(call, analysis);
  const written = toConfigKeys(call, analysis, profile);
  const name = profileName(call, analysis);
  if (flags.print !== true) await writeProfile(place.path, name, written, profileIn(place.config, name));
  tellEnd(call, analysis, profile, written, summary);
}

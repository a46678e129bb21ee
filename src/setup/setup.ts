/**
 * `gigwork setup FILE`: makes a profile for an unknown file. CONTRACT: "Setting a file up". The file and the answers so
 * far make an analysis. The analysis makes steps: each is certain, or a question. Each answer makes the next analysis.
 * When no question is left, the analysis makes the profile.
 */
import { profileIn } from '../config/config-file.js';
import { configPlace } from '../config/profiles.js';
import { chooseColor } from '../config/run-options.js';
import { EXIT, UsageError, SIGNAL_EXIT } from '../errors.js';
import { toWords } from '../follow-up/command-line.js';
import { type MonthlyCall, monthlyCommand } from '../follow-up/monthly-command.js';
import { FileFault } from '../input/raw-record.js';
import { sizeOf } from '../input/source.js';
import { escapeControls, printable } from '../report/printable.js';
import type { RunSummary } from '../report/reporter.js';
import { widthOf, wrapText } from '../report/table.js';
import { shellCommand } from '../util/shell-quote.js';
import type { World } from '../world.js';
import { createAnalyzer, keepLatest, type LayoutAnalysis } from './analyze.js';
import { unsentLines } from './column-questions.js';
import { chosenHeaderDoubt, nameList, previewLines } from './file-questions.js';
import { filteredRows } from './shown-filters.js';
import { isDecided } from './inference.js';
import {
  buildProfile,
  checkAddress,
  isOtherProfile,
  profileName,
  profileSteps,
  toConfigKeys,
  writeProfile,
} from './profile.js';
import { promptFlags, stepsOf } from './questions.js';
import { sheetsToChoose } from './sample-source.js';
import { dryRunProfile, type ProfileDryRun } from './profile-dry-run.js';
import { createSetupCall, type SetupCall, type SetupFlags } from './setup-call.js';
import { type SetupPrompt, STOP } from './setup-question.js';
import { refuseOddLetters } from './column-names.js';
import { createWizard, type Prompts, WizardBack, WizardStopped } from './wizard.js';

/** Returns the exit code. @throws UsageError for wrong usage or an unusable config file, before anything is written */
export async function setUp(file: string, flags: SetupFlags, world: World): Promise<number> {
  const call = createSetupCall(file, flags, await configPlace(flags, world), world);
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
    const isOfFile = cause.code !== 'header-like-data';
    call.say(`Nothing was written. ${isOfFile ? 'Correct the file, and set it up again.' : ''}`.trim());
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
  return openPrompts(world, chooseColor(flags, world).value, stop.signal);
}

/** @throws FileFault, UsageError */
async function setUpUnattended(call: SetupCall): Promise<number> {
  const { flags, place, say } = call;
  const analysis = await createAnalyzer(call.source)(call.answers);
  refuseDataHeader(analysis);
  const steps = [...stepsOf(analysis)];
  const open = steps.filter((step) => typeof step !== 'string').filter(({ isOptional }) => isOptional !== true);
  if (open.length > 0) {
    sayOpen(call, analysis, open);
    return EXIT.usage;
  }
  // Nobody can be asked whether the other profile is still needed.
  if (flags.print !== true && isOtherProfile(call, analysis))
    throw new UsageError(
      `the config file ${place.path} has another profile "${profileName(call, analysis)}" already: name this one with --profile, or print it with --print. Nothing was written`,
    );
  const lines = steps.flatMap((step) => (typeof step === 'string' ? [step] : (step.shown?.lines(Infinity) ?? [])));
  if (flags.quiet !== true) lines.forEach((line) => say(line));
  const filtered = filteredRows(analysis);
  if (flags.quiet !== true && filtered !== null) for (const line of [filtered.title, ...filtered.lines]) say(line);
  const { exitCode, summary, fault, isUnproven } = await dryRunProfile(call, analysis, buildProfile(call, analysis));
  // A signal ended it.
  if (summary === null) return exitCode;
  if (fault !== null) {
    say(`Nothing was written. ${fault}${isUnproven ? '' : ' Correct it, and set it up again.'}`);
    if (isUnproven) return EXIT.usage;
    return exitCode === EXIT.ok ? EXIT.refused : exitCode;
  }
  if (flags.quiet !== true) for (const line of unsentLines(analysis)) say(line);
  await finishSetup(call, analysis, summary);
  return EXIT.ok;
}

/** As a run refuses it. @throws FileFault for a line with data in place of the column names */
function refuseDataHeader(analysis: LayoutAnalysis): void {
  const doubt = chosenHeaderDoubt(analysis);
  if (doubt === null) return;
  const remedy = `Give the number of another line with --header-line. If the file has no column names, say --header-line 0, and name its columns by position, as in --map '#1=user_id'`;
  throw new FileFault('header-like-data', doubt.line, `${doubt.fact} ${remedy}`, analysis.names.join(' | '));
}

/** Names everything that the file does not prove. */
function sayOpen({ file, say, world }: SetupCall, { fields }: LayoutAnalysis, open: readonly SetupPrompt[]): void {
  say(`${file}: gigwork could not work these points out by itself. Add one option for each:`);
  for (const prompt of open) {
    say(`- ${`${prompt.fact ?? ''} ${prompt.ask}`.trim()}`);
    for (const flags of promptFlags(prompt, world.platform)) say(`    ${flags}`);
  }
  if (fields.missing.length > 0 && fields.others.length > 0) say(`Columns without a field: ${nameList(fields.others)}`);
  if (fields.suggestions.length > 0) say('--ignore-other-columns ignores all columns not mentioned above.');
  say('Nothing was written. Or run setup without --yes at a terminal: it asks.');
}

const PREVIEWED = 5;

/** @throws FileFault, WizardStopped, UsageError */
async function setUpInteractively(first: SetupCall, prompts: Prompts): Promise<number> {
  const call = await withSheet(first, prompts);
  const wizard = await createWizard(call, prompts);
  const { header, names, profiles, source } = await wizard.analyze();
  // A clear stop at the start, and not after the last question.
  if (source.isEncodingGuessed) refuseOddLetters(profiles.cells.flat(), call.file);
  const rows = [names, ...profiles.cells.slice(0, PREVIEWED)];
  if (isDecided(header)) prompts.show('The file begins like this:', previewLines(rows, prompts.room));
  const again = wizard.isResumed ? 'Your earlier answers are kept. ' : '';
  prompts.say(`${again}< goes back one question, Ctrl-C stops.`);
  const latestDryRun = keepLatest(dryRunProfile);
  const dryRun = (analysis: LayoutAnalysis): Promise<ProfileDryRun> => {
    const profile = buildProfile(call, analysis);
    const { allowNegative, allowTotalRow } = analysis.answers;
    return latestDryRun(JSON.stringify([profile, allowNegative, allowTotalRow]), () => [call, analysis, profile]);
  };
  let told = '';
  const tellFiltered = (each: LayoutAnalysis): void => {
    const filtered = filteredRows(each);
    const text = JSON.stringify(filtered);
    if (filtered !== null && text !== told) prompts.show(filtered.title, filtered.lines);
    told = text;
  };
  const analysis = await wizard.askAll(async function* (each) {
    yield* stepsOf(each);
    tellFiltered(each);
    const { fault } = await dryRun(each);
    if (fault !== null) yield { ask: fault, choices: [{ value: 'back', label: 'Go back one question' }, STOP] };
    yield* unsentLines(each);
    if (call.flags.print !== true) yield* profileSteps(call, each);
  });
  const { summary, exitCode } = await dryRun(analysis);
  // A signal ended it.
  if (summary === null) return exitCode;
  await finishSetup(call, analysis, summary);
  wizard.forget();
  return EXIT.ok;
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
      if (!(cause instanceof WizardBack)) throw cause;
    }
  }
}

/** Writes the profile, or prints it; then prints the command for every month. @throws UsageError */
async function finishSetup(call: SetupCall, analysis: LayoutAnalysis, { records }: RunSummary): Promise<void> {
  const { flags, place, world, say } = call;
  const name = profileName(call, analysis);
  const profile = buildProfile(call, analysis);
  const written = toConfigKeys(call, analysis, profile);
  const isPrinted = flags.print === true;
  if (!isPrinted) await writeProfile(place.path, name, written, profileIn(place.config, name));
  const command = everyMonth(call, analysis, name);
  if ((records['invalid'] ?? 0) > 0)
    say('Some rows named above cannot be sent. Correct them in the file first: until then, gigwork sends none of it.');
  if (flags.json === true) {
    const document = { profile: name, config: isPrinted ? null : place.path, settings: profile, command, records };
    world.stdout.write(`${escapeControls(JSON.stringify(document, null, 2))}\n`);
    return;
  }
  if (isPrinted) {
    world.stdout.write(`${JSON.stringify(profile, null, 2)}\n`);
    say(`Nothing was written. Put this under "profiles", as "${name}", into a config file.`);
    return;
  }
  say(`The profile ${name} is in ${place.path}. Nothing was sent.`);
  // An earlier profile of this name may have had an address.
  const hasAddress = 'base_url' in written || place.config.base_url !== undefined;
  if (!hasAddress && (world.env['GIGWORK_BASE_URL'] ?? '') === '')
    say(
      'This command still needs the address of the service: add --base-url URL, or set it up again with it. To try it out, add --sandbox.',
    );
  say("Every month, with that month's file and name:");
  const lines = wrapText(printable(shellCommand(command, world.platform)), widthOf(world.stdout));
  world.stdout.write(`${lines.join('\n')}\n`);
}

/** With the flags that a profile cannot contain. @param profile its name */
function everyMonth(call: SetupCall, { schema, answers, month }: LayoutAnalysis, profile: string): readonly string[] {
  const { file, flags, place, world } = call;
  const isConfigNamed = flags.config !== undefined || (world.env['GIGWORK_CONFIG'] ?? '') !== '';
  const called: MonthlyCall = {
    program: world.program(),
    type: schema.type,
    file,
    profile,
    config: isConfigNamed ? place.path : null,
    format: flags.format ?? null,
    prices: flags.prices ?? null,
    allowNegative: answers.allowNegative,
    allowTotalRow: answers.allowTotalRow,
    month: month ?? new Date(world.now()).toISOString().slice(0, 'YYYY-MM'.length),
  };
  return toWords(monthlyCommand(called, world.cwd()));
}

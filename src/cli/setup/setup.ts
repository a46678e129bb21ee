/** `gigwork setup FILE`: a file that nobody adapted becomes a profile. CONTRACT: "Setting a file up". */
import { chooseColor } from '../../config/settings.js';
import { configPlace, type Profile, profileIn, rehearsal } from '../../config/profiles.js';
import { EXIT, UsageError } from '../../errors.js';
import { FileFault } from '../../input/raw.js';
import { sheetsToChoose } from '../../input/setup/survey-source.js';
import { startSurvey } from '../../input/setup/survey.js';
import type { Conclusion } from '../../input/setup/conclusion.js';
import { sizeOf } from '../../input/source.js';
import { KINDS } from '../../records/kinds.js';
import { printable } from '../../report/printable.js';
import type { SummaryReport } from '../../report/reporter.js';
import { counted, widthOf, wrapped } from '../../report/table.js';
import { runRecords } from '../../run.js';
import { commandText } from '../../util/shell-word.js';
import { SIGNAL_EXIT, type StopSignal, type World } from '../../world.js';
import { writeDocument } from '../document.js';
import { openTerminal } from '../terminal.js';
import {
  checkSaid,
  type Known,
  monthlyWords,
  profileName,
  type SetupCall,
  setupCall,
  type SetupFlags,
  surveyOptions,
} from './call.js';
import { askAll, type OpenPoint, type Prompts, Stopped } from './dialogue.js';
import { askName, asWritten, isOther, profileOf, writeProfile } from './profile.js';

import { nameList, questionsOf } from './questions.js';

/** Says something to a person. */
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
  const file = startSurvey(surveyOptions(call, world));
  const survey = await file.look(call.answers);
  const kind = survey.type.value === null ? null : KINDS[survey.type.value];
  if (kind !== null) checkSaid(call, survey, kind);
  const open: OpenPoint[] = [];
  for await (const question of questionsOf(file, call.answers, world.platform))
    if (question.open !== null) open.push(question.open);
  if (open.length > 0 || kind === null) {
    say(`${call.file} does not prove everything. Say one of the flags below each of these:`);
    for (const { text, say: flags } of open)
      for (const line of [`- ${text}`, ...flags.map((flag) => `    ${flag}`)]) say(line);
    if (survey.fields.suggestions.length > 0) say('--ignore-other-columns drops every column that nothing is said of.');
    say('Nothing was written. Or run setup without --yes at a terminal: it asks.');
    return EXIT.usage;
  }
  const known = { survey, kind, answers: call.answers, ways: await file.ways(survey, call.answers) };
  const profile = profileOf(call, known, world.cwd());
  const name = profileName(call, kind);
  refuseOther(call, name, profile);
  if (call.flags.quiet !== true) for (const line of foundLines(known)) say(line);
  return tryOut(call, known, { name, profile, agree: () => Promise.resolve() }, say, world);
}

/** Nobody can be asked whether the other profile is needed any more. @throws UsageError */
function refuseOther({ flags, place }: SetupCall, name: string, profile: Profile): void {
  if (flags.print === true || !isOther(place, name, profile)) return;
  throw new UsageError(
    `the config file ${place.path} has another profile "${name}" already: name this one with --profile, or print it with --print. Nothing was written`,
  );
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
    const { print, profile: given } = call.flags;
    const file = startSurvey(surveyOptions(call, world));
    const answers = await askAll(call.answers, (known) => questionsOf(file, known, world.platform), prompts);
    const survey = await file.look(answers);
    const kind = KINDS[survey.type.value ?? 'payout'];
    const known = { survey, kind, answers, ways: await file.ways(survey, answers) };
    const profile = profileOf(call, known, world.cwd());
    const offered = profileName(call, known.kind);
    const name = print === true ? offered : await askName(given, offered, profile, call.place, prompts);
    const agree = async (): Promise<void> => {
      if (print === true || (await prompts.yes(`Write the profile ${name} into ${call.place.path}?`))) return;
      throw new Stopped();
    };
    return await tryOut(call, known, { name, profile, agree }, say, world);
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

/** What was found, a line for each thing. @param file as the person wrote it */
function foundLines({ survey: { header, names, fields }, ways, kind }: Known): string[] {
  const width = Math.max(...fields.columns.map(({ name }) => name.length), 0);
  const why = { said: 'as you said', exact: 'its own name', usual: 'a usual name' };
  return [
    `${counted(names.length, 'column')}${headerWords(header.value)}; each row makes a ${kind.type}`,
    ...fields.columns.map(({ name, path, why: reason }) => `  ${name.padEnd(width)}  ${path} (${why[reason]})`),
    ...(fields.others.length === 0 ? [] : [`dropped: ${nameList(fields.others)}`]),
    ...wayLine('numbers', ways.decimal, (mark) => `decimal ${mark}`),
    ...wayLine('dates', ways.dateOrder, (order) => ORDER_WORDS[order]),
    ...wayLine('currency', ways.currency, (code) => code),
    ...(ways.negate.value === true ? ['amounts change their sign'] : []),
  ];
}

function headerWords(line: number | null): string {
  if (line === null) return '';
  return line === 0 ? ', named by their position' : `, named on line ${line}`;
}

const ORDER_WORDS = { ymd: 'year first', dmy: 'day first', mdy: 'month first' };

function wayLine<T>(what: string, { value, because }: Conclusion<T>, words: (value: T) => string): string[] {
  if (value === null) return [];
  return [`${what}: ${words(value)}${because === '' ? ', as you said' : `: ${because}`}`];
}

interface NewProfile {
  readonly name: string;
  readonly profile: Profile;
  /** Called when the dry run has shown what the profile makes of the file. @throws Stopped */
  readonly agree: () => Promise<void>;
}

/** Shows what a dry run gives, and writes the profile where it reads the file. */
async function tryOut(call: SetupCall, known: Known, made: NewProfile, say: Say, world: World): Promise<number> {
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
  const kept = Object.entries({ format, padShortRows, prices, allowTotalRow, quiet, color, debug });
  const given = Object.fromEntries(kept.filter(([, value]) => value !== undefined));
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

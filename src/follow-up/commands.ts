/** The commands that are printed for a person or a program: each is made when it is printed. */
import { resolve } from 'node:path';
import { withoutUser } from '../config/journal-url.js';
import { filesOf } from '../config/input-options.js';
import { createRedactor, type Redactor } from '../config/secrets.js';
import { type SettingSources, settingValue } from '../config/resolve.js';
import type { ApprovedRun, InputCall } from '../journal/audit-log.js';
import type { Run } from '../journal/payment.js';
import { DEFAULT_BATCH } from '../keys/key.js';
import type { RunOptions } from '../options.js';
import type { RecordType } from '../records/types.js';
import { quotedFlags } from '../util/shell-quote.js';
import {
  absolute,
  changeWords,
  type CommandLine,
  type Flag,
  type FlagName,
  flagWords,
  hasFlag,
  newCommandLine,
  redacted,
  redactedFlag,
  withFlags,
  withoutFlags,
} from './command-line.js';
import {
  configFlags,
  correctionFlags,
  isRepeatable,
  locationFlags,
  namedConfigFlags,
  sendFlags,
  targetFlags,
  typedTargetFlags,
} from './flags.js';

/** What any printed command is made from. */
export interface CommandSources {
  /** Of this call. */
  readonly commandLine: CommandLine;
  readonly settings: SettingSources;
  readonly platform: NodeJS.Platform;
}

/** A switch, or a flag with its value. */
export function flag(name: FlagName, value: string | null = null): Flag {
  return { name, value };
}

/** Flags that hold a call to one input. Another input needs others. */
export const CONTROLS: readonly FlagName[] = ['--expect-count', '--expect-total', '--expect-digest', '--approval'];

/** Flags that name files which a call writes. */
export const OUTPUT_FILES: readonly FlagName[] = ['--report', '--rejects', '--results', '--task-list'];

/** The files of this call, which a call with another input must not replace; none where a person allows that. */
export function filesToKeep({ settings }: CommandSources): readonly FlagName[] {
  return settingValue('overwrite', settings) ? [] : OUTPUT_FILES;
}

/** A command on a stored run, with the flags that name its journal. */
export function batchCommand(
  name: 'show' | 'report' | 'resume' | 'settle' | 'close',
  run: string,
  sources: CommandSources,
  flags: readonly Flag[] = [],
): CommandLine {
  const location = locationFlags(sources.settings, sources.platform);
  return newCommandLine(sources.commandLine.program, `batch ${name}`, [run], [...location, ...flags]);
}

/** A command of this program, with the flags that name the journal: `gigwork batch show RUN --state-dir DIR`. */
export type CommandText = (words: string, flags?: readonly Flag[]) => string;

/** For sentences that go on with further words behind the command. */
export function journalCommandText(sources: CommandSources): CommandText {
  const location = locationFlags(sources.settings, sources.platform);
  return (words, flags = []) => {
    const further = [...location, ...flags].flatMap(flagWords);
    return `${sources.commandLine.program} ${words}${quotedFlags(further, sources.platform)}`;
  };
}

/** Records that a person has found a payment in the service, or has not. */
export function settleCommand(isCreated: boolean, key: string, run: string, sources: CommandSources): CommandLine {
  const outcome = flag(isCreated ? '--created' : '--not-created');
  return batchCommand('settle', run, sources, [flag('--key', key), outcome, flag('--note', 'TEXT')]);
}

/** Settles what is in doubt of a run at this call's target by an export of the service. */
export function reconcileCommand(run: string, { commandLine, settings, platform }: CommandSources): CommandLine {
  const flags = [flag('--run', run), flag('--as-of', 'TIME'), flag('--note', 'TEXT')];
  return newCommandLine(
    commandLine.program,
    'batch reconcile',
    ['FILE'],
    [...locationFlags(settings, platform), ...flags],
  );
}

/** Continues the run of this call, with the flags of this call. */
export function resumeCommand(run: string, options: RunOptions): CommandLine {
  const { target, settings, redactor } = options;
  const flags = [...targetFlags(target?.name ?? null, settings), ...sendFlags(filesRead(options), settings)];
  return redacted(batchCommand('resume', run, options, flags), redactor);
}

/** What the journal keeps of this call, for {@link resumeStoredCommand}: it already knows its place. */
export function inputCallOf(options: RunOptions): InputCall {
  const { target, settings, redactor } = options;
  const flags = [
    ...namedConfigFlags(settings),
    ...targetFlags(target?.name ?? null, settings),
    ...sendFlags(filesRead(options), settings),
  ];
  return { folder: settings.cwd, options: flags.map((each) => flagWords(redactedFlag(each, redactor))) };
}

/**
 * Continues a stored run, at its target and with its journal. It repeats the flags of the call that read its input. The
 * journal remembers lifetimes of keys with the payments. It does not remember values of headers, which may be secrets:
 * the call asks for them by name.
 */
export function resumeStoredCommand(run: Run, sources: CommandSources): CommandLine {
  const { skips, inputCall, name, target } = run;
  const now = batchCommand('resume', name, sources, targetFlags(target, sources.settings));
  const stored = inputCall.options.map(([flagName = '', value = null]) => flag(flagName as FlagName, value));
  const then = withFlags(
    redacted(now, createRedactor([])),
    stored.filter((each) => !hasFlag(now, each.name)),
  );
  // The run asks again about the records that it has left out, because of a flag or an answer.
  return withFlags(then, skipFlags(skips));
}

function skipFlags({ skipCreated, skipSimilar }: Run['skips']): Flag[] {
  return [...(skipCreated ? [flag('--skip-created')] : []), ...(skipSimilar ? [flag('--skip-similar')] : [])];
}

/** This call again, from any folder; also where the variables of now are not set. */
export function rerunCommand({
  commandLine,
  settings,
  platform,
  redactor,
}: CommandSources & { readonly redactor: Redactor }): CommandLine {
  const further = [...locationFlags(settings, platform), ...typedTargetFlags(settings)];
  const missing = further.filter(({ name }) => !hasFlag(commandLine, name));
  return redacted(absolute(withFlags(commandLine, missing), settings.cwd), redactor);
}

/** The same; null if its input cannot be read again. */
export function rerunIfRepeatable(options: RunOptions): CommandLine | null {
  return isRepeatable(filesRead(options), options.settings) ? rerunCommand(options) : null;
}

/** The same call without some of its flags, then with others. The number of `--send-similar` is for one review alone. */
export function rerunWith(options: RunOptions, flags: readonly Flag[], without: readonly FlagName[] = []): CommandLine {
  return withFlags(withoutFlags(rerunCommand(options), [...without, '--send-similar']), flags);
}

/** The input of this call, or of the run that it continues. */
function filesRead({ resume, input, settings }: RunOptions): readonly string[] {
  return resume === null ? input.files : filesOf(resume, settings.cwd);
}

/**
 * The call as typed, without the approval, and with the decisions of the review.
 * @param path of the file with the approval. Null for one in the journal, which the run finds there: the approver may
 *   not send, so the sender uses another name
 */
export function sendApprovedCommand(
  path: string | null,
  { flags, batchId }: Pick<ApprovedRun, 'flags' | 'batchId'>,
  options: RunOptions,
): CommandLine {
  const batch = options.resume !== null || batchId === DEFAULT_BATCH ? [] : [flag('--batch-id', batchId)];
  const similar = flags.sendSimilar === null ? [] : [flag('--send-similar', `${flags.sendSimilar}`)];
  const approval = path === null ? [] : [flag('--approval', path)];
  const line = rerunWith(
    options,
    [...batch, ...skipFlags(flags), ...similar, ...approval],
    ['--approve', '--batch-id', ...filesToKeep(options)],
  );
  if (path !== null) return line;
  return changeWords(line, ({ name, value }) => flag(name, value && withoutUser(value)));
}

/** Imports this call's rejects after they were corrected. @param rejects their paths */
export function correctedRejectsCommand(
  rejects: readonly string[],
  batch: readonly Flag[],
  options: RunOptions,
): CommandLine {
  const { command, commandLine, settings, platform, target, redactor } = options;
  const flags = [
    ...locationFlags(settings, platform),
    ...targetFlags(target?.name ?? null, settings, true),
    ...correctionFlags(settings),
  ].map((each) => redactedFlag(each, redactor));
  const line = newCommandLine(commandLine.program, command, rejects, [...batch, ...flags]);
  // A file of text has no sheets, whatever its input had.
  return rejects.every((file) => /\.(?:csv|tsv|txt)$/i.test(file)) ? withoutFlags(line, ['--sheet']) : line;
}

/** Makes a profile for a file whose columns no flag names yet. @param type null if the columns do not show it */
export function setupCommand(
  path: string,
  type: RecordType | null,
  { commandLine, settings }: CommandSources,
): CommandLine {
  const typed = type === null ? [] : [flag('--type', type)];
  return newCommandLine(
    commandLine.program,
    'setup',
    [resolve(settings.cwd, path)],
    [...typed, ...configFlags(settings)],
  );
}

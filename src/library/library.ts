/**
 * `import { submit, resume, collect, computeKey, validate } from 'gigwork'`. The command line and these functions are
 * two callers of one pipeline. docs/library.md
 */
import { Readable } from 'node:stream';
import { findRun, noSuchRun } from '../cli/with-journal.js';
import { journalOptions } from '../config/journal-location.js';
import { runOptions, resumeOptions } from '../config/run-options.js';
import { resolveSetting, type RunFlags, type SettingSources } from '../config/resolve.js';
import type { Interruption } from '../delivery/interruption.js';
import { UsageError } from '../errors.js';
import { callerFrom, type CommandLine, newCommandLine, recordsCommandLine } from '../follow-up/command-line.js';
import { RECORDS_PATH } from '../input/source.js';
import { openJournal } from '../journal/open.js';
import type { Run } from '../journal/payment.js';
import type { ConfiguredOptions, RunOptions } from '../options.js';
import { RECORD_TYPES, type RecordType } from '../records/types.js';
import type { World } from '../world.js';
import { eventsOf } from './call.js';
import { commandFlags, optionFlags, optionSettings } from './named-options.js';
import type { Options, Records, ResumeOptions } from './options-type.js';
import { recordStream } from './record-stream.js';
import type { Event, IssueEvent, RecordEvent, SummaryEvent } from './event-types.js';

export {
  keyOfRecord as computeKey,
  type KeyOptions,
  type RecordIssue as Issue,
  type RecordOptions,
  validate,
} from './one-record.js';
export type { Options, ResponseOptions, ResumeOptions, Secret } from './options-type.js';
export type { CountsByStatus, Event, Gig, GigResult, IssueEvent, Payout } from './event-types.js';
export type { RecordEvent, SummaryEvent, TotalsRow } from './event-types.js';
export { UsageError } from '../errors.js';

/** `payout`, `result` or `gig`. */
export type { RecordType } from '../records/types.js';

/**
 * Checks the records, and sends what the checks allow: the same as `gigwork TYPE create` with the same records in a JSON
 * file. It begins when the first event is asked for. A loop that is left early does not stop it.
 * @throws UsageError while events are read, for a call that the command would end with exit code 2
 */
export function submit(type: RecordType, records: Records, options: Options = {}): AsyncGenerator<Event, void> {
  const command = `${type} create`;
  const configure = async (world: World, interruption: Interruption): Promise<RunOptions> => {
    if (!RECORD_TYPES.includes(type))
      throw new UsageError(`the type of records is ${RECORD_TYPES.join(', ')}; found ${JSON.stringify(type)}`);
    const flags = optionFlags(options);
    const settings = await settingsWithJournal(options, flags, world);
    const call = { command, type, files: [RECORDS_PATH], fields: {} };
    const configured = await runOptions(call, settings, world, () => interruption.signal);
    const json = { ...configured, input: { ...configured.input, format: 'json' } } as const;
    return withCaller(json, recordsCommandLine(world.program(), command, commandFlags(flags)), world);
  };
  return eventsOf({ command, options, records: recordStream(records), configure });
}

/**
 * Continues a run from the journal alone: `gigwork batch resume RUN`.
 * @param run its name, or the beginning of its name
 * @throws UsageError while events are read, as `submit` does
 */
export function resume(run: string, options: ResumeOptions = {}): AsyncGenerator<Event, void> {
  const command = 'batch resume';
  const configure = async (world: World, interruption: Interruption): Promise<RunOptions> => {
    const flags = optionFlags(options, true);
    const settings = await settingsWithJournal(options, flags, world);
    const found = await findStoredRun(run, settings, world, interruption.signal);
    const configured = await resumeOptions(command, found, settings, world, () => interruption.signal);
    return withCaller(configured, newCommandLine(world.program(), command, [run], commandFlags(flags)), world);
  };
  return eventsOf({ command, options, records: Readable.from([]), configure });
}

/** The events of a call by their kind. It holds them all in memory. @throws UsageError as the call does */
export async function collect(
  events: AsyncIterable<Event>,
): Promise<{ summary: SummaryEvent; records: RecordEvent[]; issues: IssueEvent[] }> {
  const records: RecordEvent[] = [];
  const issues: IssueEvent[] = [];
  for await (const event of events) {
    if (event.event === 'summary') return { summary: event, records, issues };
    if (event.event === 'record') records.push(event);
    else issues.push(event);
  }
  throw new TypeError('these events have no summary: they are not all events of a call');
}

function withCaller(options: ConfiguredOptions, commandLine: CommandLine, world: World): RunOptions {
  // Events are for programs, so what people would be told is among the reasons.
  const output = { ...options.output, json: true };
  return { ...options, output, commandLine, caller: callerFrom(commandLine, options.redactor, world) };
}

/** @throws UsageError if nothing names the journal's place, and the usual one may not be looked up */
async function settingsWithJournal(options: Options, flags: RunFlags, world: World): Promise<SettingSources> {
  const settings = await optionSettings(options, flags, world);
  const isNamed = (['state_dir', 'journal'] as const).some((name) => resolveSetting(name, settings).from !== 'default');
  if (isNamed || options.env !== undefined) return settings;
  throw new UsageError(
    'stateDir or journal is required: the journal protects from paying twice, and without env no place for it is looked up',
  );
}

async function findStoredRun(
  name: string,
  settings: SettingSources,
  world: World,
  interrupted: AbortSignal,
): Promise<Run> {
  const opened = await openJournal({ ...journalOptions(settings, world), caller: null, interrupted }, world);
  if (opened === null) throw noSuchRun(name);
  try {
    return await findRun(opened.journal, name);
  } finally {
    await opened.journal.detach();
  }
}

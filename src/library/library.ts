/**
 * `import { submit, resume, collect, computeKey, validate } from 'gigwork'`. The command line and these functions are
 * two callers of the same functions. docs/library.md
 */
import { Readable } from 'node:stream';
import { resumeRun, sendRecords } from '../cli/send.js';
import { UsageError } from '../errors.js';
import { newCommandLine, recordsCommandLine } from '../follow-up/command-line.js';
import { RECORDS_PATH } from '../input/source.js';
import { RECORD_TYPES, type RecordType } from '../records/types.js';
import { eventsOf } from './call.js';
import { commandFlags, optionFlags } from './named-options.js';
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
  const name = `${type} create`;
  return eventsOf(name, options, recordStream(records), (world, attendance) => {
    if (!RECORD_TYPES.includes(type))
      throw new UsageError(`the type of records is ${RECORD_TYPES.join(', ')}; found ${JSON.stringify(type)}`);
    const typed = optionFlags(options);
    const commandLine = recordsCommandLine(world.program(), name, commandFlags(typed));
    const flags = { ...typed, json: true, format: 'json' };
    return sendRecords(type, { name, operands: [RECORDS_PATH], flags, commandLine, world }, attendance);
  });
}

/**
 * Continues a run from the journal alone: `gigwork batch resume RUN`.
 * @param run its name, or the beginning of its name
 * @throws UsageError while events are read, as `submit` does
 */
export function resume(run: string, options: ResumeOptions = {}): AsyncGenerator<Event, void> {
  const name = 'batch resume';
  return eventsOf(name, options, Readable.from([]), (world, attendance) => {
    const typed = optionFlags(options, true);
    const commandLine = newCommandLine(world.program(), name, [run], commandFlags(typed));
    return resumeRun({ name, operands: [run], flags: { ...typed, json: true }, commandLine, world }, attendance);
  });
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

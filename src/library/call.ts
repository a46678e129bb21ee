/** One call of a program: its world, which has no terminal, and its events. */
import { PassThrough, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Attendance } from '../cli/send.js';
import { errorMessage, EXIT, exitStatusOfError, callFailureText, UsageError } from '../errors.js';
import type { RunOptions } from '../options.js';
import type { Dialog } from '../report/dialog.js';
import { eventReporter, failureEvent, summaryEvent } from '../report/event-reporter.js';
import type { Reporter, ReviewGroup } from '../report/reporter.js';
import { countRecords, typeName } from '../report/totals-table.js';
import { publishedUrl, version } from '../version.js';
import { processWorld, programWord, type RawWorld, type World, worldOf } from '../world.js';
import { optionSettings } from './named-options.js';
import type { Options } from './options-type.js';
import type { Event, SummaryEvent } from './event-types.js';

/** Runs a command, and returns its exit code. @throws UsageError, JournalError */
type RunCommand = (world: World, attendance: Attendance) => Promise<number>;

/** Pieces of output that wait for their reader: each has a few events. */
const MOST_PIECES = 4;

/**
 * Runs a call, and gives its events. It begins with the first one that is asked for. Once begun, it runs to its end,
 * whoever still reads; a reader that is slow slows it down.
 * @throws UsageError for a call that a command would end with exit code 2
 */
export async function* eventsOf(
  command: string,
  options: Options,
  records: Readable,
  runCommand: RunCommand,
): AsyncGenerator<Event, void, undefined> {
  // A piece has whole lines: each stays one piece.
  const output = new PassThrough({ objectMode: true, highWaterMark: MOST_PIECES });
  const run = runToSummary(command, options, records, output, runCommand);
  // A failure is thrown below; if nobody reads so far, nobody hears of it.
  run.catch(() => undefined);
  try {
    for await (const piece of output as AsyncIterable<string>)
      for (const line of piece.split('\n')) {
        // The summary comes from the call itself: after a signal, output that nobody has read is lost.
        if (line !== '' && !line.startsWith('{"event":"summary"')) yield JSON.parse(line) as Event;
      }
  } finally {
    output.destroy();
  }
  yield await run;
}

/** Returns the summary. @throws UsageError */
async function runToSummary(
  command: string,
  options: Options,
  records: Readable,
  output: PassThrough,
  runCommand: RunCommand,
): Promise<SummaryEvent> {
  const ended = new AbortController();
  const world = worldOf(libraryWorld(options, records, output, ended.signal));
  const startedAt = world.now();
  let summary: SummaryEvent | null = null;
  const hearer: Reporter = {
    ...NO_PEOPLE,
    summary: (report) => {
      summary = summaryEvent(report) as SummaryEvent;
      return Promise.resolve();
    },
  };
  try {
    await runCommand(world, {
      settings: (flags) => optionSettings(options, flags, world),
      terminal: (run) => ({ reporter: eventReporter(world.stdout, hearer), dialog: dialogFor(run) }),
    });
  } catch (cause) {
    const status = exitStatusOfError(cause, world.stoppedBy());
    const text = callFailureText(errorMessage(cause, status), status, true);
    if (status.exitCode === EXIT.usage) throw cause instanceof UsageError ? cause : new UsageError(text, { cause });
    const dryRun = options.dryRun === true || options.approve !== undefined;
    const batchId = options.batchId ?? '';
    const call = { command, batchId, dryRun, next: null, startedAt, version: version() };
    summary = failureEvent(status, text, call, world.now()) as SummaryEvent;
  } finally {
    ended.abort();
    records.destroy();
    output.end();
  }
  return answered(summary, world);
}

/** Nothing is written for people. */
const NO_PEOPLE: Reporter = {
  note: () => undefined,
  issue: () => undefined,
  explain: () => undefined,
  record: null,
  ready: () => Promise.resolve(),
  review: () => undefined,
  progress: () => undefined,
  summary: () => Promise.resolve(),
};

/** The summary, unless a command would be exit 2. @throws UsageError */
function answered(summary: SummaryEvent | null, { stdout, exitCodeOf }: World): SummaryEvent {
  if (summary === null) throw new Error('the call ended without a summary');
  if (summary.exit_code === EXIT.usage) throw new UsageError(summary.reasons.join('. '));
  if (stdout.lost === null) return summary;
  // As for a command whose output is lost: its work is done.
  const exitCode = exitCodeOf(summary.exit_code) as SummaryEvent['exit_code'];
  return { ...summary, exit_code: exitCode, reasons: [...summary.reasons, `some events are lost: ${stdout.lost}`] };
}

/** @param ended the call no longer hears its signal */
function libraryWorld(options: Options, records: Readable, output: PassThrough, ended: AbortSignal): RawWorld {
  const { env = {}, signal } = options;
  return {
    ...processWorld(),
    stdin: records,
    stdout: output,
    // Nothing is written for people.
    stderr: new PassThrough().resume(),
    env: {
      ...env,
      // An option comes before a variable, and this one is not a flag.
      GIGWORK_TOKEN: options.token === undefined ? env['GIGWORK_TOKEN'] : undefined,
      // Node.js obeys it whether the call may read it or not.
      NODE_TLS_REJECT_UNAUTHORIZED: process.env['NODE_TLS_REJECT_UNAUTHORIZED'],
    },
    program: () => programWord(fileURLToPath(publishedUrl('bin/gigwork.js'))),
    onStopSignal: (handler) => {
      const stop = (): void => handler('SIGINT');
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop, { once: true, signal: ended });
    },
    ownsProcess: false,
    exitNow: () => {
      throw new Error('the process belongs to the program that calls');
    },
  };
}

/** A program has answered beforehand: with the total of its money, the number of its gigs, or yes. */
function dialogFor({ safety }: RunOptions): Dialog {
  const { expectCount, expectTotal, approve } = safety;
  const isExpected = ({ type, currency }: ReviewGroup[number]): boolean => {
    if (type === 'gig') return expectCount !== null;
    return expectTotal.some(
      (total) => (total.type ?? type) === type && (total.currency === undefined || total.currency === currency),
    );
  };
  let missing: ReviewGroup = [];
  return {
    present: true,
    asksInSandbox: true,
    get refusal() {
      const verb = approve === null ? 'sending' : 'approving';
      const given = expectTotal.length > 0 ? missing.find(({ type }) => type !== 'gig') : undefined;
      const which =
        given === undefined ? '' : ` for the ${typeName(given.type, 2)} in ${given.currency ?? 'no currency'} too`;
      return `${verb} needs a confirmation, and a program is not asked: give expectTotal${which} (for gigs, expectCount), or yes: true`;
    },
    aboutRepeats: () => Promise.resolve(null),
    confirm: ({ toSend }) => {
      missing = toSend.filter((row) => !isExpected(row));
      return Promise.resolve(missing.length === 0 || countRecords(toSend) <= 1);
    },
  };
}

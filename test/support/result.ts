/** What a run of the program left behind. */
import { checkEvent } from './schemas.js';

/** `code` is null when a signal ended the run. */
export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /**
   * With `--json` among the arguments: the lines of standard output, parsed, or its one JSON document; else empty.
   * A last line that was cut off is left out. Throws, when read, if standard output holds anything else.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
  readonly events: any[];
  /** The last event, if it is a summary; else undefined. */
  // oxlint-disable-next-line typescript/no-explicit-any -- see events
  readonly summary: any;
}

/** Parses what a run with `--json` printed. @throws when neither each complete line nor the whole output is JSON */
function parseEvents(stdout: string): unknown[] {
  const lines = stdout.slice(0, stdout.lastIndexOf('\n') + 1).split('\n');
  try {
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  } catch (error) {
    try {
      return [JSON.parse(stdout)];
    } catch {
      throw new Error(`standard output is not JSON: ${(error as Error).message}\n${stdout.slice(0, 2_000)}`);
    }
  }
}

/**
 * Events are parsed when they are asked for: a bulk test that counts only files pays nothing for them.
 * @param args words of the command line
 * @param own whether the program itself ran: then every test checks its events against the published schema
 */
export function cliResult(
  args: readonly string[],
  own: boolean,
  ended: Pick<CliResult, 'code' | 'signal' | 'stdout' | 'stderr'>,
): CliResult {
  let events: unknown[] | undefined;
  return {
    ...ended,
    get events() {
      if (events === undefined) {
        events = args.includes('--json') ? parseEvents(ended.stdout) : [];
        if (own) events.forEach(checkEvent);
      }
      return events;
    },
    get summary() {
      const last = this.events.at(-1);
      return last?.event === 'summary' ? last : undefined;
    },
  };
}

/** The objects of NDJSON, whose last line ends too. */
// oxlint-disable-next-line typescript/no-explicit-any -- see events
export function jsonLines(text: string): any[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

/** Why a run is given up, with the end of what it said. */
export function lateError(args: readonly string[], ms: number, stdout: string, stderr: string): Error {
  const tail = `${stdout.slice(-1_000)}\n${stderr.slice(-1_000)}`;
  return new Error(`gigwork ${args.join(' ')} did not end within ${ms} ms:\n${tail}`);
}

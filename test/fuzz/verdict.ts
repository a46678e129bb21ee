/** What must hold of every dry run, whatever its input. */
import { ERROR_CODES, WARNING_CODES } from '../../src/records/issue.js';
import { checkEvent } from '../support/schemas.js';
import type { Ended } from '../support/here.js';

// oxlint-disable-next-line typescript/no-explicit-any -- the events are what is looked at
type Event = any;

const ERRORS: ReadonlySet<string> = new Set(ERROR_CODES);
/** A dropped column that may be a field is doubted under the code that it would have if it were not dropped. */
const WARNINGS: ReadonlySet<string> = new Set([...WARNING_CODES, 'unknown-field']);
/** Of either severity: by the text of the row, by `--allow-negative`, of quantities, and in an ID. */
const EITHER: ReadonlySet<string> = new Set(['total-row', 'not-positive', 'doubtful-encoding']);
/** C0 but line ends, DEL, C1, and what changes the direction of text. */
const CONTROL = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const STACK = /\n\s+at .*[:(]/;

export function eventsOf({ stdout }: Ended): Event[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** What does not hold; empty when all does. @param mayTrace stack traces were asked for */
export function faultsOf(ended: Ended, mayTrace: boolean): string[] {
  const { code, stdout, stderr } = ended;
  const faults: string[] = [];
  const must = (holds: boolean, what: string): void => void (holds || faults.push(what));
  must([0, 2, 3, 4].includes(code), `exit code ${code}`);
  must(!stderr.includes('Internal error in gigwork'), `an internal error: ${stderr}`);
  must(mayTrace || !STACK.test(stderr), `a stack trace: ${stderr}`);
  must(!CONTROL.test(stderr), `a control character on standard error: ${JSON.stringify(stderr)}`);
  must(!CONTROL.test(stdout), 'a control character on standard output');
  must(stdout.endsWith('\n'), 'standard output does not end with a line');
  if (faults.length > 0) return faults;
  const events = eventsOf(ended);
  try {
    events.forEach(checkEvent);
  } catch (cause) {
    faults.push(String(cause));
  }
  const summary = events.at(-1);
  must(
    events.filter(({ event }) => event === 'summary').length === 1 && summary.event === 'summary',
    'not one summary, last',
  );
  must(summary.exit_code === code, `the summary says exit code ${summary.exit_code}, the process ${code}`);
  faults.push(...countFaults(events, summary), ...issueFaults(events, code));
  return faults;
}

function countFaults(
  events: readonly Event[],
  { records, totals, warnings, stop_reason: stopped, exit_code: code }: Event,
): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, what: string): void => void (holds || faults.push(what));
  const { read, valid, invalid, created, already_created, rejected, unknown, not_sent, planned } = records;
  must(read === valid + invalid, 'read is not valid and invalid');
  must(
    valid === created + already_created + rejected + unknown + not_sent + planned,
    'valid is not the sum of its states',
  );
  must(created + already_created + rejected + unknown === 0, 'a dry run sent');
  const told = events.filter(({ event }) => event === 'record');
  if (stopped !== 'usage') must(told.length === read, `${told.length} records told, ${read} read`);
  for (const state of ['planned', 'not_sent', 'invalid']) {
    must(
      told.filter(({ status }) => status === state).length === records[state] || stopped === 'usage',
      `the ${state} do not add up`,
    );
  }
  const rows: Event[] = Object.values(totals).flat();
  must(rows.reduce((sum, { count }) => sum + count, 0) === valid, 'the totals do not hold every valid record once');
  must(
    warnings === events.filter(({ severity }) => severity === 'warning').length || stopped === 'usage',
    'warnings do not add up',
  );
  must((code === 0 || code === 4) === (stopped === null), `exit code ${code} with the reason ${stopped}`);
  must(code !== 0 || invalid === 0, 'exit code 0 with invalid records');
  must(planned === 0 || stopped === null, 'planned records in a refused run');
  return faults;
}

function issueFaults(events: readonly Event[], code: number): string[] {
  const faults: string[] = [];
  const issues = events.filter(({ event }) => event === 'issue');
  const isStrict = issues.some(
    ({ severity, code: name }) => severity === 'error' && !ERRORS.has(name) && !EITHER.has(name),
  );
  for (const { severity, code: name, value } of issues) {
    const fits = (severity === 'warning' ? WARNINGS : ERRORS).has(name) || EITHER.has(name);
    if (!fits && !(isStrict && WARNINGS.has(name))) faults.push(`an issue ${severity} ${name}`);
    if (value !== null && value.length > 200) faults.push(`a value of ${value.length} characters`);
  }
  const wrong = new Set(
    issues.filter(({ severity }) => severity === 'error').map(({ file, record }) => `${file} ${record}`),
  );
  // Under --strict, a doubt of a column stands for all records that have it.
  const isTold = issues.every(({ severity, count }) => severity === 'warning' || count === 1);
  if (code === 0 && wrong.size > 0) faults.push('exit code 0 with errors');
  for (const { event, status, file, record, request } of events) {
    if (event !== 'record') continue;
    if ((isTold || status !== 'invalid') && (status === 'invalid') !== wrong.has(`${file} ${record}`))
      faults.push(`record ${record} is ${status}, its issues say otherwise`);
    if ((status === 'invalid') !== (request === null))
      faults.push(`record ${record} is ${status} with the body ${JSON.stringify(request)}`);
  }
  return faults;
}

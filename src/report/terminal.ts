/** What people see: issues, review and progress on standard error, results on standard output. */
import { Chalk, type ChalkInstance } from 'chalk';
import { groupThousands } from '../money/decimal.js';
import type { TerminalStream } from '../world.js';
import { startIssueGroups } from './issue-groups.js';
import { printable } from './printable.js';
import { startProgress } from './progress.js';
import type { Reporter, SummaryReport } from './reporter.js';
import { reviewLines } from './review.js';
import { counted, countText } from './table.js';
import { totalsLines } from './totals-table.js';

export interface TerminalOptions {
  readonly stdout: TerminalStream;
  readonly stderr: TerminalStream;
  readonly color: boolean;
  /** Nothing on standard error but errors. */
  readonly quiet: boolean;
  readonly progress: boolean;
  readonly monotonic: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export function terminalReporter(options: TerminalOptions): Reporter {
  const { stdout, stderr, quiet } = options;
  const chalk = new Chalk({ level: options.color ? 1 : 0 });
  const progress = startProgress({ ...options, progress: options.progress && !quiet });
  const issues = startIssueGroups();
  const say = (text: string): void => progress.aside(() => stderr.write(`${text}\n`));
  const sayIssues = (): void => {
    for (const { severity, text } of issues.take()) {
      if (quiet && severity === 'warning') continue;
      say(text.replace(/^(error|warning)(?=:)/, (word) => (severity === 'warning' ? chalk.yellow(word) : chalk.red(word))));
    }
  };
  return {
    note: (text) => {
      if (!quiet) say(chalk.dim(printable(text)));
    },
    issue: (issue) => issues.add(issue),
    explain: ({ file, record, line, type, currency, unit, steps, amount }) => {
      const place = line === null ? `record ${record}` : `line ${line}`;
      const total = amount === null ? 'not known' : `${groupThousands(amount)} ${currency ?? ''} (${unit})`.replace('  ', ' ');
      stdout.write(`${printable(`${file}, ${place}: ${type}: ${steps} = ${total}`)}\n`);
    },
    record: () => undefined,
    review: (report) => {
      progress.end();
      sayIssues();
      for (const line of reviewLines(report, widthOf(stderr))) say(line);
    },
    progress: (state) => progress.update(state),
    summary: (report) => {
      progress.end();
      sayIssues();
      for (const line of summaryLines(report, chalk, widthOf(stdout))) stdout.write(`${line}\n`);
      for (const reason of report.reasons) say(chalk.red(printable(reason)));
      for (const hint of hints(report)) say(printable(hint));
    },
  };
}

/** Columns of a terminal; a file takes any line. */
function widthOf({ isTTY, columns }: TerminalStream): number {
  return isTTY === true ? (columns ?? 80) : Infinity;
}

/** What the event stream leaves to people. */
export function peopleOf(reporter: Reporter): Pick<Reporter, 'note' | 'progress' | 'review'> {
  return { note: reporter.note, progress: reporter.progress, review: reporter.review };
}

const STATE_WORDS: readonly (readonly [state: string, words: string])[] = [
  ['planned', 'would be sent'],
  ['created', 'created'],
  ['already_created', 'already created'],
  ['rejected', 'rejected'],
  ['unknown', 'of unknown outcome'],
  ['not_sent', 'not sent'],
  ['invalid', 'invalid'],
];

function summaryLines(report: SummaryReport, chalk: ChalkInstance, width: number): string[] {
  const { records, totals } = report;
  const read = records['read'] ?? 0;
  const states = STATE_WORDS.filter(([state]) => (records[state] ?? 0) > 0).map(
    ([state, words]) => `${countText(records[state] ?? 0)} ${words}`,
  );
  const head = `${counted(read, 'record', 'records')} read${states.length === 0 ? '' : `: ${states.join(', ')}`}`;
  const facts = [
    `target  ${report.target === null ? 'none given' : printable(report.target)}`,
    `batch   ${printable(report.batchId)}`,
    ...(report.run === null ? [] : [`run     ${report.run}`]),
    ...(report.digest === null ? [] : [`digest  ${report.digest}`]),
  ];
  const title = report.dryRun ? 'dry run: nothing was sent' : null;
  return [...(title === null ? [] : [chalk.bold(title)]), ...totalsLines(totals, width), ...(totals.length === 0 ? [] : ['']), chalk.bold(head), ...facts];
}

/** What to do next. */
function hints({ records, run, next, stopReason }: SummaryReport): string[] {
  const lines: string[] = [];
  if (run !== null && (records['unknown'] ?? 0) > 0) {
    lines.push(
      `Outcomes are unknown: look them up at the service, then settle each with: gigwork batch settle ${run} --record N --created|--not-created --note TEXT`,
    );
  }
  if ((records['rejected'] ?? 0) > 0 && run !== null) lines.push(`The reasons of rejected records: gigwork batch show ${run}`);
  if (next !== null && stopReason !== 'usage') lines.push(`To go on: ${next}`);
  return lines;
}

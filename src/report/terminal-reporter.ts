/** What people see: issues, review and progress on standard error, results on standard output. */
import { Chalk, type ChalkInstance } from 'chalk';
import type { AmountExplained } from '../batch/content.js';
import { EXIT } from '../errors.js';
import { placeWords } from '../records/issue.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { moneyText } from '../records/money-text.js';
import type { Output } from '../util/output.js';
import { commandText } from '../util/shell-word.js';
import { heldWords, isRisk, noticeWords } from './notice-words.js';
import { startIssueGroups } from './issue-groups.js';
import { printable } from './printable.js';
import { startProgress } from './progress.js';
import type { People, Reporter, SummaryReport } from './reporter.js';
import { reviewLines } from './review-lines.js';
import { counted, countText, widthOf, wrapped } from './table.js';
import { totalsLines } from './totals-table.js';

export interface TerminalOptions {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly color: boolean;
  /** Whether a line of standard error can be written over. */
  readonly live: boolean;
  /** On standard error only errors, the review, why the run ended as it did and what to do next: no notes, warnings or progress. */
  readonly quiet: boolean;
  readonly progress: boolean;
  readonly monotonic: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The file or folder that `--rejects` names, or null. */
  readonly rejects: string | null;
  /** Options that a command on the run needs to find the journal: words with a space before them, or nothing. */
  readonly journalFlags: string;
  /** The platform for whose shells commands are quoted. */
  readonly platform: NodeJS.Platform;
}

/**
 * Results go to standard output, everything else to standard error. Where standard output is for programs, everything
 * for people goes to standard error.
 */
export function terminalReporter(options: TerminalOptions): Reporter & People {
  const { stdout, stderr, quiet } = options;
  const chalk = new Chalk({ level: options.color ? 1 : 0 });
  const progress = startProgress({ ...options, progress: options.progress && !quiet });
  const issues = startIssueGroups(options.rejects);
  const explained = startExplaining();
  const written: string[] = [];
  let hasSpoken = false;
  const say = (text: string): void => {
    hasSpoken = true;
    progress.aside(() => stderr.write(`${text}\n`));
  };
  const fitted = (text: string): string[] => wrapped(printable(text), widthOf(stderr));
  const sayIssues = (): void => {
    for (const { severity, text } of issues.take()) {
      // Yellow cannot be read on a light ground, nor blue on a dark one.
      const paint = severity === 'warning' ? chalk.magenta : chalk.red;
      if (quiet && severity !== 'error') continue;
      for (const line of wrapped(text, widthOf(stderr)))
        say(line.replace(/^(error|warning)(?=:)/, (word) => paint(word)));
    }
  };
  const closing = (report: SummaryReport): void => {
    progress.end();
    sayIssues();
    for (const reason of report.reasons) for (const line of fitted(reason)) say(chalk.red(line));
    for (const text of [...written.splice(0), ...hints(report, options)]) for (const line of fitted(text)) say(line);
  };
  return {
    note: (text) => {
      if (!quiet) for (const line of fitted(text)) say(chalk.dim(line));
    },
    issue: (issue) => issues.add(issue),
    wrote: (text) => {
      if (!quiet) written.push(text);
    },
    explain: (line) => {
      for (const text of explained(line)) stdout.write(`${text}\n`);
    },
    explainAside: (line) => {
      if (!quiet) for (const text of explained(line)) say(text);
    },
    record: null,
    ready: () => stdout.ready(),
    review: (report) => {
      progress.end();
      sayIssues();
      for (const line of reviewLines(report, { width: widthOf(stderr), quiet, bold: chalk.bold, red: chalk.red }))
        say(line);
    },
    progress: (state) => progress.update(state),
    summary: (report) => {
      progress.end();
      sayIssues();
      // What was said until now is one thing, the result another. A log needs no space between them.
      if (hasSpoken && stderr.isTTY && stdout.isTTY) say('');
      for (const line of summaryLines(report, chalk, widthOf(stdout))) stdout.write(`${line}\n`);
      closing(report);
    },
    closing: (report) => {
      for (const line of noticeLines(report, chalk)) for (const text of fitted(line)) say(text);
      closing(report);
    },
  };
}

/** Amounts as lines. The unit stands once before the amounts of a type. */
function startExplaining(): (line: AmountExplained) => string[] {
  const headed = new Set<string>();
  return (line) => {
    const type = line.type as RecordType;
    const heading = headed.has(type) ? [] : [`${KINDS[type].plural}: ${KINDS[type].unitWords}`];
    headed.add(type);
    return [...heading, explainedText(line)];
  };
}

/** `results.csv, line 2: 12 × 450 × 1.25 = 6,750 EUR cents` */
function explainedText(explained: AmountExplained): string {
  const { file, currency, type, steps, amount } = explained;
  const money = amount === null ? 'not known' : moneyText(amount, currency, type);
  return printable(`${file}, ${placeWords(explained)}: ${steps} = ${money}`);
}

const STATE_WORDS: readonly (readonly [state: string, words: string])[] = [
  ['planned', 'would be sent'],
  ['created', 'created'],
  ['already_created', 'already created'],
  ['skipped', 'skipped'],
  ['rejected', 'rejected'],
  ['unknown', 'not confirmed (may have been paid)'],
  ['not_sent', 'not sent'],
  ['invalid', 'invalid'],
];

function summaryLines(report: SummaryReport, chalk: ChalkInstance, width: number): string[] {
  const { records, totals } = report;
  const read = records['read'] ?? 0;
  const states = STATE_WORDS.filter(([state]) => (records[state] ?? 0) > 0).map(
    ([state, words]) => `${countText(records[state] ?? 0)} ${words}`,
  );
  const head = `${counted(read, 'record')} read${states.length === 0 ? '' : `: ${states.join(', ')}`}`;
  const facts = [
    `target  ${report.target === null ? 'none given' : printable(report.target)}`,
    `batch   ${printable(report.batchId)}`,
    ...(report.run === null ? [] : [`run     ${report.run}`]),
    ...(report.digest === null ? [] : [`digest  ${report.digest}`]),
  ];
  const title = titleOf(report);
  const notices = noticeLines(report, chalk).flatMap((line) => wrapped(line, width));
  const isSent = ['created', 'rejected', 'unknown', 'planned'].some((state) => (records[state] ?? 0) > 0);
  return [
    ...(title === null ? [] : [chalk.bold(title)]),
    ...(isSent ? [] : notices),
    ...totalsLines(totals, width),
    ...(totals.length === 0 ? [] : ['']),
    chalk.bold(head),
    ...(isSent ? notices : []),
    ...facts,
  ];
}

/** What was paid before; in red where it was paid again. */
function noticeLines({ notices, dryRun, records }: SummaryReport, chalk: ChalkInstance): string[] {
  const isSent = !dryRun && (records['created'] ?? 0) > 0;
  return notices.map((notice) => {
    const words = printable(noticeWords(notice, isSent));
    return isRisk(notice.code) ? chalk.red(words) : words;
  });
}

function titleOf({ approves, dryRun, exitCode }: SummaryReport): string | null {
  if (!approves) return dryRun ? 'dry run: nothing was sent' : null;
  const isDone = exitCode === EXIT.ok || exitCode === EXIT.partly;
  return `${isDone ? 'approved' : 'not approved'}: nothing was sent`;
}

/** What to do next. */
function hints(report: SummaryReport, { journalFlags, platform }: TerminalOptions): string[] {
  const { records, run, next, exitCode, stopReason, doubts } = report;
  const isRejected = (records['rejected'] ?? 0) > 0;
  const lines: string[] = [];
  if (isRejected && run !== null) lines.push(`Why records were rejected: gigwork batch show ${run}${journalFlags}`);
  for (const doubt of doubts)
    lines.push(
      `${heldWords(doubt)}: gigwork batch settle ${doubt.run}${journalFlags} --line N --created --note TEXT, or --not-created --note TEXT`,
      `N is the line of the record in its file, or several: 3,5,9-12. See the lines with: gigwork batch show ${doubt.run}${journalFlags}`,
    );
  // A run keeps its target, so resuming it helps only where that target is the right one.
  const isElsewhere = stopReason === 'wrong_target' || stopReason === 'redirected';
  const onward = isElsewhere ? 'If the address is right' : exitCode === EXIT.person ? 'Then continue' : 'To continue';
  if (next !== null && stopReason !== 'usage') lines.push(`${onward}: ${commandText(next, platform)}`);
  if (next !== null && isRejected)
    lines.push(
      'That does not send rejected records again. Correct them in the rejects file and import it, or send them again unchanged with --retry-rejected',
    );
  return lines;
}

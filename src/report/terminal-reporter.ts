/** Output for people: issues, review and progress on standard error, results on standard output. */
import { Chalk, type ChalkInstance } from 'chalk';
import type { AmountExplanation } from '../prepare/valid-record.js';
import { EXIT } from '../errors.js';
import { positionText } from '../records/issue.js';
import { RECORD_INFO, type RecordType } from '../records/types.js';
import { moneyText } from '../records/currencies.js';
import { journalCommandText } from '../follow-up/commands.js';
import type { RunOptions } from '../options.js';
import { shellCommand, headerHint } from '../util/shell-quote.js';
import type { World } from '../world.js';
import { gigLines } from './gig-facts.js';
import { isRisky, lastPaymentText, noticeText } from './history-text.js';
import { IssueGroups } from './issue-groups.js';
import { payeeChangesLines, rewrittenText } from './payee-changes-text.js';
import { printable } from './printable.js';
import { startProgress } from './progress.js';
import type { Reporter, RunSummary } from './reporter.js';
import { reviewLines } from './review-lines.js';
import { isLeftElsewhere, settleText, settleTexts } from './in-doubt-text.js';
import { openRecordsText, statusCounts, unpaidText } from './status-text.js';
import { pluralize, widthOf, wrapText } from './table.js';
import { filteredLines, totalsLines } from './totals-table.js';
import { WarningsAgain } from './warnings-again.js';

/**
 * Results go to standard output, everything else to standard error. With `quiet`, that is only errors, the review, the
 * reason of the end and what to do next. If standard output is for programs (`json`), this writes nothing there.
 */
export function terminalReporter(options: RunOptions, world: World): Reporter {
  const { stdout, stderr } = world;
  const { quiet, json, color } = options.output;
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const progress = startProgress(world, options.output.progress && !quiet);
  const issues = new IssueGroups();
  const warnings = new WarningsAgain();
  const explained = createExplainer();
  // Programs get everything as events, so a log gets only one line.
  const isLog = json && !stderr.isTTY;
  let hasSpoken = false;
  const say = (text: string): void => {
    hasSpoken = true;
    progress.aside(() => stderr.write(`${text}\n`));
  };
  const sayAll = (text: string, paint: (line: string) => string = (line) => line): void => {
    for (const line of wrapText(printable(text), widthOf(stderr))) say(paint(line));
  };
  const sayIssues = (): void => {
    const lines = issues.take();
    warnings.keep(lines);
    for (const { severity, text } of lines) {
      // Yellow cannot be read on a light ground, nor blue on a dark one.
      const paint = severity === 'warning' ? chalk.magenta : chalk.red;
      if (quiet && severity !== 'error') continue;
      for (const line of wrapText(text, widthOf(stderr)))
        say(line.replace(/^(error|warning)(?=:)/, (word) => paint(word)));
    }
  };
  return {
    note: (text) => {
      if (!quiet) sayAll(text, chalk.dim);
    },
    issue: (issue) => {
      if (!isLog) issues.add(issue);
    },
    explain: (line) => {
      for (const text of explained(line))
        if (!json) stdout.write(`${text}\n`);
        else if (!quiet) say(text);
    },
    record: null,
    ready: () => stdout.ready(),
    review: (report) => {
      progress.end();
      sayIssues();
      const width = widthOf(stderr);
      const style = { width, bold: chalk.bold, red: chalk.red, now: world.now() };
      for (const line of reviewLines(report, warnings.lines(report.warnings, width), style)) say(line);
    },
    progress: (state) => progress.update(state),
    summary: async (summary) => {
      const written = quiet ? [] : summary.people.written;
      progress.end();
      sayIssues();
      // Separates the result from the earlier messages. A log needs no space between them.
      if (!json && hasSpoken && stderr.isTTY && stdout.isTTY) say('');
      if (json) for (const line of noticeLines(summary, chalk, widthOf(stderr))) say(line);
      else for (const line of summaryLines(summary, chalk, widthOf(stdout), options)) stdout.write(`${line}\n`);
      if (isLog) {
        for (const text of written) sayAll(text);
        // Only then is it known whether the output was lost.
        await stdout.flushed();
        const exitCode = world.exitCodeOf(summary.exitCode);
        if (!quiet || exitCode !== EXIT.ok || summary.reasons.length > 0)
          say(logLine({ ...summary, exitCode }, options));
        return;
      }
      for (const text of [...summary.reasons, ...choiceLines(summary, options)]) sayAll(text, chalk.red);
      for (const text of [...written, ...hints(summary, options)]) sayAll(text);
    },
  };
}

/** The end of a call in one line: code, reason, and the command that continues. The ways out are in `remedies`. */
function logLine(summary: RunSummary, options: RunOptions): string {
  const { exitCode, stopReason, reasons, people } = summary;
  const stop = stopReason === null ? '' : ` (${stopReason})`;
  const settle = people.doubts.map((doubt) => settleText(doubt, journalCommandText(options)));
  const onward = continueTexts('To continue', summary, options);
  return printable([`exit code ${exitCode}${stop}: ${readText(summary)}`, ...reasons, ...settle, ...onward].join('. '));
}

function readText({ records, totals }: RunSummary): string {
  const states = statusCounts(records, totals);
  return `${pluralize(records.read, 'record')} read${states.length === 0 ? '' : `: ${states.join(', ')}`}`;
}

const REHEARSED = 'These commands are dry runs too, and send nothing. To send, leave out --dry-run.';

/** What a refusal offers, and how corrected records are sent. */
function choiceLines({ people: { choices, later } }: RunSummary, options: RunOptions): string[] {
  const { platform, headerNames, safety } = options;
  const lines = choices.map(({ when, command }) => `- ${when}: ${shellCommand(command, platform)}`);
  return [
    ...(lines.length === 0 ? [] : ['Choose what is true:', ...lines, ...headerHint(headerNames)]),
    ...(lines.length > 0 && safety.dryRun ? [REHEARSED] : []),
    ...later.map(({ when, command }) => `Once ${when}: ${shellCommand(command, platform)}`),
  ];
}

/** Amounts as lines: `results.csv, line 2: 12 × 450 × 1.25 = 6,750 EUR cents`. The unit is said once for a type. */
function createExplainer(): (line: AmountExplanation) => string[] {
  const headed = new Set<string>();
  return (explanation) => {
    const { file, currency, steps, amount } = explanation;
    const type = explanation.type as RecordType;
    const money = amount === null ? 'not known' : moneyText(amount, currency, type);
    const line = printable(`${file}, ${positionText(explanation)}: ${steps} = ${money}`);
    if (headed.has(type)) return [line];
    headed.add(type);
    return [`${RECORD_INFO[type].plural}: ${RECORD_INFO[type].unitWords}`, line];
  };
}

function summaryLines(summary: RunSummary, chalk: ChalkInstance, width: number, options: RunOptions): string[] {
  const { records, totals, target, batchId, run, digest } = summary;
  const { changes, unpaid } = summary.people;
  const title = titleText(summary);
  const notices = noticeLines(summary, chalk, width);
  // A dry run shows what would be sent.
  const isSent = summary.people.sends || records.planned > 0;
  const lines = title === null ? [] : [chalk.bold(title)];
  if (!isSent) lines.push(...notices);
  lines.push(...totalsLines(totals, width));
  if (totals.length > 0) lines.push('');
  if (summary.people.gigs !== null) lines.push(...gigLines(summary.people.gigs, width), '');
  lines.push(chalk.bold(readText(summary)));
  if (unpaid !== null) lines.push(...wrapText(printable(unpaidText(unpaid, unpaidListText(run, options))), width));
  lines.push(...filteredLines(summary.filtered).flatMap((line) => wrapText(printable(line), width)));
  if (isSent) lines.push(...notices);
  if (changes !== null) lines.push(...payeeChangesLines(changes, width));
  const rewritten = rewrittenText(changes);
  if (rewritten !== null) lines.push(...wrapText(printable(rewritten), width).map((line) => chalk.red(line)));
  lines.push(`target  ${target === null ? 'none given' : printable(target)}`);
  lines.push(`batch   ${printable(batchId)}`);
  // After a restore, a person sees what is missing: also where no review is shown.
  if (target !== null) lines.push(`before  ${lastPaymentText(summary.lastPaymentAt, totals)}`);
  if (run !== null) lines.push(`run     ${run}`);
  if (digest !== null) lines.push(`digest  ${digest}`);
  return lines;
}

/** Where all are named who stay unpaid. */
function unpaidListText(run: string | null, options: RunOptions): string {
  const { rejects } = options.output;
  if (rejects !== null) return `all are in ${rejects}`;
  return run === null ? '--rejects FILE lists all' : `all are in: ${journalCommandText(options)(`batch show ${run}`)}`;
}

/** Earlier payments; in red if they were paid again. */
function noticeLines(summary: RunSummary, chalk: ChalkInstance, width: number): string[] {
  const { dryRun, people, exitCode, records, startedAt } = summary;
  const isSent = !dryRun && (records.created > 0 || (people.sends && records.unknown > 0));
  // A refusal and a dry run say so themselves.
  const isUnsent = !dryRun && !people.sends && exitCode === EXIT.ok;
  return summary.notices.flatMap((notice, i) => {
    const nothing = i === 0 && isUnsent ? 'Nothing was sent. ' : '';
    const lines = wrapText(nothing + printable(noticeText(notice, isSent, startedAt)), width);
    return isRisky(notice.code) ? lines.map((line) => chalk.red(line)) : lines;
  });
}

function titleText({ people: { approves }, dryRun, exitCode }: RunSummary): string | null {
  if (!approves) return dryRun ? 'dry run: nothing was sent' : null;
  const isDone = exitCode === EXIT.ok || exitCode === EXIT.partly;
  return `${isDone ? 'approved' : 'not approved'}: nothing was sent`;
}

/** What to do next. */
function hints(summary: RunSummary, options: RunOptions): string[] {
  const { records, run, next, stopReason, people } = summary;
  const command = journalCommandText(options);
  const isRejected = records.rejected > 0;
  const texts: string[] = [];
  if (isRejected && run !== null) texts.push(`Who was refused, and why: ${command(`batch show ${run}`)}`);
  texts.push(...settleTexts(people.doubts, null, command));
  if (stopReason !== 'usage' && !isLeftElsewhere(run, records, people.doubts))
    texts.push(...continueTexts(continueLabel(summary), summary, options));
  if (next !== null && isRejected)
    texts.push(
      'That does not send refused records again. Correct them in a copy of the rejects file and import the copy, or send them again unchanged with --retry-rejected',
    );
  return texts;
}

function continueLabel({ stopReason, exitCode }: RunSummary): string {
  // A run keeps its target, so resuming it helps only if that target is the right one.
  if (stopReason === 'wrong_target' || stopReason === 'redirected') return 'If the address is right';
  return exitCode === EXIT.person ? 'Then continue' : 'To continue';
}

/** The command that continues, and what to know of it; empty if there is none. */
function continueTexts(label: string, summary: RunSummary, options: RunOptions): string[] {
  const { next, run, records, held } = summary;
  if (next === null) return [];
  const texts: string[] = [];
  // Whoever fears to pay twice would pay by other means, and so pay twice.
  const unclear = records.unknown - held;
  if (unclear > 0)
    texts.push(
      `${pluralize(unclear, 'record')} may have been paid, or not. Do not pay in another way: to continue is safe, and pays nobody twice`,
    );
  texts.push(`${label}: ${shellCommand(next, options.platform)}`, ...headerHint(options.headerNames));
  if (run !== null && records.not_sent > 0) texts.push(openRecordsText(run, journalCommandText(options)));
  return texts;
}

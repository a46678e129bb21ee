/** Output for people: issues, review and progress on standard error, results on standard output. */
import { Chalk, type ChalkInstance } from 'chalk';
import type { AmountExplanation } from '../prepare/valid-record.js';
import { EXIT } from '../errors.js';
import { positionText } from '../records/issue.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { moneyText } from '../records/currencies.js';
import type { RunOptions } from '../options.js';
import { shellCommand, quotedFlags, headerHint } from '../util/shell-quote.js';
import type { World } from '../world.js';
import { isLeftElsewhere, openLines, settleLines, settleWords } from './in-doubt-text.js';
import { isRisky, noticeWords } from './notice-text.js';
import { startIssueGroups } from './issue-groups.js';
import { printable } from './printable.js';
import { startProgress } from './progress.js';
import type { Reporter, RunSummary } from './reporter.js';
import { beforeWords, reviewLines } from './review-lines.js';
import { statusCounts } from './status-text.js';
import { pluralize, widthOf, wrapText } from './table.js';
import { totalsLines } from './totals-table.js';

/**
 * Results go to standard output, everything else to standard error. With `quiet`, that is only errors, the review, the
 * reason of the end and what to do next. If standard output is for programs (`json`), this writes nothing there.
 */
export function terminalReporter(options: RunOptions, world: World): Reporter {
  const { stdout, stderr } = world;
  const { quiet, json, color } = options.output;
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const progress = startProgress(world, options.output.progress && !quiet);
  const issues = startIssueGroups();
  const explained = startExplaining();
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
    for (const { severity, text } of issues.take()) {
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
      for (const line of reviewLines(report, {
        width: widthOf(stderr),
        bold: chalk.bold,
        red: chalk.red,
        now: world.now(),
      }))
        say(line);
    },
    progress: (state) => progress.update(state),
    summary: async (report) => {
      const written = quiet ? [] : report.people.written;
      progress.end();
      sayIssues();
      // Separates the result from the earlier messages. A log needs no space between them.
      if (!json && hasSpoken && stderr.isTTY && stdout.isTTY) say('');
      if (json) for (const line of noticeLines(report, chalk, widthOf(stderr))) say(line);
      else for (const line of summaryLines(report, chalk, widthOf(stdout))) stdout.write(`${line}\n`);
      if (isLog) {
        for (const text of written) sayAll(text);
        // Only then is it known whether the output was lost.
        await stdout.flushed();
        const exitCode = world.exitCodeOf(report.exit_code);
        if (!quiet || exitCode !== EXIT.ok || report.reasons.length > 0)
          say(logLine({ ...report, exit_code: exitCode }, options));
        return;
      }
      for (const text of [...report.reasons, ...wayLines(report, options)]) sayAll(text, chalk.red);
      for (const text of [...written, ...hints(report, options)]) sayAll(text);
    },
  };
}

/** The end of a call in one line: code, reason, and the command that continues. The ways out are in `remedies`. */
function logLine(report: RunSummary, { platform, onward: { program }, place, headerNames }: RunOptions): string {
  const { exit_code: exitCode, stop_reason: stopReason, reasons, next, people, run, records } = report;
  const why = stopReason === null ? '' : ` (${stopReason})`;
  const settle = people.doubts.map((doubt) => settleWords(doubt, program, quotedFlags(place, platform)));
  const said = [...reasons, ...settle];
  const onward =
    next === null
      ? []
      : [
          ...safeWords(report),
          `To continue: ${shellCommand(next, platform)}`,
          ...headerHint(headerNames),
          ...(run === null ? [] : openLines(run, records['not_sent'] ?? 0, program, quotedFlags(place, platform))),
        ];
  return printable([`exit code ${exitCode}${why}: ${readText(report)}`, ...said, ...onward].join('. '));
}

function readText({ records, totals }: RunSummary): string {
  const states = statusCounts(records, totals);
  return `${pluralize(records['read'] ?? 0, 'record')} read${states.length === 0 ? '' : `: ${states.join(', ')}`}`;
}

/** What a refusal offers, and how corrected records are sent. */
function wayLines({ people: { choices, later } }: RunSummary, options: RunOptions): string[] {
  const { platform, headerNames } = options;
  const lines = choices.map(({ when, command }) => `- ${when}: ${shellCommand(command, platform)}`);
  return [
    ...(lines.length === 0 ? [] : ['Choose what is true:', ...lines, ...headerHint(headerNames)]),
    ...later.map(({ when, command }) => `Once ${when}: ${shellCommand(command, platform)}`),
  ];
}

/** Amounts as lines. The unit appears once before the amounts of a type. */
function startExplaining(): (line: AmountExplanation) => string[] {
  const headed = new Set<string>();
  return (line) => {
    const type = line.type as RecordType;
    const heading = headed.has(type) ? [] : [`${KINDS[type].plural}: ${KINDS[type].unitWords}`];
    headed.add(type);
    return [...heading, explainedText(line)];
  };
}

/** `results.csv, line 2: 12 × 450 × 1.25 = 6,750 EUR cents` */
function explainedText(explained: AmountExplanation): string {
  const { file, currency, type, steps, amount } = explained;
  const money = amount === null ? 'not known' : moneyText(amount, currency, type);
  return printable(`${file}, ${positionText(explained)}: ${steps} = ${money}`);
}

function summaryLines(report: RunSummary, chalk: ChalkInstance, width: number): string[] {
  const { records, totals, last_payment_at: lastPaymentAt } = report;
  const facts = [
    `target  ${report.target === null ? 'none given' : printable(report.target)}`,
    `batch   ${printable(report.batch_id)}`,
    // After a restore, a person sees what is missing: also where no review is shown.
    ...(report.target !== null
      ? [`before  ${beforeWords(lastPaymentAt === null ? null : Date.parse(lastPaymentAt))}`]
      : []),
    ...(report.run === null ? [] : [`run     ${report.run}`]),
    ...(report.digest === null ? [] : [`digest  ${report.digest}`]),
  ];
  const title = endTitle(report);
  const notices = noticeLines(report, chalk, width);
  // A dry run shows what would be sent.
  const isSent = report.people.sends || (records['planned'] ?? 0) > 0;
  return [
    ...(title === null ? [] : [chalk.bold(title)]),
    ...(isSent ? [] : notices),
    ...totalsLines(totals, width),
    ...(totals.length === 0 ? [] : ['']),
    chalk.bold(readText(report)),
    ...(isSent ? notices : []),
    ...facts,
  ];
}

/** Earlier payments; in red if they were paid again. */
function noticeLines(
  { notices, dry_run: isDry, people, exit_code: exitCode, records, started_at: startedAt }: RunSummary,
  chalk: ChalkInstance,
  width: number,
): string[] {
  const isSent = !isDry && ((records['created'] ?? 0) > 0 || (people.sends && (records['unknown'] ?? 0) > 0));
  // A refusal and a dry run say so themselves.
  const isUnsent = !isDry && !people.sends && exitCode === EXIT.ok;
  return notices.flatMap((notice, i) => {
    const nothing = i === 0 && isUnsent ? 'Nothing was sent. ' : '';
    const lines = wrapText(nothing + printable(noticeWords(notice, isSent, Date.parse(startedAt))), width);
    return isRisky(notice.code) ? lines.map((line) => chalk.red(line)) : lines;
  });
}

function endTitle({ people: { approves }, dry_run: isDry, exit_code: exitCode }: RunSummary): string | null {
  if (!approves) return isDry ? 'dry run: nothing was sent' : null;
  const isDone = exitCode === EXIT.ok || exitCode === EXIT.partly;
  return `${isDone ? 'approved' : 'not approved'}: nothing was sent`;
}

/** Whoever fears to pay twice would pay by other means, and so pay twice. */
function safeWords({ records, held }: RunSummary): string[] {
  const count = (records['unknown'] ?? 0) - held;
  const them = count === 1 ? 'it' : 'them';
  return count > 0
    ? [
        `Do not pay ${them} in another way (${pluralize(count, 'record')}): to continue is safe, and pays nobody a second time`,
      ]
    : [];
}

/** What to do next. */
function hints(report: RunSummary, { place, platform, onward: { program }, headerNames }: RunOptions): string[] {
  const journalFlags = quotedFlags(place, platform);
  const { records, run, next, exit_code: exitCode, stop_reason: stopReason } = report;
  const { doubts } = report.people;
  const isRejected = (records['rejected'] ?? 0) > 0;
  const lines: string[] = [];
  if (isRejected && run !== null) lines.push(`Who was refused, and why: ${program} batch show ${run}${journalFlags}`);
  lines.push(...settleLines(doubts, null, program, journalFlags));
  // A run keeps its target, so resuming it helps only if that target is the right one.
  const isElsewhere = stopReason === 'wrong_target' || stopReason === 'redirected';
  const onward = isElsewhere ? 'If the address is right' : exitCode === EXIT.person ? 'Then continue' : 'To continue';
  if (next !== null && stopReason !== 'usage' && !isLeftElsewhere(run, records, doubts))
    lines.push(
      ...safeWords(report),
      `${onward}: ${shellCommand(next, platform)}`,
      ...headerHint(headerNames),
      ...(run === null ? [] : openLines(run, records['not_sent'] ?? 0, program, journalFlags)),
    );
  if (next !== null && isRejected)
    lines.push(
      'That does not send refused records again. Correct them in the rejects file and import it, or send them again unchanged with --retry-rejected',
    );
  return lines;
}

/**
 * The review before anything is sent, as lines for a terminal. The last twenty lines above the question have the most
 * important facts: a tired person who reads only these has seen the money, and whom it goes to; of gigs, when they start,
 * to whom they are offered, how many seats they have and at which prices.
 */
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { positionText } from '../records/issue.js';
import { LABEL_WIDTH, payeeChangesLines, rewrittenText } from './payee-changes-text.js';
import { printable } from './printable.js';
import {
  isRisky,
  lastPaymentText,
  lostHistoryText,
  noticeText,
  resendTexts,
  resemblanceText,
  undecidedText,
  unknownPastText,
} from './history-text.js';
import type { Extremes, HighlightedRecord, ReviewGroup, ReviewReport } from './reporter.js';
import {
  capitalize,
  columnLines,
  pluralize,
  formatCount,
  ellipsize,
  type TableColumn,
  tableLines,
  wrapText,
} from './table.js';
import { gigLines, toSendText } from './gig-facts.js';
import { commonStatusText } from './status-text.js';
import { amountText, countRecords, figuresOf, filteredLines, kindText, totalsLines, typeName } from './totals-table.js';

export interface ReviewStyle {
  /** Columns of the terminal. */
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Before the question about repeats, only the facts for that question.
 * @param warnings the most important ones, in short
 */
export function reviewLines(report: ReviewReport, warnings: readonly string[], style: ReviewStyle): string[] {
  const { width } = style;
  const { changes } = report;
  const fitted = (lines: readonly string[]): string[] => lines.flatMap((line) => wrapText(line, width));
  const figures = partLines(report, style);
  if (report.undecided !== null) {
    const counted = report.warnings === 0 ? [] : [pluralize(report.warnings, 'warning')];
    return ['', ...fitted(targetLines(report)), '', ...figures, ...block(remarks(report, counted, style)), ''];
  }
  const withCenters = report.toSend.filter(({ type }) => type !== 'gig');
  const totals = totalsLines(
    withCenters.map((row) => ({ ...row, status: '' })),
    width,
  );
  return [
    '',
    ...fitted(moneyLines(report)).map((line) => style.bold(line)),
    ...fitted(targetLines(report)),
    ...block(totals),
    ...block(extremeLines(report, warnings.length === 0 ? SHOWN_AMOUNTS : SHOWN_WITH_WARNINGS, width)),
    ...block(changes === null ? [] : payeeChangesLines(changes, width)),
    ...block(figures),
    ...lastBlocks(report, remarks(report, warnings, style), fileLines(report, fitted), width),
    '',
  ];
}

/** The files stand last, as nobody compares them by eye; but gigs have facts that must be seen. */
function lastBlocks(
  { gigs }: ReviewReport,
  risks: readonly string[],
  files: readonly string[],
  width: number,
): string[] {
  if (gigs === null) return [...block(risks), ...block(files)];
  return [...block(files), ...block(gigLines(gigs, width)), ...block(risks)];
}

function block(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

/** `To send  204 payouts, 19,707.09 EUR`, a line for each type and currency. */
function moneyLines({ toSend, approves, gigs }: ReviewReport): string[] {
  const label = approves ? 'Approve' : 'To send';
  const sums = sumByCurrency(toSend).map((sum) => toSendText(sum, gigs));
  return sums.map((text, i) => `${(i === 0 ? label : '').padEnd(LABEL_WIDTH)}${text}`);
}

/** Money could be paid twice, which is said last. The review of gigs has other facts there. */
function hasUnknownPast({ lastPaymentAt, gigs }: ReviewReport): boolean {
  return lastPaymentAt === null && gigs === null;
}

/** The account follows a `#` in the target's name. CONTRACT: "Target flags". */
function targetLines(report: ReviewReport): string[] {
  const { target, batchId, lastPaymentAt, inFile } = report;
  const [url = '', account] = (target ?? 'none').split('#');
  return [
    `Target   ${printable(url)}`,
    ...(account === undefined ? [] : [`Account  ${printable(account)}`]),
    `Batch    ${printable(batchId)}`,
    ...(hasUnknownPast(report) ? [] : [`Before   ${lastPaymentText(lastPaymentAt, inFile)}`]),
  ];
}

/** More of them would push the money off the screen. */
const MOST_FILES = 3;

function fileLines({ files, digest }: ReviewReport, fitted: (lines: readonly string[]) => string[]): string[] {
  const more = files.length - MOST_FILES;
  const lines = files
    .slice(0, MOST_FILES)
    .flatMap(({ path, sha256, records }) => [
      ...fitted([`File     ${printable(path)}, ${pluralize(records, 'record')}`]),
      `SHA-256  ${sha256}`,
    ]);
  if (more > 0) lines.push(`and ${pluralize(more, 'more file')}; --report lists all of them`);
  if (digest !== null) lines.push(`Digest   ${digest}`);
  return lines;
}

/** In characters. */
const LONGEST_SUBJECT = 32;
/** For a single type and currency; for several, the largest of each. */
const SHOWN_AMOUNTS = 5;
/** Warnings need room on the same screen. */
const SHOWN_WITH_WARNINGS = 3;

/**
 * The largest and the smallest amounts, each with payee and place.
 * @param shownAmounts of a single type and currency
 * @param width columns of the terminal
 */
function extremeLines({ extremes, files }: ReviewReport, shownAmounts: number, width: number): string[] {
  // The prices of gigs are told with their seats.
  const shown = extremes.filter(({ type }) => type !== 'gig');
  const most = shown.length === 1 ? shownAmounts : 1;
  const cells = shown.flatMap((each) =>
    labelled(each, most).map(([label, record]) => {
      const place = [
        files.length > 1 ? record.file : '',
        positionText(record),
        ellipsize(record.subject, LONGEST_SUBJECT),
      ];
      const text = place.filter((part) => part !== '').join(', ');
      return [label, amountText({ ...each, amount: record.amount }), printable(text)];
    }),
  );
  return columnLines(cells, [undefined, 'point', undefined]).flatMap((line) => wrapText(line, width));
}

function labelled({ type, largest, smallest, count }: Extremes, most: number): [label: string, HighlightedRecord][] {
  const heading = `${count === 1 ? 'The' : 'Largest'} ${typeName(type, count)}`;
  const rows = largest.slice(0, most).map((record, i): [string, HighlightedRecord] => [i === 0 ? heading : '', record]);
  if (count > rows.length) rows.push(['Smallest', smallest]);
  return rows;
}

/** "In the input / paid before / to send now", a row for each type and currency. */
function partLines(report: ReviewReport, { width, bold }: ReviewStyle): string[] {
  const { inFile, before, unknown, staysRejected, open, similar, undecided } = report;
  const { toSend, sentSimilar, zero, negative } = report;
  const last = report.approves ? 'To approve' : 'To send now';
  const parts: readonly (readonly [name: string, group: ReviewGroup, isOptional: boolean])[] = [
    ['In the input', inFile, false],
    [`Known as ${commonStatusText('created', inFile)}`, before, false],
    [capitalize(`${commonStatusText('unknown', inFile)}, not sent`), unknown, true],
    ['Refused before, not sent', staysRejected, true],
    ['Not sendable now', open, true],
    [undecided === null ? 'Similar ones, left out' : 'Similar to earlier ones', similar, true],
    [last, toSend, false],
    ['  of these similar to earlier ones', sentSimilar, true],
    ['  of these zero', zero, true],
    ['  of these negative', negative, true],
  ];
  const rows: { readonly name: string; readonly sum: TotalRow | null }[] = [];
  for (const [name, group, isOptional] of parts) {
    const [first = null, ...others] = sumByCurrency(group);
    if (first !== null || !isOptional) rows.push({ name, sum: first });
    for (const sum of others) rows.push({ name: '', sum });
  }
  const figure = figuresOf(rows.map(({ sum }) => sum).filter((sum) => sum !== null));
  const columns: TableColumn<(typeof rows)[number]>[] = [
    { title: '', cell: ({ name }) => name },
    { title: '', cell: ({ sum }) => kindCell(sum) },
    { title: 'records', align: 'right', cell: ({ sum }) => formatCount(sum?.count ?? 0) },
    {
      title: inFile.every(({ type }) => type === 'gig') ? '' : 'amount',
      align: 'point',
      cell: ({ sum }) => (sum === null || sum.type === 'gig' ? '' : figure(sum)),
    },
  ];
  const lines = tableLines(columns, rows, width);
  const start = lines.findIndex((line) => line.startsWith(last));
  return lines.map((line, i) => (i < start ? line : bold(line)));
}

/** Gigs are counted here: their prices are for one seat, and a sum of these says nothing. */
function kindCell(sum: TotalRow | null): string {
  if (sum === null) return '';
  return sum.type === 'gig' ? typeName(sum.type, 2) : kindText(sum);
}

/** Risks come last. */
function remarks(report: ReviewReport, warnings: readonly string[], { red, width, now }: ReviewStyle): string[] {
  const { invalid, filtered, again, notices, undecided, changes, lost, sentSimilar } = report;
  const texts = resendTexts(again);
  for (const notice of notices) if (isRisky(notice.code)) texts.push(noticeText(notice, false, now));
  if (undecided !== null && undecided.blocked === 0) texts.push(undecidedText(undecided, now));
  const rewritten = rewrittenText(changes);
  if (rewritten !== null) texts.push(rewritten);
  if (lost !== null) texts.push(lostHistoryText(lost));
  else if (hasUnknownPast(report)) texts.push(unknownPastText(report.inFile));
  if (sentSimilar.length > 0) texts.push(resemblanceText(countRecords(sentSimilar), sentSimilar));
  const isLoud = (text: string): boolean => text.startsWith('Careful');
  const fitted = (some: readonly string[]): string[] => some.flatMap((text) => wrapText(printable(text), width));
  return [
    ...fitted(filteredLines(filtered)),
    ...(invalid === 0 ? [] : [pluralize(invalid, 'invalid record is left out', 'invalid records are left out')]),
    ...warnings,
    ...fitted(texts.filter((text) => !isLoud(text))),
    ...fitted(texts.filter(isLoud)).map((line) => red(line)),
  ];
}

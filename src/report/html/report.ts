/** The HTML report: one self-contained page that is read on a screen of any size, printed on A4 and signed. */
import type { SignedDecision } from '../../journal/payment.js';
import { localTime } from '../../util/local-time.js';
import {
  collectReportData,
  type CountsAndTotals,
  type ReportData,
  type ReportedRun,
  type ReportFormat,
  type ReportHead,
} from '../report-data.js';
import { statusCounts, needsAttention, wordingFor } from '../status-text.js';
import { capitalize, pluralize, formatCount, personText, ellipsize, type TableColumn } from '../table.js';
import { type GigFact, gigFacts, toSendText } from '../gig-facts.js';
import type { GigOverview } from '../gig-overview.js';
import type { TotalRow } from '../../money/totals.js';
import { amountText } from '../totals-table.js';
import { changesSection } from './changes.js';
import { escapeHtml, htmlTable, footnote, pageStyle, paragraph, section } from './elements.js';
import { allRecords, recordsInNeed, recordsSetAside } from './records.js';
import { costCenterTotals, grandTotals, isRehearsal, paidOf } from './sums.js';

export const htmlReport: ReportFormat = async function* (head, rows) {
  const content = await collectReportData(rows);
  const title = pageTitle(head);
  const band = bandText(head, content);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${pageStyle(title, band)}</style>
</head>
<body>
<div class="sheet">
${band === null ? '' : paragraph(band, 'band')}${headline(head, content)}${grandTotals(content, head)}${factsSection(head)}${SIGNATURES}</div>
`;
  if (head.refusal.length > 0) yield section('refusal', 'Why nothing was sent', list(head.refusal));
  if (head.runs.length > 1) yield runsSection(head, content);
  yield gigsSection(content);
  yield costCenterTotals(content);
  if (head.changes !== null) yield changesSection(head.changes);
  yield recordsInNeed(content, head);
  yield recordsSetAside(content, head);
  yield allRecords(content, head);
  yield section('files', 'Files', list(fileTexts(head)));
  yield '</body>\n</html>\n';
};

/** The title of the page in a browser, and the name of its file when it is saved or printed. */
function pageTitle({ runs, batchId }: ReportHead): string {
  const [run] = runs;
  const batch = `batch ${ellipsize(batchId, LONGEST_FACT)}`;
  if (runs.length > 1) return `gigwork ${batch}, ${runs.length} runs`;
  return [`gigwork ${run?.command ?? ''}`, batch, ...(run?.name ? [`run ${run.name}`] : [])].join(', ');
}

function list(texts: readonly string[]): string {
  return `<ul>\n${texts.map((text) => `<li>${escapeHtml(text)}</li>\n`).join('')}</ul>\n`;
}

/** The first page has room for this much above its signatures, whatever was sent: characters of a text, and sums. */
const LONGEST_FACT = 64;
const LONGEST_REASON = 150;
const MOST_HEADLINES = 3;

/** The text across the head of the page if this run really pays nobody; null if it pays. */
function bandText({ target, dryRun }: ReportHead, content: ReportData): string | null {
  const isSandbox = target === 'sandbox';
  const nobody = { payment: 'nobody was paid', gig: 'no real gig was created', record: 'nothing real was created' };
  if (isRehearsal(content, dryRun)) return `REHEARSAL${isSandbox ? ', SANDBOX' : ''}: nothing was sent`;
  return isSandbox ? `SANDBOX: a trial, ${nobody[wordingFor(content.totals).noun]}` : null;
}

/** The money, a line for each type and currency; then the states of all records, and why the run was refused. */
function headline({ dryRun, refusal }: ReportHead, content: ReportData): string {
  const { word, sums } = paidOf(content, dryRun);
  const lines =
    sums.length > MOST_HEADLINES
      ? [`${capitalize(word)}, in ${sums.length} sums`]
      : sums.map((sum) => `${toSendText(sum, knownGigs(content, sum))}: ${word}`);
  const inNeed = Object.entries(content.records).filter(([name]) => needsAttention(name));
  if (lines.length === 0) lines.push(`Nothing ${isRehearsal(content, dryRun) ? '' : 'is confirmed as '}${word}`);
  // What is paid must not read as if it were all.
  else if (inNeed.length > 0) {
    const counts = statusCounts(Object.fromEntries(inNeed), content.totals);
    lines.push(`Needs attention: ${counts.join(', ')}`);
  }
  const states = statesText(content);
  const reasons = ellipsize(refusal.join('; '), LONGEST_REASON);
  return [
    `<h1>${lines.map(escapeHtml).join('<br>')}</h1>\n`,
    paragraph(`${pluralize(content.all.count, 'record')}${states === '' ? '' : `: ${states}`}`, 'verdict'),
    reasons === '' ? '' : paragraph(`Refused: ${reasons}`, 'reason'),
  ].join('');
}

/** Null if the contents of some of these gigs are not known any more. */
function knownGigs({ gigs }: ReportData, { count }: TotalRow): GigOverview | null {
  return gigs?.gigs === count ? gigs : null;
}

/** When the gigs start, for whom, how many seats they have and at which prices. */
function gigsSection({ gigs }: ReportData): string {
  if (gigs === null) return '';
  const columns: TableColumn<GigFact>[] = [
    { title: 'fact', cell: ({ label }) => label },
    { title: 'of these gigs', cell: ({ text }) => text },
  ];
  return section('gigs', 'Gigs', htmlTable(pluralize(gigs.gigs, 'gig'), columns, gigFacts(gigs)));
}

/** What was sent, where and by whom. */
function factsSection({ runs, target, batchId, madeAt }: ReportHead): string {
  const [run] = runs;
  const isOne = runs.length === 1;
  const files = runs.flatMap((each) => each.files);
  // Each fact once, in the order of the runs.
  const distinct = (fact: (of: ReportedRun) => string): string[] => [...new Set(runs.map(fact))];
  const starts = runs.map(({ startedAt }) => startedAt).filter((at) => at !== null);
  const period = [...starts.slice(0, 1), ...starts.slice(-1)].map((at) => localTime(at));
  const facts: readonly (readonly [term: string, ...texts: string[]])[] = [
    ['Target', target ?? 'none given'],
    ['Batch', batchId],
    isOne ? ['Run', run?.name ?? ''] : ['Runs', `${formatCount(runs.length)}, listed below`],
    ['Program', ...distinct(({ version }) => `gigwork ${version}`), ...distinct(({ command }) => command)],
    ['Run by', ...firstTexts(distinct(({ by }) => personText(by)))],
    ['Started', [...new Set(period)].join(' to ')],
    ['Page made', localTime(madeAt)],
    ['Closed', ...(isOne ? decisionTexts(run?.closed ?? null) : [])],
    ['Approved by', ...approvalTexts(runs, distinct)],
    ['Files', files.length === 1 ? (files[0]?.path ?? '') : `${formatCount(files.length)}, listed at the end`],
    ['Digest of the records', isOne ? (run?.digest ?? 'none: no target was named') : ''],
  ];
  // Several texts of one term are shortened one by one.
  const known = facts.map(([term, ...texts]) => {
    const shown = texts.filter((text) => text !== '').map((text) => ellipsize(text, LONGEST_FACT));
    return shown.length === 0 ? '' : `<div><dt>${term}</dt><dd>${escapeHtml(shown.join(', '))}</dd></div>\n`;
  });
  return section('facts', 'What, where and by whom', `<dl>\n${known.join('')}</dl>\n`);
}

function approvalTexts(
  runs: readonly ReportedRun[],
  distinct: (fact: (run: ReportedRun) => string) => string[],
): string[] {
  const approved = runs.filter(({ approvedBy }) => approvedBy !== null);
  const [first] = approved;
  if (first === undefined) return ['no approval on record'];
  if (runs.length === 1) return decisionTexts(first.approvedBy);
  const some = approved.length < runs.length ? [`${approved.length} of ${runs.length} runs`] : [];
  return [...some, ...firstTexts(distinct(approverOf))];
}

const MOST_DISTINCT_TEXTS = 3;

/** The first texts, and the number of further ones. */
function firstTexts(texts: readonly string[]): string[] {
  const given = texts.filter((text) => text !== '');
  const more = given.length - MOST_DISTINCT_TEXTS;
  return [...given.slice(0, MOST_DISTINCT_TEXTS), ...(more > 0 ? [`${formatCount(more)} more`] : [])];
}

/** Empty if nobody has. */
function approverOf({ approvedBy }: ReportedRun): string {
  return approvedBy === null ? '' : personText(approvedBy.by);
}

/** Who, when, and the note. */
function decisionTexts(decision: SignedDecision | null): string[] {
  if (decision === null) return [];
  const { at, by, note } = decision;
  return [personText(by), localTime(at), ...(note === '' ? [] : [note])];
}

/** Who ran what when, and the result: all runs of a batch, in the order in which the records name them. */
function runsSection({ runs }: ReportHead, { ofRun, totals }: ReportData): string {
  const columns: TableColumn<ReportedRun>[] = [
    { title: 'run', cell: (run) => `${runs.indexOf(run) + 1}: ${run.name}` },
    { title: 'started', cell: ({ startedAt }) => (startedAt === null ? '' : localTime(startedAt)) },
    { title: 'by', cell: ({ by }) => personText(by) },
    { title: 'approved by', cell: (run) => approverOf(run) || 'nobody' },
    { title: 'records', cell: ({ name }) => statesText(ofRun(name)) },
    {
      title: wordingFor(totals).paid,
      align: 'right',
      cell: ({ name }) => paidOf(ofRun(name)).sums.map(amountText).join(', '),
    },
  ];
  const notes = runs.map(({ name, closed }) =>
    closed === null
      ? ''
      : footnote(`Run ${name} was closed: ${decisionTexts(closed).join(', ')}. Its open records are not sent.`),
  );
  return section('runs', 'Runs', htmlTable(pluralize(runs.length, 'run'), columns, runs) + notes.join(''));
}

function statesText({ records, totals }: CountsAndTotals): string {
  return statusCounts(records, totals).join(', ');
}

function fileTexts({ runs }: ReportHead): string[] {
  const isOne = runs.length === 1;
  return runs.flatMap(({ name, digest, files }) => {
    const texts = files.map(({ path, sha256, records }) => {
      const hash = sha256 === '' ? 'not read to its end' : `SHA-256 ${sha256}`;
      return `${isOne ? '' : `Run ${name}: `}${path}, ${pluralize(records, 'record')}, ${hash}`;
    });
    return isOne ? texts : [...texts, `Run ${name}: digest of its records ${digest}`];
  });
}

const SIGNATURES = section(
  'signatures',
  'Signatures',
  `<div class="lines">
${['Prepared by', 'Approved by'].map((who) => `<div>${paragraph(who, 'who')}${paragraph('Name, date, signature', 'line')}</div>\n`).join('')}</div>
`,
);

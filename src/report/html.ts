/** The HTML report: one self-contained page that is read on a screen of any size, printed on A4 and signed. */
import { localTime } from '../util/local-time.js';
import type { SignedDecision } from '../journal/payment.js';
import { allRecords, recordsInNeed, recordsSetAside } from './html-records.js';
import { styleOf } from './html-style.js';
import { byCostCenter, grandTotals, isRehearsal, paidOf } from './html-sums.js';
import { escaped, paragraph, section, wholeTable } from './markup.js';
import { collectReportData, type ReportData } from './report-data.js';
import type { ReportedRun, ReportFormat, ReportHead } from './record-report.js';
import { statusCounts, needsAttention } from './status-text.js';
import { capitalize, pluralize, formatCount, personWords, ellipsize, type TableColumn } from './table.js';
import { amountText, sumText } from './totals-table.js';

export const htmlReport: ReportFormat = async function* (head, rows) {
  const content = await collectReportData(rows);
  const title = titleOf(head);
  const band = bandWords(head, content);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${styleOf(title, band)}</style>
</head>
<body>
<div class="sheet">
${band === null ? '' : paragraph(band, 'band')}${headline(head, content)}${grandTotals(content)}${facts(head)}${SIGNATURES}</div>
`;
  if (head.refusal.length > 0) yield section('refusal', 'Why nothing was sent', list(head.refusal));
  if (head.runs.length > 1) yield runsSection(head, content);
  yield byCostCenter(content);
  yield recordsInNeed(content, head);
  yield recordsSetAside(content, head);
  yield allRecords(content, head);
  yield section('files', 'Files', list(filesOf(head)));
  yield '</body>\n</html>\n';
};

/** The title of the page in a browser, and the name of its file when it is saved or printed. */
function titleOf({ runs, batchId }: ReportHead): string {
  const [run] = runs;
  const batch = `batch ${ellipsize(batchId, LONGEST)}`;
  if (runs.length > 1) return `gigwork ${batch}, ${runs.length} runs`;
  return [`gigwork ${run?.command ?? ''}`, batch, ...(run?.name ? [`run ${run.name}`] : [])].join(', ');
}

function list(texts: readonly string[]): string {
  return `<ul>\n${texts.map((text) => `<li>${escaped(text)}</li>\n`).join('')}</ul>\n`;
}

/** The first page has room for this much above its signatures, whatever was sent: characters of a text, and sums. */
const LONGEST = 64;
const LONGEST_REASON = 150;
const MOST_SUMS = 3;

/** The text across the head of the page if this run really pays nobody; null if it pays. */
function bandWords({ target, dryRun }: ReportHead, content: ReportData): string | null {
  const isSandbox = target === 'sandbox';
  if (isRehearsal(content, dryRun)) return `REHEARSAL${isSandbox ? ', SANDBOX' : ''}: nothing was sent`;
  return isSandbox ? 'SANDBOX: a trial, nobody was paid' : null;
}

/** The money, a line for each type and currency; then the states of all records, and why the run was refused. */
function headline({ dryRun, refusal }: ReportHead, content: ReportData): string {
  const { word, sums } = paidOf(content, dryRun);
  const nothing = isRehearsal(content, dryRun) ? `Nothing ${word}` : `Nothing is confirmed as ${word}`;
  const several = sums.length > MOST_SUMS ? [`${capitalize(word)}, in ${sums.length} sums`] : [];
  const paid = several.length > 0 ? several : sums.map((sum) => `${sumText(sum)}: ${word}`);
  const failed = Object.entries(content.records).filter(([name]) => needsAttention(name));
  const inNeed = statusCounts(Object.fromEntries(failed), content.totals).join(', ');
  // What is paid must not read as if it were all.
  const partly = [...paid, ...(inNeed === '' ? [] : [`Needs attention: ${inNeed}`])];
  const states = statusCounts(content.records, content.totals).join(', ');
  const reasons = ellipsize(refusal.join('; '), LONGEST_REASON);
  return [
    `<h1>${(sums.length === 0 ? [nothing] : partly).map(escaped).join('<br>')}</h1>\n`,
    paragraph(`${pluralize(content.all.count, 'record')}${states === '' ? '' : `: ${states}`}`, 'verdict'),
    reasons === '' ? '' : paragraph(`Refused: ${reasons}`, 'reason'),
  ].join('');
}

/** What was sent, where and by whom. */
function facts({ runs, target, batchId, madeAt }: ReportHead): string {
  const several = runs.length > 1;
  const files = runs.flatMap((run) => run.files);
  // Each fact once, in the order of the runs.
  const of = (fact: (run: ReportedRun) => string | null): (string | null)[] => [...new Set(runs.map(fact))];
  const times = runs.flatMap(({ startedAt }) => startedAt ?? []);
  const approved = runs.filter(({ approvedBy }) => approvedBy !== null);
  const some =
    approved.length < runs.length && approved.length > 0 ? [`${approved.length} of ${runs.length} runs`] : [];
  // Several texts of one term are shortened one by one.
  const pairs: [term: string, ...texts: (string | null)[]][] = [
    ['Target', target ?? 'none given'],
    ['Batch', batchId],
    several ? ['Runs', `${formatCount(runs.length)}, listed below`] : ['Run', runs[0]?.name ?? null],
    ['Program', ...of(({ version }) => `gigwork ${version}`), ...of(({ command }) => command)],
    ['Run by', ...first(of(({ by }) => personWords(by)))],
    [
      'Started',
      [...new Set([times[0], times.at(-1)].flatMap((at) => (at === undefined ? [] : localTime(at))))].join(' to '),
    ],
    ['Page made', localTime(madeAt)],
    ['Closed', ...(several ? [] : wordsOf(runs[0]?.closed ?? null))],
    approved.length === 0
      ? ['Approved by', 'no approval on record']
      : ['Approved by', ...some, ...(several ? first(of(approverOf)) : wordsOf(approved[0]?.approvedBy ?? null))],
    ['Files', files.length === 1 ? (files[0]?.path ?? '') : `${formatCount(files.length)}, listed at the end`],
    ...(several
      ? []
      : [['Digest of the records', runs[0]?.digest ?? 'none: no target was named'] satisfies [string, string]]),
  ];
  const known = pairs.flatMap(([term, ...texts]) => {
    const said = texts.flatMap((text) => (text === null || text === '' ? [] : ellipsize(text, LONGEST)));
    return said.length === 0 ? [] : `<div><dt>${term}</dt><dd>${escaped(said.join(', '))}</dd></div>\n`;
  });
  return section('facts', 'What, where and by whom', `<dl>\n${known.join('')}</dl>\n`);
}

/** The first texts, and the number of further ones. */
function first(texts: readonly (string | null)[], most = 3): string[] {
  const given = texts.filter((text) => text !== null);
  const more = given.length - most;
  return [...given.slice(0, most), ...(more > 0 ? [`${formatCount(more)} more`] : [])];
}

function approverOf({ approvedBy }: ReportedRun): string | null {
  return approvedBy === null ? null : personWords(approvedBy.by);
}

/** Who, when, and the note. */
function wordsOf(word: SignedDecision | null): string[] {
  return word === null ? [] : [personWords(word.by), localTime(word.at), ...(word.note === '' ? [] : [word.note])];
}

/** Who ran what when, and the result: all runs of a batch, in the order in which the records name them. */
function runsSection({ runs }: ReportHead, { ofRun }: ReportData): string {
  const columns: TableColumn<ReportedRun>[] = [
    { title: 'run', cell: (run) => `${runs.indexOf(run) + 1}: ${run.name}` },
    { title: 'started', cell: ({ startedAt }) => (startedAt === null ? '' : localTime(startedAt)) },
    { title: 'by', cell: ({ by }) => personWords(by) },
    { title: 'approved by', cell: (run) => approverOf(run) ?? 'nobody' },
    { title: 'records', cell: ({ name }) => statesOf(ofRun(name)) },
    { title: 'paid', align: 'right', cell: ({ name }) => paidOf(ofRun(name)).sums.map(amountText).join(', ') },
  ];
  const closed = runs.flatMap(({ name, closed: word }) =>
    word === null ? [] : [`Run ${name} was closed: ${wordsOf(word).join(', ')}. Its open records are not sent.`],
  );
  const table = wholeTable(pluralize(runs.length, 'run'), columns, runs);
  return section('runs', 'Runs', table + closed.map((text) => paragraph(text, 'note')).join(''));
}

function statesOf({ records, totals }: Pick<ReportData, 'records' | 'totals'>): string {
  return statusCounts(records, totals).join(', ');
}

function filesOf({ runs }: ReportHead): string[] {
  return runs.flatMap(({ name, digest, files }) => [
    ...files.map(({ path, sha256, records }) => {
      const words = sha256 === '' ? 'not read to its end' : `SHA-256 ${sha256}`;
      return `${runs.length > 1 ? `Run ${name}: ` : ''}${path}, ${pluralize(records, 'record')}, ${words}`;
    }),
    ...(runs.length > 1 ? [`Run ${name}: digest of its records ${digest}`] : []),
  ]);
}

const SIGNATURES = section(
  'signatures',
  'Signatures',
  `<div class="lines">
${['Prepared by', 'Approved by'].map((who) => `<div>${paragraph(who, 'who')}${paragraph('Name, date, signature', 'line')}</div>\n`).join('')}</div>
`,
);

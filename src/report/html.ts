/** The HTML report: one self-contained page that is read on a screen of any size, printed on A4 and signed. */
import { ZERO } from '../money/decimal.js';
import { closingSums, sumByCurrency, type TotalRow } from '../money/totals.js';
import { RECORD_TYPES } from '../records/kinds.js';
import { allRecords, recordsInNeed } from './html-records.js';
import { styleOf } from './html-style.js';
import { capital, escaped, paragraph, section, wholeTable } from './markup.js';
import type { ReportFormat, ReportHead } from './record-report.js';
import { commonFate, fateCounts, fateWords } from './state-words.js';
import { counted, countText, personWords, shortened, type TableColumn } from './table.js';
import { localTime } from '../util/local-time.js';
import { figuresOf, kindText, shownName, sumText, unpricedColumn } from './totals-table.js';

export const htmlReport: ReportFormat = async function* (head, rows) {
  const { command, batchId, run } = head;
  // What a browser calls the page, and its file when it is saved or printed.
  const title = `gigwork ${command}, batch ${shortened(batchId, LONGEST)}${run === null ? '' : `, run ${run}`}`;
  const band = bandWords(head);
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
${band === null ? '' : paragraph(band, 'band')}${headline(head)}${grandTotals(head)}${facts(head)}${SIGNATURES}</div>
`;
  if (head.refusal.length > 0) yield section('refusal', 'Why nothing was sent', list(head.refusal));
  yield totalsSection(head);
  yield* recordsInNeed(rows(), head);
  yield* allRecords(rows(), head);
  const files = head.files.map(({ path, sha256, records }) => {
    return `${path}, ${counted(records, 'record')}, ${sha256 === '' ? 'not read to its end' : `SHA-256 ${sha256}`}`;
  });
  yield section('files', 'Files', list(files));
  yield '</body>\n</html>\n';
};

function list(texts: readonly string[]): string {
  return `<ul>\n${texts.map((text) => `<li>${escaped(text)}</li>\n`).join('')}</ul>\n`;
}

/** What the first page has room for above its signatures, whatever was sent: characters of a text, and lines. */
const LONGEST = 64;
const LONGEST_REASON = 150;
const MOST_SUMS = 3;
const MOST_LINES = 12;

/** Whether the call was only to look, or to approve. */
function isRehearsal({ dryRun, records }: ReportHead): boolean {
  return dryRun || (records['planned'] ?? 0) > 0;
}

/** What stands across the head of the page where nobody is really paid by this run; null where somebody is. */
function bandWords(head: ReportHead): string | null {
  const isSandbox = head.target === 'sandbox';
  if (isRehearsal(head)) return `REHEARSAL${isSandbox ? ', SANDBOX' : ''}: nothing was sent`;
  return isSandbox ? 'SANDBOX: a trial, nobody was paid' : null;
}

/** What was paid, in words, and its totals by type and currency; of a rehearsal, what would be sent. */
function paidOf(head: ReportHead): { readonly word: string; readonly sums: readonly TotalRow[] } {
  const states = isRehearsal(head) ? ['planned'] : ['created', 'already_created'];
  const sums = sumByCurrency(head.totals.filter(({ status }) => states.includes(status)));
  return { word: commonFate(states[0] ?? '', head.totals), sums };
}

/** The money, a line for each type and currency; then the states of all records, and why nothing was sent. */
function headline(head: ReportHead): string {
  const { word, sums } = paidOf(head);
  const nothing = isRehearsal(head) ? `Nothing ${word}` : `Nothing is confirmed as ${word}`;
  const several = sums.length > MOST_SUMS ? [`${capital(word)}, in ${sums.length} sums`] : [];
  const lines = several.length > 0 ? several : sums.map((sum) => `${sumText(sum)}: ${word}`);
  const states = fateCounts(head.records, head.totals).join(', ');
  const reasons = shortened(head.refusal.join('; '), LONGEST_REASON);
  return [
    `<h1>${(sums.length === 0 ? [nothing] : lines).map(escaped).join('<br>')}</h1>\n`,
    paragraph(`${counted(head.records['read'] ?? 0, 'record')}${states === '' ? '' : `: ${states}`}`, 'verdict'),
    reasons === '' ? '' : paragraph(`Refused: ${reasons}`, 'reason'),
  ].join('');
}

/** A line for each type and currency: all of it, and how much of that was paid, or would be. */
function grandTotals(head: ReportHead): string {
  const sums = sumByCurrency(head.totals);
  const { word, sums: paid } = paidOf(head);
  const paidIn = (of: TotalRow): TotalRow | undefined =>
    paid.find(({ type, currency }) => type === of.type && currency === of.currency);
  const figure = figuresOf(head.totals);
  const columns: TableColumn<TotalRow>[] = [
    { title: 'what', cell: kindText },
    { title: 'records', align: 'right', cell: ({ count }) => countText(count) },
    { title: 'amount', align: 'right', cell: figure },
    ...unpricedColumn(sums),
    { title: `of that ${word}`, align: 'right', cell: (sum) => figure(paidIn(sum) ?? { ...sum, amount: ZERO }) },
  ];
  const hidden = sums.length - MOST_LINES;
  const invalid = head.records['invalid'] ?? 0;
  return section(
    'money',
    'Grand totals',
    [
      wholeTable('Every record that has no fault', columns, sums.slice(0, MOST_LINES)),
      invalid === 0 ? '' : note(`The amounts of ${counted(invalid, 'record')} with faults do not count.`),
      hidden > 0 ? note(`${counted(hidden, 'more sum stands', 'more sums stand')} below.`) : '',
    ].join(''),
  );
}

function note(text: string): string {
  return paragraph(text, 'note');
}

/** Rows by cost center; the sums below them count everything. */
const MOST_ROWS = 1000;

/** Never a sum across types or currencies. */
function totalsSection({ totals }: ReportHead): string {
  const sums = RECORD_TYPES.flatMap((of) => closingSums(totals.filter(({ type }) => type === of)));
  const isSum = new Set(sums);
  const columns: TableColumn<TotalRow>[] = [
    { title: 'what', cell: kindText },
    { title: 'cost center', cell: (row) => (isSum.has(row) ? 'all' : shownName(row.costCenter)) },
    { title: 'state', cell: ({ status, type }) => (status === '' ? 'all' : fateWords(status, type)) },
    { title: 'records', align: 'right', cell: ({ count }) => countText(count) },
    { title: 'amount', align: 'right', cell: figuresOf(totals) },
    ...unpricedColumn(totals),
  ];
  const hidden = totals.length - MOST_ROWS;
  const table = wholeTable('By cost center and state', columns, [...totals.slice(0, MOST_ROWS), ...sums]);
  const more =
    hidden > 0 ? note(`${counted(hidden, 'more row is', 'more rows are')} not shown; the sums count them.`) : '';
  return section('totals', 'Totals', table + more);
}

/** What, where and by whom. */
function facts(head: ReportHead): string {
  const { target, batchId, run, command, startedAt, by, version, digest, madeAt, files, approvedBy } = head;
  const [file] = files;
  const approval = approvedBy === null ? [] : [personWords(approvedBy.by), localTime(approvedBy.at), approvedBy.note];
  // Several texts of one term are shortened one by one.
  const pairs: [term: string, ...texts: (string | null)[]][] = [
    ['Target', target ?? 'none given'],
    ['Batch', batchId],
    ['Run', run],
    ['Program', `gigwork ${version}`, command],
    ['Run by', personWords(by)],
    ['Started', startedAt === null ? null : localTime(startedAt)],
    ['Page made', localTime(madeAt)],
    ['Approved by', ...(approval.length === 0 ? ['no approval on record'] : approval)],
    ['Files', files.length === 1 && file !== undefined ? file.path : `${countText(files.length)}, listed at the end`],
    ['Digest of the records', digest ?? 'none: no target was named'],
  ];
  const known = pairs.flatMap(([term, ...texts]) => {
    const said = texts.flatMap((text) => (text === null || text === '' ? [] : shortened(text, LONGEST)));
    return said.length === 0 ? [] : `<div><dt>${term}</dt><dd>${escaped(said.join(', '))}</dd></div>\n`;
  });
  return section('facts', 'What, where and by whom', `<dl>\n${known.join('')}</dl>\n`);
}

const SIGNATURES = section(
  'signatures',
  'Signatures',
  `<div class="lines">
${['Prepared by', 'Approved by'].map((who) => `<div>${paragraph(who, 'who')}${paragraph('Name, date, signature', 'line')}</div>\n`).join('')}</div>
`,
);

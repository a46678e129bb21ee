/** The HTML report: one self-contained page that is read on a screen of any size, printed on A4 and signed. */
import { RECORD_TYPES } from '../records/kinds.js';
import type { ReportFormat, ReportHead } from './report-head.js';
import { recordsInNeed } from './html-attention.js';
import { allRecords, gatherRows } from './html-records.js';
import { fileText, firstPage, refusalSection } from './html-sheet.js';
import { printedStyle, STYLE } from './html-style.js';
import { totalsSections } from './html-totals.js';
import { bandWords, moment } from './html-words.js';
import { escaped } from './markup.js';
import { shortened } from './table.js';

export const htmlReport: ReportFormat = async function* (head, rows) {
  const types = RECORD_TYPES.filter((type) => head.totals.some((row) => row.type === type));
  const gathered = await gatherRows(rows());
  const title = titleOf(head);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STYLE}${printedStyle(title, bandWords(head))}</style>
</head>
<body>
<main>
`;
  yield* firstPage(head, gathered.below);
  yield refusalSection(head);
  yield* totalsSections(types, head.totals);
  yield* recordsInNeed(gathered, head);
  yield* allRecords(gathered, rows(), head);
  yield severalFiles(head);
  yield `</main>
<footer><p>Made by gigwork ${escaped(head.version)} on ${moment(head.madeAt, head)}.</p></footer>
</body>
</html>
`;
};

/** What a browser calls the page, and its file when it is saved or printed. */
function titleOf({ command, batchId, run }: ReportHead): string {
  return `gigwork ${command}, batch ${shortened(batchId, 40)}${run === null ? '' : `, run ${run}`}`;
}

/** The first page has room for one. */
function severalFiles({ files }: ReportHead): string {
  if (files.length < 2) return '';
  const items = files.map((file) => `<li>${fileText(file)}</li>\n`).join('');
  return `<section aria-labelledby="files">\n<h2 id="files">Files</h2>\n<ul>\n${items}</ul>\n</section>\n`;
}

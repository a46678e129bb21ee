/** The HTML report: one self-contained page that is read on a screen of any size, printed on A4 and signed. */
import { allRecords, recordsInNeed } from './html-records.js';
import { fileText, firstPage, refusalSection, totalsSection } from './html-sheet.js';
import { printedStyle, STYLE } from './html-style.js';
import { bandWords, moment } from './html-words.js';
import { escaped, section } from './markup.js';
import type { ReportFormat, ReportHead } from './record-report.js';
import { shortened } from './table.js';

export const htmlReport: ReportFormat = async function* (head, rows) {
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
  yield firstPage(head);
  yield refusalSection(head);
  yield totalsSection(head);
  yield* recordsInNeed(rows(), head);
  yield* allRecords(rows(), head);
  yield filesSection(head);
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
function filesSection({ files }: ReportHead): string {
  if (files.length < 2) return '';
  return section('files', 'Files', `<ul>\n${files.map((file) => `<li>${fileText(file)}</li>\n`).join('')}</ul>\n`);
}

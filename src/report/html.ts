/** The HTML report: one self-contained page that is read on a screen of any size, printed on A4 and signed. */
import { allRecords, recordsInNeed } from './html-records.js';
import { fileText, firstPage, refusalSection, totalsSection } from './html-sheet.js';
import { bandWords, moment } from './html-words.js';
import { escaped, section } from './markup.js';
import { printable } from './printable.js';
import type { ReportFormat, ReportHead } from './record-report.js';
import { STATES } from './state-words.js';
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

/** The look: no font, picture or rule from elsewhere. Printed it is black on white, on A4. */
const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1b1f24; --quiet: #59626c; --line: #d5dae0; --strong: #1b1f24; --soft: #f4f6f8; --band: #8a5300;
  --created: #1a7f4b; --already_created: #66a986; --skipped: #8a9a90; --planned: #2f6fbd; --invalid: #a8194b;
  --rejected: #c4511c; --unknown: #9a6b00; --not_sent: #6b7480;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #14181d; --text: #e6eaee; --quiet: #a2acb7; --line: #39424c; --strong: #c9d1d9; --soft: #1d232a; --band: #e0ae55;
    --created: #4cc384; --already_created: #2f8a5c; --skipped: #75857b; --planned: #6ea8ee; --invalid: #f0709a;
    --rejected: #f0905c; --unknown: #dfb04a; --not_sent: #98a3af;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
main, footer { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
footer { padding-top: 1rem; padding-bottom: 2rem; color: var(--quiet); font-size: 0.875rem; }
.band {
  margin: 1.5rem 0 0; padding: 0.45rem 0.9rem; max-width: none; text-align: center;
  font-weight: 700; letter-spacing: 0.08em; color: var(--band); border: 2px solid var(--band);
}
header { padding-top: 1.75rem; }
.kind { margin: 0; color: var(--quiet); }
h1 { margin: 0.1rem 0 0.35rem; font-size: 2.1rem; line-height: 1.2; font-weight: 650; font-variant-numeric: tabular-nums; }
.verdict { margin: 0; font-size: 1.05rem; }
h2 { margin: 2.25rem 0 0.6rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); font-size: 1.15rem; font-weight: 650; }
h3 { margin: 1.5rem 0 0.25rem; font-size: 1rem; font-weight: 650; }
p { margin: 0.25rem 0 0.75rem; max-width: 46rem; }
.several { font-size: 1.6rem; }
.note { color: var(--quiet); }
.sheet .note { margin: 0.2rem 0 0; }
code, .key { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.85em; }
ul { list-style: none; margin: 0; padding: 0; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 0.5rem 1.5rem; margin: 0 0 1rem; }
.whole { grid-column: 1 / -1; }
dt { color: var(--quiet); font-size: 0.85rem; }
dd { margin: 0; }
.lines { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0 2.5rem; }
.who { margin: 0; font-weight: 650; }
.line { margin: 3rem 0 0; border-top: 1px solid var(--strong); color: var(--quiet); font-size: 0.8rem; }
.wide { overflow-x: auto; margin: 0 0 1rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.925rem; }
caption { padding: 0.25rem 0; text-align: left; color: var(--quiet); font-size: 0.95em; }
th, td { --gap: 1.25rem; padding: 0.3rem var(--gap) 0.3rem 0; text-align: left; vertical-align: top; font-weight: 400; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { --gap: 0rem; }
thead th { color: var(--quiet); font-size: 0.95em; border-bottom: 1px solid var(--strong); white-space: nowrap; overflow-wrap: normal; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.long { white-space: normal; }
.below { color: var(--invalid); }
.sum td, .sum th { font-weight: 600; background: var(--soft); }
.grand { width: auto; min-width: min(100%, 34rem); font-size: 1rem; }
.grand caption { position: absolute; left: 0; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.grand .all th, .grand .all td { font-weight: 650; }
.grand .part th { padding-left: 1.1rem; }
.grand tr:last-child th, .grand tr:last-child td { border-bottom: 1px solid var(--strong); }
.key { color: var(--quiet); }
.wide tbody th { min-width: 7rem; }
.wide td { min-width: 4.5rem; }
.wide .number { min-width: 0; }
.aside { color: var(--quiet); font-size: 0.9em; }
.state { display: inline-block; padding-left: 1.1em; overflow-wrap: normal; }
.state::before { margin-left: -1.1em; }
.state::before, h3[class]::before {
  content: ""; display: inline-block; width: 0; height: 0; margin-right: 0.45em;
  border: 0.33em solid var(--state, var(--quiet)); border-radius: 0.12em;
}
${STATES.map(({ name }) => `.state-${name} { --state: var(--${name}); }`).join('\n')}
@media (max-width: 40rem) {
  main, footer { padding-left: 0.9rem; padding-right: 0.9rem; }
  h1 { font-size: 1.6rem; }
  .several { font-size: 1.25rem; }
  table { font-size: 0.8rem; }
  .grand { font-size: 0.9rem; }
  th, td { --gap: 0.6rem; }
  thead th, thead .number { white-space: normal; }
}
@media print {
  :root {
    color-scheme: light;
    --text: #000000; --quiet: #444444; --line: #bbbbbb; --strong: #000000; --soft: #ffffff; --band: #000000;
    font-size: 10pt;
  }
  body { font-size: 1rem; line-height: 1.35; }
  main, footer { max-width: none; padding: 0; }
  /* The first page is signed: its signatures stand at its foot, on Letter too, and what follows begins on the next. */
  .sheet { display: flex; flex-direction: column; min-height: 240mm; }
  .sheet + section { break-before: page; }
  .signatures { margin-top: auto; break-inside: avoid; }
  .lines { grid-template-columns: 1fr 1fr; }
  .line { margin-top: 14mm; }
  .band { margin: 0 0 3mm; }
  header { padding-top: 0; }
  h1 { font-size: 19pt; }
  .several { font-size: 14pt; }
  h2 { font-size: 11.5pt; margin: 1.25rem 0 0.4rem; }
  .sheet h2 { margin-top: 0.9rem; }
  .sheet .wide { margin: 0; }
  header p { margin: 0.1rem 0; }
  .sheet + section h2 { margin-top: 0; }
  h3 { font-size: 10.5pt; }
  h2, h3, h3 + p, caption { break-after: avoid; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  .wide { overflow: visible; }
  table { font-size: 8.5pt; }
  .grand { font-size: 9.5pt; }
  dl { grid-template-columns: 1fr 1fr 1fr; gap: 0.35rem 1.25rem; margin: 0; font-size: 9pt; }
  dt { font-size: 8pt; }
  th, td { --gap: 0.9rem; padding-top: 0.13rem; padding-bottom: 0.13rem; }
  .key, dd code { font-size: 7pt; }
  footer { display: none; }
}
`;

/** What stands on the edge of every printed page. @param band what stands across its head; null for nothing */
function printedStyle(title: string, band: string | null): string {
  const head = band === null ? '' : ` @top-center { content: ${cssText(band)}; font-weight: 700; }`;
  return `@page {
  size: A4; margin: 15mm 14mm 17mm; font: 8pt system-ui, Arial, sans-serif;${head}
  @bottom-left { content: ${cssText(title)}; }
  @bottom-right { content: "page " counter(page) " of " counter(pages); }
}
@page :first { @top-center { content: none; } }
`;
}

/** A string in CSS: a style element has no entities, so everything that is not plain is an escape. */
function cssText(text: string): string {
  const plain = printable(text).replace(/[^\w .,:+-]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `);
  return `"${plain}"`;
}

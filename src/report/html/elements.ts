/** What a page is made of: text, tables, a chart, and its style. Data always becomes text, never markup. */
import { compare, type Decimal, formatDecimal, ZERO } from '../../money/decimal.js';
import { printable } from '../printable.js';
import { ellipsize, type TableColumn } from '../table.js';

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text between tags and in quoted attributes. Control characters are shown as their escapes. */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (char) => HTML_ENTITIES[char] ?? char);
}

export function paragraph(text: string, kind: string): string {
  return `<p class="${kind}">${escapeHtml(text)}</p>\n`;
}

/** A short remark below a table. */
export function footnote(text: string): string {
  return paragraph(text, 'note');
}

/** A section of the page with its heading. @param body HTML */
export function section(id: string, heading: string, body: string): string {
  return `<section id="${id}">\n<h2>${escapeHtml(heading)}</h2>\n${body}</section>\n`;
}

/** A table, which may be wider than the page. The first cell names its row. @param detailOf lines below a row */
export function htmlTable<Row>(
  caption: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  detailOf: (row: Row) => readonly string[] = () => [],
): string {
  const heads = columns.map(
    ({ title, align }) => `<th scope="col"${align === undefined ? '' : ' class="number"'}>${escapeHtml(title)}</th>`,
  );
  const head = `<caption>${escapeHtml(caption)}</caption>\n<thead><tr>${heads.join('')}</tr></thead>`;
  const body = rows.map((row) => {
    const cells = columns.map((column, i) => tableCell(column.cell(row), column.align !== undefined, i === 0));
    const details = detailOf(row).filter((text) => text !== '');
    if (details.length === 0) return `<tr>${cells.join('')}</tr>\n`;
    const below = `<td colspan="${columns.length}">${details.map(escapeHtml).join('<br>')}</td>`;
    return `<tr class="led">${cells.join('')}</tr>\n<tr class="detail">${below}</tr>\n`;
  });
  return `<div class="wide"><table>\n${head}\n<tbody>\n${body.join('')}</tbody>\n</table></div>\n`;
}

/** Longer figures and words may break anywhere, to stay on the page. Others stay whole, also in long titles. */
const LONGEST_WHOLE_FIGURE = 28;
const LONGEST_WHOLE_WORD = 13;

function tableCell(text: string, isFigure: boolean, isHead: boolean): string {
  const longest = isFigure ? LONGEST_WHOLE_FIGURE : LONGEST_WHOLE_WORD;
  const isLong = text.split(/[\s-]/).some((word) => word.length > longest);
  const kinds = [isFigure ? 'number' : '', isLong ? 'long' : ''].filter((kind) => kind !== '').join(' ');
  const attribute = kinds === '' ? '' : ` class="${kinds}"`;
  return isHead ? `<th scope="row"${attribute}>${escapeHtml(text)}</th>` : `<td${attribute}>${escapeHtml(text)}</td>`;
}

/** A bar of a chart, filled as far as it is paid. */
export interface Bar {
  readonly name: string;
  readonly due: Decimal;
  /** The filled part of it. */
  readonly done: Decimal;
}

/** More bars would be no picture any more; the table has all of them. */
const MOST_BARS = 15;
/** What fits before the bars, in characters. */
const LONGEST_LABEL = 28;
/** In the units of the picture. */
const CHART = {
  width: 640,
  labelWidth: 180,
  rowHeight: 20,
  barHeight: 14,
};

/**
 * The largest amounts of one type and currency, each as a part of the largest. Empty if an amount is below zero: its
 * length would mislead.
 * @param kind the type and currency. @param filled what is filled: `paid`
 */
export function htmlChart(kind: string, filled: string, bars: readonly Bar[]): string {
  const shown = [...bars].sort((a, b) => compare(b.due, a.due)).slice(0, MOST_BARS);
  const [largest] = shown;
  const isBelow = ({ due, done }: Bar): boolean => compare(due, ZERO) < 0 || compare(done, ZERO) < 0;
  if (largest === undefined || compare(largest.due, ZERO) === 0 || bars.some(isBelow)) return '';
  // Lengths need no exactness.
  const lengthOf = (amount: Decimal): number => Number(formatDecimal(amount));
  const { width, labelWidth, rowHeight, barHeight } = CHART;
  const scale = (width - labelWidth) / lengthOf(largest.due);
  const rows = shown.map(({ name, due, done }, i) => {
    const rect = (part: string, amount: Decimal): string =>
      `<rect class="${part}" x="${labelWidth}" y="${i * rowHeight + 2}" width="${(lengthOf(amount) * scale).toFixed(1)}" height="${barHeight}"></rect>`;
    const label = `<text x="0" y="${i * rowHeight + barHeight}">${escapeHtml(ellipsize(name, LONGEST_LABEL))}</text>`;
    return label + rect('done', done) + rect('due', due);
  });
  const title = `${kind}: the largest amounts by cost center`;
  const size = `viewBox="-1 0 ${width + 2} ${shown.length * rowHeight + 4}"`;
  const svg = `<svg ${size} role="img" aria-label="${escapeHtml(title)}">\n${rows.join('\n')}\n</svg>`;
  return `<figure>\n<figcaption>${escapeHtml(`${title}; filled: ${filled}`)}</figcaption>\n${svg}\n</figure>\n`;
}

/**
 * The look of the page, without external fonts, pictures or rules. Printed, it is black on white, on A4.
 * @param title for the edge of every printed page
 * @param band text across the head of the page; null for none
 */
export function pageStyle(title: string, band: string | null): string {
  const head = band === null ? '' : ` @top-center { content: ${cssText(band)}; font-weight: 700; }`;
  return `${STYLE}@page {
  size: A4; margin: 15mm 14mm 17mm; font: 8pt system-ui, Arial, sans-serif;${head}
  @bottom-left { content: ${cssText(title)}; }
  @bottom-right { content: "page " counter(page) " of " counter(pages); }
}
@page :first { @top-center { content: none; } }
`;
}

/** A string in CSS: a style element has no entities, so every special character becomes an escape. */
function cssText(text: string): string {
  const plain = printable(text).replace(/[^\w .,:+-]/gu, (char) => `\\${char.codePointAt(0)?.toString(16)} `);
  return `"${plain}"`;
}

const STYLE = `
* { box-sizing: border-box; }
body {
  max-width: 64rem; margin: 0 auto; padding: 0 1rem 2rem; color: #000; background: #fff;
  font: 16px/1.4 system-ui, Arial, sans-serif; overflow-wrap: anywhere;
}
.band { padding: 0.4rem; text-align: center; font-weight: 700; border: 2px solid; }
h1 { margin: 0.5rem 0; font-size: 1.5rem; }
h2 { margin: 1.5rem 0 0.5rem; border-bottom: 1px solid #bbb; font-size: 1.15rem; }
p { margin: 0.25rem 0 0.6rem; }
.note, dt, caption, figcaption, thead th { color: #444; font-size: 0.9em; }
dl, .lines { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0.4rem 1.5rem; margin: 0; }
dd { margin: 0; }
.line { margin: 3rem 0 0; border-top: 1px solid; font-size: 0.8rem; }
.wide { overflow-x: auto; margin: 0 0 1rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
caption { padding: 0.25rem 0; text-align: left; }
th, td { padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; vertical-align: top; font-weight: 400; border-bottom: 1px solid #bbb; }
th, td { overflow-wrap: break-word; }
.long, .detail td { overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number:not(.long) { white-space: nowrap; }
.wide th, .wide td { min-width: 4.5rem; }
tr.led > * { border-bottom: 0; }
figure { max-width: 40rem; margin: 0.6rem 0; font-size: 12px; break-inside: avoid; }
.due { fill: none; stroke: #000; }
.done { fill: #444; }
.detail td { padding: 0 0.8rem 0.2rem 1.2rem; border-bottom: 1px solid #bbb; color: #444; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; line-height: 1.3; }
  /** The first page is signed: its signatures are at its foot, on Letter too, and the rest begins on the next page. */
  .sheet { display: flex; flex-direction: column; min-height: 240mm; break-after: page; }
  #signatures { margin-top: auto; break-inside: avoid; }
  .line { margin-top: 14mm; }
  h1 { font-size: 15pt; }
  h2 { font-size: 11.5pt; margin-top: 0.9rem; }
  h2, h2 + p, caption { break-after: avoid; }
  tr { break-inside: avoid; }
  .wide { overflow: visible; margin: 0; }
  table { font-size: 8.5pt; }
  .wide th, .wide td { min-width: 0; padding-top: 0.13rem; padding-bottom: 0.13rem; }
  dl { grid-template-columns: 1fr 1fr 1fr; font-size: 9pt; }
}
`;

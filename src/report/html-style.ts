/** The look of the HTML report, without external fonts, pictures or rules. Printed, it is black on white, on A4. */
import { printable } from './printable.js';

/**
 * @param title for the edge of every printed page
 * @param band text across the head of the page; null for none
 */
export function styleOf(title: string, band: string | null): string {
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
  const plain = printable(text).replace(/[^\w .,:+-]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `);
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

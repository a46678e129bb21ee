/** HTML out of data: everything that comes from elsewhere is text, never markup. */
import { printable } from './printable.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for between tags and within quoted attributes. Control characters are shown as their escapes. */
export function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

/** Text of whatever script: its direction changes nothing around it. */
export function inText(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}

/** A section of the page under its heading. @param body HTML */
export function section(id: string, heading: string, body: string): string {
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${escaped(heading)}</h2>\n${body}</section>\n`;
}

export interface HtmlColumn<Row> {
  readonly title: string;
  /** Of a number, which is aligned to the right; or of the head of the row. Other cells are text. */
  readonly kind?: 'number' | 'head';
  /** HTML, or a figure. */
  readonly cell: (row: Row) => string;
}

/** Longer figures may break, or they would leave the page. */
const LONGEST_FIGURE = 28;

/** @param kind class of the row */
export function tableRow<Row>(columns: readonly HtmlColumn<Row>[], row: Row, kind = ''): string {
  const cells = columns.map(({ kind: of, cell }) => {
    const html = cell(row);
    if (of === 'head') return `<th scope="row">${html}</th>`;
    if (of === undefined) return `<td>${html}</td>`;
    const below = html.startsWith('-') ? ' below' : '';
    return `<td class="number${below}${html.length > LONGEST_FIGURE ? ' long' : ''}">${html}</td>`;
  });
  return `<tr${kind === '' ? '' : ` class="${kind}"`}>${cells.join('')}</tr>\n`;
}

/** A table up to its first row: it may be too long to be kept, and wider than the page. @param caption as text */
export function openTable<Row>(caption: string, columns: readonly HtmlColumn<Row>[], kind = ''): string {
  const heads = columns.map(
    ({ title, kind: of }) => `<th scope="col"${of === 'number' ? ' class="number"' : ''}>${escaped(title)}</th>`,
  );
  const name = escaped(caption);
  return `<div class="wide" role="region" aria-label="${name}" tabindex="0"><table${kind === '' ? '' : ` class="${kind}"`}>
<caption>${name}</caption>
<thead><tr>${heads.join('')}</tr></thead>
<tbody>
`;
}

export const CLOSE_TABLE = `</tbody>
</table></div>
`;

/** The text with its first letter in upper case. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

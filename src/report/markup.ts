/** HTML out of data: everything that comes from elsewhere is text, never markup. */
import { printable } from './printable.js';
import type { TableColumn } from './table.js';

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

export function paragraph(text: string, kind: string): string {
  return `<p class="${kind}">${escaped(text)}</p>\n`;
}

/** A section of the page under its heading. @param body HTML */
export function section(id: string, heading: string, body: string): string {
  return `<section id="${id}">\n<h2>${escaped(heading)}</h2>\n${body}</section>\n`;
}

/** Longer figures may break, or they would leave the page. */
const LONGEST_FIGURE = 28;

/** The cells are text; the first names the row. */
export function tableRow<Row>(columns: readonly TableColumn<Row>[], row: Row): string {
  const cells = columns.map(({ align, cell }, i) => {
    const text = cell(row);
    if (i === 0) return `<th scope="row">${escaped(text)}</th>`;
    if (align === undefined) return `<td>${escaped(text)}</td>`;
    return `<td class="number${text.length > LONGEST_FIGURE ? ' long' : ''}">${escaped(text)}</td>`;
  });
  return `<tr>${cells.join('')}</tr>\n`;
}

/** A table up to its first row: it may be too long to be kept, and wider than the page. */
export function openTable<Row>(caption: string, columns: readonly TableColumn<Row>[]): string {
  const heads = columns.map(
    ({ title, align }) => `<th scope="col"${align === undefined ? '' : ' class="number"'}>${escaped(title)}</th>`,
  );
  return `<div class="wide"><table>\n<caption>${escaped(caption)}</caption>\n<thead><tr>${heads.join('')}</tr></thead>\n<tbody>\n`;
}

export const CLOSE_TABLE = '</tbody>\n</table></div>\n';

export function wholeTable<Row>(caption: string, columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
  return openTable(caption, columns) + rows.map((row) => tableRow(columns, row)).join('') + CLOSE_TABLE;
}

/** The text with its first letter in upper case. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

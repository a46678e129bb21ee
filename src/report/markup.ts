/** Makes HTML from data: data always becomes text, never markup. */
import { printable } from './printable.js';
import type { TableColumn } from './table.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text between tags and in quoted attributes. Control characters are shown as their escapes. */
export function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}

export function paragraph(text: string, kind: string): string {
  return `<p class="${kind}">${escaped(text)}</p>\n`;
}

/** A short remark below a table. */
export function note(text: string): string {
  return paragraph(text, 'note');
}

/** A section of the page with its heading. @param body HTML */
export function section(id: string, heading: string, body: string): string {
  return `<section id="${id}">\n<h2>${escaped(heading)}</h2>\n${body}</section>\n`;
}

/** Longer figures and words may break anywhere, to stay on the page. Others stay whole, also in long titles. */
const LONGEST_FIGURE = 28;
const LONGEST_WORD = 13;

/** The cells are text; the first names the row. @param details lines below it, as wide as the table */
function tableRow<Row>(columns: readonly TableColumn<Row>[], row: Row, details: readonly string[]): string {
  const cells = columns.map(({ align, cell }, i) => {
    const text = cell(row);
    const isLong = text
      .split(/[\s-]/)
      .some((word) => word.length > (align === undefined ? LONGEST_WORD : LONGEST_FIGURE));
    const kinds = [...(align === undefined ? [] : ['number']), ...(isLong ? ['long'] : [])].join(' ');
    const attribute = kinds === '' ? '' : ` class="${kinds}"`;
    return i === 0 ? `<th scope="row"${attribute}>${escaped(text)}</th>` : `<td${attribute}>${escaped(text)}</td>`;
  });
  const below = details.filter((text) => text !== '').map(escaped);
  const detail = `<tr class="detail"><td colspan="${columns.length}">${below.join('<br>')}</td></tr>\n`;
  return `<tr${below.length > 0 ? ' class="led"' : ''}>${cells.join('')}</tr>\n${below.length > 0 ? detail : ''}`;
}

/** A table, which may be wider than the page. @param detailOf lines below a row */
export function wholeTable<Row>(
  caption: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  detailOf: (row: Row) => readonly string[] = () => [],
): string {
  const heads = columns.map(
    ({ title, align }) => `<th scope="col"${align === undefined ? '' : ' class="number"'}>${escaped(title)}</th>`,
  );
  const head = `<caption>${escaped(caption)}</caption>\n<thead><tr>${heads.join('')}</tr></thead>`;
  const body = rows.map((row) => tableRow(columns, row, detailOf(row))).join('');
  return `<div class="wide"><table>\n${head}\n<tbody>\n${body}</tbody>\n</table></div>\n`;
}

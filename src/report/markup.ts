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

export interface HtmlColumn {
  readonly title: string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

/** A data cell. @param html its content, escaped already */
export function cell(html: string, column?: HtmlColumn): string {
  return column?.isNumber === true ? `<td class="number">${html}</td>` : `<td>${html}</td>`;
}

/** A table that can be wider than the page. @param caption as text. @param rows HTML */
export function wideTable(caption: string, columns: readonly HtmlColumn[], rows: readonly string[]): string {
  return openTable(caption, columns) + rows.join('') + CLOSE_TABLE;
}

/** The same up to its first row, for tables that are too long to be kept. */
export function openTable(caption: string, columns: readonly HtmlColumn[]): string {
  const heads = columns.map(({ title, isNumber }) =>
    isNumber === true
      ? `<th scope="col" class="number">${escaped(title)}</th>`
      : `<th scope="col">${escaped(title)}</th>`,
  );
  const name = escaped(caption);
  return `<div class="wide" role="region" aria-label="${name}" tabindex="0"><table>
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

/** HTML out of data: everything that comes from elsewhere is text, never markup. */
import type { AmountColumn, Money } from './amount-columns.js';
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

/** A column with more decimals is not aligned. */
const MOST_ALIGNED = 12;
/** Longer figures may break, or they would leave the page. */
const LONGEST = 28;

/** The cell of a column of amounts. Its text is whole; a style makes room for the decimals that others have and it has not. */
export function amountCell(money: Money, { decimals, figure }: AmountColumn): string {
  const text = figure(money);
  const below = text.startsWith('-') ? ' below' : '';
  if (text.length > LONGEST) return `<td class="number${below} long">${escaped(text)}</td>`;
  const room = decimals > MOST_ALIGNED ? '' : roomFor(text, decimals);
  return `<td class="number${below}"${room === '' ? '' : ` data-room="${room}"`}>${escaped(text)}</td>`;
}

/** `00` where two digits are missing; `.00` where the point is, too. */
function roomFor(text: string, decimals: number): string {
  const point = text.indexOf('.');
  const missing = '0'.repeat(decimals - (point < 0 ? 0 : text.length - point - 1));
  return point < 0 && missing !== '' ? `.${missing}` : missing;
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

/** Plain tables for a terminal: columns as wide as their cells. */

export interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** Lines of the table, header first. Cells must be printable. */
export function tableLines(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, i) => (align === 'right' ? (cells[i] ?? '').padStart(widths[i] ?? 0) : (cells[i] ?? '').padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...rows.map(line)];
}

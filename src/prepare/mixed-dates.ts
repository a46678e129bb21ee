/** The warning about a workbook's column of dates that are partly text. CONTRACT: `mixed-dates`. */
import type { ColumnDates } from '../input/read-options.js';
import { excerpt, type Finding, warning } from '../records/issue.js';

export function mixedDates({ path, real, swapped, text, realDates, texts }: ColumnDates): Finding {
  const found = `${real.address} is a date (${real.text}), and ${text.address} is text (${JSON.stringify(excerpt(text.text))}); this column has ${realDates} dates and ${texts} texts`;
  const meaning = swapped === null ? 'some dates may be wrong' : `${real.address} may mean ${swapped}`;
  const cause = `A spreadsheet that is set to another country swaps day and month where the day is 12 or below, and leaves all other dates as text: ${meaning}`;
  const remedy = 'Compare these dates with their source. If they differ, import the column as text from there again';
  return {
    ...warning('mixed-dates', path, `${path}: ${found}. ${cause}. ${remedy}`, text.text),
    count: realDates + texts,
  };
}

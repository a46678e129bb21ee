/** The warning about a workbook's column of dates that are partly text. CONTRACT: `mixed-dates`. */
import type { ColumnDates } from '../input/read-options.js';
import { excerpt, type Finding, warning } from '../records/issue.js';

/** Months that a day can be mistaken for. */
const MONTHS = 12;

export function mixedDates({ path, real, text, realDates, texts }: ColumnDates): Finding {
  const found = `${real.address} is a date (${real.text}), and ${text.address} is text (${JSON.stringify(excerpt(text.text))}); this column has ${realDates} dates and ${texts} texts`;
  const [year, month = '', day = ''] = real.text.split('-');
  const isSwappable = Number(day) <= MONTHS && day !== month;
  const swapped = isSwappable ? `${real.address} may mean ${year}-${day}-${month}` : 'some dates may be wrong';
  const cause = `A spreadsheet that is set to another country swaps day and month where the day is 12 or below, and leaves all other dates as text: ${swapped}`;
  const remedy = 'Compare these dates with their source. If they differ, import the column as text from there again';
  return {
    ...warning('mixed-dates', path, `${path}: ${found}. ${cause}. ${remedy}`, text.text),
    count: realDates + texts,
  };
}

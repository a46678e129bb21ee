/**
 * Dates that are not written as declared. Which flag would read them is told only once the whole file was read: a flag
 * that reads some dates of a column, and others not, would lead a person to another wrong reading.
 */
import type { DateColumns } from '../input/dates.js';
import type { Finding } from '../records/issue.js';
import type { RecordPosition } from './record-positions.js';

/** Further ones are told without a flag: a file may have a million of them. */
const MOST_HELD = 1000;

export class DateAdvice {
  private readonly held: { readonly finding: Finding; readonly place: RecordPosition }[] = [];

  /** Whether the finding is told later. */
  holds(finding: Finding, place: RecordPosition): boolean {
    if (finding.dates === undefined || this.held.length >= MOST_HELD) return false;
    return this.held.push({ finding, place }) > 0;
  }

  /** To be called at the end of a file. @param columns the dates that were seen in it, if it is a table */
  release(columns: DateColumns | undefined, tell: (finding: Finding, place: RecordPosition) => void): void {
    for (const { finding, place } of this.held.splice(0)) {
      const { field, message, dates = [] } = finding;
      const ways = dates
        .filter(({ order }) => columns?.reads(field ?? '', order) !== false)
        .map(({ order, date }) => `--date-format ${order} reads it as ${date}`);
      const mixed = dates.length > 0 && ways.length === 0 ? ['no --date-format reads all dates of this column'] : [];
      tell({ ...finding, message: [message, ...ways, ...mixed].join('; ') }, place);
    }
  }
}

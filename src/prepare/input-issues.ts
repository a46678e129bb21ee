/** Reports the issues of an input: in the file's own terms, as errors under `--strict`, and some only at a file's end. */
import type { DateColumns } from '../input/dates.js';
import { inTermsOfFile } from '../input/columns.js';
import type { RawRecord } from '../input/raw-record.js';
import type { ColumnDates, FileInfo } from '../input/read-options.js';
import { excerpt, type Finding, type Issue, judged, warning } from '../records/issue.js';
import type { RecordSchema } from '../records/schema.js';
import { ColumnDoubts } from './column-doubts.js';
import { IdColumns } from './id-columns.js';
import type { RecordPosition } from './paged-arrays.js';
import type { ValidatedRow } from './validator.js';

/** Further wrong dates are reported without a flag: a file may have a million of them. */
const MOST_HELD = 1000;

export class InputIssues {
  /** A file itself has a fault: no flag skips it. */
  faulty = false;
  private readonly files: readonly FileInfo[];
  private readonly strict: boolean;
  private readonly onIssue: (issue: Issue) => void;
  private readonly isSet: (field: string) => boolean;
  /**
   * Dates that are not written as declared. Which flag would read them is reported only once the whole file was read: a
   * flag that reads some dates of a column, and others not, would lead a person to another wrong reading.
   */
  private heldDates: { readonly finding: Finding; readonly place: RecordPosition }[] = [];
  /** Those of the file that is being read; null before its first record. */
  private doubts: ColumnDoubts | null = null;
  private ids: IdColumns | null = null;
  private columns: RawRecord['columns'];

  /** @param setFields those that a flag sets on every record */
  constructor(
    files: readonly FileInfo[],
    strict: boolean,
    setFields: ReadonlySet<string>,
    onIssue: (issue: Issue) => void,
  ) {
    this.files = files;
    this.strict = strict;
    this.onIssue = onIssue;
    this.isSet = (field) => setFields.has(field.split('.', 1)[0] ?? '');
  }

  /** A checked row with its findings as they are reported. No content after an error. */
  judge(checked: ValidatedRow, { columns, template }: RawRecord): ValidatedRow {
    const { content } = checked;
    if (checked.findings.length === 0) return checked;
    const findings = checked.findings.map((finding) =>
      inTermsOfFile(judged(finding, this.strict), columns, this.isSet, template),
    );
    if (content === null || findings.every(({ severity }) => severity === 'warning')) return { ...checked, findings };
    return { findings, content: null, ownKey: content.parts.ownKey };
  }

  report(issue: Issue): void {
    if (issue.fault === true) this.faulty = true;
    this.onIssue(this.strict ? { ...issue, severity: 'error' } : issue);
  }

  /** Reports the findings of the next record of a file, or holds them: a doubt of a whole column is one issue. */
  reportRecord(raw: RawRecord, kind: RecordSchema, findings: readonly Finding[], place: RecordPosition): void {
    this.doubts ??= new ColumnDoubts(kind, this.isSet, (finding, at) => this.reportAt(finding, at));
    this.doubts.add(raw, findings, place);
  }

  /** To be called with all records of a file, in order. */
  seeIds(records: readonly RawRecord[], kind: RecordSchema): void {
    this.ids ??= new IdColumns(kind, this.isSet);
    this.columns ??= records.find(({ columns }) => columns !== undefined)?.columns;
    this.ids.see(records);
  }

  /** Reports a finding in a record, or holds it until the file's end. */
  reportAt(finding: Finding, place: RecordPosition): void {
    if (finding.dates !== undefined && this.heldDates.length < MOST_HELD) this.heldDates.push({ finding, place });
    else this.reportNow(finding, place);
  }

  /** Reports what was held, and what only a whole file shows. To be called at the end of each file. */
  endFile(info: FileInfo): void {
    this.doubts?.end();
    this.doubts = null;
    const held = this.heldDates;
    this.heldDates = [];
    for (const { finding, place } of held) this.reportNow(withDateFlags(finding, info.dates), place);
    for (const { finding, line } of this.ids?.findings() ?? [])
      this.reportOfFile(info.path, inTermsOfFile(finding, this.columns, this.isSet), line);
    const { path, sheet, columns } = info;
    for (const dates of sheet?.seen.mixedDates ?? [])
      this.reportOfFile(path, inTermsOfFile(mixedDates(dates), columns?.fields, this.isSet), dates.text.row);
    this.ids = null;
    this.columns = undefined;
  }

  /** Columns that may have been dropped by mistake. */
  reportDropped({ path, dropped }: FileInfo): void {
    for (const finding of dropped.values()) if (finding !== null) this.reportOfFile(path, finding, null);
  }

  /** A doubt about a file concerns no single record: under `--strict` it refuses the run. */
  private reportOfFile(file: string, finding: Finding, line: number | null): void {
    const fault = this.strict ? { fault: true } : {};
    this.report({ ...finding, ...fault, file, record: null, line });
  }

  /** Nor does a column name of a wrong encoding. */
  reportNameDoubt({ path, nameDoubt }: FileInfo): void {
    if (nameDoubt !== null) this.reportOfFile(path, nameDoubt.finding, nameDoubt.line);
  }

  pathOf({ file }: RecordPosition): string {
    return this.files[file]?.path ?? '';
  }

  private reportNow(finding: Finding, place: RecordPosition): void {
    const { record, line, row } = place;
    this.report({ ...finding, file: this.pathOf(place), record, line, ...(row !== undefined && { row }) });
  }
}

/** @param columns the dates that were seen in the file, if it is a table */
function withDateFlags(finding: Finding, columns: DateColumns | undefined): Finding {
  const { field, message, dates = [] } = finding;
  const right = dates.filter(({ order }) => columns?.reads(field ?? '', order) !== false);
  // An ISO date with a time of day is read under every order.
  const named = right.some(({ order }) => order === 'ymd') ? right.filter(({ order }) => order === 'ymd') : right;
  const ways = named.map(({ order, date }) => `--date-format ${order} reads it as ${date}`);
  if (dates.length > 0 && ways.length === 0) ways.push('no --date-format reads all dates of this column');
  return { ...finding, message: [message, ...ways].join('; ') };
}

/** A workbook's column of dates that are partly text. CONTRACT: `mixed-dates`. */
function mixedDates({ path, real, swapped, text, realDates, texts }: ColumnDates): Finding {
  const found = `${real.address} is a date (${real.text}), and ${text.address} is text (${JSON.stringify(excerpt(text.text))}); this column has ${realDates} dates and ${texts} texts`;
  const meaning = swapped === null ? 'some dates may be wrong' : `${real.address} may mean ${swapped}`;
  const cause = `A spreadsheet that is set to another country swaps day and month where the day is 12 or below, and leaves all other dates as text: ${meaning}`;
  const remedy = 'Compare these dates with their source. If they differ, import the column as text from there again';
  return {
    ...warning('mixed-dates', path, `${path}: ${found}. ${cause}. ${remedy}`, text.text),
    count: realDates + texts,
  };
}

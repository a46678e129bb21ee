/** All issues of the input: reported as they are found, and counted for the verdict. */
import type { PreparedRecords } from '../prepare/prepared-records.js';
import type { RunOptions } from '../options.js';
import { error, type Issue } from '../records/issue.js';
import type { Reporter } from '../report/reporter.js';
import { pluralize, formatCount } from '../report/table.js';
import type { Assessment } from './assessment.js';
import { type Conflict, historyIssues } from './history-issues.js';

/** Issues between two waits for the reader: there may be one for each of a million records. */
const AT_ONCE = 100;

export class IssueLog {
  warnings = 0;
  /** Issues of the history that `--strict` refuses. */
  historyDoubts = 0;
  /** Records whose keys belong to other content. They are invalid, so a later look does not find them. */
  readonly conflicts: Conflict[] = [];
  /** Errors that do not belong to a single record, so they cannot be skipped. */
  private outside = 0;
  private noRecordsFound = false;
  private readonly options: RunOptions;
  private readonly reporter: Reporter;
  /** Issues of the history that were reported. */
  private readonly told = new Set<string>();
  /** Issues since the last wait for the reader. */
  private ahead = 0;

  constructor(options: RunOptions, reporter: Reporter) {
    this.options = options;
    this.reporter = reporter;
  }

  add(issue: Issue): void {
    if (issue.severity === 'warning') this.warnings++;
    this.reporter.issue(issue);
  }

  /** An issue of another file, or of the input as a whole: its errors refuse the run. */
  addFault(issue: Issue): void {
    const severity = this.options.safety.strict ? 'error' : issue.severity;
    if (severity === 'error') this.outside++;
    this.add({ ...issue, severity });
  }

  noRecords({ files, faulty }: PreparedRecords, allowed: boolean): void {
    if (allowed || faulty) return;
    this.noRecordsFound = true;
    const [file, ...others] = files;
    const hasHeader = (file?.fields ?? null) !== null && others.length === 0;
    const isFiltered = files.some(({ filtered }) => filtered !== undefined && filtered.count > 0);
    const empty = hasHeader ? 'There are column names, but no rows below them' : 'The input has no records';
    const found = isFiltered ? 'All rows are filtered out, by --only' : empty;
    const finding = error('no-records', null, `${found}. If that is right, add --allow-empty`);
    this.addFault({ ...finding, record: null, line: null, file: file?.path ?? null });
  }

  /** Reports each issue that the history shows, once. Under `--strict`, these warnings refuse the run. */
  async addHistory(assessment: Assessment): Promise<void> {
    for (const issue of historyIssues(assessment, this.options)) {
      const name = `${issue.code} ${issue.file} ${issue.record ?? issue.value}`;
      if (this.told.has(name)) continue;
      this.told.add(name);
      if (issue.severity === 'warning' && this.options.safety.strict) this.historyDoubts++;
      await this.tell(issue);
    }
  }

  /** Doubts about the call as a whole: to be called once, before the first look. */
  async addCallDoubts(doubts: AsyncIterable<Issue>): Promise<void> {
    for await (const issue of doubts) {
      if (this.options.safety.strict) this.historyDoubts++;
      this.add(issue);
    }
  }

  /** Records whose keys belong to other content are invalid. */
  async addConflicts(found: readonly Conflict[]): Promise<void> {
    for (const { issue } of found) await this.tell(issue);
    this.conflicts.push(...found);
  }

  private async tell(issue: Issue): Promise<void> {
    this.add(issue);
    if (++this.ahead % AT_ONCE === 0) await this.reporter.ready();
  }

  /** Whether the input is refused only because of records that can be skipped. */
  canSkip({ prepared: { faulty }, records: { valid } }: Assessment): boolean {
    return valid > 0 && !faulty && this.outside === 0;
  }

  /** Why the input refuses the run; empty if it does not. */
  refusal({ prepared: { faulty, files }, records: { invalid, valid, read } }: Assessment): string[] {
    const words: string[] = [];
    const one = (count: number, singular: string, plural: string): string => (count === 1 ? singular : plural);
    if (faulty)
      words.push(
        `${one(files.length, 'the', 'a')} file has errors; correct them first. (--skip-invalid cannot skip these.)`,
      );
    if (invalid > 0 && !this.options.safety.skipInvalid) {
      // No flag skips a fault of a file.
      const isOnlyFault = valid === 0 || faulty;
      const rest = `; correct ${one(invalid, 'it', 'them')}, or send the others with --skip-invalid`;
      words.push(
        `${formatCount(invalid)} of ${pluralize(read, 'record')} ${one(invalid, 'has', 'have')} faults${isOnlyFault ? '' : rest}`,
      );
    }
    if (this.noRecordsFound) words.push('there is no record to send');
    else if (this.outside > 0)
      words.push(
        `${pluralize(this.outside, 'error does', 'errors do')} not belong to a single record, so --skip-invalid cannot skip ${one(this.outside, 'it', 'them')}`,
      );
    return words;
  }
}

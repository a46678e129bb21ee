/** Everything that is said against the input: told at once, and counted for the verdict. */
import type { Prepared } from '../batch/prepare.js';
import { hostOf, isPaid } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import { error, type Finding, type Issue } from '../records/issue.js';
import type { Reporter } from '../report/reporter.js';
import { counted, countText } from '../report/table.js';
import type { Looked } from './look.js';
import { keyConflict, knownElsewhere, leftFinding, repeatFinding } from './repeat-words.js';
import { placeIn } from './places.js';

/** Issues that are told before the reader is waited for: there may be one for each of a million records. */
const AT_ONCE = 100;

const NOWHERE = { file: null, record: null, line: null } as const;

export class Issues {
  warnings = 0;
  /** What of the history `--strict` refuses. */
  historyDoubts = 0;
  /** Errors that are not about a record that could be skipped. */
  private outside = 0;
  private noRecordsFound = false;
  private readonly options: RunOptions;
  private readonly reporter: Reporter;
  private readonly told = new Set<string>();
  /** Issues since the reader was waited for. */
  private ahead = 0;

  constructor(options: RunOptions, reporter: Reporter) {
    this.options = options;
    this.reporter = reporter;
  }

  add(issue: Issue): void {
    if (issue.severity === 'warning') this.warnings++;
    this.reporter.issue(issue);
  }

  /** An issue of a file beside the input, or of the input as a whole: its errors refuse the run. */
  addFault(issue: Issue): void {
    const severity = this.options.safety.strict ? 'error' : issue.severity;
    if (severity === 'error') this.outside++;
    this.add({ ...issue, severity });
  }

  noRecords({ files, faulty }: Prepared, allowed: boolean): void {
    if (allowed || faulty) return;
    this.noRecordsFound = true;
    const finding = error('no-records', null, `${emptyWords(files)}; if that is as it should be, say --allow-empty`);
    this.addFault({ ...finding, ...NOWHERE, file: files[0]?.path ?? null });
  }

  /** Tells what the history has of the input and beside it, each thing once. What is left out says so itself. */
  async addHistory(prepared: Prepared, { assessment, known, placeOf }: Looked): Promise<void> {
    for (const repeat of assessment.undecided.repeats)
      if (this.isNews(`${repeat.index} ${repeat.code}`))
        await this.addAbout(repeatFinding(repeat, placeOf), repeat.index, prepared);
    for (const payment of known.unsettled) {
      const isClosed = payment.state === 'rejected' && payment.run.isClosed;
      if (payment.batchId !== prepared.batchId || isClosed || !this.isNews(`unsettled ${payment.id}`)) continue;
      const file = placeOf(payment)?.file ?? null;
      await this.tell({ ...leftFinding(payment, placeOf, this.options), ...NOWHERE, file });
    }
    const target = this.options.target?.name ?? '';
    for (const [index, payments] of known.elsewhere) {
      const other = payments.find((each) => isPaid(each) && hostOf(each.run.target) !== hostOf(target));
      if (other !== undefined && this.isNews(`elsewhere ${index}`))
        await this.addAbout(knownElsewhere(other, placeOf), index, prepared);
    }
  }

  /** Records whose keys belong to other content are invalid. */
  async addConflicts(prepared: Prepared, { assessment, placeOf }: Looked): Promise<void> {
    for (const { index, payment } of assessment.conflicts) {
      const finding = keyConflict(prepared.entries.keyText(index), payment, placeOf);
      await this.addAbout(finding, index, prepared);
      prepared.entries.invalidate(index, finding.message);
    }
  }

  /** Why the input refuses the run, in words; empty when it does not. */
  refusal(
    { faulty, files }: Prepared,
    { invalid, valid }: { readonly invalid: number; readonly valid: number },
    skipInvalid: boolean,
  ): string[] {
    const words: string[] = [];
    if (faulty)
      words.push(
        `${files.length === 1 ? 'the file itself' : 'a file itself'} has faults (above): correct them; nothing is sent`,
      );
    const one = (count: number, singular: string, plural: string): string => (count === 1 ? singular : plural);
    if (invalid > 0 && !skipInvalid) {
      // No flag skips a fault of a file.
      const isOnlyFault = valid === 0 || faulty;
      const rest = `; correct ${one(invalid, 'it', 'them')}, or send the others with --skip-invalid`;
      words.push(
        `${countText(invalid)} of ${counted(invalid + valid, 'record')} ${one(invalid, 'is', 'are')} invalid${isOnlyFault ? '' : rest}`,
      );
    }
    if (this.noRecordsFound) words.push('there is nothing to send');
    else if (this.outside > 0)
      words.push(
        `${this.outside} ${one(this.outside, 'error does', 'errors do')} not belong to a single record, so --skip-invalid cannot skip ${one(this.outside, 'it', 'them')}`,
      );
    return words;
  }

  private isNews(name: string): boolean {
    if (this.told.has(name)) return false;
    this.told.add(name);
    return true;
  }

  private addAbout(finding: Finding, index: number, prepared: Prepared): Promise<void> {
    return this.tell({ ...finding, ...placeIn(prepared, index) });
  }

  /** Under `--strict`, a doubt about the history refuses the run. */
  private async tell(issue: Issue): Promise<void> {
    if (issue.severity === 'warning' && this.options.safety.strict) this.historyDoubts++;
    this.add(issue);
    if (++this.ahead % AT_ONCE === 0) await this.reporter.ready();
  }
}

function emptyWords(files: Prepared['files']): string {
  if (files.length !== 1) return 'no file holds a record';
  const [file] = files;
  return (file?.fields ?? null) === null
    ? 'the input holds no record'
    : 'there are column names, but no rows below them';
}

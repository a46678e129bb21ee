/** Everything that is said against the input: told at once, and counted for the verdict. */
import { hostOf, isPaid } from '../ledger/payment.js';
import type { Prepared } from '../batch/prepare.js';
import type { RunOptions } from '../options.js';
import { error, type Finding, type Issue } from '../records/issue.js';
import type { Reporter } from '../report/reporter.js';
import { counted, countText } from '../report/table.js';
import type { Assessment } from './assess.js';
import type { Looked } from './look.js';
import { keyConflict, knownElsewhere, leftFinding, type PlaceOf, repeatFinding } from './repeat-words.js';

/** What is needed to speak of the history. */
export interface HistoryWords {
  readonly prepared: Prepared;
  readonly placeOf: PlaceOf;
  readonly target: string;
}

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

  /** Tells each repeat once, unless somebody has decided about it: what is left out says so itself. */
  async addRepeats({ undecided }: Assessment, history: HistoryWords): Promise<void> {
    for (const repeat of undecided.repeats)
      if (this.isNews(`${repeat.index} ${repeat.code}`))
        await this.addAbout(repeatFinding(repeat, history.placeOf, history.target), repeat.index, history);
  }

  /** Tells what the history has beside the input: payments in doubt or rejected, and other targets. */
  async addHistory({ unsettled, elsewhere }: Looked['known'], history: HistoryWords): Promise<void> {
    const { placeOf, prepared, target } = history;
    for (const payment of unsettled) {
      const isClosed = payment.state === 'rejected' && payment.run.isClosed;
      if (payment.batchId !== prepared.batchId || isClosed || !this.isNews(`unsettled ${payment.id}`)) continue;
      const file = placeOf(payment)?.file ?? null;
      await this.addDoubt({ ...leftFinding(payment, placeOf, this.options), ...NOWHERE, file });
    }
    for (const [index, payments] of elsewhere) {
      const other = payments.find((each) => isPaid(each) && hostOf(each.run.target) !== hostOf(target));
      if (other !== undefined && this.isNews(`elsewhere ${index}`))
        await this.addDoubt(placed(knownElsewhere(other, placeOf), index, prepared));
    }
  }

  /** Tells of records whose keys belong to other content. @returns why each is invalid, by entry */
  async addConflicts(conflicts: Assessment['conflicts'], history: HistoryWords): Promise<Map<number, string>> {
    const reasons = new Map<number, string>();
    for (const { index, payment } of conflicts) {
      const finding = keyConflict(history.prepared.entries.keyText(index), payment, history.placeOf);
      await this.addAbout(finding, index, history);
      reasons.set(index, finding.message);
    }
    return reasons;
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

  private addAbout(finding: Finding, index: number, { prepared }: HistoryWords): Promise<void> {
    return this.tell(placed(finding, index, prepared));
  }

  /** Under `--strict`, a doubt about the history refuses the run. */
  private addDoubt(issue: Issue): Promise<void> {
    if (this.options.safety.strict) this.historyDoubts++;
    return this.tell(issue);
  }

  private async tell(issue: Issue): Promise<void> {
    this.add(issue);
    if (++this.ahead % AT_ONCE === 0) await this.reporter.ready();
  }
}

function placed(finding: Finding, index: number, { entries, files }: Prepared): Issue {
  const { file, ...place } = entries.placeOf(index);
  return { ...finding, file: files[file]?.path ?? null, ...place };
}

function emptyWords(files: Prepared['files']): string {
  if (files.length !== 1) return 'no file holds a record';
  const [file] = files;
  return (file?.fields ?? null) === null
    ? 'the input holds no record'
    : 'there are column names, but no rows below them';
}

/** Everything that is said against the input: told at once, and counted for the verdict. */
import type { History } from '../journal/history.js';
import { RecordKey } from '../keys/record-key.js';
import { type Finding, type Issue, placeWords, warning } from '../records/issue.js';
import type { Reporter } from '../report/reporter.js';
import { counted, countText } from '../report/table.js';
import { settleWords } from '../util/shell-word.js';
import { journalWords } from '../outcome/next-command.js';
import type { RunOptions } from '../options.js';
import type { Prepared } from '../batch/prepare.js';
import { repeatFinding, runText } from './repeat-words.js';
import type { Comparison, Repeat } from './repeats.js';
import type { RecordCounts } from '../outcome/summary.js';

function emptyWords(files: Prepared['files']): string {
  if (files.length !== 1) return 'no file holds a record';
  const [file] = files;
  return (file?.fields ?? null) === null
    ? 'the input holds no record'
    : 'there are column names, but no rows below them';
}

export class Issues {
  warnings = 0;
  /** Errors that are not about a record that could be skipped. */
  private outside = 0;
  private readonly reporter: Reporter;
  private readonly strict: boolean;
  private readonly told = new Set<string>();
  private noRecordsFound = false;
  private readonly options: RunOptions;

  constructor(options: RunOptions, reporter: Reporter) {
    this.options = options;
    this.reporter = reporter;
    this.strict = options.safety.strict;
  }

  add(issue: Issue): void {
    if (issue.severity === 'warning') this.warnings++;
    this.reporter.issue(issue);
  }

  /** An issue of a file beside the input, or of the input as a whole: its errors refuse the run. */
  addFault(issue: Issue): void {
    const severity = this.strict ? 'error' : issue.severity;
    if (severity === 'error') this.outside++;
    this.add({ ...issue, severity });
  }

  noRecords({ files, faulty }: Prepared, allowed: boolean): void {
    if (allowed || faulty) return;
    this.noRecordsFound = true;
    const file = files[0]?.path ?? null;
    const message = `${emptyWords(files)}; if that is as it should be, say --allow-empty`;
    this.addFault({
      severity: 'error',
      code: 'no-records',
      field: null,
      message,
      value: null,
      file,
      record: null,
      line: null,
    });
  }

  /** Tells each repeat once. A repeat is an error until somebody has decided about it. */
  addRepeats(repeats: readonly Repeat[], open: ReadonlySet<Repeat>, prepared: Prepared): void {
    for (const repeat of repeats) {
      if (!this.isNews(`${repeat.index} ${repeat.code}`)) continue;
      const finding = repeatFinding(repeat, open.has(repeat));
      const issue = this.placed(finding, repeat.index, prepared);
      // Under --strict, a decided repeat stays a warning; a repeat in another batch becomes an error.
      if (repeat.counts) this.add(issue);
      else this.addFault(issue);
    }
  }

  /** Tells of the batch's records of unknown outcome that are not in this input. */
  addOpenUnknown(history: History, prepared: Prepared, batchId: string): void {
    const { platform } = this.options;
    for (const match of history.unknown(batchId)) {
      if (prepared.index.find(RecordKey.of(match.key)) !== null || !this.isNews(`unknown ${match.key}`)) continue;
      // The issue itself names the file, so the message does not.
      const settle = `gigwork batch settle ${match.run}${journalWords(this.options)} ${settleWords(match, match.files, platform)}`;
      const message = `the outcome of an earlier record is unknown (${runText(match)}, ${placeWords(match)}) and it is not in this input; go on with its run, or settle it with: ${settle} …`;
      this.addFault({
        ...warning('open-unknown', null, message, match.key),
        file: match.file,
        record: null,
        line: null,
      });
    }
  }

  addConflicts(conflicts: Comparison['conflicts'], prepared: Prepared): void {
    for (const { index, finding } of conflicts) {
      this.add(this.placed(finding, index, prepared));
      prepared.entries.invalidate(index, finding.message);
      prepared.invalidated.push(index);
    }
  }

  /** Why the input refuses the run, in words; empty when it does not. */
  refusal({ faulty, files }: Prepared, { invalid, valid }: RecordCounts, skipInvalid: boolean): string[] {
    const words: string[] = [];
    if (faulty)
      words.push(
        `${files.length === 1 ? 'the file itself' : 'a file itself'} has faults (above): mend them; nothing is sent`,
      );
    if (invalid > 0 && !skipInvalid) {
      // No flag skips a fault of a file.
      const them = invalid === 1 ? 'it' : 'them';
      const rest = valid === 0 || faulty ? '' : `; mend ${them}, or send the others with --skip-invalid`;
      words.push(
        `${countText(invalid)} of ${counted(invalid + valid, 'record')} ${invalid === 1 ? 'is' : 'are'} invalid${rest}`,
      );
    }
    if (this.noRecordsFound) words.push('there is nothing to send');
    else if (this.outside > 0)
      words.push(
        `${this.outside} ${this.outside === 1 ? 'error is' : 'errors are'} not about a record that could be skipped`,
      );
    return words;
  }

  private isNews(name: string): boolean {
    if (this.told.has(name)) return false;
    this.told.add(name);
    return true;
  }

  private placed(finding: Finding, index: number, { entries, files }: Prepared): Issue {
    const { file, ...place } = entries.placeOf(index);
    return { ...finding, file: files[file]?.path ?? null, ...place };
  }
}

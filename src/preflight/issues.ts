/** Everything that is said against the input: told at once, and counted for the verdict. */
import type { KnownPayment } from '../ledger/payment.js';
import { type Finding, type Issue, warning } from '../records/issue.js';
import type { Reporter } from '../report/reporter.js';
import { counted, countText } from '../report/table.js';
import { furtherWords, settleWords } from '../util/shell-word.js';
import type { RunOptions } from '../options.js';
import type { Prepared } from '../batch/prepare.js';
import type { Assessment } from './assess.js';
import type { Known } from './known.js';
import {
  dayOf,
  doneWords,
  keyConflict,
  knownElsewhere,
  type PlaceOf,
  repeatFinding,
  whereWords,
} from './repeat-words.js';
import { hostOf } from './repeats.js';

function emptyWords(files: Prepared['files']): string {
  if (files.length !== 1) return 'no file holds a record';
  const [file] = files;
  return (file?.fields ?? null) === null
    ? 'the input holds no record'
    : 'there are column names, but no rows below them';
}

/** What is needed to speak of the history. */
export interface HistoryWords {
  readonly prepared: Prepared;
  readonly placeOf: PlaceOf;
  readonly target: string;
}

/** Issues that are told before the reader is waited for. */
const AT_ONCE = 100;

const NOWHERE = { record: null, line: null } as const;

/** A payment in doubt, or rejected, that is not in this input: nobody should forget it. */
function leftFinding(payment: KnownPayment, placeOf: PlaceOf, options: RunOptions): Omit<Issue, 'record' | 'line'> {
  const { state, type, run, doubtSince, at } = payment;
  const place = placeOf(payment);
  const where = whereWords(payment, placeOf);
  const further = furtherWords(options.place, options.platform);
  const file = place?.file ?? null;
  if (state === 'rejected') {
    const message = `A ${type === 'gig' ? 'gig' : 'payment'} of this batch was rejected, and is not in this input (${where}). Correct it in the rejects of that run, or close the run: gigwork batch close ${run.name}${further} --note TEXT`;
    return { ...warning('rejected-left', null, message, payment.key), file };
  }
  const settle =
    place === null
      ? ''
      : `, or settle it: gigwork batch settle ${run.name}${further} ${settleWords(place, place.files, options.platform)} …`;
  const message = `A ${type === 'gig' ? 'gig' : 'payment'} of this batch ${doneWords(state, type)}, since ${dayOf(doubtSince ?? at)}, and is not in this input (${where}). Resume its run${settle}`;
  return { ...warning('open-unknown', null, message, payment.key), file };
}

export class Issues {
  warnings = 0;
  /** What of the history `--strict` refuses. */
  historyDoubts = 0;
  /** Errors that are not about a record that could be skipped. */
  private outside = 0;
  private readonly reporter: Reporter;
  private readonly strict: boolean;
  private readonly told = new Set<string>();
  private noRecordsFound = false;
  private readonly options: RunOptions;
  /** Issues since the reader was waited for. */
  private ahead = 0;

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

  /** Tells each repeat once, unless somebody has decided about it: what is left out says so itself. */
  async addRepeats({ undecided }: Assessment, history: HistoryWords): Promise<void> {
    for (const repeat of undecided.repeats) {
      if (!this.isNews(`${repeat.index} ${repeat.code}`)) continue;
      this.addAbout(repeatFinding(repeat, history.placeOf, history.target), repeat.index, history);
      await this.keepPace();
    }
  }

  /** Tells what the history has beside the input: payments in doubt or rejected, and other targets. */
  async addHistory({ unsettled, elsewhere }: Known, history: HistoryWords): Promise<void> {
    const { batchId } = history.prepared;
    for (const payment of unsettled) {
      if (payment.batchId !== batchId || (payment.state === 'rejected' && payment.run.isClosed)) continue;
      if (!this.isNews(`unsettled ${payment.id}`)) continue;
      this.doubtHistory();
      this.add({ ...leftFinding(payment, history.placeOf, this.options), ...NOWHERE });
      await this.keepPace();
    }
    for (const [index, payments] of elsewhere) {
      const other = payments.find(({ run }) => hostOf(run.target) !== hostOf(history.target));
      if (other === undefined || !this.isNews(`elsewhere ${index}`)) continue;
      this.doubtHistory();
      this.addAbout(knownElsewhere(other, history.placeOf), index, history);
      await this.keepPace();
    }
  }

  /** Tells of records whose keys belong to other content. @returns why each is invalid, by entry */
  async addConflicts(conflicts: Assessment['conflicts'], history: HistoryWords): Promise<Map<number, string>> {
    const reasons = new Map<number, string>();
    for (const { index, payment } of conflicts) {
      const finding = keyConflict(history.prepared.entries.keyText(index), payment, history.placeOf);
      this.addAbout(finding, index, history);
      reasons.set(index, finding.message);
      await this.keepPace();
    }
    return reasons;
  }

  /** Under `--strict`, a doubt about the history refuses the run. */
  private doubtHistory(): void {
    if (this.strict) this.historyDoubts++;
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
    if (invalid > 0 && !skipInvalid) {
      // No flag skips a fault of a file.
      const them = invalid === 1 ? 'it' : 'them';
      const rest = valid === 0 || faulty ? '' : `; correct ${them}, or send the others with --skip-invalid`;
      words.push(
        `${countText(invalid)} of ${counted(invalid + valid, 'record')} ${invalid === 1 ? 'is' : 'are'} invalid${rest}`,
      );
    }
    if (this.noRecordsFound) words.push('there is nothing to send');
    else if (this.outside > 0)
      words.push(
        `${this.outside} ${this.outside === 1 ? 'error does' : 'errors do'} not belong to a single record, so --skip-invalid cannot skip ${this.outside === 1 ? 'it' : 'them'}`,
      );
    return words;
  }

  /** There may be an issue for each of a million records. */
  private async keepPace(): Promise<void> {
    if (++this.ahead < AT_ONCE) return;
    this.ahead = 0;
    await this.reporter.ready();
  }

  private isNews(name: string): boolean {
    if (this.told.has(name)) return false;
    this.told.add(name);
    return true;
  }

  private addAbout(finding: Finding, index: number, { prepared: { entries, files } }: HistoryWords): void {
    const { file, ...place } = entries.placeOf(index);
    this.add({ ...finding, file: files[file]?.path ?? null, ...place });
  }
}

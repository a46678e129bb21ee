/** Everything that is said against the input: told at once, and counted for the verdict. */
import type { KnownPayment } from '../ledger/payment.js';
import { type Finding, type Issue, placeWords, warning } from '../records/issue.js';
import type { Reporter } from '../report/reporter.js';
import { counted, countText } from '../report/table.js';
import { furtherWords, settleWords } from '../util/shell-word.js';
import type { RunOptions } from '../options.js';
import type { Prepared } from '../batch/prepare.js';
import type { Assessment } from './assess.js';
import type { Known } from './known.js';
import {
  dayOf,
  keyConflict,
  knownElsewhere,
  otherBatchWords,
  type PlaceOf,
  repeatFinding,
  replacesUnknown,
  runWords,
  sameRecordsWords,
} from './repeat-words.js';
import type { Repeat } from './repeats.js';

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
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Under another batch's name, payments of the last few days are a doubt. CONTRACT: "Rejected, mended". Milliseconds. */
const RECENT = 6 * 24 * 3_600_000;

/** Issues that are told before the reader is waited for. */
const AT_ONCE = 100;

const NOWHERE = { record: null, line: null } as const;

/** A payment in doubt that is not in this input: nobody should forget it. */
function openUnknown(payment: KnownPayment, placeOf: PlaceOf, options: RunOptions): Omit<Issue, 'record' | 'line'> {
  const place = placeOf(payment);
  const at = place === null ? '' : `, ${placeWords(place)}`;
  const settle =
    place === null
      ? ''
      : `, or settle it with: gigwork batch settle ${payment.run.name}${furtherWords(options.place, options.platform)} ${settleWords(place, place.files, options.platform)} …`;
  const message = `the outcome of an earlier payment is unknown since ${dayOf(payment.doubtSince ?? payment.at)} (${runWords(payment)}${at}) and it is not in this input; go on with its run${settle}`;
  return { ...warning('open-unknown', null, message, payment.key), file: place?.file ?? null };
}

export class Issues {
  warnings = 0;
  /** How many of these are told in one sentence for many. */
  summed = 0;
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
    if (issue.summed === true) this.summed++;
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
  async addRepeats({ repeats, undecided }: Assessment, history: HistoryWords): Promise<void> {
    const open = new Set(undecided.repeats);
    const news: Repeat[] = [];
    for (const repeat of repeats) {
      if (!this.isNews(`${repeat.index} ${repeat.code}`)) continue;
      news.push(repeat);
      const finding = repeatFinding(repeat, open.has(repeat), history.placeOf, history.target);
      this.addAbout(repeat.counts ? finding : { ...finding, summed: true }, repeat.index, history);
      if (!repeat.counts) this.doubtHistory(repeat.newest.at, history);
      await this.keepPace();
    }
    for (const words of otherBatchWords(news)) this.reporter.note(words);
  }

  /** Tells what the history has beside the input: payments in doubt, other targets, corrections that name nothing. */
  async addHistory(known: Known, batchId: string, history: HistoryWords): Promise<void> {
    const { inDoubt, elsewhere, corrected } = known;
    const same = this.options.resume === null ? sameRecordsWords(history.prepared, known, this.options) : null;
    if (same !== null && this.isNews('same records')) this.reporter.note(same);
    for (const payment of inDoubt) {
      if (payment.run.batchId !== batchId || !this.isNews(`unknown ${payment.id}`)) continue;
      this.doubtHistory(null, history);
      this.add({ ...openUnknown(payment, history.placeOf, this.options), ...NOWHERE });
      await this.keepPace();
    }
    for (const [index, payment] of elsewhere) {
      if (!this.isNews(`elsewhere ${index}`)) continue;
      this.doubtHistory(null, history);
      this.addAbout(knownElsewhere(payment, history.placeOf), index, history);
      await this.keepPace();
    }
    const { replaces, told, entries } = history.prepared;
    for (const [index, key] of replaces) {
      // What was never sent need not be known, under whichever key.
      if (corrected.has(index) || told.get(index) === 'unsent' || !entries.isValid(index)) continue;
      if (!this.isNews(`replaces ${index}`)) continue;
      this.doubtHistory(null, history);
      this.addAbout(replacesUnknown(key), index, history);
      await this.keepPace();
    }
  }

  /** Records whose keys belong to other content are invalid. */
  async addConflicts(conflicts: Assessment['conflicts'], history: HistoryWords): Promise<void> {
    const { entries } = history.prepared;
    for (const { index, payment } of conflicts) {
      const finding = keyConflict(entries.keyText(index), payment, history.placeOf);
      this.addAbout(finding, index, history);
      entries.invalidate(index, finding.message);
      await this.keepPace();
    }
  }

  /**
   * Under `--strict`, a doubt about the history refuses the run. Payments of other batches raise one only where they were
   * paid a few days ago: last month's are no doubt, yesterday's under another name are.
   * @param paidAt milliseconds since 1970; null where it does not matter
   */
  private doubtHistory(paidAt: number | null, { now }: HistoryWords): void {
    if (this.strict && (paidAt === null || now - paidAt < RECENT)) this.historyDoubts++;
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
        `${this.outside} ${this.outside === 1 ? 'error is' : 'errors are'} not about a record that could be skipped`,
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

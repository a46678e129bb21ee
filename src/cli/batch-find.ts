/** `batch find [text]`: every payment to a person, for a title, or under a reference or key, whichever run has it. */
import { UsageError } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import type { PaymentId, Run, StoredRecord } from '../journal/payment.js';
import { printable } from '../report/printable.js';
import { recordMoneyText, type RecordReport } from '../report/record-report.js';
import { recordEvent } from '../report/event-reporter.js';
import { reasonText, statusText } from '../report/status-text.js';
import { storedReport, type StoredReport, storedReports } from '../report/stored-records.js';
import { pluralize, type TableColumn } from '../report/table.js';
import type { SettingSources } from '../config/resolve.js';
import { responseRules } from '../config/target.js';
import { wholeNumber } from '../config/parsers.js';
import { localTime } from '../util/local-time.js';
import type { Invocation, FlagsWith } from './command.js';
import { printList } from './document.js';
import { withOpenJournal } from './with-journal.js';

interface PaymentHit extends StoredReport {
  readonly run: Run;
  /** Of the payment: that of the run that first accepted it. */
  readonly batchId: string;
}

/** Where the journal has it, and when its state became so. */
interface HitPlace {
  readonly run: Run;
  readonly batchId: string;
  readonly index: number;
  readonly at: number;
}

/** The search; both must match if both are typed. */
interface PaymentSearch {
  /** May be empty: then any payment matches. */
  readonly text: string;
  readonly key: string | undefined;
}

/** Prints the payments, newest first; returns the exit code. @throws JournalError; UsageError without text and key */
export async function findPayments(call: Invocation<FlagsWith<'key' | 'limit'>>): Promise<number> {
  const { key, limit, ...flags } = call.flags;
  const wanted = { text: call.operands[0] ?? '', key };
  if (wanted.text.trim() === '' && (key ?? '') === '')
    throw new UsageError('say what to look for: part of a user, a title or a reference, an id, or --key KEY');
  const most = limit === undefined ? Infinity : wholeNumber('--limit', limit, 1);
  const passed = { pruned: 0 };
  return withOpenJournal({ ...call, flags }, 'reads', async (journal, settings) => {
    const code = await printList(call, {
      name: 'payments',
      items: payments(journal, wanted, most, settings, passed),
      json: ({ run, batchId, report }) => recordEvent(report, { run: run.name, batch_id: batchId, target: run.target }),
      columnsFor: () => PAYMENT_COLUMNS,
      none: noneText(wanted),
    });
    // Otherwise a payment of an old month would seem not to have been made.
    if (passed.pruned > 0)
      call.world.stderr.write(
        `batch prune removed the contents of ${pluralize(passed.pruned, 'payment')}, so only a key finds them: they may have been to this person too.\n`,
      );
    return code;
  });
}

function noneText({ text, key }: PaymentSearch): string {
  const hasKey = key === undefined ? '' : ` the key ${printable(JSON.stringify(key))}`;
  if (text === '') return `No payment has${hasKey}.`;
  const where = `${printable(JSON.stringify(text))} in its user, title or reference, or as its key or id`;
  // Most files have names in columns that are not sent.
  return `No payment has ${where}${hasKey === '' ? '' : ` and${hasKey}`}. gigwork knows only what it sends: if your file's names are not sent, look for the user ID.`;
}

/** Each payment once, in the run that caused its state. At the same moment, payments of the newest run come first. */
async function* payments(
  journal: Journal | null,
  wanted: PaymentSearch,
  most: number,
  settings: SettingSources,
  passed: { pruned: number },
): AsyncGenerator<PaymentHit, void> {
  if (journal === null) return;
  const idIn = (run: Run): string => responseRules(settings, run.target).id;
  const text = foldedText(wanted.text);
  const mayBe = (record: StoredRecord): boolean => {
    if (record.payment === null || record.standsFor !== null) return false;
    const isHit = mayContain(record, wanted, text);
    if (!isHit && record.body === null && wanted.key === undefined) passed.pruned++;
    return isHit;
  };
  // There may be many, so only their places are kept.
  const hits: HitPlace[] = [];
  for (const run of await journal.runs()) {
    for await (const { record, report } of storedReports(run, journal, idIn(run), (page) => page.filter(mayBe))) {
      if (!isWanted(report, wanted.text, text)) continue;
      const [payment] = await journal.byId([record.payment as PaymentId]);
      if (payment?.run.name !== run.name) continue;
      hits.push({ run, batchId: payment.batchId, index: record.index, at: whenOf(record, run) });
    }
  }
  for (const { run, batchId, index } of hits.sort((one, other) => other.at - one.at).slice(0, most)) {
    const found = await storedReport(index, run, journal, idIn(run));
    if (found !== null) yield { run, batchId, ...found };
  }
}

/** The time of its state; for one that was never sent, the start of its run. */
function whenOf({ outcome }: StoredRecord, run: Run): number {
  return outcome?.at ?? run.startedAt;
}

/** Most records are ruled out without reading their bodies. */
function mayContain(
  { key, body, outcome }: StoredRecord,
  { text, key: asked }: PaymentSearch,
  wanted: string,
): boolean {
  if (asked !== undefined && key !== asked) return false;
  // A service may escape more characters than necessary.
  const response = outcome?.response ?? '';
  if (text === '' || key === text || response.includes(inJson(text)) || response.includes('\\')) return true;
  return body !== null && foldedText(body).includes(inJson(wanted));
}

function isWanted({ key, id, userId, title, referenceId }: RecordReport, text: string, wanted: string): boolean {
  if (text === '' || key === text || id === text) return true;
  return [userId, title, referenceId].some((value) => value !== null && foldedText(value).includes(wanted));
}

/** Ignores case, and how accents are composed. */
function foldedText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A text as it appears within a JSON text. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const PAYMENT_COLUMNS: readonly TableColumn<PaymentHit>[] = [
  { title: 'when', cell: ({ record, run }) => localTime(whenOf(record, run)) },
  { title: 'batch', cell: ({ batchId }) => printable(batchId) },
  { title: 'user', cell: ({ report }) => printable(report.userId ?? '') },
  { title: 'title', cell: ({ report }) => printable(report.title ?? '') },
  { title: 'amount', align: 'point', cell: ({ report }) => printable(recordMoneyText(report)) },
  { title: 'state', cell: ({ report }) => statusText(report.state, report.type) },
  { title: 'id', cell: ({ report }) => printable(report.id ?? '') },
  { title: 'reference', cell: ({ report }) => printable(report.referenceId ?? '') },
  { title: 'run', cell: ({ run }) => run.name },
  { title: 'target', cell: ({ run }) => printable(run.target) },
  { title: 'reason', cell: ({ report }) => reasonText(report) },
];

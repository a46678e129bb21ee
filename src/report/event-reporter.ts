/** `--json`: one object per line on standard output. CONTRACT: "`--json`: NDJSON on standard output". */
import { formatDecimal } from '../money/decimal.js';
import type { TotalRow } from '../money/totals.js';
import type { Issue } from '../records/issue.js';
import { RECORD_TYPES } from '../records/kinds.js';
import type { Output } from '../util/output.js';
import { heldWords } from './in-doubt-text.js';
import { escapeControls } from './printable.js';
import { recordEvent } from './report-formats.js';
import type { Reporter, RunSummary } from './reporter.js';

/** Characters. */
const MOST_AT_ONCE = 16_384;

/** @param people reports everything else to people, on standard error */
export function eventReporter(stdout: Output, people: Reporter): Reporter {
  // Written together, since each write is a system call.
  let lines = '';
  const flush = (): void => {
    stdout.write(escapeControls(lines));
    lines = '';
  };
  const write = (json: string): void => {
    lines += `${json}\n`;
    if (lines.length > MOST_AT_ONCE) flush();
  };
  return {
    ...people,
    issue: (issue) => {
      write(JSON.stringify(issueEvent(issue)));
      people.issue(issue);
    },
    record: (report) => write(recordEvent(report)),
    ready: () => {
      flush();
      return stdout.ready();
    },
    summary: (report) => {
      write(JSON.stringify(summaryEvent(report)));
      flush();
      return people.summary(report);
    },
  };
}

function issueEvent(issue: Issue): object {
  const { severity, file, record, line, field, code, message, value, count = 1 } = issue;
  const earlier = issue.earlier ?? null;
  return { event: 'issue', severity, file, record, line, field, code, message, value, count, earlier };
}

/** The `summary` event. CONTRACT: "--json". */
export function summaryEvent({ people: { doubts }, ...report }: RunSummary): object {
  return {
    event: 'summary',
    ...report,
    totals: totalsByType(report.totals),
    reasons: [...report.reasons, ...doubts.map((doubt) => heldWords(doubt))],
    notices: report.notices.map(({ code, count, totals, batchId, at }) => ({
      code,
      count,
      totals: totalsByType(totals),
      batch_id: batchId,
      at: new Date(at).toISOString(),
    })),
  };
}

/** Totals as in events and `batch list`. */
export function totalsByType(rows: readonly TotalRow[]): Record<string, object[]> {
  const shown = ({ currency, costCenter, status, count, amount, unpriced }: TotalRow): object => ({
    currency,
    cost_center: costCenter,
    status,
    count,
    amount: formatDecimal(amount),
    unpriced,
  });
  return Object.fromEntries(RECORD_TYPES.map((type) => [type, rows.filter((row) => row.type === type).map(shown)]));
}

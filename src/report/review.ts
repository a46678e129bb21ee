/** The review before anything is sent, as lines for a terminal. */
import { groupThousands } from '../money/decimal.js';
import { sumByCurrency } from '../money/totals.js';
import { printable } from './printable.js';
import type { Notable, Part, ReviewReport } from './reporter.js';
import { totalsLines } from './totals-table.js';
import { tableLines } from './table.js';

export function reviewLines(report: ReviewReport): string[] {
  const { target, batchId, digest, files, invalid, toSend, smallest } = report;
  return [
    '',
    `Target   ${printable(target ?? 'none')}`,
    `Batch    ${printable(batchId)}`,
    ...files.map(({ path, sha256, records }) => `File     ${printable(path)} (${records} records, SHA-256 ${sha256})`),
    ...(digest === null ? [] : [`Digest   ${digest}`]),
    '',
    ...totalsLines(toSend.totals.map((row) => ({ ...row, status: 'to send' }))),
    '',
    ...partLines(report),
    ...(invalid === 0 ? [] : [`${invalid} invalid records are left out`]),
    ...repeatLines(report.repeats),
    ...(report.largest.length === 0 ? [] : ['', 'Largest amounts', ...report.largest.map((notable) => `  ${notableText(notable)}`)]),
    ...(smallest === null ? [] : ['Smallest amount', `  ${notableText(smallest)}`]),
    '',
  ];
}

function partLines({ inFile, before, toSend }: ReviewReport): string[] {
  const rows = [
    ['in the input', ...partCells(inFile)],
    ['created before', ...partCells(before)],
    ['to send now', ...partCells(toSend)],
  ];
  return tableLines([{ title: '' }, { title: 'records', align: 'right' }, { title: 'amount' }], rows);
}

function partCells({ count, totals }: Part): string[] {
  const sums = sumByCurrency(totals).map((row) => `${groupThousands(row.amount)} ${printable(row.currency ?? 'without currency')} (${row.type})`);
  return [String(count), sums.join(', ')];
}

const REPEATS: Readonly<Record<string, string>> = {
  'created-before': 'created before',
  'same-content': 'of the same content as earlier ones',
  'similar-record': 'similar to earlier ones',
};

function repeatLines(repeats: Readonly<Record<string, number>>): string[] {
  return Object.entries(repeats).map(([kind, count]) => `${count} ${count === 1 ? 'record is' : 'records are'} ${REPEATS[kind] ?? kind}`);
}

function notableText({ type, currency, amount, file, record, line }: Notable): string {
  const place = line === null ? `record ${record}` : `line ${line}`;
  return printable(`${groupThousands(amount)} ${currency ?? ''} ${type}, ${file}, ${place}`.replace('  ', ' '));
}

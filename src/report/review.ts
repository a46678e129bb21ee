/** The review before anything is sent, as lines for a terminal. */
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { placeWords } from '../records/issue.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { printable } from './printable.js';
import type { Extremes, Notable, Part, ReviewReport } from './reporter.js';
import { counted, countText, shortened, tableLines } from './table.js';
import { amountText, commonDecimals, shownName, totalsLines } from './totals-table.js';

/** @param width columns of the terminal. @param quiet the warnings have not been shown */
export function reviewLines(report: ReviewReport, width = Infinity, quiet = false): string[] {
  const { batchId, digest, invalid, warnings, toSend } = report;
  const shown = quiet ? 'not shown: --quiet' : 'shown above';
  return [
    '',
    ...targetLines(report.target),
    `Batch    ${printable(batchId)}`,
    ...report.files.flatMap(({ path, sha256, records }) => [
      `File     ${printable(path)}, ${counted(records, 'record')}`,
      `SHA-256  ${sha256}`,
    ]),
    ...(digest === null ? [] : [`Digest   ${digest}`]),
    '',
    ...totalsLines(
      toSend.totals.map((row) => ({ ...row, status: '' })),
      width,
    ),
    ...(toSend.totals.length === 0 ? [] : ['']),
    ...partLines(report, width),
    ...report.extremes.flatMap((extremes) => extremeLines(extremes, report.files.length > 1)),
    ...remarks([
      [invalid, 'invalid record is left out', 'invalid records are left out'],
      [warnings, `warning, ${shown}`, `warnings, ${shown}`],
      [
        report.inDoubt,
        'record may have been carried out already, and is sent again under the same key',
        'records may have been carried out already, and are sent again under the same keys',
      ],
      [
        report.rejected,
        'record was rejected before, and is sent again',
        'records were rejected before, and are sent again',
      ],
      ...repeatRemarks(report.repeats),
    ]),
    '',
  ];
}

/** The account stands behind a `#` in the target's name. CONTRACT: "Target flags". */
function targetLines(target: string | null): string[] {
  const [url = '', account] = (target ?? 'none').split('#');
  return [`Target   ${printable(url)}`, ...(account === undefined ? [] : [`Account  ${printable(account)}`])];
}

type Remark = readonly [count: number, one: string, many: string];

function remarks(all: readonly Remark[]): string[] {
  const lines = all.filter(([count]) => count > 0).map((remark) => counted(...remark));
  return lines.length === 0 ? [] : ['', ...lines];
}

/** "In the file / created before / to send now", a row for each type and currency. */
function partLines({ inFile, before, unknown, staysRejected, toSend }: ReviewReport, width: number): string[] {
  const parts: [string, Part][] = [
    ['In the input', inFile],
    ['Created before', before],
    ...(unknown.count === 0 ? [] : [['Of unknown outcome, not sent', unknown] satisfies [string, Part]]),
    ...(staysRejected.count === 0 ? [] : [['Rejected before, not sent', staysRejected] satisfies [string, Part]]),
    ['To send now', toSend],
  ];
  const sums = parts.map(([name, { totals }]) => ({ name, rows: sumByCurrency(totals) }));
  const decimals = commonDecimals(sums.flatMap(({ rows }) => rows.map(({ amount }) => amount)));
  const rows = sums.flatMap(({ name, rows: own }) =>
    own.length === 0
      ? [[name, '', '0', '']]
      : own.map((sum, i) => [i === 0 ? name : '', kindOf(sum), countText(sum.count), amountText(sum.amount, decimals)]),
  );
  const columns = [
    { title: '' },
    { title: '' },
    { title: 'records', align: 'right' as const },
    { title: 'amount', align: 'right' as const },
  ];
  return tableLines(columns, rows, width);
}

/** `payouts in EUR`, or for one `payout in EUR`. */
export function kindOf({ type, currency }: Pick<TotalRow, 'type' | 'currency'>, count = 2): string {
  const { plural } = KINDS[type as RecordType];
  return `${count === 1 ? plural.replace(/s$/, '') : plural}${currency === null ? '' : ` in ${shownName(currency)}`}`;
}

/** Words for each kind of repeat. `other-batches` are sent all the same: content that another batch has only warns. */
const REPEATS: Readonly<Record<string, readonly [string, string]>> = {
  'created-before': ['record was sent before', 'records were sent before'],
  'open-before': ['record is still open in another run', 'records are still open in another run'],
  'same-content': ['record was sent before under another key', 'records were sent before under another key'],
  'other-batches': ['record was sent before, in another batch', 'records were sent before, in other batches'],
  'similar-record': ['record is similar to an earlier one', 'records are similar to earlier ones'],
};

function repeatRemarks(repeats: Readonly<Record<string, number>>): Remark[] {
  return Object.entries(repeats).map(([kind, count]) => [count, ...(REPEATS[kind] ?? [kind, kind])]);
}

/** In characters. */
const LONGEST_SUBJECT = 80;

function extremeLines({ type, largest, smallest }: Extremes, severalFiles: boolean): string[] {
  const all = [...largest, smallest];
  const decimals = commonDecimals(all.map(({ amount }) => amount));
  const widest = Math.max(...all.map(({ amount }) => amountText(amount, decimals).length));
  const text = (notable: Notable): string => {
    const { currency, amount, file, subject } = notable;
    const money = `${amountText(amount, decimals).padStart(widest)}${currency === null ? '' : ` ${shownName(currency)}`}`;
    return printable(
      `  ${money}  ${severalFiles ? `${file}, ` : ''}${placeWords(notable)}${subject === '' ? '' : `, ${shortened(subject, LONGEST_SUBJECT)}`}`,
    );
  };
  const { plural } = KINDS[type as RecordType];
  return [
    '',
    `Largest ${plural}`,
    ...largest.map(text),
    `Smallest ${kindOf({ type, currency: null }, 1)}`,
    text(smallest),
  ];
}

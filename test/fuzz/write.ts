/** Records → files, by a writer of the tests' own. */
import type { Json } from './records.js';

export interface Layout {
  readonly delimiter: string;
  readonly lineEnd: string;
  /** The decimal mark of numbers in cells. */
  readonly comma: boolean;
  readonly quoteAll: boolean;
  /** Objects go over dot paths where they can, instead of as JSON text. */
  readonly spread: boolean;
  readonly dress: Dress;
}

/** How files are written that nobody adapted. */
export interface Dress {
  /** Amounts carry the sign of their record's currency. */
  readonly signed: boolean;
  /** Amounts go out: they are negative. */
  readonly negated: boolean;
  readonly dates: 'ymd' | 'dmy' | 'mdy';
  /** No line has the column names. */
  readonly headless: boolean;
  /** A column that is no field. */
  readonly other: boolean;
}

export const PLAIN: Dress = { signed: false, negated: false, dates: 'ymd', headless: false, other: false };

const FREE = ['filter_query', 'sort_query', 'notification_payload'];

/** Fields that stand in one cell: free ones, and those that are empty somewhere, which no column below them could say. */
function wholeFields(records: readonly Json[]): ReadonlySet<string> {
  const isEmpty = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const empty = records.flatMap((record) => Object.keys(record).filter((name) => isEmpty(record[name])));
  return new Set([...FREE, ...empty]);
}

/** Cells by column. */
function cellsOf(record: Json, layout: Layout, whole: ReadonlySet<string>, prefix = ''): [string, string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] => {
    const path = `${prefix}${name}`;
    if (value === null || value === undefined) return [];
    if (typeof value === 'number') return [[path, numberText(path, value, record['currency'], layout)]];
    if (path.endsWith('_date') && typeof value === 'string') return [[path, dateText(value, layout.dress)]];
    if (typeof value === 'string') {
      return [[path, layout.comma && name === 'multiplier' ? value.replace('.', ',') : value]];
    }
    if (typeof value === 'boolean') return [[path, String(value)]];
    if (!layout.spread || whole.has(path)) return [[path, JSON.stringify(value)]];
    return cellsOf(value as Json, layout, whole, `${path}.`);
  });
}

/** By the last digit, so that a file has all of them. */
function numberText(path: string, value: number, currency: unknown, { comma, dress }: Layout): string {
  const money = path === 'amount';
  const number = money && dress.negated ? -value : value;
  const digits = comma ? String(number).replace('.', ',') : String(number);
  if (!money || !dress.signed || typeof currency !== 'string') return comma ? accounted(digits) : digits;
  const sign = currency === 'EUR' ? '€' : currency;
  const ways = [`${sign}${digits}`, `${sign} ${digits}`, `${digits}\u00a0${sign}`, digits.replace(/^-?/, `$&${sign} `)];
  return ways[Number(/\d$/.exec(digits)?.[0]) % ways.length]!;
}

/** A negative number as accountants write it, by its last digit. */
function accounted(digits: string): string {
  if (!digits.startsWith('-')) return digits;
  const bare = digits.slice(1);
  return [digits, `${bare}-`, `(${bare})`, `\u2212${bare}`][Number(/\d$/.exec(bare)?.[0]) % 4]!;
}

const MONTHS = ['Jan', 'Feb', 'Mär', 'Apr', 'Mai', 'Jun', 'July', 'Aug', 'Sept', 'Okt', 'nov', 'DEC'];

function dateText(date: string, { dates }: Dress): string {
  if (dates === 'ymd') return Number(date.slice(-1)) % 2 === 0 ? date : `${date}T00:00:00Z`;
  const [year = '', month = '', day = ''] = date.split('-');
  const named = MONTHS[Number(month) - 1]!;
  const short = year.slice(2);
  const time = ['', ' 09:05', ' 23:59:59'][Number(month) % 3]!;
  const text =
    dates === 'dmy'
      ? ([`${day}.${month}.${year}`, `${Number(day)}/${Number(month)}/${short}`, `${day}-${named}-${year}`][
          Number(day) % 3
        ] as string)
      : ([`${month}/${day}/${year}`, `${Number(month)}-${Number(day)}-${short}`, `${named}.${day}.${short}`][
          Number(day) % 3
        ] as string);
  return `${text}${time}`;
}

/** The columns of a file, in their order, and how it is to be read. */
export function csvFlags(records: readonly Json[], layout: Layout): string[] {
  const { signed, negated, dates, headless, other } = layout.dress;
  return [
    ...(layout.comma ? ['--decimal', 'comma'] : []),
    ...(signed ? ['--currency-signs'] : []),
    ...(negated ? ['--negate'] : []),
    ...(dates === 'ymd' ? [] : ['--date-format', dates]),
    ...(other ? ['--ignore-other-columns'] : []),
    ...(headless ? ['--header-line', '0'] : []),
    ...(headless ? columnsOf(records, layout).flatMap((path, i) => ['--map', `#${i + 1}=${path}`]) : []),
  ];
}

function columnsOf(records: readonly Json[], layout: Layout): string[] {
  const whole = wholeFields(records);
  return [...new Set(records.flatMap((record) => cellsOf(record, layout, whole).map(([path]) => path)))];
}

export function csvText(records: readonly Json[], layout: Layout): string {
  const { delimiter, lineEnd, quoteAll } = layout;
  const whole = wholeFields(records);
  const rows = records.map((record) => new Map(cellsOf(record, layout, whole)));
  const columns = columnsOf(records, layout);
  const quoted = (cell: string): string =>
    quoteAll || cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const cells = rows.map((row) => columns.map((column) => row.get(column) ?? ''));
  const { headless, other } = layout.dress;
  const table = headless ? cells : [columns, ...cells];
  const lines = other ? table.map((row, i) => [...row, i === 0 && !headless ? 'Notiz' : `note ${i}`]) : table;
  return lines.map((line) => line.map(quoted).join(delimiter) + lineEnd).join('');
}

export function ndjsonText(records: readonly Json[], lineEnd = '\n'): string {
  return records.map((record) => JSON.stringify(record) + lineEnd).join('');
}

/** The first page of an HTML report, which is signed: the money, what was sent where by whom, and two signatures. */
import { add, type Decimal, ZERO } from '../money/decimal.js';
import { closingSums, sumByCurrency, type TotalRow } from '../money/totals.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { moneyText } from '../records/money-text.js';
import { stateMark } from './html-records.js';
import { amountTitle, bandWords, commonFate, groupWords, moment, rehearsed, typeWords, verdict } from './html-words.js';
import { capital, CLOSE_TABLE, escaped, type HtmlColumn, inText, openTable, section, tableRow } from './markup.js';
import type { ReportHead } from './record-report.js';
import { confirmedWord, fateWords, STATES } from './state-words.js';
import { counted, countText, personWords, shortened } from './table.js';
import { figuresOf, nameOf } from './totals-table.js';

/** What a first page has room for, whatever was sent, above its signatures. What is more stands below, or elsewhere. */
const MOST_LINES = 14;
const MOST_SUMS = 3;
const LONGEST_REASON = 150;
const LONGEST_NAME = 60;
const LONGEST_PATH = 90;
const LONGEST_PERSON = 40;
const LONGEST_NOTE = 120;

export function firstPage(head: ReportHead): string {
  const band = bandWords(head);
  const sums = headline(head);
  const [reason, ...others] = head.refusal;
  const more = others.length > 0 ? ' (more below)' : '';
  return `${band === null ? '' : `<p class="band">${escaped(band)}</p>\n`}<div class="sheet">
<header>
<p class="kind">${escaped(kindWords(head))}</p>
<h1${sums.length > 1 ? ' class="several"' : ''}>${sums.map(escaped).join('<br>')}</h1>
<p class="verdict">${escaped(verdict(head))}</p>
${reason === undefined ? '' : `<p>${escaped(shortened(reason, LONGEST_REASON) + more)}</p>\n`}</header>
${section('money', 'Grand totals', grandTotals(head))}${section('facts', 'What, where and by whom', facts(head))}${SIGNATURES}</div>
`;
}

/** The reasons of a refusal, where the first page has no room for all of them. */
export function refusalSection({ refusal }: ReportHead): string {
  if (refusal.length < 2 && refusal.join('').length <= LONGEST_REASON) return '';
  const words = refusal.map((each) => `<p>${escaped(each)}</p>\n`).join('');
  return section('refusal', 'Why nothing was sent', words);
}

/** `Payouts, batch 2026-11`. */
function kindWords({ totals, command, batchId }: ReportHead): string {
  const plurals = [...new Set(totals.map(({ type }) => KINDS[type as RecordType].plural))];
  return `${plurals.length === 0 ? `gigwork ${command}` : capital(plurals.join(', '))}, batch ${shortened(batchId, LONGEST_NAME)}`;
}

/** The states of records whose money was paid; in a rehearsal, would be. */
function paidStates(head: ReportHead): readonly string[] {
  return rehearsed(head) === null ? ['created', 'already_created'] : ['planned'];
}

/** The money, a line for each type and currency. */
function headline(head: ReportHead): string[] {
  const states = paidStates(head);
  const sums = sumsOf(head.totals.filter(({ status }) => states.includes(status)));
  const where = head.target === 'sandbox' && rehearsed(head) === null ? ' in the sandbox' : '';
  const fate = (types: readonly string[]): string => `${commonFate(states[0] ?? '', types)}${where}`;
  if (sums.length === 0) return [nothing(head)];
  if (sums.length > MOST_SUMS) return [`${capital(fate(sums.map(({ type }) => type)))}, in ${sums.length} sums`];
  return sums.map((sum) => `${sumWords(sum)} ${fate([sum.type])}`);
}

function nothing(head: ReportHead): string {
  const { records, totals } = head;
  if ((records['read'] ?? 0) === 0) return 'No records';
  if (rehearsed(head) !== null) return 'Nothing would be sent';
  const [type = 'payout', ...others] = new Set(totals.map((row) => row.type));
  const word = others.length === 0 ? confirmedWord(type) : 'created';
  return (records['unknown'] ?? 0) > 0 ? `Nothing is confirmed as ${word}` : `Nothing was ${word}`;
}

function sumWords({ type, currency, amount, count, unpriced }: TotalRow): string {
  if (unpriced === count) return `${countText(count)} ${nameOf(type, count)} without a known price`;
  const money = moneyText(amount, currency, type);
  return type === 'payout' ? money : `${money} in ${KINDS[type as RecordType].plural}`;
}

/** By type and currency, the types in the order in which all outputs name them. */
function sumsOf(rows: readonly TotalRow[]): TotalRow[] {
  const order = (type: string): number => RECORD_TYPES.indexOf(type as RecordType);
  return sumByCurrency(rows).sort((one, other) => order(one.type) - order(other.type));
}

interface TotalLine extends TotalRow {
  /** HTML. */
  readonly what: string;
  /** Of a sum of several states, how much of it was paid, or would be. */
  readonly paid: Decimal;
  /** `all` for a type and currency, `part` for one of its states. */
  readonly kind: 'all' | 'part';
}

/** For each type and currency a line for each state and their sum; where that is too much for a page, the sums. */
function grandTotals(head: ReportHead): string {
  const lines = sumsOf(head.totals).flatMap((sum) => linesOf(sum, head));
  const isShort = lines.length > MOST_LINES;
  const sums = lines.filter(({ kind }) => kind === 'all');
  const shown = isShort ? sums.slice(0, MOST_LINES) : lines;
  const figure = figuresOf(lines);
  const states = paidStates(head);
  const columns: HtmlColumn<TotalLine>[] = [
    { title: 'what', kind: 'head', cell: (line) => `${line.what}${unpricedWords(line)}` },
    { title: 'records', kind: 'number', cell: ({ count }) => countText(count) },
    { title: 'amount', kind: 'number', cell: figure },
    ...(isShort
      ? [
          {
            title: `of that ${commonFate(
              states[0] ?? '',
              shown.map(({ type }) => type),
            )}`,
            kind: 'number' as const,
            cell: (line: TotalLine) => figure({ ...line, amount: line.paid }),
          },
        ]
      : []),
  ];
  const hidden = isShort ? sums.length - shown.length : 0;
  const invalid = head.records['invalid'] ?? 0;
  return [
    ...(lines.length === 0
      ? []
      : [
          openTable('Grand totals of the file', columns, 'grand'),
          ...shown.map((line) => tableRow(columns, line, line.kind)),
          CLOSE_TABLE,
        ]),
    ...(invalid === 0
      ? []
      : [note(`${counted(invalid, 'record has faults', 'records have faults')}, and their amounts do not count`)]),
    ...(hidden === 0 ? [] : [note(`${counted(hidden, 'more sum stands', 'more sums stand')} below`)]),
  ].join('');
}

/** The sum of a type and currency, and where it has several states, a line for each of them, in their order. */
function linesOf(sum: TotalRow, head: ReportHead): TotalLine[] {
  const own = head.totals.filter(({ type, currency }) => type === sum.type && currency === sum.currency);
  const states = STATES.flatMap(({ name: status }) =>
    sumByCurrency(own.filter((row) => row.status === status)).map((row) => ({ ...row, status })),
  );
  const paid = own.filter(({ status }) => paidStates(head).includes(status)).map(({ amount }) => amount);
  const [only] = states;
  const isOne = states.length === 1 && only !== undefined;
  const fate = isOne ? `: ${fateWords(only.status, sum.type)}` : '';
  const all = {
    ...sum,
    what: escaped(`${groupWords(sum)}${fate}`),
    paid: paid.reduce(add, ZERO),
    kind: 'all' as const,
  };
  if (isOne) return [all];
  return [
    all,
    ...states.map((row) => {
      const what = stateMark(row.status, capital(fateWords(row.status, row.type)));
      return { ...row, what, paid: ZERO, kind: 'part' as const };
    }),
  ];
}

function unpricedWords({ unpriced }: TotalRow): string {
  return unpriced === 0 ? '' : ` <span class="aside">(${countText(unpriced)} without a known price)</span>`;
}

function note(words: string): string {
  return `<p class="note">${escaped(words)}.</p>\n`;
}

/** Rows of one table by cost center; the sums below them count everything. */
const MOST_ROWS = 1000;

/** A table for each type. Never a sum across types or currencies. */
export function totalsSection({ totals }: ReportHead): string {
  const types = RECORD_TYPES.filter((type) => totals.some((row) => row.type === type));
  const tables = types.map((type) => {
    const rows = totals.filter((row) => row.type === type);
    const sums = closingSums(rows);
    const shown = rows.slice(0, MOST_ROWS);
    const hidden = rows.length - shown.length;
    const isSum = new Set(sums);
    const columns: HtmlColumn<TotalRow>[] = [
      { title: 'currency', cell: ({ currency }) => inText(currency ?? 'none') },
      {
        title: 'cost center',
        kind: 'head',
        cell: (row) => (isSum.has(row) ? 'all' : inText(row.costCenter ?? 'none')),
      },
      { title: 'state', cell: ({ status }) => (status === '' ? '' : stateMark(status, fateWords(status, type))) },
      { title: 'records', kind: 'number', cell: ({ count }) => countText(count) },
      { title: amountTitle(type), kind: 'number', cell: figuresOf([...rows, ...sums]) },
      ...(rows.some(({ unpriced }) => unpriced > 0)
        ? [{ title: 'without price', kind: 'number' as const, cell: ({ unpriced }: TotalRow) => countText(unpriced) }]
        : []),
    ];
    return [
      types.length > 1 ? `<h3>${escaped(capital(typeWords(type)))}</h3>\n` : '',
      openTable(`Totals of ${KINDS[type].plural}`, columns),
      ...shown.map((row) => tableRow(columns, row)),
      ...sums.map((row) => tableRow(columns, row, 'sum')),
      CLOSE_TABLE,
      hidden === 0 ? '' : note(`${counted(hidden, 'more row is', 'more rows are')} not shown; the sums count them`),
    ].join('');
  });
  return tables.length === 0 ? '' : section('totals', 'Totals by cost center', tables.join(''));
}

function facts(head: ReportHead): string {
  const { target, batchId, run, command, startedAt, by, version, digest, madeAt, files, records } = head;
  const name = (text: string): string => inText(shortened(text, LONGEST_NAME));
  const of = (state: string): string => countText(records[state] ?? 0);
  const pairs: (readonly [string, string])[] = [
    ['Target', target === null ? 'none given' : name(target)],
    ['Batch', name(batchId)],
    ...(run === null ? [] : [['Run', `<code>${escaped(shortened(run, LONGEST_NAME))}</code>`] as const]),
    ['Program', `gigwork ${escaped(`${version} ${shortened(command, LONGEST_NAME)}`)}`],
    ['Records', `${of('read')} read, ${of('valid')} valid, ${of('invalid')} with faults`],
    ['Run by', escaped(shortened(personWords(by), LONGEST_PERSON))],
    ...(startedAt === null ? [] : [['Started', moment(startedAt, head)] as const]),
    ['Page made', moment(madeAt, head)],
  ];
  const [file, ...others] = files;
  const wide: (readonly [string, string])[] = [
    ['Approved by', approvedText(head)],
    ...(file === undefined || others.length > 0 ? [] : [['File', fileText(file)] as const]),
    ...(others.length === 0 ? [] : [['Files', `${countText(files.length)}, listed below with their SHA-256`] as const]),
    ['Digest of the records', digest === null ? 'none: no target was named' : `<code>${escaped(digest)}</code>`],
  ];
  const entry = (kind: string, [term, html]: readonly [string, string]): string =>
    `<div${kind}><dt>${term}</dt><dd>${html}</dd></div>\n`;
  return `<dl>\n${pairs.map((pair) => entry('', pair)).join('')}${wide.map((pair) => entry(' class="whole"', pair)).join('')}</dl>\n`;
}

/** @param file an input, with how many records it holds */
export function fileText({ path, sha256, records }: ReportHead['files'][number]): string {
  const hash = sha256 === '' ? 'not read to its end' : `SHA-256 <code>${escaped(sha256)}</code>`;
  return `${inText(shortened(path, LONGEST_PATH))}, ${counted(records, 'record')}<br><span class="aside">${hash}</span>`;
}

function approvedText(head: ReportHead): string {
  const { approvedBy } = head;
  if (approvedBy === null) return 'no approval on record';
  const { at, by, note: said } = approvedBy;
  const words = said === '' ? '' : `: ${escaped(shortened(said, LONGEST_NOTE))}`;
  return `${escaped(shortened(personWords(by), LONGEST_PERSON))}, ${moment(at, head)}${words}`;
}

const SIGNATURES = section(
  'signatures',
  'Signatures',
  `<div class="lines">
${['Prepared by', 'Approved by'].map((who) => `<div><p class="who">${who}</p><p class="line">Name, date, signature</p></div>\n`).join('')}</div>
`,
).replace('<section', '<section class="signatures"');

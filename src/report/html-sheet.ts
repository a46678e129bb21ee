/** The first page of an HTML report, which is signed: the money, what was sent where by whom, and two signatures. */
import { add, ZERO } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import type { PersonsWord } from '../ledger/payment.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import type { ReportHead } from './report-head.js';
import { moneyText } from '../records/money-text.js';
import { columnOf, type KnownMoney } from './amount-columns.js';
import type { Below } from './html-records.js';
import {
  bandWords,
  commonFate,
  confirmedWord,
  fateWords,
  groupWords,
  moment,
  rehearsed,
  verdict,
} from './html-words.js';
import { amountCell, capital, CLOSE_TABLE, escaped, inText } from './markup.js';
import { STATES } from './state-words.js';
import { counted, countText, personWords, shortened } from './table.js';

/** What a first page has room for, whatever was sent, above its signatures. What is more stands below, or elsewhere. */
const MOST_LINES = 14;
const MOST_SUMS = 3;
const MOST_REASONS = 4;
const MOST_NOTES = 2;
const LONGEST_REASON = 150;
const LONGEST_REASONS = 400;
const LONGEST_NAME = 60;
const LONGEST_PATH = 90;
const LONGEST_PERSON = 40;
const LONGEST_NOTE = 120;

/** @param below amounts of zero or less among the records */
export function* firstPage(head: ReportHead, below: readonly Below[]): Iterable<string> {
  const band = bandWords(head);
  const sums = headline(head);
  if (band !== null) yield `<p class="band">${escaped(band)}</p>\n`;
  yield `<div class="sheet">
<header>
<p class="kind">${escaped(kindWords(head))}</p>
<h1${sums.length > 1 ? ' class="several"' : ''}>${sums.map(escaped).join('<br>')}</h1>
<p class="verdict">${escaped(verdict(head))}</p>
${refusalNotes(head)}</header>
`;
  yield grandTotals(head, below);
  yield facts(head);
  yield SIGNATURES;
  yield '</div>\n';
}

/** `Payouts, batch 2026-11`. */
function kindWords({ totals, command, batchId }: ReportHead): string {
  const plurals = [...new Set(totals.map(({ type }) => KINDS[type as RecordType].plural))];
  return `${plurals.length === 0 ? `gigwork ${command}` : capital(plurals.join(', '))}, batch ${shortened(batchId, LONGEST_NAME)}`;
}

/** The money, a line for each type and currency. */
function headline(head: ReportHead): string[] {
  const isRehearsed = rehearsed(head) !== null;
  const counting = isRehearsed ? ['planned'] : ['created', 'already_created'];
  const sums = sumsOf(head.totals.filter(({ status }) => counting.includes(status)));
  const where = head.target === 'sandbox' && !isRehearsed ? ' in the sandbox' : '';
  const fate = (type: string): string => `${isRehearsed ? 'would be sent' : confirmedWord(type)}${where}`;
  if (sums.length === 0) return [nothing(head, isRehearsed)];
  if (sums.length > MOST_SUMS)
    return [
      `${capital(commonFate(isRehearsed ? 'planned' : 'created', typesOf(sums)))}${where}, in ${sums.length} sums`,
    ];
  return sums.map((sum) => `${sumWords(sum)} ${fate(sum.type)}`);
}

/** By type and currency, the types in the order in which all outputs name them. */
function sumsOf(rows: readonly TotalRow[]): TotalRow[] {
  const order = (type: string): number => RECORD_TYPES.indexOf(type as RecordType);
  return sumByCurrency(rows).sort((one, other) => order(one.type) - order(other.type));
}

function typesOf(rows: readonly TotalRow[]): string[] {
  return [...new Set(rows.map(({ type }) => type))];
}

function nothing({ records, totals }: ReportHead, isRehearsed: boolean): string {
  if ((records['read'] ?? 0) === 0) return 'No records';
  if (isRehearsed) return 'Nothing would be sent';
  const [type = 'payout', ...others] = typesOf(totals);
  const word = others.length === 0 ? confirmedWord(type) : 'created';
  return (records['unknown'] ?? 0) > 0 ? `Nothing is confirmed as ${word}` : `Nothing was ${word}`;
}

function sumWords(sum: TotalRow): string {
  const { type, count, unpriced } = sum;
  const { plural } = KINDS[type as RecordType];
  if (unpriced === count) return `${counted(count, plural.replace(/s$/, ''), plural)} without a known price`;
  return type === 'payout' ? moneyIn(sum) : `${moneyIn(sum)} in ${plural}`;
}

function moneyIn({ amount, currency, type }: KnownMoney): string {
  return moneyText(amount, currency, type);
}

/** Whether the first page has room for all reasons of a refusal. */
function hasRoom({ refusal }: ReportHead): boolean {
  return refusal.length <= MOST_REASONS && refusal.join('').length <= LONGEST_REASONS;
}

function refusalNotes(head: ReportHead): string {
  const [first] = head.refusal;
  if (first === undefined) return '';
  if (hasRoom(head)) return head.refusal.map((words) => `<p>${escaped(words)}</p>\n`).join('');
  return `<p>${escaped(shortened(first, LONGEST_REASON))} <span class="aside">(more below)</span></p>\n`;
}

/** The reasons of a refusal, where the first page has no room for all of them. */
export function refusalSection(head: ReportHead): string {
  if (hasRoom(head)) return '';
  const words = head.refusal.map((each) => `<p>${escaped(each)}</p>\n`).join('');
  return `<section aria-labelledby="refusal">\n<h2 id="refusal">Why nothing was sent</h2>\n${words}</section>\n`;
}

/** For each type and currency a line for each state and their sum; where that is too much for a page, the sums. */
function grandTotals(head: ReportHead, below: readonly Below[]): string {
  const groups = sumsOf(head.totals).map((sum) => ({ sum, states: statesOf(head.totals, sum) }));
  const lines = groups.reduce((count, { states }) => count + (states.length === 1 ? 1 : states.length + 1), 0);
  const table = lines > MOST_LINES ? shortTable(groups, head) : fullTable(groups);
  const rest = lines > MOST_LINES ? groups.length - MOST_LINES : 0;
  const notes = [
    ...(rest > 0 ? [`${counted(rest, 'more sum stands', 'more sums stand')} below`] : []),
    ...below.slice(0, MOST_NOTES).map(belowWords),
  ];
  const invalid = head.records['invalid'] ?? 0;
  const faulty =
    invalid === 0
      ? []
      : [`${counted(invalid, 'record has faults', 'records have faults')}, and their amounts do not count`];
  return `<section aria-labelledby="money">
<h2 id="money">Grand totals</h2>
${groups.length === 0 ? '' : table}${[...faulty, ...notes].map((words) => `<p class="note">${escaped(words)}.</p>\n`).join('')}</section>
`;
}

interface Group {
  readonly sum: TotalRow;
  readonly states: readonly TotalRow[];
}

function fullTable(groups: readonly Group[]): string {
  const column = columnOf(groups.map(({ sum }) => sum));
  const line = (words: string, row: TotalRow, kind: string): string =>
    `<tr class="${kind}"><th scope="row">${words}${unpricedWords(row)}</th>${countCell(row)}${amountCell(row, column)}</tr>\n`;
  const rows = groups.flatMap(({ sum, states }) => {
    const [only] = states;
    if (states.length === 1 && only !== undefined)
      return [line(`${escaped(groupWords(sum))}: ${escaped(fateWords(only.status, only.type))}`, only, 'all')];
    const parts = states.map((row) => line(marked(row), row, 'part'));
    return [line(escaped(groupWords(sum)), sum, 'all'), ...parts];
  });
  return grandTable(['amount'], rows);
}

/** A line for each type and currency, with what of it is confirmed. */
function shortTable(groups: readonly Group[], head: ReportHead): string {
  const isRehearsed = rehearsed(head) !== null;
  const counting = isRehearsed ? ['planned'] : ['created', 'already_created'];
  const shown = groups.slice(0, MOST_LINES);
  const column = columnOf(groups.map(({ sum }) => sum));
  const rows = shown.map(({ sum, states }) => {
    const parts = states.filter(({ status }) => counting.includes(status));
    const done = { ...sum, amount: parts.map(({ amount }) => amount).reduce(add, ZERO) };
    return `<tr><th scope="row">${escaped(groupWords(sum))}${unpricedWords(sum)}</th>${countCell(sum)}${amountCell(sum, column)}${amountCell(done, column)}</tr>\n`;
  });
  const types = typesOf(shown.map(({ sum }) => sum));
  return grandTable(['amount', `of that ${commonFate(isRehearsed ? 'planned' : 'created', types)}`], rows);
}

function grandTable(amounts: readonly string[], rows: readonly string[]): string {
  const heads = ['records', ...amounts].map((title) => `<th scope="col" class="number">${escaped(title)}</th>`);
  const name = 'Grand totals of the file';
  return `<div class="wide" role="region" aria-label="${name}" tabindex="0"><table class="grand">
<caption>${name}</caption>
<thead><tr><th scope="col">what</th>${heads.join('')}</tr></thead>
<tbody>
${rows.join('')}${CLOSE_TABLE}`;
}

function countCell({ count }: TotalRow): string {
  return `<td class="number">${countText(count)}</td>`;
}

/** A row for each state of a type and currency, in the order of the states. */
function statesOf(totals: readonly TotalRow[], { type, currency }: TotalRow): TotalRow[] {
  const own = totals.filter((row) => row.type === type && row.currency === currency);
  return STATES.flatMap(({ name: status }) =>
    sumByCurrency(own.filter((row) => row.status === status)).map((sum) => ({ ...sum, status })),
  );
}

function marked({ status, type }: TotalRow): string {
  return `<span class="state state-${escaped(status)}">${escaped(capital(fateWords(status, type)))}</span>`;
}

function unpricedWords({ unpriced }: TotalRow): string {
  return unpriced === 0 ? '' : ` <span class="aside">(${countText(unpriced)} without a known price)</span>`;
}

/** `2 payouts in EUR are zero or less: -120.00 EUR in all`. */
function belowWords({ count, ...money }: Below): string {
  const { plural } = KINDS[money.type as RecordType];
  const what = count === 1 ? `1 of the ${plural}` : `${countText(count)} of the ${plural}`;
  return `${what}${money.currency === null ? '' : ` in ${money.currency}`} ${count === 1 ? 'is' : 'are'} zero or less: ${moneyIn(money)} in all`;
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
  return `<section aria-labelledby="facts">
<h2 id="facts">What, where and by whom</h2>
<dl>
${pairs.map((pair) => entry('', pair)).join('')}${wide.map((pair) => entry(' class="whole"', pair)).join('')}</dl>
</section>
`;
}

/** @param file an input, with how many records it holds */
export function fileText({ path, sha256, records }: ReportHead['files'][number]): string {
  const hash = sha256 === '' ? 'not read to its end' : `SHA-256 <code>${escaped(sha256)}</code>`;
  return `${inText(shortened(path, LONGEST_PATH))}, ${counted(records, 'record')}<br><span class="aside">${hash}</span>`;
}

function approvedText(head: ReportHead): string {
  const { approvedBy } = head;
  if (approvedBy === null) return 'no approval on record';
  const { at, by, note }: PersonsWord = approvedBy;
  const said = note === '' ? '' : `: ${escaped(shortened(note, LONGEST_NOTE))}`;
  return `${escaped(shortened(personWords(by), LONGEST_PERSON))}, ${moment(at, head)}${said}`;
}

const SIGNATURES = `<section class="signatures" aria-labelledby="signatures">
<h2 id="signatures">Signatures</h2>
<div class="lines">
${['Prepared by', 'Approved by'].map((who) => `<div><p class="who">${who}</p><p class="line">Name, date, signature</p></div>\n`).join('')}</div>
</section>
`;

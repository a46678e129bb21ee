/** Setup's findings about one file, as far as the known facts allow. Asks and writes nothing. */
import { UsageError } from '../../errors.js';
import { excerpt } from '../../records/issue.js';
import type { Kind, RecordType } from '../../records/kind.js';
import { KINDS, RECORD_TYPES } from '../../records/kinds.js';
import { numberedColumns } from '../columns.js';
import { refuseResults } from '../own-columns.js';
import { FileFault } from '../raw.js';
import { type Answers, setPaths } from './answers.js';
import { type Conclusion, saidSo } from './conclusion.js';
import { type ColumnEvidence, type Evidence, evidenceOf, NO_EVIDENCE } from './evidence.js';
import { concludeHeader } from './header-line.js';
import { type Marking, markingOf } from './marking-columns.js';
import { type ColumnField, type ColumnFields, fieldOf, fieldsOfColumns, meantBy } from './named-columns.js';
import { findRows, type RowsFound, type RowsWanted } from './rows-found.js';
import { oddNotation } from './odd-numbers.js';
import { amountColumns, mostlyNumbers, suggestedBy, type Suits, suitsBy } from './suited.js';
import { openSurveySource, type SurveyOptions, type SurveySource } from './survey-source.js';
import { type Ways, waysOf } from './ways.js';

export interface Survey {
  /** The person's answers so far. */
  readonly answers: Answers;
  readonly source: SurveySource;
  readonly header: Conclusion<number>;
  /** Of the columns, in the order of the cells. */
  readonly names: readonly string[];
  /** The first rows below them. */
  readonly rows: readonly (readonly string[])[];
  readonly type: Conclusion<RecordType>;
  /** Empty as long as the type is not known. */
  readonly fields: ColumnFields;
  /** Evidence of all rows; empty as long as the header line or the record type is not known. */
  readonly ways: Ways;
  readonly evidence: Evidence;
  /** Columns that show which rows are to be paid, without an answer yet. */
  readonly markings: readonly Marking[];
  readonly found: RowsFound;
  readonly suits: Suits;
}

/** Surveys a file again after each answer. @throws FileFault, UsageError */
export type Look = (answers: Answers) => Promise<Survey>;

const NO_FIELDS: ColumnFields = { columns: [], suggestions: [], others: [], missing: [] };

export function startSurvey(options: SurveyOptions): Look {
  let opened: SurveySource | null = null;
  const evidenceFor = latest(evidenceOf);
  const rowsFor = latest(findRows);
  return async (answers) => {
    const source = (opened ??= await openSurveySource(options));
    const meant = (name: string): string | null => anyField(name, answers);
    const header =
      answers.headerLine === null ? concludeHeader(source.lines, source.usualLine, meant) : saidSo(answers.headerLine);
    const names = namesAt(source, header.value);
    if (header.isProven) refuseTwins(names, header.value);
    const factors = names.filter((name) => meantBy(name, KINDS.result, () => false)?.path === 'multiplier');
    const misfit = header.isProven ? source.misfitOf(names, header.value) : () => null;
    // Also while the header line is not known: an unreadable file is reported before any question.
    const rowsBelow = (): ReturnType<SurveySource['rows']> => source.rows(header.value);
    const evidence = await evidenceFor(JSON.stringify([header.value, header.isProven]), () => [
      ...([rowsBelow(), names, factors, misfit] as const),
    ]);
    const known = header.isProven ? evidence : NO_EVIDENCE;
    const suggested = suggestedBy(known);
    const type = answers.type === null ? typeOf(names, answers, suggested, known) : saidSo(answers.type);
    const kind = type.value === null ? null : KINDS[type.value];
    const fields = kind === null ? NO_FIELDS : fieldsOfColumns(names, kind, answers, suggested);
    if (kind === null || kind.type === 'payout') refuseOddNumbers(known, fields, answers);
    // Columns that may be meant for a field count as if they were.
    const columns = [...fields.columns, ...likelyColumns(fields)];
    const ways = waysOf(kind === null ? NO_EVIDENCE : known, columns, fields.others, answers);
    const others = names.filter((name) => name !== '' && !columns.some((column) => column.name === name));
    const markings = others.flatMap((name) => {
      const found = evidence.columns.get(name);
      return answers.ignore.has(name) || found === undefined ? [] : (markingOf(name, found) ?? []);
    });
    const wanted: RowsWanted = {
      names,
      amount: columns.find(({ field }) => field.money === true)?.name ?? null,
      user: columns.find(({ path }) => path === 'user_id')?.name ?? null,
      worded: markings.map(({ column }) => column),
      mark: ways.decimal.value,
      only: answers.only,
    };
    const found = await rowsFor(JSON.stringify([header.value, wanted]), () => [rowsBelow(), wanted]);
    refuseNothing(found, evidence.rows, answers);
    const rows = await firstRows(source, header.value);
    return {
      answers,
      source,
      header,
      names,
      rows,
      type,
      fields,
      ways,
      evidence,
      markings,
      found,
      suits: suitsBy(known),
    };
  };
}

/** @throws UsageError for conditions that no row fulfils */
function refuseNothing({ count, totals }: RowsFound, rows: number, { only }: Answers): void {
  if (rows === 0 || count > 0 || totals.length > 0 || only.length === 0) return;
  const said = only.map((written) => JSON.stringify(excerpt(written))).join(' and ');
  throw new UsageError(`--only ${said} leaves out all rows (${rows}). Correct the condition. Nothing was written`);
}

/** @throws FileFault where amounts are written as no setting reads them: another column must not pass for them */
function refuseOddNumbers({ columns }: Evidence, fields: ColumnFields, { ignore, set, setForAll }: Answers): void {
  if (setPaths({ set, setForAll }).includes('amount')) return;
  const chosen = fields.columns.find(({ path }) => path === 'amount')?.name;
  const isAmount = (name: string, found: ColumnEvidence): boolean =>
    chosen === undefined ? !ignore.has(name) && found.hasDecimals && mostlyNumbers(found) : name === chosen;
  for (const [name, found] of columns) {
    if (found.odd === null || !isAmount(name, found)) continue;
    const { typed, line } = found.odd;
    const words = `numbers under ${JSON.stringify(name)} cannot be read, as in "${excerpt(typed)}": ${oddNotation(typed)}`;
    const remedy = 'Write them as -1250.00 or -1.250,00 in the spreadsheet, or export the file again so';
    const other = chosen === undefined ? `. If these are no amounts, ignore the column with --ignore-column` : '';
    throw new FileFault('bad-number', line, `${words}. ${remedy}${other}`, typed);
  }
}

/** Keeps the latest result: the next question often needs the same one. */
function latest<Args extends unknown[], Result>(
  make: (...args: Args) => Promise<Result>,
): (key: string, args: () => Args) => Promise<Result> {
  let known: { readonly key: string; readonly result: Result } | null = null;
  return async (key, args) => {
    if (known?.key !== key) known = { key, result: await make(...args()) };
    return known.result;
  };
}

/** Columns, each of which is the only candidate for its field. */
function likelyColumns({ suggestions }: ColumnFields): ColumnField[] {
  return suggestions.flatMap(({ path, field, names }) => {
    // Of several columns with dates, each is read the same.
    return names.length === 1 || field.kind === 'date'
      ? names.map((name) => ({ name, path, field, why: 'usual' }))
      : [];
  });
}

/** The names of the columns: of the first line with content from there on, or their positions. */
function namesAt({ lines, usualLine }: SurveySource, line: number | null): readonly string[] {
  if (line === 0) return numberedColumns(lines[0]?.cells.length ?? 0);
  return lines.find((each) => each.line >= (line ?? usualLine))?.cells ?? [];
}

/** Nobody can say which of two columns with the same name is meant. @throws FileFault, also for gigwork's own files */
function refuseTwins(names: readonly string[], line: number | null): void {
  refuseResults(names, line);
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) < i);
  if (twice === undefined) return;
  const message = `several columns are named ${JSON.stringify(twice)}: rename all but one in the file`;
  throw new FileFault('duplicate-column', line, message, twice);
}

/** The certain or likely field of a name, in a record of any possible type. */
function anyField(name: string, answers: Answers): string | null {
  const known = answers.map.get(name);
  if (known !== undefined || answers.ignore.has(name)) return known ?? null;
  const given = setPaths(answers);
  const kinds = (answers.type === null ? RECORD_TYPES : [answers.type]).map((type) => KINDS[type]);
  if (kinds.some((kind) => fieldOf(kind, name) !== null)) return name;
  const meanings = kinds.map((kind) => meantBy(name, kind, (path) => given.includes(path)));
  return meanings.find((meaning) => meaning !== null)?.path ?? null;
}

/** How certain a type's mark is: exact name or a flag, usual name, likely name, none. */
function sureness({ mark, ...kind }: Kind, names: readonly string[], answers: Answers, suits: Suits): 3 | 2 | 1 | 0 {
  const said = { ...answers, ignoreOthers: false };
  const { columns, suggestions } = fieldsOfColumns(names, { mark, ...kind }, said, suits);
  const why = columns.find(({ path }) => path === mark)?.why;
  const suggested = suggestions.find(({ path }) => path === mark);
  if (setPaths(answers).includes(mark) || why === 'exact' || why === 'said') return 3;
  if (why === 'usual' || suggested?.isSure === true) return 2;
  return suggested === undefined ? 0 : 1;
}

/** The type with the most certain mark. */
function typeOf(names: readonly string[], answers: Answers, suits: Suits, known: Evidence): Conclusion<RecordType> {
  const kinds = RECORD_TYPES.map((type) => ({ ...KINDS[type], sure: sureness(KINDS[type], names, answers, suits) }));
  const given = kinds.filter(({ sure }) => sure > 0);
  const most = Math.max(...given.map(({ sure }) => sure));
  const [found, second] = given.filter(({ sure }) => sure === most);
  if (found !== undefined && second === undefined) {
    const because = `a column ${most > 1 ? 'gives' : 'may give'} ${found.mark}`;
    return { isProven: most > 1, value: found.type, because, say: [`--type ${found.type}`] };
  }
  const [amount] = amountColumns(known);
  if (found === undefined && amount !== undefined)
    return { isProven: false, value: 'payout', because: `the column ${amount} has amounts`, say: ['--type payout'] };
  const because =
    found === undefined
      ? `no column tells (${kinds.map(({ type, mark }) => `${mark} makes a ${type}`).join(', ')})`
      : `columns give ${given.map(({ mark }) => mark).join(' and ')}, which do not agree`;
  return { isProven: false, value: null, because, say: RECORD_TYPES.map((type) => `--type ${type}`) };
}

const SHOWN_ROWS = 20;

async function firstRows(source: SurveySource, headerLine: number | null): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for await (const batch of source.rows(headerLine)) {
    found.push(...batch.map(({ cells }) => cells));
    if (found.length >= SHOWN_ROWS) break;
  }
  return found.slice(0, SHOWN_ROWS);
}

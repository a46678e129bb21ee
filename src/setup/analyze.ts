/** Setup's findings about one file, as far as the known facts allow. Asks and writes nothing. */
import { UsageError } from '../errors.js';
import { numberedColumns } from '../input/column-places.js';
import type { DateOrder } from '../input/dates.js';
import type { DecimalMark } from '../input/numbers.js';
import { FileFault } from '../input/raw-record.js';
import { refuseResults } from '../input/result-columns.js';
import type { Field } from '../records/fields.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import type { RecordSchema } from '../records/schema.js';
import { RECORD_TYPES, type RecordType } from '../records/types.js';
import { excerpt } from '../records/issue.js';
import { type Answers, setPaths } from './answers.js';
import { distinctNames, refuseOddLetters, refuseSameNames } from './column-names.js';
import { type ColumnProfile, type ColumnProfiles, NO_UNEVEN_ROWS, profileColumns } from './column-profiles.js';
import {
  type ColumnField,
  type ColumnFields,
  fieldByName,
  fieldOf,
  inferFields,
  isAmountColumn,
  inferType,
  isDate,
  isMoney,
  isNumber,
} from './field-inference.js';
import { givenOr, type Inference, isDecided, inferredValue } from './inference.js';
import {
  type CurrencyConflict,
  currencyColumn,
  currencyColumns,
  currencyConflict,
  inferCurrency,
  isCurrencyGiven,
  settledCurrency,
} from './currency-inference.js';
import type { MoneyTally } from './money-tally.js';
import { inferDateOrder, inferDecimalMark, monthOf, oddNotation } from './notation-inference.js';
import { countRows, type RowStatistics } from './row-statistics.js';
import { inferHeader, openSampleSource, type SampleOptions, type SampleSource } from './sample-source.js';
import { statusColumn, type StatusColumn } from './status-columns.js';

/** How cells are read: one notation for all columns that give a field. */
interface CellNotations {
  readonly decimal: Inference<DecimalMark>;
  readonly dateOrder: Inference<DateOrder>;
  readonly currency: Inference<string>;
  /** Of the columns with amounts. */
  readonly money: ReadonlyMap<string, MoneyTally>;
  /** Amounts have currency signs. */
  readonly hasSigns: boolean;
  /** YYYY-MM, if all dates lie in one month; else null. */
  readonly month: string | null;
}

export interface LayoutAnalysis extends CellNotations {
  /** The person's answers so far. */
  readonly answers: Answers;
  readonly source: SampleSource;
  readonly header: Inference<number>;
  /** Of the columns, in the order of the cells. */
  readonly names: readonly string[];
  readonly type: Inference<RecordType>;
  /** Of the most likely type, as long as the type is not known. */
  readonly schema: RecordSchema;
  /** Empty as long as the type is not known. */
  readonly fields: ColumnFields;
  /** From all rows; without columns as long as the header line is not known. */
  readonly profiles: ColumnProfiles;
  /** Columns that show which rows are to be paid, without an answer yet. */
  readonly statusColumns: readonly StatusColumn[];
  readonly rows: RowStatistics;
  /** The sheets of a workbook with the same header, if one of them was chosen. */
  readonly knownSheets: readonly string[];
  /** Null also after a person has decided. */
  readonly currencyConflict: CurrencyConflict | null;
}

/** Analyzes a file again after each answer. @throws FileFault, UsageError */
export type Analyze = (answers: Answers) => Promise<LayoutAnalysis>;

const NO_COLUMN_FIELDS: ColumnFields = { columns: [], suggestions: [], others: [], missing: [] };
const NO_ROWS: RowStatistics = {
  count: 0,
  kinds: new Map(),
  unread: new Map(),
  owed: new Set(),
  totals: [],
  words: new Map(),
  currencies: [],
  conditioned: new Map(),
  filtered: { count: 0, rows: [] },
  subtotals: null,
  rivals: new Map(),
  unnamedKinds: [],
};

export function createAnalyzer(options: SampleOptions): Analyze {
  let opened: SampleSource | null = null;
  const profilesFor = keepLatest(profileColumns);
  const rowsFor = keepLatest(countRows);
  const sheetsFor = keepLatest((source: SampleSource, line: number | null) => source.sheetsLike(line));
  return async (answers) => {
    const source = (opened ??= await openSampleSource(options));
    const header = givenOr(answers.headerLine, () =>
      inferHeader(source.lines, source.usualLine, (name) => pathOfName(name, answers)),
    );
    const line = inferredValue(header);
    const isKnown = isDecided(header);
    const typed = namesAt(source, line);
    if (source.isEncodingGuessed) refuseOddLetters(typed, options.path);
    const names = distinctNames(typed, answers, (name) => pathOfName(name, answers) !== null);
    if (isKnown) refuseResults(typed, line);
    if (isKnown) refuseSameNames(names, line, answers, options.platform);
    // Also while the header line is not known: an unreadable file is reported before any question.
    const allProfiles = await profilesFor(JSON.stringify([line, isKnown, names]), () => [
      source.rows(line),
      names,
      names.filter((name) => fieldByName(name, RECORD_SCHEMAS.result, () => false)?.path === 'multiplier'),
      isKnown ? source.misfitOf(names, line) : () => null,
    ]);
    const profiles: ColumnProfiles = isKnown
      ? allProfiles
      : { columns: new Map(), rows: 0, cells: allProfiles.cells, short: NO_UNEVEN_ROWS, long: NO_UNEVEN_ROWS };
    const type = givenOr(answers.type, () => inferType(names, answers, profiles));
    const schema = RECORD_SCHEMAS[inferredValue(type) ?? 'payout'];
    const known = inferredValue(type) === null ? NO_COLUMN_FIELDS : inferFields(names, schema, answers, profiles);
    if (schema.type === 'payout') refuseOddNumbers(profiles, known, answers);
    // Columns that may be meant for a field count as if they were.
    const columns = [...known.columns, ...likelyColumns(known)];
    const notations = inferNotations(profiles, known, columns, answers);
    const used = new Set(['', ...answers.ignore, ...columns.map(({ name }) => name)]);
    const statusColumns = [...profiles.columns]
      .filter(([name]) => !used.has(name))
      .map(([name, column]) => statusColumn(name, column))
      .filter((column) => column !== null);
    const coded = currencyColumns(known, (name) => profiles.columns.get(name)?.areCurrencies === true);
    const layout = {
      path: options.path,
      names,
      only: answers.only,
      currency: currencyColumn(known),
      currencyForAll: currencyForAll(answers, notations),
      coded,
      mark: inferredValue(notations.decimal) ?? 'point',
      amount: columns.find(({ field }) => isMoney(field))?.name ?? null,
      user: columns.find(({ path }) => path === 'user_id')?.name ?? null,
      title: columns.find(({ path }) => path === 'title')?.name ?? null,
      rivals: known.others.filter((name) => isAmountColumn(profiles.columns.get(name))),
      kinds: known.others.filter((name) => mayShowKinds(profiles.columns.get(name))),
      worded: statusColumns.map(({ column }) => column),
    };
    const rows = isKnown ? await rowsFor(JSON.stringify([line, layout]), () => [source.rows(line), layout]) : NO_ROWS;
    refuseNothing(rows, profiles.rows, answers);
    const isGiven = setPaths(answers).includes('currency');
    const conflict = isGiven ? null : unsettled(currencyConflict(coded, notations.money, rows.currencies), answers);
    // The name of the amount has the currency: no other column is needed.
    const isNamed = conflict === null && layout.currency === null && notations.currency.kind === 'certain';
    const fields = isNamed ? withoutSuggestion(known, 'currency') : known;
    const knownSheets = isKnown ? await sheetsFor(JSON.stringify(line), () => [source, line]) : [];
    const facts = { knownSheets, answers, source, header, names, type, schema, fields, profiles, statusColumns, rows };
    const open = conflict === null ? notations.currency : openCurrency(conflict);
    return { ...facts, ...notations, currency: open, currencyConflict: conflict };
  };
}

function openCurrency({ why, codes }: CurrencyConflict): Inference<string> {
  return { kind: 'open', candidates: codes, why };
}

/** A person has decided for one of the columns. */
function unsettled(conflict: CurrencyConflict | null, { settled }: Answers): CurrencyConflict | null {
  if (conflict === null) return null;
  const isSettled = conflict.columns.some(({ name }) => settled.has(settledCurrency(name, conflict.money)));
  return isSettled ? null : conflict;
}

function withoutSuggestion(fields: ColumnFields, path: string): ColumnFields {
  const { suggestions, others } = fields;
  const rest = suggestions.filter((each) => each.path !== path);
  const freed = suggestions.filter((each) => each.path === path).flatMap(({ names }) => names);
  return { ...fields, suggestions: rest, others: [...others, ...freed] };
}

function mayShowKinds(column: ColumnProfile | undefined): boolean {
  return (column?.words?.size ?? 0) > 1 && column?.areNumbers === false && !column.areAnyDates;
}

/** The currency that all rows have, for their sums. */
function currencyForAll({ set }: Answers, { currency }: CellNotations): string | null {
  const given = set.get('currency');
  if (typeof given === 'string') return given;
  return currency.kind === 'certain' ? currency.value : null;
}

/** Keeps the latest result: the next question often needs the same one. */
export function keepLatest<Args extends unknown[], Result>(
  make: (...args: Args) => Promise<Result>,
): (key: string, args: () => Args) => Promise<Result> {
  let known: { readonly key: string; readonly result: Result } | null = null;
  return async (key, args) => {
    if (known?.key !== key) known = { key, result: await make(...args()) };
    return known.result;
  };
}

/** The names of the columns: of the first line with content from there on, or their positions. */
function namesAt({ lines, usualLine }: SampleSource, line: number | null): readonly string[] {
  if (line === 0) return numberedColumns(lines[0]?.cells.length ?? 0);
  return lines.find((each) => each.line >= (line ?? usualLine))?.cells ?? [];
}

/** The path of the certain or likely field of a name, in a record of any possible type. */
function pathOfName(name: string, answers: Answers): string | null {
  const known = answers.map.get(name);
  if (known !== undefined || answers.ignore.has(name)) return known ?? null;
  const given = setPaths(answers);
  const schemas = (answers.type === null ? RECORD_TYPES : [answers.type]).map((type) => RECORD_SCHEMAS[type]);
  if (schemas.some((schema) => fieldOf(schema, name) !== null)) return name;
  const meanings = schemas.map((schema) => fieldByName(name, schema, (path) => given.includes(path)));
  return meanings.find((meaning) => meaning !== null)?.path ?? null;
}

/** Columns, each of which is the only candidate for its field. Of several columns with dates, each is read the same. */
function likelyColumns({ suggestions }: ColumnFields): ColumnField[] {
  return suggestions
    .filter(({ names, field }) => names.length === 1 || field.kind === 'date')
    .flatMap(({ path, field, names }) => names.map((name) => ({ name, path, field, why: 'usual' as const })));
}

function inferNotations(
  { columns: profiles }: ColumnProfiles,
  fields: ColumnFields,
  columns: readonly ColumnField[],
  answers: Answers,
): CellNotations {
  const partOf = <T>(is: (field: Field) => boolean, part: (profile: ColumnProfile) => T): Map<string, T> => {
    const parts = new Map<string, T>();
    for (const { name, field } of columns) {
      const profile = profiles.get(name);
      if (profile !== undefined && is(field)) parts.set(name, part(profile));
    }
    return parts;
  };
  const money = partOf(isMoney, (profile) => profile.money);
  const dateOrder = givenOr<DateOrder>(answers.dateOrder, () => inferDateOrder(partOf(isDate, ({ dates }) => dates)));
  const [dates] = partOf(isDate, ({ allDates }) => allDates).values();
  const isGiven = setPaths(answers).includes('currency') || isCurrencyGiven(fields, profiles);
  const isSuggested = fields.suggestions.some(({ path }) => path === 'currency');
  return {
    decimal: givenOr(answers.decimal, () => inferDecimalMark(partOf(isNumber, ({ numbers }) => numbers))),
    dateOrder,
    currency: isGiven ? { kind: 'default' } : inferCurrency(money, isSuggested),
    money,
    hasSigns: [...money.values()].some(({ signs }) => signs.size > 0),
    month: dates === undefined ? null : monthOf(dates, inferredValue(dateOrder)),
  };
}

/** @throws UsageError for conditions that no row fulfils */
function refuseNothing({ count, totals }: RowStatistics, rows: number, { only }: Answers): void {
  if (rows === 0 || count > 0 || totals.length > 0 || only.length === 0) return;
  const said = only.map((written) => JSON.stringify(excerpt(written))).join(' and ');
  throw new UsageError(`--only ${said} filters out all rows (${rows}). Correct the condition. Nothing was written`);
}

/** @throws FileFault where amounts are written as no setting reads them: another column must not pass for them */
function refuseOddNumbers({ columns }: ColumnProfiles, fields: ColumnFields, answers: Answers): void {
  if (setPaths(answers).includes('amount')) return;
  const chosen = fields.columns.find(({ path }) => path === 'amount')?.name;
  const isAmount = (name: string, profile: ColumnProfile): boolean =>
    chosen === undefined ? !answers.ignore.has(name) && profile.hasDecimals && profile.areNumbers : name === chosen;
  for (const [name, profile] of columns) {
    if (profile.odd === null || !isAmount(name, profile)) continue;
    const { typed, line } = profile.odd;
    const found = `numbers under ${JSON.stringify(name)} cannot be read, as in "${excerpt(typed)}": ${oddNotation(typed)}`;
    const remedy = 'Write them as -1250.00 or -1.250,00 in the spreadsheet, or export the file again';
    const other = chosen === undefined ? `. If these are not amounts, ignore the column with --ignore-column` : '';
    throw new FileFault('bad-number', line, `${found}. ${remedy}${other}`, typed);
  }
}

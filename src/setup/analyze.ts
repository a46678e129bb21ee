/** Setup's findings about one file, as far as the known facts allow. Asks and writes nothing. */
import { UsageError } from '../errors.js';
import type { Field } from '../records/field.js';
import { excerpt } from '../records/issue.js';
import type { RecordSchema, RecordType } from '../records/kind.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import { numberedColumns } from '../input/columns.js';
import { refuseResults } from '../input/result-columns.js';
import { FileFault } from '../input/raw-record.js';
import { inferContradiction, inferCurrency, inferDecimalMark, oddNotation } from './amounts.js';
import { type Answers, setPaths } from './answers.js';
import { type Inference, NO_QUESTION, givenByPerson } from './inference.js';
import { inferDateOrder, monthOf } from './date-orders.js';
import { type ColumnProfile, type ColumnProfiles, evidenceOf, NO_EVIDENCE } from './column-profiles.js';
import { type StatusColumn, markingOf } from './status-columns.js';
import {
  type ColumnField,
  type ColumnFields,
  inferType,
  fieldOf,
  fieldsOfColumns,
  meantBy,
  mostlyNumbers,
  suggestedBy,
} from './field-inference.js';
import { findRows, type RowStatistics } from './row-statistics.js';
import { inferHeader, openSurveySource, type SurveyOptions, type SurveySource } from './sample-source.js';

export interface LayoutAnalysis extends ReturnType<typeof notationOf> {
  /** The person's answers so far. */
  readonly answers: Answers;
  readonly source: SurveySource;
  readonly header: Inference<number>;
  /** Of the columns, in the order of the cells. */
  readonly names: readonly string[];
  readonly type: Inference<RecordType>;
  /** Of the most likely type, as long as the type is not known. */
  readonly kind: RecordSchema;
  /** Empty as long as the type is not known. */
  readonly fields: ColumnFields;
  /** From all rows; without columns as long as the header line is not known. */
  readonly profiles: ColumnProfiles;
  /** Columns that show which rows are to be paid, without an answer yet. */
  readonly markings: readonly StatusColumn[];
  readonly found: RowStatistics;
}

/** Surveys a file again after each answer. @throws FileFault, UsageError */
export type Analyze = (answers: Answers) => Promise<LayoutAnalysis>;

const NO_FIELDS: ColumnFields = { columns: [], suggestions: [], others: [], missing: [] };
const NO_ROWS: RowStatistics = { count: 0, kinds: new Map(), unread: new Map(), totals: [], words: new Map() };

export function createAnalyzer(options: SurveyOptions): Analyze {
  let opened: SurveySource | null = null;
  const evidenceFor = latest(evidenceOf);
  const rowsFor = latest(findRows);
  return async (answers) => {
    const source = (opened ??= await openSurveySource(options));
    const header =
      answers.headerLine === null
        ? inferHeader(source.lines, source.usualLine, (name) => anyField(name, answers))
        : givenByPerson(answers.headerLine);
    const { isProven, value: line } = header;
    const names = namesAt(source, line);
    if (isProven) refuseTwins(names, line);
    // Also while the header line is not known: an unreadable file is reported before any question.
    const seen = await evidenceFor(JSON.stringify([line, isProven]), () => [
      source.rows(line),
      names,
      names.filter((name) => meantBy(name, KINDS.result, () => false)?.path === 'multiplier'),
      isProven ? source.misfitOf(names, line) : () => null,
    ]);
    const profiles = isProven ? seen : { ...NO_EVIDENCE, cells: seen.cells };
    const type = answers.type === null ? inferType(names, answers, profiles) : givenByPerson(answers.type);
    const kind = KINDS[type.value ?? 'payout'];
    const fields = type.value === null ? NO_FIELDS : fieldsOfColumns(names, kind, answers, suggestedBy(profiles));
    if (kind.type === 'payout') refuseOddNumbers(profiles, fields, answers);
    // Columns that may be meant for a field count as if they were.
    const columns = [...fields.columns, ...likelyColumns(fields)];
    const notation = notationOf(profiles, columns, answers);
    const markings = names.flatMap((name) => {
      const column = profiles.columns.get(name);
      const isFree = name !== '' && !answers.ignore.has(name) && !columns.some((each) => each.name === name);
      return isFree && column !== undefined ? (markingOf(name, column) ?? []) : [];
    });
    const wanted = {
      path: options.path,
      names,
      only: answers.only,
      mark: notation.decimal.value,
      amount: columns.find(({ field }) => field.money === true)?.name ?? null,
      user: columns.find(({ path }) => path === 'user_id')?.name ?? null,
      worded: markings.map(({ column }) => column),
    };
    const found = isProven ? await rowsFor(JSON.stringify([line, wanted]), () => [source.rows(line), wanted]) : NO_ROWS;
    refuseNothing(found, profiles.rows, answers);
    return { answers, source, header, names, type, kind, fields, ...notation, profiles, markings, found };
  };
}

/** @throws UsageError for conditions that no row fulfils */
function refuseNothing({ count, totals }: RowStatistics, rows: number, { only }: Answers): void {
  if (rows === 0 || count > 0 || totals.length > 0 || only.length === 0) return;
  const said = only.map((written) => JSON.stringify(excerpt(written))).join(' and ');
  throw new UsageError(`--only ${said} leaves out all rows (${rows}). Correct the condition. Nothing was written`);
}

/** @throws FileFault where amounts are written as no setting reads them: another column must not pass for them */
function refuseOddNumbers({ columns }: ColumnProfiles, fields: ColumnFields, answers: Answers): void {
  if (setPaths(answers).includes('amount')) return;
  const chosen = fields.columns.find(({ path }) => path === 'amount')?.name;
  const isAmount = (name: string, found: ColumnProfile): boolean =>
    chosen === undefined ? !answers.ignore.has(name) && found.hasDecimals && mostlyNumbers(found) : name === chosen;
  for (const [name, found] of columns) {
    if (found.odd === null || !isAmount(name, found)) continue;
    const { typed, line } = found.odd;
    const words = `numbers under ${JSON.stringify(name)} cannot be read, as in "${excerpt(typed)}": ${oddNotation(typed)}`;
    const remedy = 'Write them as -1250.00 or -1.250,00 in the spreadsheet, or export the file again';
    const other = chosen === undefined ? `. If these are not amounts, ignore the column with --ignore-column` : '';
    throw new FileFault('bad-number', line, `${words}. ${remedy}${other}`, typed);
  }
}

/** Keeps the latest result: the next question often needs the same one. */
export function latest<Args extends unknown[], Result>(
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

/** How cells are read: one notation for all columns that give a field. */
function notationOf({ columns: seen }: ColumnProfiles, columns: readonly ColumnField[], answers: Answers) {
  const evidenceFor = <T>(is: (field: Field) => boolean, part: (found: ColumnProfile) => T): Map<string, T> => {
    const wanted = columns.filter(({ field }) => is(field)).map(({ name }) => [name, seen.get(name)] as const);
    return new Map(wanted.flatMap(([name, found]) => (found === undefined ? [] : [[name, part(found)]])));
  };
  const dates = evidenceFor(isDate, (found) => found.dates);
  const money = evidenceFor(
    ({ money: isMoney }) => isMoney === true,
    (found) => found.money,
  );
  const dateOrder = answers.dateOrder === null ? inferDateOrder(dates) : givenByPerson(answers.dateOrder);
  const [dated] = evidenceFor(isDate, (found) => found.allDates).values();
  const column = columns.find(({ path }) => path === 'currency');
  const isSaid = setPaths(answers).includes('currency') || column?.why === 'said';
  const found = (): Inference<string> =>
    column === undefined
      ? inferCurrency(money)
      : inferContradiction(money, column.name, seen.get(column.name)?.words ?? null);
  return {
    decimal:
      answers.decimal === null
        ? inferDecimalMark(evidenceFor(isNumber, ({ numbers }) => numbers))
        : givenByPerson(answers.decimal),
    dateOrder,
    currency: isSaid ? NO_QUESTION : found(),
    hasSigns: [...money.values()].some(({ signs }) => signs.size > 0),
    month: dated === undefined ? null : monthOf(dated, dateOrder.value),
  };
}

export const isDate = ({ kind }: Field): boolean => kind === 'date';
export const isNumber = ({ kind }: Field): boolean => kind === 'number' || kind === 'multiplier';

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

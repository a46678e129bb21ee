/** All that setup finds out about one file, as far as what is known already allows. Nothing is asked, nothing is written. */
import type { Kind, RecordType } from '../../records/kind.js';
import { KINDS, RECORD_TYPES } from '../../records/kinds.js';
import type { Row } from '../rows.js';
import type { SourceOptions } from '../source.js';
import type { TextRules } from '../text.js';
import { type ColumnFields, fieldsOfColumns, type Said, type UsualField } from './column-fields.js';
import { type Conclusion, isSure } from './conclusion.js';
import { type Evidence, evidenceOf } from './evidence.js';
import { concludeHeader, type HeaderLine, headerLines } from './header.js';
import { csvRows, type FileStart, readStart } from './file-start.js';
import { type SaidWays, type Ways, waysOf } from './ways.js';

/** What the person has said so far; null and empty where nothing. */
export interface Answers extends SaidWays {
  readonly type: RecordType | null;
  readonly headerLine: number | null;
  readonly columns: Said;
  /** Values for every record, by dot path. */
  readonly set: ReadonlyMap<string, unknown>;
}

export interface Survey {
  readonly start: FileStart;
  readonly lines: readonly HeaderLine[];
  readonly header: Conclusion<number>;
  /** Of the columns, in the order of the cells. */
  readonly names: readonly string[];
  /** The first rows below them. */
  readonly rows: readonly (readonly string[])[];
  readonly type: Conclusion<RecordType>;
  /** Null as long as the type is not known. */
  readonly fields: ColumnFields | null;
  /** Null as long as it is not known which column gives which field. */
  readonly ways: Ways | null;
}

export interface SurveyOptions {
  readonly path: string;
  readonly rules: Omit<TextRules, 'headerLine'>;
  readonly source: SourceOptions;
  /** The field of a usual name, in a record of this type. */
  readonly usual: (name: string, kind: Kind) => string | null;
  /** YYYY-MM-DD. */
  readonly today: string;
}

/** Looks at one file, again and again, while a person answers. What the rows show is found out once. */
export function startSurvey(options: SurveyOptions): (answers: Answers) => Promise<Survey> {
  let start: FileStart | null = null;
  let seen: { readonly key: string; readonly evidence: Evidence } | null = null;
  return async (answers) => {
    start ??= await readStart(options.path, { ...options.rules, headerLine: null }, options.source);
    const lines = await headerLines(start.head, options.rules.delimiter, (name) => anyField(name, answers, options));
    const header = headerOf(lines, answers, start);
    const names = namesAt(lines, header.value ?? start.usualLine);
    const type = typeOf(names, answers, options);
    const rows = await firstRows(header.value, options);
    const common = { start, lines, header, names, rows, type };
    if (type.value === null || !isSure(type)) return { ...common, fields: null, ways: null };
    const kind = KINDS[type.value];
    const fields = fieldsOf(names, kind, answers, options);
    const key = JSON.stringify([header.value, fields.columns.map(({ name, path }) => [name, path])]);
    if (seen?.key !== key) seen = { key, evidence: await evidence(kind, fields, header.value, names, options) };
    const hasCurrency = [...fields.columns.map(({ path }) => path), ...answers.columns.set].includes('currency');
    return { ...common, fields, ways: waysOf(seen.evidence, fields, answers, hasCurrency, options.today) };
  };
}

function headerOf(lines: readonly HeaderLine[], { headerLine }: Answers, { usualLine }: FileStart): Conclusion<number> {
  if (headerLine === null) return concludeHeader(lines, usualLine);
  return { certainty: 'said', value: headerLine, because: '', say: [] };
}

/** The names of the columns: of the first line with content from there on, or their positions. */
function namesAt(lines: readonly HeaderLine[], line: number): readonly string[] {
  if (line === 0) return lines[0]?.cells.map((_cell, i) => `#${i + 1}`) ?? [];
  return lines.find((each) => each.line >= line)?.cells ?? [];
}

/** The field that a name gives in a record of any type that it can be. */
function anyField(name: string, answers: Answers, options: SurveyOptions): string | null {
  if (answers.columns.map.has(name)) return answers.columns.map.get(name) ?? null;
  const types = answers.type === null ? RECORD_TYPES : [answers.type];
  for (const type of types) {
    const [column] = fieldsOf([name], KINDS[type], answers, options).columns;
    if (column !== undefined) return column.path;
  }
  return null;
}

function fieldsOf(names: readonly string[], kind: Kind, { columns }: Answers, { usual }: SurveyOptions): ColumnFields {
  const usualOf: UsualField = (name) => usual(name, kind);
  return fieldsOfColumns(names, kind, columns, usualOf);
}

/** The type whose mark a column gives: by its exact name, else by a usual one. */
function typeOf(names: readonly string[], answers: Answers, options: SurveyOptions): Conclusion<RecordType> {
  if (answers.type !== null) return { certainty: 'said', value: answers.type, because: '', say: [] };
  const marks = RECORD_TYPES.flatMap((type) => {
    const kind = KINDS[type];
    const { columns, rivals } = fieldsOf(names, kind, answers, options);
    const column = columns.find(({ path }) => path === kind.mark);
    const isRival = rivals.some(({ path }) => path === kind.mark);
    const isSet = answers.columns.set.includes(kind.mark);
    if (column === undefined && !isRival && !isSet) return [];
    return [{ type, mark: kind.mark, isUsual: column?.why === 'usual' || isRival }];
  });
  const exact = marks.filter(({ isUsual }) => !isUsual);
  const [found, second] = exact.length > 0 ? exact : marks;
  const say = RECORD_TYPES.map((type) => `--type ${type}`);
  if (found !== undefined && second === undefined)
    return {
      certainty: 'proven',
      value: found.type,
      because: `a column gives ${found.mark}`,
      say: [`--type ${found.type}`],
    };
  const kinds = RECORD_TYPES.map((type) => `${KINDS[type].mark} makes a ${type}`).join(', ');
  const because =
    found === undefined
      ? `no column tells what the records are (${kinds})`
      : `columns give ${marks.map(({ mark }) => mark).join(' and ')}, which do not agree on what the records are`;
  return { certainty: 'open', value: null, because, say };
}

/** Money: amounts and prices. */
function isMoney(kind: Kind, path: string): boolean {
  return path === kind.amountField || path === kind.price?.name || path.endsWith('base_price');
}

const SHOWN_ROWS = 20;

async function firstRows(headerLine: number | null, options: SurveyOptions): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for await (const batch of dataRows(headerLine, options)) {
    found.push(...batch.map(({ cells }) => cells));
    if (found.length >= SHOWN_ROWS) break;
  }
  return found.slice(0, SHOWN_ROWS);
}

async function evidence(
  kind: Kind,
  { columns }: ColumnFields,
  headerLine: number | null,
  names: readonly string[],
  options: SurveyOptions,
): Promise<Evidence> {
  return evidenceOf(dataRows(headerLine, options), names, columns, (field) => isMoney(kind, field));
}

/** The rows below the header. */
async function* dataRows(
  headerLine: number | null,
  { path, rules, source }: SurveyOptions,
): AsyncIterable<readonly Row[]> {
  let isNext = headerLine !== 0;
  for await (const batch of csvRows(path, { ...rules, headerLine }, source)) {
    yield isNext ? batch.slice(1) : batch;
    if (batch.length > 0) isNext = false;
  }
}

/** All that setup finds out about one file, as far as what is known already allows. Nothing is asked, nothing is written. */
import { KINDS, RECORD_TYPES } from '../../records/kinds.js';
import type { RecordType } from '../../records/kind.js';
import { numberedColumns } from '../columns.js';
import {
  type ColumnField,
  type ColumnFields,
  concludeHeader,
  fieldsOfColumns,
  type HeaderLine,
  type Said,
  withFields,
} from './named-columns.js';
import { type Conclusion, saidSo } from './conclusion.js';
import { type Evidence, evidenceOf } from './evidence.js';
import { openSurveySource, type SurveyOptions, type SurveySource } from './survey-source.js';
import { type SaidWays, type Ways, waysOf } from './ways.js';

/** What the person has said so far; null and empty where nothing. */
export interface Answers extends SaidWays {
  readonly type: RecordType | null;
  readonly headerLine: number | null;
  readonly columns: Said;
  /** Values for every record, by dot path. */
  readonly set: ReadonlyMap<string, unknown>;
}

/** The column gives the field, and no other column does. */
export function withColumn(answers: Answers, name: string, path: string): Answers {
  const { map, ignore, set } = answers.columns;
  return {
    ...answers,
    columns: {
      map: new Map([...[...map].filter(([, other]) => other !== path), [name, path]]),
      ignore: new Set([...ignore].filter((other) => other !== name)),
      set: set.filter((other) => other !== path),
    },
    set: new Map([...answers.set].filter(([other]) => other !== path)),
  };
}

/** The column gives nothing. */
export function withDropped(answers: Answers, name: string): Answers {
  const { map, ignore, set } = answers.columns;
  const kept = new Map([...map].filter(([other]) => other !== name));
  return { ...answers, columns: { map: kept, ignore: new Set([...ignore, name]), set } };
}

/** Every record gets the value. */
export function withValue(answers: Answers, path: string, value: string): Answers {
  const { columns, set } = answers;
  const paths = [...columns.set.filter((other) => other !== path), path];
  return { ...answers, columns: { ...columns, set: paths }, set: new Map([...set, [path, value]]) };
}

export interface Survey {
  readonly source: SurveySource;
  readonly lines: readonly HeaderLine[];
  readonly header: Conclusion<number>;
  /** Of the columns, in the order of the cells. */
  readonly names: readonly string[];
  /** The first rows below them. */
  readonly rows: readonly (readonly string[])[];
  readonly type: Conclusion<RecordType>;
  /** Empty as long as the type is not known. */
  readonly fields: ColumnFields;
}

/** A file that is looked at again and again, while a person answers. */
export interface SurveyedFile {
  /** What its first lines show. @throws FileFault, UsageError */
  look(answers: Answers): Promise<Survey>;
  /** What all its rows show. Columns that may be meant for a field count as if they were. @throws FileFault, UsageError */
  ways(survey: Survey, answers: Answers): Promise<Ways>;
}

const NO_FIELDS: ColumnFields = { columns: [], suggestions: [], twice: [], others: [], missing: [] };

export function startSurvey(options: SurveyOptions): SurveyedFile {
  let source: SurveySource | null = null;
  let seen: { readonly key: string; readonly evidence: Evidence } | null = null;
  return {
    look: async (answers) => {
      source ??= await openSurveySource(options);
      const lines = withFields(source.lines, (name) => anyField(name, answers));
      const header = answers.headerLine === null ? concludeHeader(lines, source.usualLine) : saidSo(answers.headerLine);
      const names = namesAt(lines, header.value ?? source.usualLine);
      const type = typeOf(names, answers);
      const rows = await firstRows(source, header.value);
      const fields = type.value === null ? NO_FIELDS : fieldsOf(names, type.value, answers);
      return { source, lines, header, names, rows, type, fields };
    },
    ways: async ({ source: from, header, names, fields }, answers) => {
      const columns = [...fields.columns, ...likelyColumns(fields)];
      const key = JSON.stringify([header.value, columns.map(({ name, path }) => [name, path]), fields.others]);
      if (seen?.key !== key)
        seen = { key, evidence: await evidenceOf(from.rows(header.value), from.isText, names, columns, fields.others) };
      const hasCurrency = [...columns.map(({ path }) => path), ...answers.columns.set].includes('currency');
      return waysOf(seen.evidence, columns, answers, hasCurrency, options.today);
    },
  };
}

/** Columns of which each alone may be meant for its field. */
function likelyColumns({ suggestions }: ColumnFields): ColumnField[] {
  return suggestions.flatMap(({ path, field, names }) => {
    const [name, rival] = names;
    return name === undefined || rival !== undefined ? [] : [{ name, path, field, why: 'usual' as const }];
  });
}

/** The names of the columns: of the first line with content from there on, or their positions. */
function namesAt(lines: readonly HeaderLine[], line: number): readonly string[] {
  if (line === 0) return numberedColumns(lines[0]?.cells.length ?? 0);
  return lines.find((each) => each.line >= line)?.cells ?? [];
}

/** The field that a name gives, or is likely to give, in a record of any type that it can be. */
function anyField(name: string, answers: Answers): string | null {
  if (answers.columns.map.has(name)) return answers.columns.map.get(name) ?? null;
  const types = answers.type === null ? RECORD_TYPES : [answers.type];
  for (const type of types) {
    const { columns, suggestions } = fieldsOf([name], type, { ...answers, ignoreOthers: false });
    const path = columns[0]?.path ?? suggestions[0]?.path;
    if (path !== undefined) return path;
  }
  return null;
}

function fieldsOf(names: readonly string[], type: RecordType, { columns, ignoreOthers }: Answers): ColumnFields {
  return fieldsOfColumns(names, KINDS[type], columns, ignoreOthers);
}

/** The type whose mark a column gives: by its exact name, else by a usual one. */
function typeOf(names: readonly string[], answers: Answers): Conclusion<RecordType> {
  if (answers.type !== null) return saidSo(answers.type);
  const marks = RECORD_TYPES.map((type) => {
    const { mark } = KINDS[type];
    const { columns, suggestions } = fieldsOf(names, type, { ...answers, ignoreOthers: false });
    const why = columns.find(({ path }) => path === mark)?.why;
    const suggested = suggestions.find(({ path }) => path === mark);
    const isExact = answers.columns.set.includes(mark) || why === 'said' || why === 'exact';
    const isUsual = why === 'usual' || suggested?.isSure === true;
    return { type, mark, sureness: isExact ? 3 : isUsual ? 2 : suggested === undefined ? 0 : 1 };
  });
  const most = Math.max(...marks.map(({ sureness }) => sureness));
  const [found, second] = marks.filter(({ sureness }) => sureness === most && most > 0);
  if (found !== undefined && second === undefined) {
    const [certainty, verb] = most > 1 ? (['proven', 'gives'] as const) : (['likely', 'may give'] as const);
    return { certainty, value: found.type, because: `a column ${verb} ${found.mark}`, say: [`--type ${found.type}`] };
  }
  const given = marks.filter(({ sureness }) => sureness > 0).map(({ mark }) => mark);
  const because =
    found === undefined
      ? `no column tells (${marks.map(({ type, mark }) => `${mark} makes a ${type}`).join(', ')})`
      : `columns give ${given.join(' and ')}, which do not agree`;
  return { certainty: 'open', value: null, because, say: RECORD_TYPES.map((type) => `--type ${type}`) };
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

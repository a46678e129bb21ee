/** All that setup finds out about one file, as far as what is known already allows. Nothing is asked, nothing is written. */
import type { Kind, RecordType } from '../../records/kind.js';
import { KINDS, RECORD_TYPES } from '../../records/kinds.js';
import { numberedColumns } from '../columns.js';
import { FileFault } from '../raw.js';
import { type Answers, setPaths } from './answers.js';
import { type Conclusion, saidSo } from './conclusion.js';
import { type Evidence, evidenceOf, noEvidence } from './evidence.js';
import { concludeHeader } from './header-line.js';
import { type ColumnField, type ColumnFields, fieldOf, fieldsOfColumns, meantBy } from './named-columns.js';
import { openSurveySource, type SurveyOptions, type SurveySource } from './survey-source.js';
import { type Ways, waysOf } from './ways.js';

export interface Survey {
  /** What the person has said before. */
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
  /** What all rows show: nothing as long as it is not known where they begin, or what they are. */
  readonly ways: Ways;
}

/** A file that is looked at again and again, while a person answers. @throws FileFault, UsageError */
export type Look = (answers: Answers) => Promise<Survey>;

const NO_FIELDS: ColumnFields = { columns: [], suggestions: [], others: [], missing: [] };

export function startSurvey(options: SurveyOptions): Look {
  let opened: SurveySource | null = null;
  let seen: { readonly key: string; readonly evidence: Evidence } | null = null;
  return async (answers) => {
    const source = (opened ??= await openSurveySource(options));
    const meant = (name: string): string | null => anyField(name, answers);
    const header =
      answers.headerLine === null ? concludeHeader(source.lines, source.usualLine, meant) : saidSo(answers.headerLine);
    const names = namesAt(source, header.value);
    const type = answers.type === null ? typeOf(names, answers) : saidSo(answers.type);
    const fields = type.value === null ? NO_FIELDS : fieldsOfColumns(names, KINDS[type.value], answers);
    // Columns that may be meant for a field count as if they were.
    const columns = [...fields.columns, ...likelyColumns(fields)];
    const key = JSON.stringify([header, columns.map(({ name, path }) => [name, path]), fields.others]);
    if (seen?.key !== key) {
      const isKnown = header.isProven && type.value !== null;
      const rows = source.rows(header.value);
      seen = { key, evidence: isKnown ? await evidenceOf(rows, names, columns, fields.others) : noEvidence() };
    }
    const ways = waysOf(seen.evidence, columns, answers);
    return { answers, source, header, names, rows: await firstRows(source, header.value), type, fields, ways };
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
function namesAt({ lines, usualLine }: SurveySource, line: number | null): readonly string[] {
  if (line === 0) return numberedColumns(lines[0]?.cells.length ?? 0);
  return lines.find((each) => each.line >= (line ?? usualLine))?.cells ?? [];
}

/** Nobody can say which of two columns of one name is meant. @throws FileFault */
export function refuseTwins({ names, header: { value } }: Survey): void {
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) < i);
  if (twice === undefined) return;
  const message = `several columns are named ${JSON.stringify(twice)}: rename all but one in the file`;
  throw new FileFault('duplicate-column', value, message, twice);
}

/** The field that a name gives, or is likely to give, in a record of any type that it can be. */
function anyField(name: string, answers: Answers): string | null {
  const known = answers.map.get(name);
  if (known !== undefined || answers.ignore.has(name)) return known ?? null;
  const given = setPaths(answers);
  const kinds = (answers.type === null ? RECORD_TYPES : [answers.type]).map((type) => KINDS[type]);
  if (kinds.some((kind) => fieldOf(kind, name) !== null)) return name;
  const meanings = kinds.map((kind) => meantBy(name, kind, (path) => given.includes(path)));
  return meanings.find((meaning) => meaning !== null)?.path ?? null;
}

/** How surely a type's mark is given: by its exact name or the person, by a usual name, by a likely one, not at all. */
function sureness({ mark, ...kind }: Kind, names: readonly string[], answers: Answers): 3 | 2 | 1 | 0 {
  const { columns, suggestions } = fieldsOfColumns(names, { mark, ...kind }, { ...answers, ignoreOthers: false });
  const why = columns.find(({ path }) => path === mark)?.why;
  const suggested = suggestions.find(({ path }) => path === mark);
  if (setPaths(answers).includes(mark) || why === 'exact' || why === 'said') return 3;
  if (why === 'usual' || suggested?.isSure === true) return 2;
  return suggested === undefined ? 0 : 1;
}

/** The type whose mark is given most surely. */
function typeOf(names: readonly string[], answers: Answers): Conclusion<RecordType> {
  const kinds = RECORD_TYPES.map((type) => ({ ...KINDS[type], sure: sureness(KINDS[type], names, answers) }));
  const given = kinds.filter(({ sure }) => sure > 0);
  const most = Math.max(...given.map(({ sure }) => sure));
  const [found, second] = given.filter(({ sure }) => sure === most);
  if (found !== undefined && second === undefined) {
    const because = `a column ${most > 1 ? 'gives' : 'may give'} ${found.mark}`;
    return { isProven: most > 1, value: found.type, because, say: [`--type ${found.type}`] };
  }
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

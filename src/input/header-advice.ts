/** What is said of a header that names no field of the record: most likely it is not the header. */
import { error, excerpt, type Finding } from '../records/issue.js';
import type { Kind, Shape } from '../records/kind.js';
import { usualField } from '../records/usual-names.js';
import { shellWord } from '../util/shell-word.js';
import type { Dialect } from './csv-dialect.js';
import { type Header, isLikeData } from './csv-header.js';
import { betterHeader, namesColumns } from './header-search.js';
import type { ReadOptions } from './reading.js';

export interface HeaderDoubt {
  /** A clause for the end of a message. */
  readonly also: string;
  /** What is to be said instead of the usual advice about a column or a row, which would only mislead; else null. */
  readonly instead: string | null;
}

type Rules = Pick<ReadOptions, 'delimiter' | 'naming' | 'platform'>;

/** Null for a header that names a field, or has names that columns usually have. */
export function doubtHeader(
  cells: readonly string[],
  header: Header,
  dialect: Dialect,
  rules: Rules,
): HeaderDoubt | null {
  if (header.price !== null || header.columns.some(({ field }) => field !== null)) return null;
  if (dialect.headerLine === 0) {
    const example = shellWord('#1=user_id', rules.platform);
    return { also: `; say which column gives which field, as in --map ${example}`, instead: null };
  }
  const found = `not one name on line ${header.line} is a field's`;
  const better = betterHeader(cells, dialect, rules.delimiter, rules.naming);
  if (better !== null) return { also: '', instead: `${found}, and ${standsOn(better)}` };
  if (namesColumns(cells, rules.naming)) return null;
  if (!cells.some((cell) => isLikeData(cell.trim())))
    return {
      also: `; ${found}: if the column names stand on another line, say which with --header-line`,
      instead: null,
    };
  const data = `line ${header.line} looks like data, and not one of its cells is a field's name`;
  return { also: '', instead: `${data}: ${withoutNames(rules.platform)}` };
}

/** A file that has column names after all: read as a record, they would be paid. */
export function faultOfNames(cells: readonly string[], { columns }: Header, shape: Shape): Finding | null {
  const given = columns.filter(({ field }) => field !== null);
  const names = given.filter(({ index, path }) => isNameOf(path, (cells[index] ?? '').trim(), shape));
  if (names.length === 0 || names.length * 2 < given.length) return null;
  const shown = names.map(({ index }) => excerpt((cells[index] ?? '').trim())).join(', ');
  const message = `the row has the names of columns (${shown}), and --header-line 0 says that no line has them: leave that out, or remove the row`;
  return { ...error('bad-csv', null, message, shown), fault: true };
}

function isNameOf(path: string, cell: string, shape: Shape): boolean {
  if (cell === path) return true;
  const usual = 'type' in shape ? usualField(cell, (shape as Kind).type) : null;
  return usual?.exact === true && usual.field === path;
}

function standsOn(line: number): string {
  return `the column names seem to stand on line ${line}: say --header-line ${line}`;
}

/** What to do about a first row that has no column names. */
function withoutNames(platform: NodeJS.Platform): string {
  const example = shellWord('#1=user_id', platform);
  return `if the column names stand on another line, say which with --header-line; if the file has none, say --header-line 0 and name its columns by position, as in --map ${example}`;
}

/** What to do where nothing but data stands on the header's line, or nothing that tells the type of the records. */
export function headerAdvice(cells: readonly string[], dialect: Dialect, rules: Rules): string | null {
  if (dialect.headerLine === 0) return null;
  const better = betterHeader(cells, dialect, rules.delimiter, rules.naming);
  if (better !== null) return standsOn(better);
  return cells.some((cell) => isLikeData(cell.trim())) ? withoutNames(rules.platform) : null;
}

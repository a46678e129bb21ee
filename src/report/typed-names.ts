/** The names of the files that are made of several inputs, in their folder. */
import { basename, extname } from 'node:path';
import { type Format, formatByName } from '../input/formats.js';
import { STDIN } from '../input/source.js';

/** One name for each format that the content may turn out to be. */
export interface TypedNames {
  readonly csv: string;
  readonly json: string;
  /** Of a workbook. */
  readonly sheet: string;
}

export function allNames({ csv, json, sheet }: TypedNames): string[] {
  return [csv, json, sheet];
}

/** Names like the inputs', unique whatever the letter case. @param format of all inputs; null: told by their names */
export function typedNames(files: readonly string[], format: Format | null): TypedNames[] {
  const taken = new Set<string>();
  return files.map((path) => {
    for (let number = 1; ; number++) {
      const names = namesOf(path, format ?? formatByName(path), number === 1 ? '' : `-${number}`);
      const folded = [...new Set(allNames(names).map((name) => name.toLowerCase()))];
      if (folded.some((name) => taken.has(name))) continue;
      folded.forEach((name) => taken.add(name));
      return names;
    }
  });
}

function namesOf(path: string, format: Format | null, suffix: string): TypedNames {
  const base = path === STDIN ? 'stdin.csv' : basename(path);
  const extension = extname(base);
  const stem = base.slice(0, base.length - extension.length);
  const csv = `${stem}${suffix}${extension}`;
  const json = `${stem}${suffix}.ndjson`;
  const sheet = `${stem}${suffix}.csv`;
  if (format === null) return { csv, json, sheet };
  const only = format === 'csv' ? csv : format === 'xlsx' ? sheet : json;
  return { csv: only, json: only, sheet: only };
}

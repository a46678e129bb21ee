/** What happens to files between two imports: people, and spreadsheets, change them. */
import type { Chance } from '../fuzz/chance.js';
import { canonical } from './keys.js';
import { anyRow, edited, mended, respelt, retitled, type Row } from './rows.js';
import { type Sheet, sheetOf } from './sheet.js';

/** Nobody could tell which of two equal gigs was answered: no key is sent with them. */
export function distinct(rows: readonly Row[]): Row[] {
  if (rows[0]?.type !== 'gig') return [...rows];
  const seen = new Map(rows.map((row) => [canonical(row.fields), row]));
  return [...seen.values()];
}

/** A spreadsheet takes texts of digits for numbers. */
function withoutZeros(row: Row): Row {
  const stripped = (text: string): string => (/^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text);
  const { fields, ownKey, replaces } = row;
  const user = fields['user_id'];
  return {
    ...row,
    fields: typeof user === 'string' ? { ...fields, user_id: stripped(user) } : fields,
    ownKey: ownKey === null ? null : stripped(ownKey),
    replaces: replaces === null ? null : stripped(replaces),
  };
}

/** Rows edited, added, taken out, sorted otherwise, or saved by a spreadsheet. */
export function changed(rows: readonly Row[], chance: Chance): Row[] {
  const [first] = rows as readonly [Row, ...Row[]];
  let all = rows.map((row) => (row.isValid && chance.hits(0.2) ? edited(row, chance) : row));
  if (chance.hits(0.3)) all = all.filter(() => chance.hits(0.7));
  if (chance.hits(0.3) || all.length === 0) all = [...all, anyRow(first.type, chance)];
  if (chance.hits(0.3)) all = all.toReversed();
  if (chance.hits(0.15)) all = all.map(withoutZeros);
  return distinct(all);
}

/** Saved by a program that writes texts in its own way. */
export function writtenOtherwise(rows: readonly Row[], chance: Chance): Row[] {
  return distinct(rows.map((row) => (row.isValid && chance.hits(0.6) ? respelt(row, chance) : row)));
}

/** Exported again, with other titles. */
export function withOtherTitles(rows: readonly Row[], chance: Chance): Row[] {
  const name = chance.pick(['II', 'late']);
  return distinct(rows.map((row) => (row.isValid && chance.hits(0.8) ? retitled(row, name) : row)));
}

/** One row of it was wrong, and somebody noticed. */
export function withOneEdited(rows: readonly Row[], chance: Chance): Row[] {
  const at = chance.below(rows.length);
  return distinct(rows.map((row, i) => (i === at && row.isValid ? edited(row, chance) : row)));
}

/** The file as it was, and what was refused is corrected in it. */
export function correctedInPlace(rows: readonly Row[], chance: Chance): Row[] {
  return distinct(rows.map((row) => mended(row, chance)));
}

/** What the rejects file has, after somebody has worked on it. @param keys of the rejected, by their record */
export function correctedRejects(rows: readonly Row[], keys: ReadonlyMap<number, string>, chance: Chance): Row[] {
  const corrected = [...keys].map(([record, key]): Row => {
    const row = rows[record - 1] as Row;
    const worked = chance.hits(0.2) ? row : mended(row, chance);
    return { ...worked, replaces: chance.hits(0.95) ? key : null };
  });
  return distinct(chance.hits(0.15) ? corrected.map(withoutZeros) : corrected);
}

/** Two files become one, or one file two. */
export function merged(one: Sheet, other: Sheet, name: string): Sheet {
  return sheetOf(name, distinct([...one.rows, ...other.rows]), one.dates);
}

export function split({ rows, dates }: Sheet, names: readonly [string, string]): Sheet[] {
  const half = Math.ceil(rows.length / 2);
  const halves = [rows.slice(0, half), rows.slice(half)] as const;
  return names.map((name, i) => sheetOf(name, halves[i] as Row[], dates)).filter((file) => file.rows.length > 0);
}

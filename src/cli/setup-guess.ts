/** Which column is offered first for a field of which no name tells: a guess, by what the columns hold. */
import { splitSign } from '../input/currency-signs.js';
import { isLikeData } from '../input/csv-header.js';
import { readingsOf } from '../input/setup/number-marks.js';
import type { Survey } from '../input/setup/survey.js';
import type { Field } from '../records/field.js';

/** Null where no column is left. @param free names of the columns that give nothing so far */
export function likeliestColumn(field: Field | null, free: readonly string[], { names, rows }: Survey): string | null {
  const columns = free.map((name) => {
    const at = names.indexOf(name);
    return { name, values: rows.map((cells) => (cells[at] ?? '').trim()).filter((cell) => cell !== '') };
  });
  const first = (test: (values: readonly string[]) => boolean): string | undefined =>
    columns.find(({ values }) => values.length > 0 && test(values))?.name;
  const isText = (values: readonly string[]): boolean => !values.some((value) => isNumber(value) || isLikeData(value));
  const isMoney = (values: readonly string[]): boolean =>
    values.every(isNumber) && values.some((value) => CENTS.test(value));
  switch (field?.kind) {
    case 'number':
      return first(isMoney) ?? first((values) => values.every(isNumber)) ?? free[0] ?? null;
    case 'date':
      return first((values) => values.every((value) => isLikeData(value) && !isNumber(value))) ?? free[0] ?? null;
    default:
      return first(isText) ?? free[0] ?? null;
  }
}

const CENTS = /[.,]\d\d(?!\d)/;

function isNumber(value: string): boolean {
  const { point, comma } = readingsOf(splitSign(value)?.number ?? value, false);
  return point !== null || comma !== null;
}

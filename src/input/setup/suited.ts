/** Which columns fit a field by their values: these are offered to a person, or accepted by their name. */
import { CURRENCIES } from '../../records/currencies.js';
import type { Field } from '../../records/field.js';
import type { Seen } from './conclusion.js';
import type { ColumnEvidence, Evidence } from './evidence.js';

export type Suits = (name: string, field: Field) => boolean;

/** Names of the columns whose numbers have decimals, as those of money. */
export function amountColumns({ columns }: Evidence): string[] {
  return [...columns].flatMap(([name, found]) => (mostlyNumbers(found) && found.hasDecimals ? [name] : []));
}

/** A column of numbers that nothing reads, if no other has amounts. */
export function oddColumn(evidence: Evidence): { readonly name: string; readonly first: Seen } | null {
  if (amountColumns(evidence).length > 0) return null;
  const found = [...evidence.columns].find(([, { odd, filled }]) => odd !== null && odd.count * 2 > filled);
  return found?.[1].odd === null || found === undefined ? null : { name: found[0], first: found[1].odd.first };
}

export function suitsBy(evidence: Evidence): Suits {
  const { columns } = evidence;
  const hasAmounts = amountColumns(evidence).length > 0;
  return (name, { kind, money }) => {
    const column = columns.get(name);
    // An empty column shows nothing for or against it.
    if (column === undefined) return true;
    if (column.filled === 0) return false;
    if (money === true) return mostlyNumbers(column) && (!hasAmounts || column.hasDecimals || column.repeats);
    switch (kind) {
      case 'number':
      case 'multiplier':
        return mostlyNumbers(column);
      case 'date':
        return mostlyDates(column);
      case 'currency':
        return column.words !== null && [...column.words.keys()].every((word) => CURRENCIES.has(word));
      default:
        return !(mostlyNumbers(column) && column.hasDecimals) && !mostlyDates(column) && !column.areTimes;
    }
  };
}

function mostlyNumbers({ filled, areNumbers }: ColumnEvidence): boolean {
  return filled > 0 && areNumbers * 2 > filled;
}

export function mostlyDates({ filled, areDates }: ColumnEvidence): boolean {
  return filled > 0 && areDates * 2 > filled;
}

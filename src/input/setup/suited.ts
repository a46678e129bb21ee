/** Which columns fit a field by their values: these are offered to a person, or accepted by their name. */
import { CURRENCIES } from '../../records/currencies.js';
import type { Field } from '../../records/field.js';
import type { ColumnEvidence, Evidence } from './evidence.js';

export type Suits = (name: string, field: Field) => boolean;

/** Names of the columns whose numbers have decimals, as those of money. */
export function amountColumns({ columns }: Evidence): string[] {
  return [...columns].flatMap(([name, found]) => (mostlyNumbers(found) && found.hasDecimals ? [name] : []));
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

/** Which columns a name suggests for a field. An account that is the same in all rows is the payer's, not a payee. */
export function suggestedBy(evidence: Evidence): Suits {
  const suits = suitsBy(evidence);
  return (name, field) => {
    const { words = null, filled = 0 } = evidence.columns.get(name) ?? {};
    return suits(name, field) && !(field.name === PAYEE && words?.size === 1 && filled >= MANY_ROWS);
  };
}

const PAYEE = 'user_id';
const MANY_ROWS = 3;

/** Numbers that no setting reads are numbers; beside money, cells without any digit count for nothing. */
export function mostlyNumbers({ filled, withDigits, areNumbers, areOdd, hasDecimals }: ColumnEvidence): boolean {
  return (areNumbers + areOdd) * 2 > (hasDecimals ? withDigits : filled);
}

export function mostlyDates({ filled, areDates }: ColumnEvidence): boolean {
  return filled > 0 && areDates * 2 > filled;
}

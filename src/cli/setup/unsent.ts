/** Columns that distinguish payments but are not sent: reported before the profile is written. */
import { usualField } from '../../input/usual-names.js';
import { mostlyDates } from '../../input/setup/suited.js';
import type { Found } from './setup-call.js';

export function unsentLines({ survey: { names, fields, evidence }, kind }: Found): string[] {
  const isSent = (path: string): boolean => fields.columns.some((column) => column.path === path);
  const unsent = names.filter((name) => name !== '' && !fields.columns.some((column) => column.name === name));
  const filled = unsent.flatMap((name) => {
    const column = evidence.columns.get(name);
    return column === undefined || column.filled === 0 ? [] : [{ name, column }];
  });
  const dates = filled.filter(({ column }) => mostlyDates(column));
  const references = filled.filter(
    ({ name, column }) =>
      usualField(name, kind.type)?.field === 'reference_id' && !dates.some((date) => date.column === column),
  );
  const date = kind.fields.find(({ kind: each }) => each === 'date')?.name;
  const without = (path: string | null | undefined, what: string, then: string, found: typeof dates): string[] => {
    if (path === undefined || path === null || found.length === 0) return [];
    const listed = found.map(({ name }) => JSON.stringify(name)).join(', ');
    return [`Not sent: the ${what} under ${listed}.${isSent(path) ? '' : ` ${then}`}`];
  };
  return [
    ...without(date, 'dates', 'Without a date, the service takes the time of creation.', dates),
    ...without(kind.reference, 'references', 'Two payments of one person for one purpose then look alike.', references),
  ];
}

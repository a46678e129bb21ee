/** A table whose columns are variables of a template. */
import { trimmedCell } from './cells.js';
import { columnsFor, type TableHead } from './csv-header.js';
import type { FileInfo } from './read-options.js';
import type { RowReading } from './row-record.js';
import type { ExpectedValue } from './rows.js';
import type { Blank, RecordTemplate } from './template.js';
import { bindTemplate, OWN_KEY, type TemplateColumns } from './template-columns.js';
import { BoundTemplate } from './template-fill.js';
import { MOST_DROPPED } from './unknown-columns.js';

/** @throws FileFault, UsageError */
export function bindVariables(template: RecordTemplate, head: TableHead): RowReading {
  const { names, options, info } = head;
  const bound = bindTemplate(template, head);
  const { header, indexOf, ownKey } = bound;
  const filling = new BoundTemplate(template, options, info, false);
  const { given } = filling;
  noteTemplate(info, template, bound, names);
  const currencyOf = (cells: readonly string[]): string | null =>
    filling.currencyOf((variable) => cells[indexOf.get(variable) ?? -1] ?? '');
  return {
    header,
    columns: header.columns.filter(({ path }) => !given.covers(path)),
    uses: usesIn(template, bound),
    isWhole: false,
    given,
    options,
    info,
    currencyOf,
    contentOf: ({ cells, refused, record, line }, found) => {
      const cellAt = (index: number): string | null => (refused.has(index) ? null : (cells[index] ?? ''));
      const key = ownKey === null ? '' : trimmedCell(cellAt(ownKey) ?? '', 'id', options.style);
      const input = filling.fill((variable) => cellAt(indexOf.get(variable) ?? -1), currencyOf(cells), found);
      if (key !== '') input[OWN_KEY] = key;
      // A row that is filtered out is no record.
      return filling.complete(input, record === 0 ? null : { record, line }, found);
    },
    // What is set over a template must be known at the file's end.
    note: info.overrides === undefined ? null : (row) => void row.read(),
  };
}

/** A template may use a column in many places: a date is both start and end. */
function usesIn({ blanks }: RecordTemplate, { indexOf, header }: TemplateColumns): ExpectedValue[] {
  const uses = new Map<string, ExpectedValue>();
  const add = (use: ExpectedValue): void => {
    const name = `${use.index} ${use.kind} ${use.isAmount === true}`;
    if (!uses.has(name)) uses.set(name, use);
  };
  const within = blanks.filter(({ isField }) => !isField);
  // Those that are fields come first: they take less.
  for (const { index, path, field } of header.columns)
    if (!within.some((blank) => blank.path === path))
      add({ index, path, kind: field.kind, isAmount: field.money === true });
  for (const blank of within)
    for (const variable of blank.variables)
      add({ index: indexOf.get(variable) ?? -1, path: blank.path, kind: kindWithin(blank), isWithinText: true });
  return [...uses.values()];
}

/** A date in the text of a time must be told from a text that looks like one. */
function kindWithin({ field: { kind } }: Blank): ExpectedValue['kind'] {
  if (kind === 'timestamp' || kind === 'date') return 'date';
  return kind === 'number' || kind === 'json' ? 'number' : 'text';
}

/** What is known of a file once its columns are bound to a template. */
function noteTemplate(
  info: FileInfo,
  { path, type, root, blanks }: RecordTemplate,
  { header, indexOf }: TemplateColumns,
  names: readonly string[],
): void {
  const { columns, compared } = header;
  info.type = type;
  info.template = path;
  info.fields = [...new Set([...root.members.map(([name]) => name), ...columns.map((column) => column.path)])];
  // A cell that goes into a text too stays the text that was typed.
  const within = blanks.filter(({ field }) => field.kind !== 'number' && field.kind !== 'date');
  const texts = new Set(within.flatMap(({ variables }) => variables.map((variable) => indexOf.get(variable))));
  info.columns = { names, fields: columns.filter(({ index }) => !texts.has(index)), compared };
  for (const { name } of columnsFor(header, 'other').slice(0, MOST_DROPPED)) info.dropped.set(name, null);
}

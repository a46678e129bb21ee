/** Fills a template with the rows of a table. */
import type { Finding } from '../records/issue.js';
import type { Body } from '../records/types.js';
import { type CellConverter, trimmedCell } from './cells.js';
import type { BoundAssignments } from './columns.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import type { ExpectedValue } from './rows.js';
import type { Blank, RecordTemplate } from './template.js';
import { givesOwnKey, OWN_KEY, type TemplateColumns } from './template-columns.js';
import { memberTextOf, TemplateFiller } from './template-fill.js';
import type { Variable } from './template-text.js';
import { MOST_DROPPED } from './unknown-columns.js';

type CellUse = Omit<ExpectedValue, 'currency'>;

export class TemplateRows {
  /** What the cells of a workbook must be able to be; each once for a column. */
  readonly uses: readonly CellUse[];
  private readonly template: RecordTemplate;
  private readonly columns: TemplateColumns;
  private readonly options: ReadOptions;

  constructor(template: RecordTemplate, columns: TemplateColumns, options: ReadOptions) {
    this.template = template;
    this.columns = columns;
    this.options = options;
    this.uses = usesIn(template, columns);
  }

  /** Numbers of the template as typed. */
  get typed(): RecordTemplate['typed'] {
    return this.template.typed;
  }

  /** @param refused cells that were refused already, by index */
  fill(
    cells: readonly string[],
    refused: ReadonlyMap<number, Finding>,
    currency: string | null,
    found: CellConverter,
  ): Body {
    const cellOf = (variable: Variable): string | null => {
      const index = this.columns.indexOf.get(variable) ?? -1;
      return refused.has(index) ? null : (cells[index] ?? '');
    };
    const { style, allowTotalRow } = this.options;
    const input = new TemplateFiller(cellOf, { style, allowTotalRow, currency }, found).record(this.template.root);
    const key = givesOwnKey(this.template)
      ? undefined
      : this.columns.header.columns.find(({ path }) => path === OWN_KEY);
    const cell = key === undefined || refused.has(key.index) ? '' : trimmedCell(cells[key.index] ?? '', 'id', style);
    if (cell !== '') input[OWN_KEY] = cell;
    return input;
  }

  /** The record's currency: a value set for all of them, or what the template has. @param given is set */
  currencyOf(given: BoundAssignments): (cells: readonly string[]) => string | null {
    const textOf = memberTextOf('currency', this.template, given, this.options.style);
    return (cells) => textOf((variable) => cells[this.columns.indexOf.get(variable) ?? -1] ?? '');
  }
}

/** A template may use a column in many places: a date is both start and end. */
function usesIn({ blanks }: RecordTemplate, { indexOf, header }: TemplateColumns): CellUse[] {
  const uses = new Map<string, CellUse>();
  const add = (use: CellUse): void => {
    const name = `${use.index} ${use.kind} ${use.isAmount}`;
    if (!uses.has(name)) uses.set(name, use);
  };
  const within = blanks.filter(({ isField }) => !isField);
  // Those that are fields come first: they take less.
  for (const { index, path, field } of header.columns)
    if (!within.some((blank) => blank.path === path))
      add({ index, path, kind: field.kind, isAmount: field.money === true });
  for (const blank of within)
    for (const variable of blank.variables) {
      const index = indexOf.get(variable) ?? -1;
      add({ index, path: blank.path, kind: kindWithin(blank), isAmount: false, isWithinText: true });
    }
  return [...uses.values()];
}

/** A date in the text of a time must be told from a text that looks like one. */
function kindWithin({ field: { kind } }: Blank): ExpectedValue['kind'] {
  if (kind === 'timestamp' || kind === 'date') return 'date';
  return kind === 'number' || kind === 'json' ? 'number' : 'text';
}

/** What is known of a file once its columns are bound to a template. */
export function noteTemplate(
  info: FileInfo,
  { path, type, root, blanks }: RecordTemplate,
  { header, indexOf }: TemplateColumns,
  names: readonly string[],
): void {
  const { columns, others, compared } = header;
  info.type = type;
  info.template = path;
  info.fields = [...new Set([...root.members.map(([name]) => name), ...columns.map((column) => column.path)])];
  // A cell that goes into a text too stays the text that was typed.
  const within = blanks.filter(({ field }) => field.kind !== 'number' && field.kind !== 'date');
  const texts = new Set(within.flatMap(({ variables }) => variables.map((variable) => indexOf.get(variable))));
  info.columns = { names, fields: columns.filter(({ index }) => !texts.has(index)), compared };
  for (const name of others.slice(0, MOST_DROPPED)) info.dropped.set(name, null);
}

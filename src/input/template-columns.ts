/** From the columns of a table to the variables of a template. */
import { UsageError } from '../errors.js';
import type { Field } from '../records/fields.js';
import { excerpt } from '../records/issue.js';
import { nearest } from '../records/nearest.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import { columnPlace, columnsNamed } from './column-places.js';
import { type ColumnUse, type Header, keyCell, ruleColumns, type TableHead } from './csv-header.js';
import { type ColumnBinding, FileFault } from './raw-record.js';
import { isResultColumn } from './result-columns.js';
import type { RecordTemplate, Variable } from './template.js';

/** The one column that is a field, whatever the template says: a record's own key. */
export const OWN_KEY = 'idempotency_key';

/** The columns of a table, and which of them each variable is. */
export interface TemplateColumns {
  readonly header: Header;
  readonly indexOf: ReadonlyMap<Variable, number>;
  /** The cell with a record's own key, where the template gives none; else null. */
  readonly ownKey: number | null;
}

export function givesOwnKey({ root }: RecordTemplate): boolean {
  return root.members.some(([name]) => name === OWN_KEY);
}

function ownKeyField({ type }: RecordTemplate): Field {
  return RECORD_SCHEMAS[type].fields.find(({ name }) => name === OWN_KEY) as Field;
}

/** For a file with a column for the key, which the template does not use. @throws UsageError if it has another key */
export function refuseTwoKeys(template: RecordTemplate, file: string): void {
  if (!givesOwnKey(template)) return;
  throw new UsageError(
    `--template ${template.path} and the column "${OWN_KEY}" of ${file} both give the key of each record. Remove one of them, or write \${${OWN_KEY}} in the template`,
  );
}

/**
 * @throws UsageError for a variable without a column
 * @throws FileFault for a variable that could mean two
 */
export function bindTemplate(template: RecordTemplate, head: TableHead): TemplateColumns {
  const { names, options, info } = head;
  const { compared, used: filters } = ruleColumns(head);
  const indexOf = new Map<Variable, number>();
  for (const { variables } of template.blanks)
    for (const variable of variables) indexOf.set(variable, columnOf(variable, template, head));
  const used = new Set(indexOf.values());
  const columns = fieldColumns(template, indexOf, names);
  const keyAt = names.indexOf(OWN_KEY);
  if (keyAt >= 0 && !used.has(keyAt)) refuseTwoKeys(template, info.path);
  const ownKey = keyAt < 0 || givesOwnKey(template) ? null : keyAt;
  if (ownKey !== null) columns.push({ index: ownKey, name: OWN_KEY, path: OWN_KEY, field: ownKeyField(template) });
  const fields = new Set(columns.map(({ index }) => index));
  const columnUse = (name: string, index: number): ColumnUse => {
    if (fields.has(index)) return 'field';
    if (used.has(index)) return 'text';
    if (filters.has(index)) return 'filter';
    if (isResultColumn(name)) return 'result';
    if (name !== '') return 'other';
    return options.naming.ignoreOthers ? 'passed over' : 'unnamed';
  };
  const all = names.map((name, index) => ({
    index,
    name,
    place: columnPlace(index),
    path: '',
    use: columnUse(name, index),
  }));
  return { indexOf, ownKey, header: { all, columns, compared, key: keyCell(names, options.naming.ignore) } };
}

/** The columns whose cells are the whole value of a field, as without a template, or of a place in a query. */
function fieldColumns(
  { blanks }: RecordTemplate,
  indexOf: ReadonlyMap<Variable, number>,
  names: readonly string[],
): ColumnBinding[] {
  const columns: ColumnBinding[] = [];
  for (const { pieces, path, field, variables } of blanks)
    for (const variable of pieces.length === 1 ? variables : []) {
      const index = indexOf.get(variable) ?? 0;
      columns.push({ index, name: names[index] || columnPlace(index), path, field });
    }
  return columns;
}

function columnOf({ name }: Variable, template: RecordTemplate, { names, line, info }: TableHead): number {
  const [index, second] = isResultColumn(name) ? [] : columnsNamed(name, names);
  if (index === undefined) throw unknownVariable(name, template, `has no column in ${info.path}`, names, HEADER_ADVICE);
  if (second === undefined) return index;
  const places = `${columnPlace(index)} and ${columnPlace(second)}`;
  const message = `Two columns have the name "${excerpt(name)}": ${places}. Write the position of the right one in the template: \${${columnPlace(index)}}`;
  throw new FileFault('duplicate-column', line, message, name);
}

const HEADER_ADVICE = 'If the column names are on another line, give its number with --header-line';
const MOST_NAMES_SHOWN = 20;

/** @param problem what the variable lacks. @param names that it could have. @param advice if it is near none of them */
export function unknownVariable(
  name: string,
  { path }: RecordTemplate,
  problem: string,
  names: readonly string[],
  advice: string,
): UsageError {
  const open = names.filter((each) => each !== '' && !isResultColumn(each));
  const near = nearest(name, open);
  const shown = open.slice(0, MOST_NAMES_SHOWN).map((each) => JSON.stringify(excerpt(each)));
  const more = open.length > MOST_NAMES_SHOWN ? ` and ${open.length - MOST_NAMES_SHOWN} more` : '';
  const [, typed = ''] = /^(.+?)\s*:\s*\w*$/.exec(name) ?? [];
  let hint = near === null ? advice : `Did you mean \${${near}}?`;
  if (open.includes(typed))
    hint = `After a colon, only number and json are known: \${${typed}:number}, \${${typed}:json}`;
  return new UsageError(
    `--template ${path}: the variable \${${name}} ${problem}. Found: ${shown.join(', ') || 'no names'}${more}. ${hint}`,
  );
}

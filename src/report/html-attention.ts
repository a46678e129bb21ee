/** The records of an HTML report that need a person: why, and what to do. */
import { KINDS } from '../records/kinds.js';
import { settleWords } from '../util/shell-word.js';
import type { ReportHead } from './report-head.js';
import { columnOf } from './amount-columns.js';
import {
  type GatheredRows,
  leftOut,
  moneyColumns,
  moneyOf,
  ofFile,
  payeeColumns,
  placeOf,
  type RecordColumn,
  recordTable,
  type ShownRow,
} from './html-records.js';
import { commonFate } from './html-words.js';
import { capital, cell, escaped } from './markup.js';
import { STATES } from './state-words.js';
import { counted } from './table.js';

export function* recordsInNeed({ failed }: GatheredRows, head: ReportHead): Iterable<string> {
  const groups = [...failed].filter(([, { count }]) => count > 0);
  if (groups.length === 0) return;
  yield '<section aria-labelledby="failed">\n<h2 id="failed">Records that need attention</h2>\n';
  for (const [state, { count, rows }] of groups) {
    const meaning = STATES.find(({ name }) => name === state)?.meaning ?? '';
    const title = capital(commonFate(state, [...new Set(rows.map(({ type }) => type))]));
    yield `<h3 class="state-${state}">${escaped(title)}: ${counted(count, 'record')}</h3>\n<p>${escaped(meaning)}</p>\n`;
    if (state === 'unknown' && head.run !== null) yield waysOut(head.run, rows, head);
    yield table(title, state, rows, head);
    if (count > rows.length) yield leftOut(count - rows.length);
  }
  yield '</section>\n';
}

/** How doubt ends: a record with a key is safely sent again. A person looks up the others, and those still in doubt. */
function waysOut(run: string, rows: readonly ShownRow[], { journalFlags, resumeFlags }: ReportHead): string {
  const command = (name: string, rest: string): string =>
    `<code>${escaped(`gigwork batch ${name} ${run}${rest}`)}</code>`;
  // A command of its own for each answer: if one line had both, a shell would run the first, and `--created` is final.
  const record = rows.every(({ line }) => line === null) ? ' --record N' : ' --line N';
  const settle = `<br>\n${command('settle', `${journalFlags}${record} --created --note TEXT`)}, or<br>\n${command('settle', `${journalFlags}${record} --not-created --note TEXT`)}`;
  if (!rows.some(({ type }) => KINDS[type].keyed))
    return `<p>Look each one up at the service, then say what you found:${settle}</p>\n`;
  return `<p>First go on: ${command('resume', resumeFlags)} sends payouts and results again under their own keys, which pays nothing twice. What stays unknown after that: look it up at the service, then say what you found:${settle}</p>\n`;
}

function table(title: string, state: string, rows: readonly ShownRow[], head: ReportHead): string {
  const amounts = rows.map(moneyOf).filter((money) => money !== null);
  const shown = {
    column: columnOf(amounts),
    types: [...new Set(rows.map(({ type }) => type))],
    currencies: [...new Set(amounts.map(({ currency }) => currency))],
  };
  const columns: RecordColumn[] = [
    ...payeeColumns(shown.types),
    ...(state === 'invalid' ? [] : moneyColumns(shown)),
    { title: 'place', cell: (row) => cell(placeText(row, state, head)) },
    ...(rows.some(({ error }) => error !== null)
      ? [{ title: 'reason', cell: ({ error }: ShownRow) => cell(escaped(error ?? '')) }]
      : []),
  ];
  return recordTable(`${title}: records ${ofFile(head)}`, columns, rows);
}

/** With what `batch settle` calls the record, where that is what there is to do, and with its key. */
function placeText(row: ShownRow, state: string, head: ReportHead): string {
  const named =
    state === 'unknown' ? `<br><code>${escaped(settleWords(row, head.files.length, head.platform))}</code>` : '';
  const key = row.key === null ? '' : `<br><span class="key">${escaped(row.key)}</span>`;
  return `${placeOf(row, head)}${named}${key}`;
}

/** The HTML report: one self-contained page for people, for a screen of any size and for paper. */
import type { PersonsWord } from '../ledger/payment.js';
import { RECORD_TYPES } from '../records/kinds.js';
import type { ReportFormat, ReportHead } from './formats.js';
import { allRecords, failedRecords, gatherRows } from './html-records.js';
import { STYLE } from './html-style.js';
import { howComputed, totalsSections } from './html-totals.js';
import { cell, escaped, wideTable } from './markup.js';
import { STATES } from './states.js';
import { counted, countText, personWords } from './table.js';

export const htmlReport: ReportFormat = async function* (head, rows) {
  const title = `gigwork ${head.command}, ${minuteOf(head.madeAt)}`;
  const types = RECORD_TYPES.filter((type) => head.totals.some((row) => row.type === type));
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="kind">gigwork ${escaped(head.command)}${head.dryRun ? ', dry run' : ''}</p>
<h1>${escaped(verdict(head))}</h1>
${refusalNotes(head)}${stateTiles(head)}</header>
`;
  yield facts(head);
  yield* totalsSections(types, head.totals);
  const gathered = await gatherRows(rows());
  yield* failedRecords(gathered, head);
  yield* allRecords(gathered, head);
  yield howComputed(types);
  yield `</main>
<footer><p>Made by gigwork on ${moment(head.madeAt)}.</p></footer>
</body>
</html>
`;
};

/** The outcome in one sentence. */
function verdict({ records, dryRun, refusal }: ReportHead): string {
  const of = (state: string): number => records[state] ?? 0;
  const read = of('read');
  const done = of('created') + of('already_created') + of('skipped');
  if (read === 0) return 'The input holds no record';
  if (dryRun) {
    if (of('not_sent') > 0 || of('planned') + done === 0) return 'Dry run: as it stands, nothing would be sent';
    return `Dry run: ${counted(of('planned'), 'record')} of ${countText(read)} would be sent`;
  }
  if (refusal.length > 0) return `Refused: nothing was sent of ${counted(read, 'record')}`;
  const skipped = of('skipped') > 0;
  if (done === read && !skipped)
    return read === 1 ? 'The record is created' : `All ${countText(read)} records are created`;
  if (done === read) return 'Every record is created, or was left out as decided';
  if (of('not_sent') + of('invalid') === read) return `Nothing was sent of ${counted(read, 'record')}`;
  return `${countText(done)} of ${counted(read, 'record')} ${done === 1 ? 'is' : 'are'} ${skipped ? 'created or left out' : 'created'}`;
}

function refusalNotes({ refusal }: ReportHead): string {
  return refusal.map((words) => `<p>${escaped(words)}</p>\n`).join('');
}

function stateTiles({ records }: ReportHead): string {
  const shown = STATES.filter(({ name }) => (records[name] ?? 0) > 0);
  const tiles = shown.map(
    ({ name, label }) =>
      `<li class="tile state-${name}"><span class="count">${countText(records[name] ?? 0)}</span> <span class="label">${label}</span></li>\n`,
  );
  return tiles.length === 0 ? '' : `<ul class="tiles" aria-label="Records by state">\n${tiles.join('')}</ul>\n`;
}

function facts(head: ReportHead): string {
  const { target, batchId, run, startedAt, by, approvedBy, version, digest, madeAt, files, records } = head;
  const pairs: (readonly [string, string])[] = [
    ['Target', target === null ? 'none given' : escaped(target)],
    ['Batch', escaped(batchId)],
    ...(run === null ? [] : [['Run', `<code>${escaped(run)}</code>`] as const]),
    ...(startedAt === null ? [] : [['Started', moment(startedAt)] as const]),
    ['Run by', `${escaped(personWords(by))}, with gigwork ${escaped(version)}`],
    ...(approvedBy === null ? [] : [['Approved by', approvedText(approvedBy)] as const]),
    ['Report made', moment(madeAt)],
    [
      'Records',
      `${countText(records['read'] ?? 0)} read, ${countText(records['valid'] ?? 0)} valid, ${countText(records['invalid'] ?? 0)} invalid`,
    ],
    ['Digest', digest === null ? 'none: a dry run without a target' : `<code>${escaped(digest)}</code>`],
  ];
  const list = pairs.map(([name, html]) => `<div><dt>${name}</dt><dd>${html}</dd></div>\n`).join('');
  const columns = [{ title: 'file and its SHA-256' }, { title: 'records', isNumber: true }];
  const rows = files.map(({ path, sha256, records: count }) => {
    const hash = sha256 === '' ? 'not read to its end' : escaped(sha256);
    return `<tr><th scope="row">${escaped(path)}<br><span class="key">${hash}</span></th>${cell(countText(count), columns[1])}</tr>\n`;
  });
  return `<section aria-labelledby="facts">
<h2 id="facts">The run</h2>
<dl>
${list}</dl>
${wideTable('Input files', columns, rows)}</section>
`;
}

function approvedText({ at, by, note }: PersonsWord): string {
  return `${escaped(personWords(by))}, ${moment(at)}${note === '' ? '' : `, ${escaped(note)}`}`;
}

/** @param at milliseconds since 1970 */
function moment(at: number): string {
  return `<time datetime="${new Date(at).toISOString()}">${minuteOf(at)}</time>`;
}

function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

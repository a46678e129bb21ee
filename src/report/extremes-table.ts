/** The largest and the smallest amounts, each with whom it is for and where it stands. */
import { sumByCurrency } from '../money/totals.js';
import { placeWords } from '../records/issue.js';
import type { RecordType } from '../records/kind.js';
import { columnOf } from './amounts.js';
import { nameOf, unitText } from './kind-words.js';
import { printable } from './printable.js';
import type { Extremes, Notable, ReviewReport } from './reporter.js';
import { columnLines, counted, shortened, wrapped } from './table.js';

/** In characters. */
const LONGEST_SUBJECT = 32;
/** Above zero; the last is for any further number of types and currencies. */
const SHOWN: readonly number[] = [5, 3, 1];

/** @param width columns of the terminal */
export function extremeLines({ extremes, files, toSend }: ReviewReport, width: number): string[] {
  const most = SHOWN[Math.min(extremes.length, SHOWN.length) - 1] ?? 0;
  const rows = extremes.flatMap((each) => labelled(each, most).map(([label, notable]) => ({ label, each, notable })));
  const money = rows.map(({ each: { type, currency }, notable: { amount } }) => ({ type, currency, amount }));
  const { figure } = columnOf(money);
  const cells = rows.map(({ label, each: { type, currency }, notable: { amount, file, subject, ...place } }) => {
    const where = [...(files.length > 1 ? [file] : []), placeWords(place)];
    const whom = subject === '' ? [] : [shortened(subject, LONGEST_SUBJECT)];
    const text = [figure({ type, currency, amount }), unitText(type as RecordType, currency)].join(' ').trim();
    return [label, text, printable([...where, ...whom].join(', '))];
  });
  const groups = sumByCurrency(toSend.totals).filter(({ count, unpriced }) => count > unpriced).length;
  const more = groups - extremes.length;
  return [
    ...columnLines(cells, ['left', 'point', 'left']).flatMap((line) => wrapped(line, width)),
    ...(more > 0 ? [`and of ${counted(more, 'more currency', 'more currencies')}`] : []),
  ];
}

function labelled({ type, largest, smallest, count }: Extremes, most: number): [label: string, Notable][] {
  const shown = largest.slice(0, most);
  const name = nameOf(type as RecordType, count);
  const heading = count === 1 ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : `Largest ${name}`;
  return [
    ...shown.map((notable, i): [string, Notable] => [i === 0 ? heading : '', notable]),
    ...(count > shown.length ? [['Smallest', smallest] satisfies [string, Notable]] : []),
  ];
}

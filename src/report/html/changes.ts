/** What is new since the last batch of the profile: all payees, by name. */
import {
  changedMoneyText,
  comparedText,
  paidNowText,
  PRUNED_NAMES,
  type PayeeChange,
  type PayeeChangeList,
  type PayeeChanges,
} from '../payee-changes-text.js';
import { pluralize, type TableColumn } from '../table.js';
import { footnote, htmlTable, section } from './elements.js';

export function changesSection(changes: PayeeChanges): string {
  if (changes.kind === 'corrections') {
    const table = changeTable(changes.corrected, 'refused payment is corrected', 'refused payments are corrected');
    return section('changes', 'Corrected payments', table);
  }
  const tables = [
    changeTable(changes.new, 'payee is new', 'payees are new'),
    changeTable(changes.gone, 'payee is gone', 'payees are gone'),
    changeTable(changes.changed, 'payee has another amount', 'payees have another amount'),
    changeTable(changes.refused, 'refused payment was not made since', 'refused payments were not made since'),
    changeTable(
      changes.rewritten,
      'payee may be another person: the ID differs in zeros, capitals or spaces',
      'payees may be other people: the IDs differ in zeros, capitals or spaces',
    ),
  ];
  const body = tables.join('') || footnote('The same payees, with the same amounts.');
  const paid = paidNowText(changes.paidNow);
  return section(
    'changes',
    `Since ${comparedText(changes.since)}`,
    body + (paid === '' ? '' : footnote(`Compared ${paid}.`)),
  );
}

/** Empty if there are none. */
function changeTable({ count, sums, first }: PayeeChangeList, one: string, many: string): string {
  if (count === 0) return '';
  const newPayee: TableColumn<PayeeChange> = { title: 'now', cell: ({ newPayee: name }) => name ?? '' };
  const columns: TableColumn<PayeeChange>[] = [
    { title: 'payee', cell: ({ payee }) => payee ?? `not known: ${PRUNED_NAMES}` },
    ...(first.some(({ newPayee: name }) => (name ?? null) !== null) ? [newPayee] : []),
    { title: 'amount', align: 'right', cell: ({ money }) => money.map(changedMoneyText).join(', ') },
  ];
  const caption = `${pluralize(count, one, many)}: ${sums.map(changedMoneyText).join(', ')}`;
  const hidden = count - first.length;
  const more = `${pluralize(hidden, 'more payee is', 'more payees are')} not shown here; the sum counts them.`;
  return htmlTable(caption, columns, first) + (hidden > 0 ? footnote(more) : '');
}

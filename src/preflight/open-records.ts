/** What unfinished runs have open: a person who is to resume or close one sees whom it would pay, also what the input lacks. */
import { recordsOf } from '../batch/stored-run.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Run } from '../ledger/payment.js';
import { parseDecimal } from '../money/decimal.js';
import { placeWords } from '../records/issue.js';
import { moneyText } from '../records/money-text.js';
import { subjectOf } from '../records/subject.js';
import { printable } from '../report/printable.js';
import type { Assessment } from './assess.js';

/** Further ones are counted. */
const MOST_SHOWN = 10;

/** @throws JournalError */
export async function openRecordWords({ undecided }: Assessment, ledger: Ledger | null): Promise<string[]> {
  const names = new Set(
    undecided.repeats.filter(({ code }) => code === 'open-before').map(({ standsFor }) => standsFor.run.name),
  );
  const words: string[] = [];
  if (ledger === null) return words;
  for (const name of names) for (const run of await ledger.runs({ name })) words.push(...(await openIn(run, ledger)));
  return words;
}

async function openIn(run: Run, ledger: Ledger): Promise<string[]> {
  const lines: string[] = [];
  let count = 0;
  for await (const record of recordsOf(run, ledger)) {
    const { payment, standsFor, outcome, replacedBy, isClaimed, type, amount, currency, body, file } = record;
    const isOpen = payment !== null && standsFor === null && replacedBy === null && !isClaimed;
    if (!isOpen || (outcome?.state ?? 'not_sent') !== 'not_sent' || ++count > MOST_SHOWN) continue;
    const money = amount === null ? '' : `, ${moneyText(parseDecimal(amount), currency, type)}`;
    lines.push(`  ${run.files[file]?.path ?? ''}, ${placeWords(record)}: ${subjectOf(body)}${money}`);
  }
  const more = count - MOST_SHOWN;
  const all = [`Open in run ${run.name}:`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
  return all.map((line) => printable(line));
}

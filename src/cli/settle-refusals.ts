/** What `batch settle` refuses because the person's words would be about another payment. */
import { responseRules } from '../config/target.js';
import { responseId } from '../delivery/http/response.js';
import { UsageError } from '../errors.js';
import { toShell } from '../follow-up/command-line.js';
import { type CommandSources, settleCommand } from '../follow-up/commands.js';
import type { Journal } from '../journal/journal.js';
import type { Run, StandsFor, StoredRecord } from '../journal/payment.js';
import { positionText } from '../records/issue.js';
import { subjectOf } from '../records/types.js';
import { recordMoneyText } from '../report/record-report.js';
import { capitalize } from '../report/table.js';
import type { World } from '../world.js';

/** Where a command of `batch settle` runs. */
export interface Surroundings extends CommandSources {
  readonly journal: Journal;
  readonly world: World;
}

/** `Line 4 of p.csv in run 20261120-a1b2c3 (usr_7, 12.00 EUR)`: a person who meant another record sees the mistake. */
export function whatWhere(run: Run, record: StoredRecord): string {
  const where = `${capitalize(positionText(record))} of ${run.files[record.file]?.path ?? ''} in run ${run.name}`;
  return `${where}${subjectText(record)}`;
}

function subjectText(record: Pick<StoredRecord, 'body' | 'amount' | 'currency' | 'type'>): string {
  const what = [subjectOf(record.body), recordMoneyText(record)].filter((text) => text !== '').join(', ');
  return what === '' ? '' : ` (${what})`;
}

/**
 * A record that was left out is no payment: a word about it would settle the payment that it stands for, under its own
 * payee and amount.
 * @throws UsageError that names that payment and the command for it
 */
export async function requirePayments(run: Run, records: readonly StoredRecord[], at: Surroundings): Promise<void> {
  for (const record of records)
    if (record.standsFor !== null)
      throw new UsageError(
        `${whatWhere(run, record)} was left out, so it is not a payment. ${await otherPaymentText(record, record.standsFor, at)}`,
      );
}

async function otherPaymentText(
  record: StoredRecord,
  { payment, run, key, body, amount }: StandsFor,
  at: Surroundings,
): Promise<string> {
  const { journal, platform } = at;
  const [place] = await journal.places([payment]);
  const [known] = await journal.byId([payment]);
  const where =
    place === null || place === undefined
      ? `a payment of run ${run}`
      : `${positionText(place)} of ${place.file} in run ${run}`;
  const other = { type: record.type, body, amount, currency: known?.currency ?? null };
  const settle = toShell(settleCommand(true, key, run, at), platform);
  return `It stands for ${where}${subjectText(other)}. To record the result of that payment: ${settle}, or --not-created`;
}

/**
 * A line on a print-out may be that of another record by now.
 * @throws UsageError if the run has continued with a file of other bytes
 */
export async function requireSameLines(run: Run, records: readonly StoredRecord[], journal: Journal): Promise<void> {
  if (!(await journal.hasOtherFiles(run))) return;
  const keys = records.map((record) => `${whatWhere(run, record)} has the key ${record.key ?? '(none)'}`);
  throw new UsageError(
    `Run ${run.name} has continued with a file of other bytes, so a line that you have noted may be another record now. Name the record by its --key. ${keys.slice(0, MOST_KEYS).join('. ')}`,
  );
}

const MOST_KEYS = 5;

/** @throws UsageError if another payment of this type at the target has the id: one of the two would be a mistake */
export async function requireOwnId(
  id: string,
  run: Run,
  { payment, type }: StoredRecord,
  { journal, settings }: Surroundings,
): Promise<void> {
  const { id: path } = responseRules(settings, run.target);
  for (const other of await journal.createdWith(run, type, id)) {
    if (other.id === payment || responseId(other.response, path) !== id) continue;
    const [place] = await journal.places([other.id]);
    const [known] = await journal.byId([other.id]);
    const where = place === null || place === undefined ? '' : `, ${positionText(place)} of ${place.file}`;
    throw new UsageError(
      `The id ${id} is that of another payment (run ${known?.run.name ?? ''}${where}). Nothing was recorded: look up the id of this one`,
    );
  }
}

/** A call from its records to its gate, on a real journal: what the pipeline does, without files and questions. */
import { draftOf } from '../../../src/prepare/drafts.js';
import type { PreparedRecords } from '../../../src/prepare/prepared-records.js';
import { storedRun } from '../../../src/prepare/stored-run.js';
import type { Delivery, Plan } from '../../../src/journal/plan.js';
import { type Decisions, idOf, type Run } from '../../../src/journal/payment.js';
import { assess } from '../../../src/review/assess.js';
import { runDigest, type Assessment as Seen } from '../../../src/review/assessment.js';
import { loadHistory } from '../../../src/review/history.js';
import { buildPlan, completeDrafts, toSend } from '../../../src/review/build-plan.js';
import { countEntries } from '../../../src/report/reporter.js';
import { AT, deliver, type Process } from '../journal/journal-fixtures.js';
import { bodyOf, DECISIONS, input, RUN, type Row, type Rules, rulesOf, START } from './review-fixtures.js';

export interface Call {
  readonly rows?: readonly Row[];
  /** The run that is resumed from the journal alone, instead of rows. */
  readonly resume?: Run;
  readonly decisions?: Partial<Decisions>;
  readonly batch?: string;
  readonly now?: number;
  readonly rules?: Partial<Rules>;
  readonly lifetimeMs?: number;
}

export interface Looked extends Seen {
  readonly call: Call;
  readonly digest: string;
}

/** Stores what the journal does not have yet, as the reading of the input does. */
async function prepare({ journal }: Process, { rows = [], batch = 'may', now = START }: Call) {
  const prepared = input(rows, batch);
  const { entries } = prepared;
  const head = { command: 'payout create', ...AT, batchId: batch, startedAt: now, headers: [] };
  const preparation = await journal.prepare(head);
  const keyed = rows.map((_, index) => ({ key: entries.keyText(index), bodyHash: entries.bodyHash(index) }));
  const stored = await journal.stored(AT, keyed);
  for (const [index, row] of rows.entries()) {
    if (stored[index] !== 0) entries.setPayment(index, stored[index] ?? 0);
    else if (entries.isValid(index)) {
      entries.setPayment(index, idOf(preparation.number, index));
      await preparation.store([draftOf(entries, index, bodyOf(row))]);
    }
  }
  return { ...prepared, drafts: preparation };
}

export async function look(process: Process, call: Call): Promise<Looked> {
  const { resume = null } = call;
  if (resume === null) return lookAt(process, call, await prepare(process, call));
  return lookAt(process, call, await storedRun(resume, process.journal));
}

export async function lookAt({ journal }: Process, call: Call, prepared: PreparedRecords): Promise<Looked> {
  const { resume = null, now = START } = call;
  const decisions = { ...DECISIONS, ...call.decisions };
  const digest = resume?.digest ?? runDigest(AT.target, prepared);
  const known = await loadHistory({ journal, target: AT, prepared, digest, resume, now, idPath: 'id' });
  const rules = rulesOf({ decisions, now, ...call.rules });
  const found = { ...assess(prepared, known, rules), ...countEntries(prepared.entries) };
  return { ...found, history: known, call, prepared, decisions, now, digest, placeOf: () => null };
}

async function plan({ journal }: Process, looked: Looked): Promise<Plan> {
  const { drafts } = looked.prepared;
  const { digest, call } = looked;
  if (drafts !== null) await completeDrafts(looked, drafts, journal);
  return buildPlan(looked, {
    target: AT,
    digest,
    lifetimeMs: call.lifetimeMs ?? null,
    approval: null,
    inputCall: RUN.inputCall,
    journal,
  });
}

/** Passes the gate; from then on, each entry that is to be sent points at its payment. */
export async function pass(process: Process, looked: Looked): Promise<Delivery> {
  const delivery = await process.journal.commit(await plan(process, looked));
  if (delivery === null) throw new Error('the history has changed');
  for (const { index, payment } of toSend(looked)) looked.prepared.entries.setPayment(index, payment);
  return delivery;
}

/** The whole call: everything that it would send gets this outcome; with none, it is cut off before. */
export async function run(process: Process, call: Call, outcome: Outcome = 'created') {
  return { rows: call.rows ?? [], ...(await send(process, await look(process, call), outcome)) };
}

type Outcome = Parameters<typeof deliver>[1] | null;

export async function send(process: Process, looked: Looked, outcome: Outcome = 'created') {
  const delivery = await pass(process, looked);
  const ids = [...toSend(looked)].map(({ payment }) => payment);
  if (outcome !== null) await deliver({ delivery, ids }, outcome);
  await delivery.leave();
  return { run: delivery.run, ids };
}

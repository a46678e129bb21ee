/** A call from its records to its gate, on a real ledger: what the pipeline does, without files and questions. */
import { draftOf } from '../../../src/batch/draft.js';
import type { Prepared } from '../../../src/batch/prepare.js';
import { storedRun } from '../../../src/batch/stored-run.js';
import type { Delivery, Plan, Preparation } from '../../../src/ledger/ledger.js';
import type { Decisions, Run } from '../../../src/ledger/payment.js';
import { assess, type Assessment, type AssessRules, digestOf } from '../../../src/preflight/assess.js';
import { type Known, lookUp } from '../../../src/preflight/known.js';
import { planOf, toSend } from '../../../src/preflight/plan.js';
import { AT, deliver, type Passed, type Process, START } from '../ledger/kit.js';
import { assessRules, bodyOf, DECISIONS, input, type Row } from './kit.js';

export interface Call {
  readonly rows?: readonly Row[];
  /** The run that is resumed from the ledger alone, instead of rows. */
  readonly resume?: Run;
  readonly decisions?: Decisions;
  readonly batchId?: string;
  readonly now?: number;
  readonly rules?: Partial<AssessRules>;
}

export interface Looked {
  readonly prepared: Prepared;
  readonly preparation: Preparation | null;
  readonly digest: string;
  readonly known: Known;
  readonly assessment: Assessment;
}

/** Stores what the ledger does not have yet, as the reading of the input does. */
async function prepare({ ledger }: Process, { rows = [], batchId = 'default', now = START }: Call) {
  const prepared = input(...rows);
  const { entries } = prepared;
  const preparation = await ledger.prepare({ command: 'payout create', ...AT, batchId, startedAt: now });
  const keyed = rows.map((row, index) => ({ key: row.key, bodyHash: entries.bodyHash(index) }));
  const stored = await ledger.stored(AT, keyed);
  for (const [index, row] of rows.entries()) {
    if (stored[index] !== 0) entries.setPayment(index, stored[index] ?? 0);
    else if (entries.isValid(index)) await preparation.store([draftOf(entries, index, bodyOf(row))]);
  }
  return { prepared, preparation };
}

export async function look(process: Process, call: Call): Promise<Looked> {
  const { resume = null } = call;
  const { prepared, preparation } =
    resume === null
      ? await prepare(process, call)
      : { prepared: await storedRun(resume, process.ledger), preparation: null };
  return lookAgain(process, call, { prepared, preparation });
}

/** As the pipeline does: a record whose key belongs to other content is invalid, and everything is looked at once more. */
export async function lookAgain(
  { ledger }: Process,
  call: Call,
  { prepared, preparation }: Pick<Looked, 'prepared' | 'preparation'>,
): Promise<Looked> {
  const { resume = null, decisions = DECISIONS, batchId = 'default', now = START } = call;
  const rules = assessRules({ decisions, batchId, bringsBodies: resume === null, ...call.rules });
  for (;;) {
    const digest = resume?.digest ?? digestOf(AT.target, prepared);
    const known = await lookUp({ ...{ ledger, target: AT, prepared, digest, batchId, decisions, resume, now } });
    const assessment = assess(prepared, known, rules);
    if (assessment.conflicts.length === 0) return { prepared, preparation, digest, known, assessment };
    for (const { index } of assessment.conflicts) prepared.entries.invalidate(index, 'key-conflict');
  }
}

export async function plan({ ledger }: Process, looked: Looked, decisions: Decisions = DECISIONS): Promise<Plan> {
  return planOf({ ...looked, target: AT, decisions, approval: null, ledger });
}

/** Passes the gate; from then on, each entry that is to be sent points at its payment. */
export async function pass(process: Process, looked: Looked, decisions?: Decisions): Promise<Delivery> {
  const delivery = await process.ledger.commit(await plan(process, looked, decisions));
  if (delivery === null) throw new Error('the history has changed');
  const { prepared, assessment, preparation } = looked;
  for (const { index, payment } of toSend(prepared, assessment.fates, preparation))
    prepared.entries.setPayment(index, payment);
  return delivery;
}

/** The whole call: everything that it would send gets this outcome. Gives its run. */
export async function run(process: Process, call: Call, outcome: Parameters<typeof deliver>[1] = 'created') {
  const looked = await look(process, call);
  const delivery = await pass(process, looked, call.decisions);
  const ids = [...toSend(looked.prepared, looked.assessment.fates, looked.preparation)].map(({ payment }) => payment);
  await deliver({ delivery, ids }, outcome, { retryRejected: true });
  await delivery.leave();
  return { run: delivery.run, rows: call.rows ?? [], ids };
}

/** The keys and states of a run's records, and how they were left out. */
export async function list(process: Process, of: Passed['run']): Promise<string[]> {
  return (await process.records(of)).map(({ key, outcome, leftOut, error }) =>
    [key ?? `invalid: ${error}`, ...(key === null ? [] : [outcome?.state ?? 'open']), leftOut ?? '']
      .filter((word) => word !== '')
      .join(' '),
  );
}

/** `batch settle <run>`: records what a person found out about payments in doubt, and when. */
import { loadRecords } from '../journal/pages.js';
import { UsageError } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import { type Outcome, type Run, type RunFacts, type StoredRecord, NO_RUN, NOT_CREATED } from '../journal/payment.js';
import { confirmFacts } from '../report/dialog.js';
import { recordEvent } from '../report/event-reporter.js';
import { printable } from '../report/printable.js';
import type { RecordReport } from '../report/record-report.js';
import { statusText, wordingFor } from '../report/status-text.js';
import { storedReport, type StoredReport } from '../report/stored-records.js';
import { responseRules } from '../config/target.js';
import { type NumberRange, numberRanges } from '../config/parsers.js';
import { localDay } from '../util/local-time.js';
import type { Invocation, FlagsWith } from './command.js';
import { print } from './document.js';
import { longestRequestMs } from './request-time.js';
import { withRun } from './with-journal.js';
import { requireOwnId, requirePayments, requireSameLines, type Surroundings, whatWhere } from './settle-refusals.js';

/** `key` is that of the record. Other commands have a file of this name. */
export type SettleFlags = FlagsWith<'record' | 'line' | 'key' | 'file' | 'id' | 'note', 'created' | 'not_created'>;

/** Returns the exit code. @throws JournalError; UsageError when a record is not in doubt, or is under way */
export async function settleRecords(call: Invocation<SettleFlags>): Promise<number> {
  const { flags, world } = call;
  const outcome = settledOutcome(flags);
  const named = namedRecords(flags);
  const { key: _key, ...settingsFlags } = flags;
  return withRun({ ...call, flags: settingsFlags }, 'changes', async (run, journal, settings) => {
    const records = await findRecords(run, named, journal);
    if (records.length > 1 && flags.id !== undefined)
      throw new UsageError('--id is that of one record: settle them one by one');
    const at = { journal, settings, world, commandLine: call.commandLine, platform: world.platform };
    await requirePayments(run, records, at);
    if (named.by === 'line') await requireSameLines(run, records, journal);
    const [first] = records;
    if (flags.id !== undefined && first !== undefined) await requireOwnId(flags.id, run, first, at);
    const news = records.filter((record) => !isSaid(record, outcome));
    if (news.length > 0) await settleAfterQuestion(run, news, outcome, flags.note ?? '', at);
    const { id } = responseRules(settings, run.target);
    const told: StoredReport[] = [];
    for (const { index } of records) {
      const stored = await storedReport(index, run, journal, id);
      if (stored !== null) told.push(stored);
    }
    const payments = await journal.byId(told.map(({ record }) => record.payment ?? 0));
    const homes = new Map(payments.map((payment) => [payment.id, payment.run]));
    const documents = told.map(({ report }) => JSON.parse(recordEvent(report)) as unknown);
    const isNew = new Set(news.map(({ index }) => index));
    const lines = told.map(({ record, report }) => {
      const home = homes.get(record.payment ?? 0) ?? NO_RUN;
      return settledText(run, record, report, isNew.has(record.index) ? home : null);
    });
    return print(call, documents.length === 1 ? documents[0] : documents, lines.map(printable));
  });
}

/** Whether a person has settled it so already, and nothing has happened to it since. An answer always has a status. */
function isSaid({ outcome, isClaimed }: StoredRecord, { state, response }: Outcome): boolean {
  if (outcome === null || isClaimed || outcome.state !== state) return false;
  if (state !== 'created') return isToldNotCreated(outcome);
  // Another id is another decision.
  return outcome.httpStatus === null && (response === null || response === outcome.response);
}

function isToldNotCreated({ error }: Outcome): boolean {
  return error?.startsWith(NOT_CREATED) === true;
}

/** The facts about a record that a person sees before the decision. */
function factText(run: Run, record: StoredRecord): string {
  const { outcome } = record;
  const since =
    outcome !== null && isToldNotCreated(outcome)
      ? `recorded as not created on ${localDay(outcome.at)}`
      : `in doubt since ${localDay(outcome?.doubtSince ?? outcome?.at ?? run.startedAt)}`;
  return `${whatWhere(run, record)}, ${since}`;
}

async function settleAfterQuestion(
  run: Run,
  records: readonly StoredRecord[],
  outcome: Outcome,
  note: string,
  { journal, settings, world }: Surroundings,
): Promise<void> {
  if (outcome.state === 'created') {
    for (const record of records) requireDoubt(run, record);
    const facts = records.map((record) => factText(run, record));
    const [these, them] = records.length === 1 ? ['this was', 'it'] : [`these ${records.length} were`, 'them'];
    const { pay, paid } = wordingFor(records);
    const nothing = paid === 'paid' ? 'No money' : 'Nothing';
    facts.push(`Look ${them} up in the service first, and do not guess.`);
    const question = `Record that ${these} ${paid}? ${nothing} is sent now, and gigwork will never ${pay} ${them} again. This is final.`;
    if (!(await confirmFacts(facts, question, world))) throw new UsageError('not confirmed: nothing was recorded');
  }
  const requestMs = longestRequestMs(run, settings);
  await journal.settle(
    records.map((record) => ({ run, record, outcome, requestMs, list: null })),
    note,
  );
}

/** Before the question; the journal checks it again. @throws UsageError for a record whose outcome is known */
function requireDoubt(run: Run, record: StoredRecord): void {
  const state = record.outcome?.state;
  if (state !== 'created' && state !== 'rejected') return;
  throw new UsageError(
    `${whatWhere(run, record)} is ${statusText(state, record.type)}. You can only record the result of a payment that is not confirmed. Nothing was recorded`,
  );
}

/** @throws UsageError when the flags do not name records in exactly one way */
function namedRecords({ record, line, key, file }: SettleFlags): Named {
  if ([record, line, key].filter((flag) => flag !== undefined).length !== 1)
    throw new UsageError(
      'name the records with one of: --line (their lines in the file), --record (their numbers), --key',
    );
  if (key !== undefined) return { by: 'key', key };
  return line === undefined
    ? { by: 'record', ranges: numberRanges('--record', record ?? ''), file }
    : { by: 'line', ranges: numberRanges('--line', line), file };
}

/** @param home the run that accepted the payment last; null if it had been settled so before */
function settledText(run: Run, record: StoredRecord, { status }: RecordReport, home: RunFacts | null): string {
  const text = statusText(status, record.type);
  if (home === null) return `${whatWhere(run, record)} was already settled as ${text}. Nothing has changed.`;
  const nothing = record.type === 'gig' ? 'Nothing' : 'No money';
  const after =
    status === 'not_sent' ? notCreatedText(run, home, record.type) : `${nothing} was sent. This cannot be undone.`;
  return `${whatWhere(run, record)} is now recorded as ${text}. ${after}`;
}

/** What to do for a record that was not created. Another run may have accepted its payment later. */
function notCreatedText({ closed, name }: Run, home: RunFacts, type: string): string {
  if (!home.isClosed) return `It will be sent when run ${home.name} is resumed.`;
  if (closed === null) return `It will be sent when run ${name} is resumed.`;
  return `Run ${name} is closed and will not send it. Only a new import ${wordingFor([{ type }]).pay}s it.`;
}

/** @throws UsageError when the flags do not name exactly one outcome */
function settledOutcome({ created, not_created: notCreated, id, note }: SettleFlags): Outcome {
  if ((created === true) === (notCreated === true)) throw new UsageError('say either --created or --not-created');
  if (id !== undefined && created !== true) throw new UsageError('--id goes with --created');
  if (note === undefined || note.trim() === '')
    throw new UsageError('settling needs a --note that says how you found out');
  const nothing = { httpStatus: null, attempts: 0, error: null, requestId: null, doubtSince: null };
  return created === true
    ? { ...nothing, state: 'created', response: id === undefined ? null : JSON.stringify({ id }) }
    : { ...nothing, state: 'not_sent', response: null, error: `${NOT_CREATED}${note}` };
}

/** How a person names records of a run. */
export type Named = { readonly by: 'key'; readonly key: string } | NumberedRecords;

interface NumberedRecords {
  readonly by: 'record' | 'line';
  readonly ranges: readonly NumberRange[];
  /** The path of its file in the run; may be undefined when the run has only one file. */
  readonly file: string | undefined;
}

/** The records that a person means, in the order of the input. @throws UsageError when the run lacks one of them */
export async function findRecords(run: Run, named: Named, journal: Journal): Promise<StoredRecord[]> {
  if (named.by !== 'key') return findNumbered(run, named, journal);
  for await (const record of loadRecords(run, journal)) if (record.key === named.key) return [record];
  throw new UsageError(`run ${run.name} has no record with the key ${named.key}`);
}

async function findNumbered(
  run: Run,
  { by, ranges, file }: NumberedRecords,
  journal: Journal,
): Promise<StoredRecord[]> {
  const wanted = file === undefined ? null : run.files.findIndex(({ path }) => path === file);
  if (wanted === -1)
    throw new UsageError(`run ${run.name} has no file ${file}; it has ${run.files.map(({ path }) => path).join(', ')}`);
  if (wanted === null && run.files.length > 1)
    throw new UsageError(`run ${run.name} has several files; say which one with --file`);
  const numbered = new Map<number, StoredRecord>();
  for await (const record of loadRecords(run, journal)) {
    const number = by === 'record' ? record.record : record.line;
    if (record.file !== (wanted ?? 0) || number === null) continue;
    if (ranges.some(({ first, last }) => number >= first && number <= last)) numbered.set(number, record);
  }
  for (const { first, last } of ranges) {
    for (let number = first; number <= last; number++) {
      if (!numbered.has(number)) throw new UsageError(`run ${run.name} has no record ${noun(by)}${number}`);
    }
  }
  return [...numbered.values()].sort((one, other) => one.index - other.index);
}

function noun(by: NumberedRecords['by']): string {
  return by === 'line' ? 'on line ' : '';
}

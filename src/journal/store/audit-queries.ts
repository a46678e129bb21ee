/** The log of the journal: who did what. */
import type { Caller, AuditEvent, AuditEntry } from '../audit-log.js';
import type { ColumnValues, Driver, SqlScalar, Transaction } from './driver.js';
import { type Cell, select, rowMapper } from './row-mapper.js';

/** Further data of an event. */
interface Noted {
  /** Number of the run that it is about. */
  readonly run?: number;
  readonly note?: string;
  /** The payment that it is about, and its place in the run. */
  readonly payment?: number;
  readonly index?: number;
}

/**
 * Adds to the log. To be called within the transaction of the action itself.
 * @param done person and time, if it is not this call.
 * @returns the number of the event
 */
export async function addEvent(
  driver: Driver,
  tx: Transaction,
  event: AuditEvent,
  { run, note, payment, index }: Noted,
  done: (Caller & { readonly at: number }) | null = null,
): Promise<number> {
  if (driver.caller === null) throw new Error('a journal that is only read is changed');
  const caller = done ?? driver.caller;
  const [text, ...values] = eventInsertion({
    run: run ?? null,
    payment: payment ?? null,
    idx: index ?? null,
    note: note === '' ? null : (note ?? null),
    ...eventColumns(event, caller),
    ...driver.auditColumns(tx, caller, done?.at ?? null),
  });
  const [row] = await tx.rows<[number]>(`${text} RETURNING id`, ...values);
  return (row as [number])[0];
}

/** The columns that every event has. */
export function eventColumns({ kind, ...facts }: AuditEvent, { by, version, commandLine }: Caller): ColumnValues {
  return { what: kind, facts: JSON.stringify(facts), host: by.host, version, command_line: commandLine };
}

/** SQL that adds an event, and its values. */
export function eventInsertion(columns: ColumnValues): [string, ...SqlScalar[]] {
  const names = Object.keys(columns);
  const text = `INSERT INTO event (${names.join()}) VALUES (${names.map((_name, i) => `$${i + 1}`).join()})`;
  return [text, ...Object.values(columns)];
}

/** The person who did the event `e`. */
export function personIn(of: Cell, e: string): Caller['by'] {
  return { user: of(`user_of(${e})`), host: of(`${e}.host`) };
}

/** The person who did the event `e`, and the call. */
export function callerIn(of: Cell, e: string): Caller {
  return { by: personIn(of, e), version: of(`${e}.version`), commandLine: of(`${e}.command_line`) };
}

const AUDIT_ENTRY = rowMapper((of) => ({
  number: of<number>('e.id'),
  at: of<number>('e.at'),
  run: of<string | null>('run.name'),
  note: of<string | null>('e.note'),
  caller: callerIn(of, 'e'),
  kind: of<string>('e.what'),
  facts: of('e.facts', (text: string) => JSON.parse(text) as object),
}));

/** {@link Journal.events} */
export async function selectEvents(
  { session }: Driver,
  since: number,
  after: number,
  count: number,
): Promise<AuditEntry[]> {
  const from = `FROM event e LEFT JOIN run ON run.number = e.run
    WHERE e.id > $1 AND e.at >= $2 ORDER BY e.id LIMIT $3`;
  const events = await session.read((tx) => select(tx, AUDIT_ENTRY, from, after, since, count));
  return events.map(({ caller, kind, facts, ...event }) => ({
    ...event,
    ...caller,
    event: { kind, ...facts } as AuditEvent,
  }));
}

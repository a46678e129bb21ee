/** Records of other runs with the same key. One key is one payment: the run that has it under way sends it. */
import type { Db, Statement } from './db.js';
import type { Outcome, StoredState } from './record.js';
import { allUnderWay, isPending, isRejectedBeside, sqlNotFinal, type UnderWay } from './under-way.js';
import type { OutboxContext } from './sqlite-outbox.js';
import { type OutcomeRow, OUTCOME_COLUMNS, outcomeOf, outcomeWriter, rangeOf, sqlRunOf, stamper } from './rows.js';

interface RivalRow extends OutcomeRow {
  mine: number;
  my_hash: string;
  my_state: StoredState | null;
  my_doubt: number | null;
  id: number;
  body_hash: string;
}

const RIVALS = `SELECT a.id AS mine, a.body_hash AS my_hash, oa.state AS my_state, oa.doubt_since AS my_doubt,
    b.id, b.body_hash, ${OUTCOME_COLUMNS}
  FROM record a
  JOIN record b ON b.key = a.key AND (b.id < ?3 OR b.id > ?4)
  JOIN run rb ON rb.number = ${sqlRunOf('b.id')} AND rb.passed > 0
    AND rb.target = (SELECT target FROM run WHERE number = ${sqlRunOf('CAST(?3 AS INTEGER)')})
  LEFT JOIN outcome o ON o.record = b.id
  LEFT JOIN outcome oa ON oa.record = a.id
  WHERE a.id BETWEEN ?1 AND ?2 AND ${sqlNotFinal('oa.state')}
  ORDER BY a.id`;

const OTHER_CONTENT: Outcome = {
  state: 'not_sent',
  httpStatus: null,
  attempts: 0,
  response: null,
  error: 'its key was used for other content in another run; give the record another key',
  doubtSince: null,
};

/** The records of a run whose keys other runs have too. */
export interface Rivals {
  /** Whether the record waits for the record of another run. */
  waits(id: number): boolean;
  /**
   * Whether this delivery must not send the record: its key belongs to other content, or it was rejected while a live
   * process delivers it.
   */
  isRefused(id: number): boolean;
  /**
   * Writes down the rejections that were taken from other runs, once this delivery has begun: dated before its beginning,
   * they would look to others like records that it is still to send.
   */
  writeRejections(): void;
  /** Looks again at records that wait. */
  resolve(ids: readonly number[], delivery: OwnDelivery): void;
}

export interface OwnDelivery {
  readonly id: number;
  /** Number of the last claim before the delivery began: what was settled after that is news. */
  readonly since: number;
}

/**
 * Finds out what other runs at the target know about a run's keys: before the run is delivered, and again whenever
 * `resolve` asks about the records that wait. What another run's record means for this run's record:
 * - created: this one is taken as already created
 * - under way, or about to be sent by a live process: this one waits, and takes its outcome
 * - in doubt: this one is in doubt too, from the same moment
 * - created or in doubt with other content: this one is not sent
 * - rejected while a live process delivers that run: this one is not sent
 * Later deliveries give way to earlier ones and never the other way round, so nobody waits in a circle.
 */
export function rivalsOf({ db, self, isAlive, now }: OutboxContext, run: number): Rivals {
  const [first, last] = rangeOf(run);
  const waiting = new Set<number>();
  const refused = new Set<number>();
  const select = db.prepare(RIVALS);
  const write = outcomeWriter(db);
  const stamp = stamper(db);
  const rejections: [id: number, outcome: Outcome][] = [];

  const meet = (
    others: readonly RivalRow[],
    underWay: UnderWay,
    { intent, since }: { intent: number; since: number },
  ): void => {
    const [mine] = others;
    if (mine === undefined) return;
    const judgement = judge(mine, others, { underWay, since, self });
    if (judgement.next === 'wait') waiting.add(mine.mine);
    else waiting.delete(mine.mine);
    if (judgement.next === 'refuse') refused.add(mine.mine);
    const { next, outcome, cutOff = false } = judgement;
    if (outcome === undefined) return;
    if (next === 'refuse' && outcome.state === 'rejected') rejections.push([mine.mine, outcome]);
    else write(mine.mine, outcome, { intent, at: now(), cutOff });
  };
  const writeRejections = (): void => {
    const taken = rejections.splice(0);
    const intent = taken.length === 0 ? 0 : stamp();
    for (const [id, outcome] of taken) write(id, outcome, { intent, at: now() });
  };

  const alone = db.prepare('SELECT 1 FROM run WHERE passed > 0 AND number <> ? LIMIT 1').get(run) === undefined;
  if (!alone) {
    const underWay = allUnderWay(db, isAlive);
    let beginning: { intent: number; since: number } | null = null;
    for (const rows of pages(select, run, lastRecord(db, run))) {
      for (const others of groups(rows))
        meet(others, underWay, (beginning ??= { intent: stamp(), since: Number.MAX_SAFE_INTEGER }));
    }
  }
  return {
    waits: (id) => waiting.has(id),
    isRefused: (id) => refused.has(id),
    writeRejections,
    resolve: (ids, { id: delivery, since }) => {
      const still = ids.filter((id) => waiting.has(id));
      if (still.length === 0) return;
      const current = allUnderWay(db, isAlive, delivery);
      const intent = stamp();
      for (const id of still) {
        const others = select.all(id, id, first, last) as unknown as RivalRow[];
        if (others.length === 0) waiting.delete(id);
        else meet(others, current, { intent, since });
      }
      writeRejections();
    },
  };
}

/** How many of the run's records are looked up at once: a run that repeats another run has a rival for each record. */
const PAGE = 1000;

function* pages(select: Statement, run: number, end: number): Iterable<RivalRow[]> {
  const [first, last] = rangeOf(run);
  for (let from = first; from <= end; from += PAGE) yield select.all(from, from + PAGE - 1, first, last);
}

/** The row number of a run's last record; below its first row number when it has no records. */
function lastRecord(db: Db, run: number): number {
  const [first, last] = rangeOf(run);
  const { id } = db.prepare('SELECT max(id) AS id FROM record WHERE id BETWEEN ? AND ?').get(first, last) as {
    id: number | null;
  };
  return id ?? first - 1;
}

/** Groups the rows by the record of this run that they belong to. */
function* groups(rows: readonly RivalRow[]): Iterable<RivalRow[]> {
  for (let i = 0; i < rows.length;) {
    let next = i + 1;
    while (rows[next]?.mine === rows[i]?.mine && next < rows.length) next++;
    yield rows.slice(i, next);
    i = next;
  }
}

interface Judgement {
  readonly next: 'wait' | 'go' | 'refuse';
  /** The outcome of this run's record from now on. */
  readonly outcome?: Outcome;
  readonly cutOff?: boolean;
}

interface Beside {
  readonly underWay: UnderWay;
  /** See {@link OwnDelivery.since}. */
  readonly since: number;
  readonly self: string;
}

function judge(mine: RivalRow, others: readonly RivalRow[], { underWay, since, self }: Beside): Judgement {
  const { my_hash: hash, my_state: state, my_doubt: myDoubt } = mine;
  const same = others.filter((other) => other.body_hash === hash);
  const created = same.find((other) => other.state === 'created');
  if (created !== undefined)
    return { next: 'go', outcome: { ...(outcomeOf(created) as Outcome), state: 'already_created' } };
  if (others.some((other) => isPending(other, underWay))) return { next: 'wait' };
  const isTaken = others.some(
    (other) => other.body_hash !== hash && (other.state === 'created' || other.state === 'unknown'),
  );
  if (isTaken)
    return state === null || state === 'not_sent' ? { next: 'refuse', outcome: OTHER_CONTENT } : { next: 'refuse' };
  const isNews = ({ intent, cut_off: cutOff }: RivalRow): boolean => (intent ?? 0) > since && cutOff !== 1;
  const doubtful = same.filter((other) => other.state === 'unknown');
  const doubt = doubtful.find(isNews) ?? doubtful[0];
  if (doubt !== undefined) {
    const oldest = Math.min(...doubtful.map((row) => row.doubt_since ?? 0));
    if (myDoubt !== null && myDoubt <= oldest && !isNews(doubt)) return { next: 'go' };
    const doubtSince = Math.min(oldest, myDoubt ?? oldest);
    return { next: 'go', outcome: { ...(outcomeOf(doubt) as Outcome), doubtSince }, cutOff: !isNews(doubt) };
  }
  // Only `created` settles doubt; a refusal does not.
  if (myDoubt !== null) return { next: 'go' };
  const beside = same.find((other) => isRejectedBeside(other, underWay, self));
  if (beside !== undefined) return { next: 'refuse', outcome: outcomeOf(beside) as Outcome };
  const rejected = same.find((other) => other.state === 'rejected' && isNews(other));
  return rejected === undefined ? { next: 'go' } : { next: 'go', outcome: outcomeOf(rejected) as Outcome };
}

/** Delivering a run from the journal: claims with durable intents, and outcomes. Several processes may deliver one run. */
import { JournalError } from '../errors.js';
import { sha256 } from '../keys/key.js';
import type { RecordType } from '../records/kind.js';
import { type Db, inLists, transaction } from './db.js';
import type { Claim, ClaimedRecord, ClaimOptions, DoubtRules, Outbox, Unclaimed, SettledRecord } from './delivery.js';
import { allUnderWay, type Delivery, isClaimed, type OpenIntent, othersOn } from './under-way.js';
import { type OwnDelivery, type Rivals, rivalsOf } from './rivals.js';
import {
  indexOf,
  lastIntent,
  type OutcomeCells,
  type OutcomeRow,
  OUTCOME_COLUMNS,
  outcomeOf,
  outcomeRow,
  outcomeWriter,
  rangeOf,
  sqlRunOf,
  stamper,
} from './rows.js';

/** Rows looked at in one claim: keeps the transaction short where most of a run is settled already. */
const ROWS_PER_CLAIM = 1000;

interface CandidateRow extends OutcomeRow {
  id: number;
  type: RecordType;
  key: string | null;
  body: string | null;
  body_hash: string;
}

/** The result of looking at rows. */
interface Looked extends Omit<Claim, 'end'> {
  readonly seen: number;
  /** There was no room for the row after the last one. */
  readonly isFull: boolean;
  readonly last: CandidateRow | null;
}

const CANDIDATES = `SELECT r.id, r.type, r.key, r.body, r.body_hash, ${OUTCOME_COLUMNS}
  FROM record r LEFT JOIN outcome o ON o.record = r.id`;

/** The columns of {@link CANDIDATES}. Rows come as lists here: as objects, reading them costs twice as much. */
type CandidateCells = readonly [
  ...[id: number, type: RecordType, key: string | null, body: string | null, body_hash: string],
  ...OutcomeCells,
];

function candidateOf([id, type, key, body, body_hash, ...outcome]: CandidateCells): CandidateRow {
  return Object.assign(outcomeRow(outcome), { id, type, key, body, body_hash });
}

export interface OutboxContext {
  readonly db: Db;
  readonly self: string;
  readonly isAlive: (process: string) => boolean;
  /** Types that the service takes a key for. */
  readonly isKeyed: (type: RecordType) => boolean;
  readonly now: () => number;
  readonly recover: () => void;
}

/** Row numbers of records that a delivery must not send. */
export interface Unsent {
  /** Left out or invalid by decision, although they may have been carried out. */
  readonly held: ReadonlySet<number>;
  /** Told as invalid. */
  readonly withheld: ReadonlySet<number>;
}

/** To be called within the transaction that lets the run through its gate, or joins it. */
export function openOutbox(context: OutboxContext, run: number, unsent: Unsent): Outbox {
  const { recover } = context;
  const outbox = new SqliteOutbox(context, run, unsent);
  return {
    exchange: (settled, claim) => outbox.commit(() => outbox.exchange(settled, claim)),
    revisit: (ids, claim) => {
      recover();
      return outbox.commit(() => outbox.revisit(ids, claim));
    },
    leave: () => outbox.leave(),
  };
}

class SqliteOutbox {
  private readonly context: OutboxContext;
  private readonly run: number;
  private readonly unsent: Unsent;
  private readonly rivals: Rivals;
  private readonly delivery: OwnDelivery;
  private readonly statements;
  /** How many records of each of our intents have no outcome yet. */
  private open = new Map<number, number>();
  private readonly last: number;
  /** The last row that was looked at. */
  private cursor: number;
  /** Most of the rows that were looked at last could be sent: then only one row more is read than there is room for. */
  private isDense = true;

  constructor(context: OutboxContext, run: number, unsent: Unsent) {
    const { db } = context;
    this.context = context;
    this.run = run;
    this.unsent = unsent;
    this.rivals = rivalsOf(context, run);
    const fellows = othersOn(run, allUnderWay(db, context.isAlive), context.self);
    this.delivery = beginDelivery(context, run);
    this.rivals.writeRejections();
    takeRejections(db, run, fellows);
    const [first, last] = rangeOf(run);
    this.cursor = first - 1;
    this.last = last;
    this.statements = {
      candidates: inLists(db.prepare(`${CANDIDATES} WHERE r.id > ? AND r.id <= ? ORDER BY r.id LIMIT ?`)),
      candidate: inLists(db.prepare(`${CANDIDATES} WHERE r.id = ?`)),
      claims: db.prepare('SELECT id, first, last FROM intent WHERE run = ?'),
      insertIntent: db.prepare('INSERT INTO intent (run, first, last, process, at) VALUES (?, ?, ?, ?, ?)'),
      deleteIntent: db.prepare('DELETE FROM intent WHERE id = ?'),
      settleTwins: db.prepare(TWINS),
      write: outcomeWriter(db),
      stamp: stamper(db),
    };
  }

  /** A failed commit changes nothing in memory either: a claim that is counted off too early would end too early. */
  commit(work: () => Claim): Claim {
    const { open, cursor } = this;
    this.open = new Map(open);
    try {
      return transaction(this.context.db, work);
    } catch (cause) {
      this.open = open;
      this.cursor = cursor;
      throw cause;
    }
  }

  exchange(settled: readonly SettledRecord[], claim: ClaimOptions | null): Claim {
    // Dated by this moment, not by the claim, which may be old: for other processes that deliver the run, it is news.
    const moment = settled.length === 0 ? 0 : this.statements.stamp();
    for (const record of settled) this.settle(record, moment);
    if (claim === null) return { claimed: [], unclaimed: [], end: false };
    const limit = this.isDense ? Math.min(ROWS_PER_CLAIM, claim.free + claim.ahead + 1) : ROWS_PER_CLAIM;
    const rows = this.statements.candidates.all(this.cursor, this.last, limit) as unknown as CandidateCells[];
    const { claimed, unclaimed, seen, isFull, last } = this.claimRows(rows.map(candidateOf), claim);
    this.cursor = last?.id ?? this.cursor;
    this.isDense = claimed.length * 2 > seen;
    return { claimed, unclaimed, end: !isFull && seen < limit };
  }

  revisit(ids: readonly number[], claim: ClaimOptions): Claim {
    this.rivals.resolve(ids, this.delivery);
    const rows = ids.map((id) => candidateOf(this.statements.candidate.get(id) as unknown as CandidateCells));
    const { claimed, unclaimed, seen } = this.claimRows(rows, claim);
    return { claimed, unclaimed: [...unclaimed, ...rows.slice(seen).map(elsewhere)], end: true };
  }

  leave(): void {
    this.context.db.prepare('DELETE FROM delivery WHERE id = ?').run(this.delivery.id);
  }

  private settle({ id, intent, outcome, twins }: SettledRecord, moment: number): void {
    const { write, settleTwins, deleteIntent } = this.statements;
    write(id, outcome, { intent: moment, at: this.context.now() });
    if (twins) settleTwins.run(outcome.httpStatus, outcome.response, id);
    const left = (this.open.get(intent) ?? 1) - 1;
    this.open.set(intent, left);
    if (left > 0) return;
    this.open.delete(intent);
    deleteIntent.run(intent);
  }

  /** Claims the rows that can be sent, in order, until no more may be claimed. */
  private claimRows(rows: readonly CandidateRow[], options: ClaimOptions): Looked {
    const claims = this.statements.claims.all(this.run) as unknown as OpenIntent[];
    const taken: CandidateRow[] = [];
    const unclaimed: Unclaimed[] = [];
    let seen = 0;
    let last: CandidateRow | null = null;
    let isFull = false;
    for (const row of rows) {
      const found = this.lookAt(row, claims, options);
      if (found === 'send') {
        const room = this.context.isKeyed(row.type) ? options.free + options.ahead : options.free;
        isFull = taken.length >= room;
        if (isFull) break;
        taken.push(row);
      } else if (found !== 'skip') unclaimed.push(found);
      seen++;
      last = row;
    }
    return { claimed: this.intend(taken), unclaimed, seen, isFull, last };
  }

  private lookAt(
    row: CandidateRow,
    claims: readonly OpenIntent[],
    { rules }: ClaimOptions,
  ): Unclaimed | 'send' | 'skip' {
    const outcome = outcomeOf(row);
    const place = { id: row.id, index: indexOf(row.id) };
    if (outcome?.state === 'invalid' || this.unsent.withheld.has(row.id)) return 'skip';
    if (this.rivals.waits(row.id)) return elsewhere(row);
    if (outcome?.state === 'created' || outcome?.state === 'already_created')
      return { ...place, why: 'settled', outcome };
    if (isClaimed(row, claims)) return elsewhere(row);
    if (outcome === null) return 'send';
    if (this.isNews(row, rules) || this.rivals.isRefused(row.id)) return { ...place, why: 'settled', outcome };
    if (outcome.state === 'left_unknown' || this.unsent.held.has(row.id)) return { ...place, why: 'doubt', outcome };
    if (outcome.state === 'unknown' && !rules.mayResend({ type: row.type, doubtSince: outcome.doubtSince ?? 0 })) {
      return { ...place, why: 'doubt', outcome };
    }
    // `batch prune` removes a body only when the record need not be sent any more.
    return row.body === null ? { ...place, why: 'settled', outcome } : 'send';
  }

  /** Another process settled the record while this one delivered: its outcome is taken, and it is not tried again. */
  private isNews(row: CandidateRow, rules: DoubtRules): boolean {
    const { type, state, intent, cut_off: cutOff, doubt_since: doubtSince } = row;
    if (state === 'not_sent' || (intent ?? 0) <= this.delivery.since) return false;
    // If a dead process left the record in doubt, it is sent again while its key protects it. Otherwise it waits for a
    // person's word, and an earlier `--resend-unknown` does not cover it.
    return cutOff !== 1 || !rules.isProtected({ type, doubtSince: doubtSince ?? 0 });
  }

  /** Writes an intent for each unbroken range of rows: a claim covers only records that are about to be sent. */
  private intend(rows: readonly CandidateRow[]): ClaimedRecord[] {
    const { self, now } = this.context;
    const claimed: ClaimedRecord[] = [];
    for (let i = 0; i < rows.length;) {
      let next = i + 1;
      while (next < rows.length && rows[next]?.id === (rows[next - 1] as CandidateRow).id + 1) next++;
      const range = rows.slice(i, next);
      const [from, to] = [range[0] as CandidateRow, range[range.length - 1] as CandidateRow];
      const intent = Number(this.statements.insertIntent.run(this.run, from.id, to.id, self, now()).lastInsertRowid);
      this.open.set(intent, range.length);
      for (const row of range) claimed.push(claimedRecord(row, intent));
      i = next;
    }
    return claimed;
  }
}

/** @throws JournalError when the stored body is not the one that was checked: what is sent is what was approved */
function claimedRecord(row: CandidateRow, intent: number): ClaimedRecord {
  const { id, type, key, body, body_hash: bodyHash } = row;
  if (key === null || body === null || sha256(body) !== bodyHash) throw new JournalError(DAMAGED_BODY);
  return { id, index: indexOf(id), type, key, body, earlier: outcomeOf(row), intent };
}

const DAMAGED_BODY =
  'the journal is damaged: a stored record is not the one that was checked. Keep it: it knows what was paid. ' +
  'Restore it from a backup, or ask for help before sending anything.';

/**
 * What other live processes have had rejected while they deliver this run, this delivery takes as news instead of sending
 * it again: they write it into their rejects, and a person mends and imports it from there.
 */
function takeRejections(db: Db, run: number, fellows: readonly Delivery[]): void {
  if (fellows.length === 0) return;
  const since = Math.min(...fellows.map((delivery) => delivery.since));
  const take = db.prepare(
    "UPDATE outcome SET intent = ? WHERE record BETWEEN ? AND ? AND state = 'rejected' AND intent > ?",
  );
  take.run(stamper(db)(), ...rangeOf(run), since);
}

function beginDelivery({ db, self }: OutboxContext, run: number): OwnDelivery {
  const since = lastIntent(db);
  const insert = db.prepare('INSERT OR REPLACE INTO delivery (run, process, since) VALUES (?, ?, ?)');
  return { id: Number(insert.run(run, self, since).lastInsertRowid), since };
}

/**
 * The same key in doubt in another run is the same payment, and this answer settles it there as well.
 * (Only `created` settles doubt, so nothing else is ever passed on.)
 */
const TWINS = `UPDATE outcome SET state = 'created', http_status = ?1, response = ?2, error = NULL, doubt_since = NULL, cut_off = 0
  WHERE state = 'unknown' AND record IN (
    SELECT twin.id FROM record own JOIN record twin ON twin.key = own.key AND twin.id <> own.id AND twin.body_hash = own.body_hash
      JOIN run tr ON tr.number = ${sqlRunOf('twin.id')}
    WHERE own.id = ?3 AND tr.target = (SELECT target FROM run WHERE number = ${sqlRunOf('own.id')}))`;

function elsewhere({ id }: { id: number }): Unclaimed {
  return { id, index: indexOf(id), why: 'elsewhere' };
}

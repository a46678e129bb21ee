/** Inputs and histories in memory: what preflight computes from, without a file or a ledger. */
import { unreadFacts } from '../../../src/input/read.js';
import { Bodies } from '../../../src/batch/bodies.js';
import { KeyIndex } from '../../../src/batch/key-index.js';
import type { Prepared } from '../../../src/batch/prepare.js';
import { Entries, type KeySource } from '../../../src/batch/table.js';
import { sha256 } from '../../../src/keys/key.js';
import { RecordKey } from '../../../src/keys/record-key.js';
import type { DoubtRules } from '../../../src/ledger/ledger.js';
import type {
  Decisions,
  KnownPayment,
  LeftOut,
  ListedRecord,
  PaymentState,
  Run,
  RunFacts,
} from '../../../src/ledger/payment.js';
import { parseDecimal } from '../../../src/money/decimal.js';
import { assess, type Assessment, type AssessRules } from '../../../src/preflight/assess.js';
import type { Fate } from '../../../src/preflight/fate.js';
import { type Known, NOTHING_KNOWN } from '../../../src/preflight/known.js';
import type { RecordType } from '../../../src/records/kind.js';
import { contentOf, DECISIONS, similarityOf, START, TARGET } from '../ledger/kit.js';
import { CALLER } from '../ledger/stores.js';

export { DECISIONS, START };
export const HOUR = 3_600_000;

/** What a record says, whether of the input or of the history. Equal `says` is equal content; equal `like`, similar. */
export interface Says {
  readonly key: string;
  readonly type?: RecordType;
  readonly says?: string;
  readonly like?: string;
  readonly reference?: bigint | null;
  readonly date?: number | null;
  readonly amount?: string | null;
  readonly currency?: string | null;
}

export interface Row extends Says {
  /** Default: a key that identifies only within its run. */
  readonly source?: KeySource;
  readonly valid?: boolean;
  /** Its `gigwork_key`. */
  readonly corrects?: string;
}

/** A gig is sent without its key. */
export function bodyOf({ key, type = 'payout', says = 'X' }: Says): string {
  return JSON.stringify(type === 'gig' ? { title: says } : { idempotency_key: key, title: says });
}

export function bodyHashOf(says: Says): string {
  return sha256(bodyOf(says));
}

function fingerprintOf({ type = 'payout', says = 'X', like = says, reference = null, date = null }: Says) {
  return { content: contentOf(says, type), similarity: similarityOf(like, type), reference, date };
}

/** An input as it was read. */
export function input(...rows: readonly Row[]): Prepared {
  const entries = new Entries();
  const index = new KeyIndex(entries);
  const replaces = new Map<number, string>();
  for (const row of rows) {
    const { key, type = 'payout', source = 'content', valid = true, amount = '100', currency = 'EUR' } = row;
    const place = { file: 0, record: entries.length + 1, line: entries.length + 2 };
    const added = entries.addValid(place, {
      ...{ type, currency, costCenter: null, key: RecordKey.of(key), keySource: source },
      amount: amount === null ? null : parseDecimal(amount),
      bodyHash: bodyHashOf(row),
    });
    entries.setFingerprint(added, fingerprintOf(row));
    index.add(RecordKey.of(key), added);
    if (row.corrects !== undefined) replaces.set(added, row.corrects);
    if (!valid) entries.invalidate(added, 'a fault of its own');
  }
  const files = [{ ...unreadFacts('pay.csv'), sha256: 'f1', records: rows.length }];
  return { ...{ entries, index, files, replaces, told: new Map(), readings: [], faulty: false, bodies: new Bodies() } };
}

export interface Past extends Says {
  readonly state?: PaymentState;
  readonly run?: number;
  /** Its home run sends nothing more. */
  readonly ended?: boolean;
  readonly batchId?: string;
  readonly live?: boolean;
  /** Place in the history of what replaced it. */
  readonly replacedBy?: number;
  readonly moment?: number;
  readonly at?: number;
  readonly hasBody?: boolean;
  readonly doubtSince?: number;
}

function factsOf({ run = 1, ended = true, batchId = 'default' }: Past): RunFacts {
  return { number: run, name: `run-${run}`, batchId, target: TARGET, startedAt: START, isEnded: ended };
}

/** Payments in the order of their numbers, which begin with 1. */
export function history(...pasts: readonly Past[]): KnownPayment[] {
  return pasts.map((past, i) => {
    const { key, type = 'payout', state = 'created', amount = '100', currency = 'EUR', live = false } = past;
    const doubtSince = past.doubtSince ?? (state === 'unknown' ? START : null);
    return {
      ...{ id: i + 1, type, key, amount, currency, state, doubtSince, isLive: live, run: factsOf(past) },
      bodyHash: bodyHashOf(past),
      ...fingerprintOf(past),
      moment: past.moment ?? i + 1,
      at: past.at ?? START + i,
      replacedBy: past.replacedBy ?? null,
      hasBody: past.hasBody ?? true,
    };
  });
}

export function groupedBy<Key, Item>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** What look-ups give of a history, for a new run. The last payment of a key that has it stands for it. */
export function lookedUp({ entries, replaces }: Prepared, past: readonly KnownPayment[]): Known {
  const standing = new Map(past.map((payment) => [payment.key, payment]));
  const indexes = Array.from({ length: entries.length }, (_, index) => index);
  const found = (pairs: readonly (readonly [number, string])[]): Map<number, KnownPayment> =>
    new Map(pairs.flatMap(([index, key]) => (standing.has(key) ? [[index, standing.get(key)!] as const] : [])));
  return {
    ...NOTHING_KNOWN,
    byKey: found(indexes.filter((index) => entries.isValid(index)).map((index) => [index, entries.keyText(index)])),
    corrected: found([...replaces]),
    replacements: new Map(past.map((payment) => [payment.id, payment])),
    similar: groupedBy(past, ({ similarity }) => similarity),
  };
}

export const RUN: Run = {
  ...{ number: 9, name: 'run-9', target: TARGET, scope: '', command: 'payout create', batchId: 'default' },
  ...CALLER,
  ...{
    digest: 'd',
    startedAt: START,
    moment: 10,
    files: [],
    decisions: DECISIONS,
    end: null,
    approvedBy: null,
    closed: null,
  },
};

export interface Lists {
  /** Number of the payment in the history. */
  readonly payment: number;
  readonly leftOut?: LeftOut | null;
  /** A live process has it under way. */
  readonly underWay?: boolean;
}

/** What look-ups give where a run goes on that lists one payment for each record. */
export function goesOn(prepared: Prepared, past: readonly KnownPayment[], lists: readonly Lists[]): Known {
  const created = new Uint8Array(lists.length);
  const listed = new Map<number, ListedRecord>();
  for (const [index, { payment, leftOut = null, underWay = false }] of lists.entries()) {
    const record = { ...listedRecord(index, past[payment - 1]!, leftOut), isUnderWay: underWay };
    if (record.state === 'created' && leftOut === null) {
      created[index] = 1;
      prepared.entries.setPayment(index, payment);
    } else listed.set(index, record);
  }
  return { ...lookedUp(prepared, past), run: RUN, listed, created };
}

function listedRecord(index: number, payment: KnownPayment, leftOut: LeftOut | null) {
  const { id, type, state, doubtSince, replacedBy, hasBody, amount, currency } = payment;
  return {
    ...{ index, payment: id, type, leftOut, state, doubtSince, hasBody, amount, currency, costCenter: null },
    ...{ settledBy: null, isReplaced: replacedBy !== null },
  };
}

/** Keyed records in doubt are sent again, gigs never. */
export const KEYED: DoubtRules = {
  isProtected: ({ type }) => type !== 'gig',
  mayResend: ({ type }) => type !== 'gig',
};
export const UNPROTECTED: DoubtRules = { isProtected: () => false, mayResend: () => false };

export function assessRules(over: Partial<AssessRules> = {}): AssessRules {
  return {
    ...{ rules: KEYED, retryRejected: false, bringsBodies: true },
    ...{ batchId: 'default', batchNamed: false, decisions: DECISIONS },
    ...over,
  };
}

/** The assessment of a new run. */
export function assessed(rows: readonly Row[], past: readonly Past[], over: Partial<AssessRules> = {}): Assessment {
  const prepared = input(...rows);
  return assess(prepared, lookedUp(prepared, history(...past)), assessRules(over));
}

export const SKIP: Decisions = { ...DECISIONS, skipCreated: true };
export const SKIP_SIMILAR: Decisions = { ...DECISIONS, skipSimilar: true };
export function sending(count: number): Decisions {
  return { ...DECISIONS, sendSimilar: count };
}

/** A fate in short: `send`, `send 3 unknown`, `send replacing 1`, `created 2 same`, `repeat created-before 1`. */
export function words(fate: Fate | null): string {
  if (fate === null) return 'invalid';
  switch (fate.what) {
    case 'send': {
      const replacing = fate.replaced.length === 0 ? null : `replacing ${fate.replaced.join(' ')}`;
      return ['send', fate.payment, fate.again, replacing].filter((word) => word !== null).join(' ');
    }
    case 'repeat':
      return `repeat ${fate.code} ${fate.payment.id}`;
    case 'conflict':
      return `conflict ${fate.payment?.id ?? 'with nobody'}`;
    case 'created':
    case 'rejected':
    case 'unknown':
    case 'not_sent':
      return [fate.what, fate.payment, fate.leftOut].filter((word) => word !== null).join(' ');
  }
}

export function fatesOf({ fates }: Assessment): string[] {
  return fates.map(words);
}

/** Open repeats as `index code payment`. */
export function openOf({ undecided }: Assessment): string[] {
  return undecided.repeats.map(({ index, code, standsFor }) => `${index} ${code} ${standsFor.id}`);
}

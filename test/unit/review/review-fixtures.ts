/** Inputs and histories in memory: what the review computes from, without a file or a journal. */
import { ResultReferences } from '../../../src/prepare/result-references.js';
import { createHash } from 'node:crypto';
import { BodyCache } from '../../../src/prepare/bodies.js';
import { KeyIndex } from '../../../src/prepare/key-index.js';
import type { PreparedRecords } from '../../../src/prepare/prepared-records.js';
import { RecordTable, type KeySource } from '../../../src/prepare/record-table.js';
import { newFileInfo } from '../../../src/input/read-options.js';
import type { Fingerprint } from '../../../src/keys/fingerprint.js';
import { sha256 } from '../../../src/keys/key.js';
import { RecordKey } from '../../../src/keys/record-key.js';
import { hostOf, type StoredPayment, type PaymentState, type Run } from '../../../src/journal/payment.js';
import type { DoubtRules, SentPlaces } from '../../../src/journal/plan.js';
import { parseDecimal } from '../../../src/money/decimal.js';
import { assess, type AssessRules } from '../../../src/review/assess.js';
import type { Disposition } from '../../../src/review/disposition.js';
import type { Candidates } from '../../../src/review/candidates.js';
import { type PaymentHistory, EMPTY_HISTORY } from '../../../src/review/history.js';
import { runDigest, type Assessment } from '../../../src/review/assessment.js';
import type { RecordType } from '../../../src/records/types.js';
import { countEntries } from '../../../src/report/reporter.js';
import { contentOf, DECISIONS, payeeOf, START, TARGET, titleOf } from '../journal/journal-fixtures.js';
import { CALLER } from '../journal/stores.js';

export { DECISIONS, START, TARGET };
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** What a record says, of the input or of the history. Equal `says` is equal content; equal `like`, the same person and title. */
export interface Says {
  readonly key?: string;
  readonly type?: RecordType;
  readonly says?: string;
  readonly like?: string;
  /** Another title for the same person. */
  readonly title?: string;
  /** Hashes. */
  readonly reference?: number | null;
  readonly measure?: number | null;
  readonly date?: number | null;
  readonly isOfFile?: boolean;
  readonly amount?: string | null;
  readonly currency?: string | null;
}

export interface Row extends Says {
  /** Default: a key that is computed from the content. */
  readonly source?: KeySource;
  readonly valid?: boolean;
  /** Its `gigwork_key`. */
  readonly corrects?: string;
}

export const own = { source: 'own' } as const;

/** A computed key, told by a short name. */
export function computed(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A gig is sent without its key. */
export function bodyOf({ key = 'k', type = 'payout', says = 'X' }: Says): string {
  return JSON.stringify(type === 'gig' ? { title: says } : { idempotency_key: key, title: says });
}

function printOf({ type = 'payout', says = 'X', like = 'L', ...said }: Says): Fingerprint {
  const { title = like, reference = null, date = null, measure = null, isOfFile = true } = said;
  const content = contentOf(says, type);
  return { content, payee: payeeOf(like, type), title: titleOf(title), reference, date, measure, isOfFile };
}

/** An input as it was read. */
export function input(rows: readonly Row[], batchId = 'may'): PreparedRecords {
  const entries = new RecordTable();
  const index = new KeyIndex(entries);
  const bodies = new BodyCache();
  const replaces = new Map<number, string>();
  for (const row of rows) {
    const { key = 'k', type = 'payout', source = 'content', valid = true, amount = '100', currency = 'EUR' } = row;
    const place = { file: 0, record: entries.length + 1, line: entries.length + 2 };
    const added = entries.addValid(place, {
      type,
      currency,
      costCenter: null,
      key: RecordKey.of(key),
      keySource: source,
      amount: amount === null ? null : parseDecimal(amount),
      bodyHash: sha256(bodyOf(row)),
    });
    entries.setFingerprint(added, printOf(row));
    index.add(RecordKey.of(key), added);
    bodies.add(added, { before: '', after: `"title":"of ${added}"` });
    if (row.corrects !== undefined) replaces.set(added, row.corrects);
    if (!valid) entries.invalidate(added, 'a fault');
  }
  const files = [{ ...newFileInfo('pay.csv'), sha256: 'f1', records: rows.length }];
  return {
    batchId,
    entries,
    index,
    files,
    pruned: new Set<number>(),
    references: new ResultReferences(),
    replaces,
    readings: [],
    drafts: null,
    faulty: false,
    bodies,
  };
}

export interface Past extends Says {
  readonly state?: PaymentState;
  readonly run?: number;
  readonly closed?: boolean;
  readonly batch?: string;
  readonly target?: string;
  readonly live?: boolean;
  /** Place in the history, from 1, of what replaced it. */
  readonly replacedBy?: number;
  readonly moment?: number;
  readonly at?: number;
  readonly hasBody?: boolean;
  readonly lifetimeMs?: number;
  /** The line in its file, which has other bytes than the input. */
  readonly line?: number;
  /** By place: the record of the input that stands at its place in a file with the same bytes. */
  readonly samePlaceAs?: number;
  /** References that all rows of its file share. */
  readonly shared?: readonly number[];
}

/** Payments in the order of their numbers, which begin with 1. */
export function history(pasts: readonly Past[]): StoredPayment[] {
  return pasts.map((past, i) => {
    const { key = 'k', type = 'payout', state = 'created', amount = '100', currency = 'EUR' } = past;
    const { run = 1, closed: isClosed = false, batch: batchId = 'may', target = TARGET, at = START + i } = past;
    return {
      id: i + 1,
      type,
      key,
      amount,
      currency,
      state,
      at,
      batchId,
      isLive: past.live ?? false,
      ...printOf(past),
      bodyHash: sha256(bodyOf(past)),
      doubtSince: state === 'unknown' ? at : null,
      run: {
        number: run,
        name: `run-${run}`,
        batchId,
        target,
        startedAt: START,
        isClosed,
        shared: new Set(past.shared),
      },
      claimWatermark: past.moment ?? i + 1,
      replacedBy: past.replacedBy ?? null,
      hasBody: past.hasBody ?? true,
      lifetimeMs: past.lifetimeMs ?? null,
    };
  });
}

/** A run that passed its gate when ten claims had been made. */
export const RUN: Run = {
  number: 9,
  name: 'run-9',
  target: TARGET,
  scope: '',
  command: 'payout create',
  batchId: 'may',
  headers: [],
  ...CALLER,
  digest: 'd',
  startedAt: START,
  claimWatermark: 10,
  files: [],
  end: null,
  approvedBy: null,
  closed: null,
  skips: {
    skipCreated: false,
    skipSimilar: false,
  },
  inputCall: {
    folder: '/',
    options: [],
  },
};

/** What `findCandidates` finds. @param open entries that may be sent */
function candidatesOf(
  { entries, batchId }: PreparedRecords,
  open: readonly number[],
  past: readonly StoredPayment[],
  pasts: readonly Past[],
): Candidates {
  const prints = open.map((index) => entries.fingerprint(index));
  const found = past.filter((payment) => {
    const isHere = payment.batchId === batchId && hostOf(payment.run.target) === hostOf(TARGET);
    const isAsked = isHere || (payment.run.target === TARGET && payment.replacedBy !== null);
    const isPurpose = prints.some(({ payee, title }) => payee === payment.payee && title === payment.title);
    return isAsked || (payment.run.target === TARGET && isPurpose);
  });
  const atPlace = (index: number): StoredPayment[] => past.filter((_, i) => pasts[i]?.samePlaceAs === index);
  const placed = open.map((index) => [index, atPlace(index)] as const).filter(([, payments]) => payments.length > 0);
  const byPayee = new Map(prints.map(({ payee }) => [payee, found.filter((payment) => payment.payee === payee)]));
  const all = [...new Set([...placed.values(), ...byPayee].flatMap(([, payments]) => payments))];
  const places = past.map(({ id, run }, i): SentPlaces => {
    return { run: run.number, sha256: '', sheet: null, payment: id, count: 1, record: 1, line: pasts[i]?.line ?? null };
  });
  const runs = new Set(places.map(({ run }) => run));
  const sent = new Map([...runs].map((run) => [run, places.filter((each) => each.run === run)]));
  return { byPayee, samePlace: new Map(placed), sent, all };
}

/** What look-ups give. @param accepted by record: the payment that the run which goes on accepted; 0 for none */
function lookedUp(prepared: PreparedRecords, pasts: readonly Past[], accepted?: readonly number[]): PaymentHistory {
  const past = history(pasts);
  const { entries, replaces } = prepared;
  const here = past.filter(({ run }) => run.target === TARGET);
  const standing = new Map(here.map((payment) => [payment.key, payment]));
  const created = Uint8Array.from(accepted ?? [], (id) => Number(past[id - 1]?.state === 'created'));
  const open = Array.from({ length: entries.length }, (_, i) => i).filter(
    (i) => entries.isValid(i) && created[i] !== 1,
  );
  const elsewhere = past.filter(({ run, state }) => run.target !== TARGET && ['created', 'unknown'].includes(state));
  return {
    ...EMPTY_HISTORY,
    ...(accepted === undefined ? {} : { run: RUN, accepted: Float64Array.from(accepted), created }),
    records: new Map(
      [...new Set([...open, ...replaces.keys()])].map((i) => [
        i,
        {
          own: open.includes(i) ? (standing.get(entries.keyText(i)) ?? null) : null,
          corrects: standing.get(replaces.get(i) ?? '') ?? null,
          leftOutFor: null,
          elsewhere: open.includes(i) ? elsewhere.filter(({ key }) => key === entries.keyText(i)) : [],
        },
      ]),
    ),
    replacements: new Map(here.map((payment) => [payment.id, payment])),
    candidates: candidatesOf(prepared, open, past, pasts),
  };
}

/** Keyed records in doubt are sent again, gigs never. */
const KEYED: DoubtRules = { isProtected: ({ type }) => type !== 'gig', mayResend: ({ type }) => type !== 'gig' };

export interface Rules extends Omit<AssessRules, 'doubt'> {
  readonly doubt: DoubtRules;
  readonly retryRejected: boolean;
  readonly namedBatch: string | null;
}

export function rulesOf(rules: Partial<Rules> = {}): AssessRules {
  const { doubt = KEYED, retryRejected = false, namedBatch = null, ...over } = rules;
  return {
    doubt: {
      ...doubt,
      retryRejected,
      namedBatch,
    },
    decisions: DECISIONS,
    target: TARGET,
    now: START + HOUR,
    isDryRun: false,
    ...over,
  };
}

export interface Over extends Partial<Rules> {
  /** The run is resumed, and the bodies of all of its records were removed. */
  readonly pruned?: boolean;
  readonly batch?: string;
  /** The call goes on with a run, which accepted these payments. */
  readonly accepted?: readonly number[];
}

const PLACE = { index: 0, file: 'old.csv', record: 1, line: 2, run: RUN, isOther: false, subject: '' };

export function assessed(
  rows: readonly Row[],
  past: readonly Past[],
  { batch, accepted, pruned = false, ...over }: Over = {},
): Assessment {
  const prepared = { ...input(rows, batch), pruned: new Set(pruned ? rows.keys() : []) };
  const known = lookedUp(prepared, past, accepted);
  const rules = rulesOf(over);
  return {
    ...assess(prepared, known, rules),
    ...countEntries(prepared.entries),
    prepared,
    history: known,
    decisions: rules.decisions,
    now: rules.now,
    digest: runDigest(TARGET, prepared),
    placeOf: () => PLACE,
  };
}

/** A disposition in short: `send`, `send 3 unknown`, `send replacing 1`, `created 2`, `left-out for 1`, `created-before 1`. */
function words(disposition: Disposition | null): string {
  if (disposition === null) return 'invalid';
  const of = (...all: readonly (string | number | null | undefined | false)[]): string =>
    all.filter((word) => word !== null && word !== undefined && word !== false).join(' ');
  switch (disposition.kind) {
    case 'send':
      return of(
        'send',
        disposition.payment,
        disposition.again,
        disposition.replaces.length > 0 && `replacing ${disposition.replaces.join(' ')}`,
      );
    case 'settled':
      return of(
        disposition.state,
        disposition.payment,
        disposition.correction && `by ${disposition.correction.id}`,
        disposition.isPruned === true && 'pruned',
      );
    case 'left-out':
      return `left-out for ${disposition.standsFor.id}`;
    case 'repeat':
      return of(disposition.code, disposition.standsFor.id, disposition.corrects && 'corrects');
    case 'conflict':
      return `conflict ${disposition.payment.id}`;
  }
}

/** The dispositions of an input's records before anybody has decided about content. */
export function dispositions(rows: readonly Row[], past: readonly Past[], over: Over = {}): string[] {
  const { dispositionAt } = assessed(rows, past, over);
  return rows.map((_, index) => words(dispositionAt(index)));
}

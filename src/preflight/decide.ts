/** What is decided about repeats: left out, paid again, or left to refuse the run. */
import type { History, HistoryMatch } from '../journal/history.js';
import type { Decision, StoredRun } from '../journal/journal.js';
import type { Outcome } from '../journal/record.js';
import { canonicalJson } from '../keys/canonical.js';
import { computeKey, sha256 } from '../keys/key.js';
import { RecordKey } from '../keys/record-key.js';
import type { RepeatWish } from '../report/dialog.js';
import type { Entries } from '../batch/table.js';
import { columnsValue } from '../batch/validate.js';
import type { KeyIndex } from '../batch/key-index.js';
import type { Repeat } from './repeats.js';

export interface Decided {
  readonly decisions: readonly Decision[];
  /** Repeats that are still errors: they refuse the run. */
  readonly open: readonly Repeat[];
  /** Why they refuse the run; null when nothing does. */
  readonly reason: string | null;
  /** Entries that are left out, with what is told of them. */
  readonly leftOut: ReadonlyMap<number, Outcome>;
  /** Entries that got another key, with the key that they had before. */
  readonly rekeyed: ReadonlyMap<number, string>;
}

/** How a person can have repeats paid again. */
export type PayingAgain = 'by flag' | 'beside' | 'by import' | 'not' | Allowed;

/** A run of these records that was allowed to send repeats again. */
export interface Allowed {
  readonly run: StoredRun;
  /** The flags that go on with that run. */
  readonly flags: string;
}

export interface DecideContext {
  readonly entries: Entries;
  readonly index: KeyIndex;
  readonly history: History;
  readonly batchId: string;
  readonly keyColumns: readonly string[];
  /** The exact body of an entry; null where nothing will be sent, whatever is decided. */
  readonly bodyOf: (index: number) => string | null;
  readonly storedIndex: (index: number) => number;
  /** Whether the run that goes on left the entry in doubt. */
  readonly isOpen: (index: number) => boolean;
  /** From the journal alone nothing is paid again; and the run that goes on may already have been allowed to. */
  readonly payingAgain: PayingAgain;
  /** Told the body of an entry that is paid again under another key. */
  readonly onBody: (index: number, body: string) => void;
}

/** @param wish `--skip-created` and `--pay-again`, or the same said in the review */
export function decide(repeats: readonly Repeat[], wish: RepeatWish, context: DecideContext): Decided {
  const counted = repeats.filter(({ counts }) => counts);
  const skips = (repeat: Repeat): boolean => wish.skipCreated && repeat.code !== 'similar-record';
  const remaining = counted.filter((repeat) => !skips(repeat));
  const leftOut = new Map(
    counted.filter(skips).map((repeat) => [repeat.index, leftOutcome(repeat.match, context.isOpen(repeat.index))]),
  );
  const leaving: Decision[] = [...leftOut].map(([index, outcome]) => ({
    index: context.storedIndex(index),
    what: 'left-out',
    outcome,
  }));
  const refuse = (open: readonly Repeat[], reason: string): Decided => ({
    decisions: leaving,
    open,
    reason,
    leftOut,
    rekeyed: new Map(),
  });
  const said = wish.payAgain;
  // Under the same key, the service would give the first answer again: nothing would be paid, and nobody would notice.
  const isOwn = ({ code, index }: Repeat): boolean =>
    code === 'created-before' && context.entries.keySource(index) === 'own';
  // The journal does not say where a key comes from; and where nothing can be paid again, it does not matter.
  const asksForKeys = context.payingAgain === 'by flag' || typeof context.payingAgain !== 'string';
  const own = asksForKeys ? remaining.filter(isOwn) : [];
  if (said !== null && said !== remaining.length) {
    return refuse(
      remaining,
      `--pay-again says ${said}, but the number of records that would be sent again is ${remaining.length}`,
    );
  }
  if (said === null && remaining.length > 0) {
    return refuse(remaining, openReason(counted, remaining, own.length, wish, context.payingAgain));
  }
  if (own.length > 0) {
    return refuse(
      own,
      `${records(own.length)} with an idempotency_key that was created before cannot be sent again under it: give another key`,
    );
  }
  const rekeyed = new Map(remaining.map(({ index }) => [index, context.entries.key(index) as string]));
  const paying = remaining.flatMap((repeat) => payAgain(repeat, context) ?? []);
  return { decisions: [...leaving, ...paying], open: [], reason: null, leftOut, rekeyed };
}

/** What repeats, and the flags that decide about it with the numbers that they take. */
function openReason(
  counted: readonly Repeat[],
  remaining: readonly Repeat[],
  own: number,
  { skipCreated }: RepeatWish,
  payingAgain: PayingAgain,
): string {
  const similar = counted.filter(({ code }) => code === 'similar-record').length;
  const before = counted.length - similar;
  const one = remaining.length === 1;
  const areSimilar = remaining.every(({ code }) => code === 'similar-record');
  const repeat = areSimilar ? `${one ? 'is' : 'are'} similar to` : one ? 'repeats' : 'repeat';
  const found = `${records(remaining.length)} of the input ${repeat} what was sent before`;
  const them = one ? 'it' : 'them';
  const anyway = areSimilar ? 'in addition' : 'all the same';
  // With the whole file in another batch, everybody in it would be paid once more.
  const batch = `to pay once more, put ${them} into a file of ${one ? 'its' : 'their'} own, and give that a batch of its own with --batch-id`;
  const since = `${areSimilar ? 'something similar' : one ? 'it' : 'they'} ${areSimilar || one ? 'was' : 'were'} sent or settled elsewhere`;
  // `--pay-again` begins a new run instead of going on. There, what the old run has created is a repeat to be skipped.
  const skipping = `--skip-created --pay-again ${remaining.length}`;
  const ways = {
    'by flag': `--pay-again ${remaining.length} sends ${them} ${anyway}`,
    beside: areSimilar ? `${skipping} sends ${them} ${anyway}` : batch,
    'by import': areSimilar ? `to send ${them} ${anyway}, import the file again, with ${skipping}` : batch,
    not: `since this run was allowed to send ${them}, ${since}; ${batch}`,
  };
  const again =
    own > 0
      ? `to send ${them} again, give another idempotency_key${own === remaining.length ? '' : ' to those that have one'}`
      : typeof payingAgain === 'string'
        ? ways[payingAgain]
        : allowedWords(payingAgain, remaining, since, batch);
  if (skipCreated || before === 0) return `${found}: ${again}`;
  const both =
    similar === 0 || payingAgain !== 'by flag'
      ? ''
      : ` (beside --skip-created, --pay-again ${similar} sends the similar ones)`;
  const then = payingAgain === 'by flag' ? ',' : ';';
  return `${found}: --skip-created leaves ${before === remaining.length ? them : before} out${then} ${again}${both}`;
}

/** @param since what happened, where the run would be refused because of what was sent or settled after its gate */
function allowedWords({ run, flags }: Allowed, remaining: readonly Repeat[], since: string, batch: string): string {
  const allowed = `run ${run.run} was allowed to send ${run.payAgain} again`;
  const isOvertaken = remaining.some(({ match }) => match.moment > run.gate);
  return isOvertaken
    ? `${allowed}, but since then ${since}; ${batch}`
    : `${allowed}, and ${flags} goes on with it; ${batch}`;
}

/** What is said when `--pay-again` goes on with a run that has sent everything. */
export function paidAgainWords({ run, payAgain: allowed }: StoredRun): string {
  return `run ${run} was allowed to send ${allowed} again, and has; nothing is sent once more. For another payment give the records a batch of their own with --batch-id`;
}

function records(count: number): string {
  return count === 1 ? '1 record' : `${count} records`;
}

/**
 * What is told of a record that is left out: what became of the earlier record that it repeats.
 * @param isOpen the record is in doubt itself, and stays so
 */
export function leftOutcome({ state, outcome }: HistoryMatch, isOpen = false): Outcome {
  const nothing = { attempts: 0, doubtSince: null };
  if (state === 'created' && !isOpen) {
    const { httpStatus = null, response = null } = outcome ?? {};
    return { ...nothing, state: 'already_created', httpStatus, response, error: null };
  }
  const error = 'left out: an earlier record of this content may have been created';
  return { ...nothing, state: 'left_unknown', httpStatus: null, response: null, error };
}

/**
 * Gives an entry the lowest ordinal whose key is neither created nor in doubt nor used in this run. An entry that is in
 * doubt itself keeps its key: under another key it would be paid in addition to what may have been carried out.
 */
function payAgain({ index, inDoubt }: Repeat, context: DecideContext): Decision | null {
  const { entries } = context;
  const stored = context.bodyOf(index);
  if (stored === null) return null;
  const { idempotency_key: _key, ...content } = JSON.parse(stored) as Record<string, unknown>;
  const current = entries.key(index) as string;
  const keeps = inDoubt || entries.keySource(index) === 'own';
  const key = keeps ? RecordKey.of(current) : freeKey(index, current, content, context);
  if (key.text !== current) {
    entries.setKey(index, key);
    if (context.index.find(key) === null) context.index.add(key, index);
  }
  const body = withKey(stored, key.text);
  context.onBody(index, body);
  return { index: context.storedIndex(index), what: 'paid-again', key: key.text, body, bodyHash: sha256(body) };
}

/** A body under another key. A body without a key in it, such as a gig's, stays without. */
export function withKey(body: string, key: string): string {
  const { idempotency_key: sent, ...content } = JSON.parse(body) as Record<string, unknown>;
  return sent === undefined ? body : canonicalJson({ ...content, idempotency_key: key });
}

function freeKey(index: number, current: string, content: Record<string, unknown>, context: DecideContext): RecordKey {
  const { entries, history, batchId, keyColumns } = context;
  const byColumns = entries.keySource(index) === 'columns';
  const value = byColumns ? columnsValue(content, keyColumns) : canonicalJson(content);
  const { type } = entries.groupOf(index);
  for (let ordinal = 1; ; ordinal++) {
    const key = computeKey(batchId, type, byColumns ? 'columns' : 'content', value, ordinal);
    if (history.byKey(key.text) === null && (key.text === current || context.index.find(key) === null)) return key;
  }
}

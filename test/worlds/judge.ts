/** What a call has to do: refuse, with the reason; or send certain records, and tell the state of the others. */
import { type Input, inputOf, type NamedRows } from './entries.js';
import { type Fate, fateOf } from './fates.js';
import {
  type Entry,
  type History,
  isReplaced,
  lastCorrection,
  type Listed,
  type Payment,
  type Run,
  runsOf,
} from './history.js';
import { digestOf } from './keys.js';
import type { Readings } from './readings.js';
import { type Asking, decided, isCounted, withRepeats } from './repeats.js';
import type { Rules } from './words.js';

export interface Call {
  readonly files: readonly NamedRows[];
  readonly rules: Rules;
  /** The run that is named, or null for a call with files. */
  readonly resumed: Run | null;
  readonly now: number;
  /** See {@link Asking.named}. */
  readonly named?: ReadonlyMap<string, string>;
}

export interface Verdict {
  readonly refused: 'usage' | 'invalid_input' | 'repeats' | 'control_total' | null;
  /** Why, for people. */
  readonly why: string;
  /** The run that goes on; null for a new one. */
  readonly run: Run | null;
  readonly batch: string;
  readonly digest: string;
  readonly entries: readonly Entry[];
  /** As they are decided; in a refusal some are repeats still. */
  readonly fates: readonly Fate[];
  /** Repeats that flags could decide: how many of the similar kind, and others. */
  readonly similar: number;
  readonly created: number;
  readonly warnings: { readonly unknown: number; readonly rejected: number };
  readonly readings: Readings;
}

/** CONTRACT: "this same input". */
const SAME_INPUT = 20 * 3_600_000;

export function judge(call: Call, history: History, readings: Readings): Verdict {
  const { rules, resumed } = call;
  const input: Input =
    resumed === null
      ? inputOf(call.files, rules, history, readings)
      : // The journal does not keep the keys of invalid records.
        { entries: resumed.list.map(({ entry }) => ({ ...entry, known: null })), batch: resumed.batch, unusable: null };
  let { entries } = input;
  for (;;) {
    const digest = resumed?.digest ?? digestOf(history.target, entries.filter(isValid));
    const run = resumed ?? goesOn(digest, input.batch, history, call.now);
    const listed = run === null ? new Map<number, Listed>() : listedBy(run, entries, resumed !== null);
    const setting = { rules, history, readings, now: call.now, hasInput: resumed === null };
    const isPruned = resumed !== null && readings.leftOutIsPruned && resumed.startedAt < history.prunedBefore;
    const fates = entries.map((entry, i) => {
      const fate = fateOf(entry, listed.get(i), setting);
      return isPruned ? leftOutStill(fate, listed.get(i), history) : fate;
    });
    if (!fates.some(({ is }) => is === 'conflict')) {
      const asking = { ...setting, entries, batch: input.batch, run, listed, named: call.named ?? new Map() };
      return verdictOf(call, input, digest, fates, asking);
    }
    // Its key belongs to other content, so it is invalid; and the digest is another one without it.
    entries = entries.map((entry, i) =>
      fates[i]?.is === 'conflict' ? { ...entry, key: null, known: entry.key } : entry,
    );
  }
}

/** What a run had left out is sent from the journal only while its body is there. */
function leftOutStill(fate: Fate, listed: Listed | undefined, history: History): Fate {
  const left = listed?.standsFor ?? null;
  const isNew = fate.is === 'send' && fate.payment === null;
  return isNew && left !== null ? { is: 'left', standsFor: lastCorrection(left, history) } : fate;
}

function isValid(entry: Entry): entry is Entry & { key: string } {
  return entry.key !== null;
}

function goesOn(digest: string, batch: string, { runs }: History, now: number): Run | null {
  const isYoung = ({ startedAt }: Run): boolean => startedAt <= now && now - startedAt < SAME_INPUT;
  return runs.find((run) => run.digest === digest && run.batch === batch && !run.closed && isYoung(run)) ?? null;
}

/** The valid records of equal digests are the same, one by one; a resumed run's are its own. */
function listedBy({ list }: Run, entries: readonly Entry[], isResumed: boolean): Map<number, Listed> {
  const places = [...entries.keys()].filter((i) => isResumed || entries[i]?.key !== null);
  const own = isResumed ? list : list.filter(({ entry }) => entry.key !== null);
  return new Map(places.map((place, i): [number, Listed] => [place, own[i] as Listed]));
}

function verdictOf({ rules, resumed }: Call, input: Input, digest: string, table: Fate[], asking: Asking): Verdict {
  const { entries, run, batch, readings } = asking;
  const found = withRepeats(table, asking);
  const fates = decided(found, asking);
  const warnings = warningsOf(found, asking);
  const open = fates.filter(({ is }) => is === 'repeat');
  const missing = run?.headers.filter((name) => !rules.headers.includes(name)) ?? [];
  const unusable =
    input.unusable ??
    (rules.skipSimilar && rules.sendSimilar !== null ? 'two decisions contradict each other' : null) ??
    (resumed?.closed === true ? 'the run is closed' : null) ??
    (missing.length > 0 ? `a header is missing: ${missing.join()}` : null);
  const isInvalid = resumed === null && !rules.skipInvalid && entries.some(({ key }) => key === null);
  const isDoubted = rules.strict && warnings.unknown + warnings.rejected > 0;
  const isOff = rules.expectCount !== null && rules.expectCount !== entries.filter(isValid).length;
  const reasons: [boolean, NonNullable<Verdict['refused']>, string][] = [
    [unusable !== null, 'usage', unusable ?? ''],
    [isInvalid, 'invalid_input', 'invalid records'],
    [open.length > 0, 'repeats', open.map((fate) => (fate.is === 'repeat' ? fate.code : '')).join(' ')],
    [isDoubted, 'repeats', 'warnings about the history under --strict'],
    [isOff, 'control_total', 'another count'],
  ];
  const [, refused, why] = reasons.find(([applies]) => applies) ?? [true, null, ''];
  return {
    ...{ refused, why, run, batch, digest, entries, fates, warnings, readings },
    similar: found.filter((fate, i) => isCounted(fate, i, asking)).length,
    created: found.filter((fate) => fate.is === 'repeat' && fate.code === 'created-before').length,
  };
}

/** The batch's payments that are not in the input. */
function warningsOf(fates: readonly Fate[], asking: Asking): Verdict['warnings'] {
  const { history, batch, entries, readings, hasInput } = asking;
  const seen = new Set<string | null>();
  const keys = new Set(
    entries.flatMap(({ row, key, corrects, known }) => {
      const own = key ?? known ?? (hasInput ? row.ownKey : null);
      // Under one key, records of two types are both invalid: only the first of them is looked for.
      const isSecond = seen.has(own);
      seen.add(own);
      // The journal does not keep what an invalid row names.
      const named = hasInput || key !== null ? corrects?.key : undefined;
      return [...(isSecond ? [] : [`${row.type} ${own}`]), `${row.type} ${named}`];
    }),
  );
  const standing = new Set(
    fates.flatMap((fate) => (fate.is === 'repeat' || fate.is === 'left' ? [fate.standsFor] : [])),
  );
  const absent = history.payments.filter(
    (payment) =>
      payment.batch === batch &&
      !keys.has(`${payment.row.type} ${payment.key}`) &&
      !(readings.stoodForIsInInput && standing.has(payment)) &&
      history.byKey.get(`${payment.row.type} ${payment.key}`) === payment,
  );
  const isLeft = (payment: Payment): boolean => {
    const runs = runsOf(payment, history);
    const counting = readings.lastRunCounts ? runs.slice(0, 1) : runs.filter(({ name }) => name === payment.settledBy);
    return counting.some(({ closed }) => !closed);
  };
  return {
    unknown: absent.filter(({ state }) => state === 'unknown').length,
    rejected: absent.filter((each) => each.state === 'rejected' && !isReplaced(each, history) && isLeft(each)).length,
  };
}

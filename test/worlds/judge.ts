/** What a call has to do: refuse, with the reason; or send certain records, and tell the state of the others. */
import { type Input, inputOf } from './entries.js';
import { type Fate, fateOf, type RepeatCode } from './fates.js';
import { type Entry, type History, lastCorrection, type Listed, type Run } from './history.js';
import { digestOf } from './keys.js';
import type { Readings } from './readings.js';
import { type Asking, decided, isCounted, withRepeats } from './repeats.js';
import type { Sheet } from './sheet.js';
import { findDoubts, type HistoryDoubts, isDoubted, similarRowsIn } from './warnings.js';
import type { Rules } from './words.js';

export interface Call {
  readonly files: readonly Sheet[];
  readonly rules: Rules;
  readonly target: string;
  /** The run that is named, or null for a call with files. */
  readonly resumed: Run | null;
  /** A file of the run that is resumed has other bytes by now. */
  readonly hasChangedFile: boolean;
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
  readonly target: string;
  /** See {@link Call.hasChangedFile}. */
  readonly hasChangedFile: boolean;
  readonly batch: string;
  readonly digest: string;
  readonly entries: readonly Entry[];
  /** As they are decided; in a refusal some are repeats still. */
  readonly fates: readonly Fate[];
  /** Repeats that flags could decide: how many of the similar kind, and others. */
  readonly similar: number;
  readonly created: number;
  readonly doubts: HistoryDoubts;
  /** Records that resemble each other, in one input. */
  readonly similarRows: ReadonlySet<Entry>;
  readonly readings: Readings;
}

const PAID: readonly RepeatCode[] = ['created-before', 'other-batch'];

/** CONTRACT: "this same input". */
const SAME_INPUT = 20 * 3_600_000;

export function judge(call: Call, history: History, readings: Readings): Verdict {
  const { rules, resumed, target } = call;
  const input: Input =
    resumed === null
      ? inputOf(call.files, { rules, target, history, readings })
      : // The journal does not keep the keys of invalid records.
        { entries: resumed.list.map(({ entry }) => ({ ...entry, known: null })), batch: resumed.batch, unusable: null };
  let { entries } = input;
  for (;;) {
    const digest = resumed?.digest ?? digestOf(target, entries.filter(isValid));
    const run = resumed ?? goesOn(digest, input.batch, history, call.now);
    const listed = run === null ? new Map<number, Listed>() : listedBy(run, entries, resumed !== null);
    const namedBatch = resumed === null ? rules.batch : batchNamedBy(resumed, readings);
    const setting = { rules, history, readings, now: call.now, hasInput: resumed === null, target, namedBatch };
    const isPruned = resumed !== null && readings.leftOutIsPruned && resumed.startedAt < history.prunedBefore;
    const dispositions = entries.map((entry, i) => {
      const fate = fateOf(entry, listed.get(i), setting);
      return isPruned ? leftOutStill(fate, listed.get(i), history) : fate;
    });
    if (!dispositions.some(({ is }) => is === 'conflict')) {
      const asking = { ...setting, entries, batch: input.batch, run, listed, named: call.named ?? new Map() };
      return verdictOf(call, input, digest, dispositions, asking);
    }
    // Its key belongs to other content, so it is invalid; and the digest is another one without it.
    entries = entries.map((entry, i) =>
      dispositions[i]?.is === 'conflict' ? { ...entry, key: null, known: entry.key } : entry,
    );
  }
}

/** What a run had left out is sent from the journal only while its body is there. */
function leftOutStill(fate: Fate, listed: Listed | undefined, history: History): Fate {
  const left = listed?.standsFor ?? null;
  const isNew = fate.is === 'send' && fate.payment === null;
  return isNew && left !== null ? { is: 'left', standsFor: lastCorrection(left, history) } : fate;
}

/** The journal keeps of a run which batch it is for, and not how that was said. */
function batchNamedBy({ batch }: Run, { runsNameTheirBatch }: Readings): string | null {
  return runsNameTheirBatch && batch !== 'default' ? batch : null;
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

function verdictOf(call: Call, input: Input, digest: string, table: Fate[], asking: Asking): Verdict {
  const { rules, resumed } = call;
  const { entries, run, batch, readings, target } = asking;
  const found = withRepeats(table, asking);
  const dispositions = decided(found, asking);
  const doubts = findDoubts(found, dispositions, call.hasChangedFile, asking);
  const isAsked = resumed === null || readings.resumesTellSimilarRows;
  const similarRows = isAsked ? similarRowsIn(entries, readings) : new Set<Entry>();
  const open = dispositions.filter(({ is }) => is === 'repeat');
  const missing = run?.headers.filter((name) => !rules.headers.includes(name)) ?? [];
  const unusable =
    input.unusable ??
    (rules.skipSimilar && rules.sendSimilar !== null ? 'two decisions contradict each other' : null) ??
    (resumed?.closed === true ? 'the run is closed' : null) ??
    (missing.length > 0 ? `a header is missing: ${missing.join()}` : null);
  const isInvalid = resumed === null && !rules.skipInvalid && entries.some(({ key }) => key === null);
  // Warnings about records are errors.
  const isAlike = resumed === null && rules.strict && similarRows.size > 0;
  const isOff = rules.expectCount !== null && rules.expectCount !== entries.filter(isValid).length;
  const isOther = rules.expectDigest !== null && rules.expectDigest !== digest;
  const reasons: [boolean, NonNullable<Verdict['refused']>, string][] = [
    [unusable !== null, 'usage', unusable ?? ''],
    [isInvalid, 'invalid_input', 'invalid records'],
    [isAlike, 'invalid_input', 'similar rows under --strict'],
    [open.length > 0, 'repeats', open.map((fate) => (fate.is === 'repeat' ? fate.code : '')).join(' ')],
    [rules.strict && isDoubted(doubts), 'repeats', 'warnings about the history under --strict'],
    [isOff, 'control_total', 'another count'],
    [isOther, 'control_total', 'another digest'],
  ];
  const [, refused, why] = reasons.find(([applies]) => applies) ?? [true, null, ''];
  return {
    refused,
    why,
    run,
    target,
    batch,
    digest,
    entries,
    fates: dispositions,
    doubts,
    similarRows,
    readings,
    hasChangedFile: call.hasChangedFile,
    similar: found.filter((fate, i) => isCounted(fate, i, asking)).length,
    created: found.filter((fate) => fate.is === 'repeat' && PAID.includes(fate.code)).length,
  };
}

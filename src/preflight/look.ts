/** What the ledger knows of the input, and what follows from it, once no other call sends the same payments. */
import type { Prepared } from '../batch/prepare.js';
import { startDigest } from '../keys/key.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ClaimRules, LiveCall } from '../ledger/plan.js';
import type { Decisions, KnownPayment, TargetName } from '../ledger/payment.js';
import type { RunOptions } from '../options.js';
import { personWords } from '../report/table.js';
import type { World } from '../world.js';
import type { Approvers } from './approval.js';
import { assess, type Assessment } from './assess.js';
import { type Known, lookUp, NOTHING_KNOWN } from './known.js';
import { placesOf } from './places.js';
import type { PlaceOf } from './repeat-words.js';

/** What the call knows once it has looked. */
export interface Looked {
  /** Null in a dry run without a target. */
  readonly digest: string | null;
  readonly known: Known;
  readonly assessment: Assessment;
  /** Where the payments stand that messages name. */
  readonly placeOf: PlaceOf;
}

export interface LookOptions {
  readonly options: RunOptions;
  /** Null in a dry run without one. */
  readonly target: TargetName | null;
  /** Null where there is none yet. */
  readonly ledger: Ledger | null;
  readonly rules: ClaimRules;
  readonly decisions: Decisions;
  /** The ledger's clock, milliseconds since 1970. */
  readonly now: () => number;
}

export async function look(prepared: Prepared, of: LookOptions): Promise<Looked> {
  const { options, target, ledger, rules, decisions } = of;
  const { resume } = options;
  for (;;) {
    const now = of.now();
    const digest = target === null ? null : (resume?.digest ?? digestOf(target.target, prepared));
    const known =
      ledger === null || target === null || digest === null
        ? NOTHING_KNOWN
        : await lookUp({ ledger, target, prepared, digest, resume, now });
    // Another run has passed its gate between the look-ups, which have not seen the same history.
    if (ledger !== null && target !== null && known.version !== (await ledger.version(target))) continue;
    const name = target?.target ?? '';
    const assessment = assess(prepared, known, { doubt: rules, decisions, target: name, now });
    const placeOf = await placesOf({ known, assessment }, prepared.batchId, ledger, options.caller.by);
    return { digest, known, assessment, placeOf };
  }
}

/** The digest that a person signs, over the valid records in the order of the input. */
export function digestOf(target: string, { entries }: Prepared): string {
  const digest = startDigest(target);
  for (let index = 0; index < entries.length; index++) {
    const key = entries.key(index);
    if (key !== null) digest.add(key, entries.bodyHash(index));
  }
  return digest.finish();
}

/** Who has approved what was looked at. */
export async function approversOf(ledger: Ledger | null, { digest, known }: Looked): Promise<Approvers> {
  const given = ledger === null || digest === null ? [] : await ledger.approvals(digest);
  return { user: ledger?.user ?? null, given, run: known.run };
}

/** How often it is looked whether the other call has ended. Milliseconds. */
const [SHORTEST_MS, LONGEST_MS] = [20, 1000];

/** Waiting for a live call that has accepted what this one would send. CONTRACT: "One call at a time sends a payment". */
export class WaitForOthers {
  private readonly world: World;
  private readonly signal: AbortSignal;
  private readonly note: (text: string) => void;
  /** The longest that is waited in all, milliseconds: a dead process has lost its lease by then. */
  private readonly most: number;
  private waited = 0;
  private readonly told = new Set<string>();

  constructor({ journal }: RunOptions, world: World, signal: AbortSignal, note: (text: string) => void) {
    this.world = world;
    this.signal = signal;
    this.note = note;
    this.most = world.leaseMs + journal.timeoutMs;
  }

  /** Resolves when the call has ended, or at a signal. @returns why it was waited for in vain; null where it has ended */
  async until({ run }: KnownPayment, ledger: Ledger): Promise<string | null> {
    for (let wait = SHORTEST_MS; !this.signal.aborted; wait = Math.min(wait * 2, LONGEST_MS)) {
      const call = (await ledger.liveCalls()).find((each) => each.run === run.number);
      if (call === undefined) return null;
      if (this.waited >= this.most)
        return `${callWords(call)} is still sending some of these records, so nothing was sent. Run the same command again`;
      if (!this.told.has(call.name))
        this.note(
          `${callWords(call)} is sending some of these records. Waiting for it, ${Math.ceil(this.most / 1000)} seconds at most.`,
        );
      this.told.add(call.name);
      const before = this.world.monotonic();
      await this.world.sleep(wait, this.signal);
      this.waited += this.world.monotonic() - before;
    }
    return null;
  }
}

/** `Run 20261120-a1b2c3 of anna on desk-2, since 10:03:07 UTC,` */
function callWords({ name, by, since }: LiveCall): string {
  return `Run ${name} of ${personWords(by)} (since ${new Date(since).toISOString().slice(11, 19)} UTC)`;
}

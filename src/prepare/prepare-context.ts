/** What preparing needs to know of its call. */
import type { Issue } from '../records/issue.js';
import type { World } from '../world.js';
import type { PaymentLookup } from './corrections.js';
import type { DraftStore } from './drafts.js';
import type { AmountExplanation } from './valid-record.js';

export interface PrepareContext {
  /** The batch that was named; null: that of the payments which the input corrects, or the default one. */
  readonly batchId: string | null;
  readonly keyColumns: readonly string[];
  /** Warnings are errors. */
  readonly strict: boolean;
  readonly skipInvalid: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Where earlier payments are looked up; null if there is no target. */
  readonly lookup: PaymentLookup | null;
  /** Where records are stored; null in a dry run. */
  readonly store: DraftStore | null;
  /** Whether an unstored body is kept, for output about its record. @param payee see `exactPayee`; null if invalid */
  readonly keepBodies: (type: string, payee: number | null) => boolean;
  readonly onIssue: (issue: Issue) => void;
  /** An issue of the price list, or of a row that is filtered out: it belongs to no record. */
  readonly onOuterIssue: (issue: Issue) => void;
  /** How many tasks of a task list, which is the list of prices, have no id. */
  readonly onTasksWithoutId: (path: string, tasks: number) => void;
  /** Awaited after every few chunks of records; may throw to end the preparation. */
  readonly onChunk: (records: number) => Promise<void>;
  /** Receives the calculation of each amount; null if nobody needs it. */
  readonly explain: ((line: AmountExplanation) => void) | null;
  readonly world: World;
}

/** What lies on the clerk's desk. */
import type { Chance } from '../../fuzz/chance.js';
import type { Clock } from '../program.js';
import type { WorldService } from '../service.js';
import type { Paper } from './office.js';

export interface Clerk {
  readonly folder: string;
  readonly chance: Chance;
  readonly clock: Clock;
  readonly service: WorldService;
  readonly hasSpreadsheet: boolean;
  /** The keys of her files are the same every month. */
  readonly hasStaleKeys: boolean;
  /** Her papers by the names of their files, those of corrected rows too. */
  readonly jobs: Map<string, Job>;
  /** Runs by their names, each with the paper that it was begun for: other papers may have the same rows. */
  readonly runs: Map<string, Job>;
  readonly log: string[];
  readonly problems: string[];
}

/** A paper on her desk: the command for it, as far as she has got with it. */
export interface Job {
  readonly paper: Paper;
  words: readonly string[];
  /** The next thing to do for it; null when it is done. */
  next: readonly string[] | null;
  /** Batches that she has tried for it. */
  readonly batches: string[];
  /** What she has put aside until other rows of the same paper are done; the last is taken up first. */
  readonly later: (readonly string[])[];
  /** Business row → how often it was paid for this paper. She looks at the service, so she knows. */
  readonly paid: Map<string, number>;
  /** The day that she typed last as the name of its batch. */
  typedFor: string | null;
  /** Her spreadsheet has saved it again, in its own letters. */
  isResaved: boolean;
  /** When she typed its first command. */
  readonly begunAt: number;
  /** That command. */
  readonly begun: readonly string[];
}

export function finish(job: Job): void {
  const later = job.later.pop() ?? null;
  // What was begun elsewhere comes to its end without becoming the command for this paper.
  if (later !== null && later[1] !== 'resume') job.words = later;
  job.next = later;
}

/** The input of every round: payouts, results and gigs in one run, and what it must come to. */
import { csv, gigs, ndjson, payouts, prices, results, type Row } from '../../support/builders.js';
import type { Workspace } from '../../support/cli.js';
import { businessRow } from '../../support/service.js';

const PAYOUTS = 24;
const RESULTS = 12;
const GIGS = 12;
export const RECORDS = PAYOUTS + RESULTS + GIGS;
export const CONCURRENCY = 4;

export interface Input {
  /** Words after `gigwork`. */
  readonly args: string[];
  /** Business row → how often the files hold it: keyed rows are to be carried out so often. */
  readonly keyed: ReadonlyMap<string, number>;
  /** Rows that no key protects: at most once. */
  readonly gigs: ReadonlySet<string>;
  /** Sums of the valid records. */
  readonly amounts: { readonly payout: number; readonly gig: number };
}

/** Seconds. The answer that is kept back from the process that is to be killed may be that of another beside it. */
const SHORT = '5';

export function writeInput(work: Workspace, seed: number, url: string): Input {
  const paid: Row[] = payouts(PAYOUTS - 1, seed);
  // A row that stands there twice is two payments.
  paid.push(paid[3] as Row);
  const done = results(RESULTS, seed);
  const offered = gigs(GIGS, seed);
  work.file('payouts.csv', csv(paid));
  work.file('results.ndjson', ndjson(done));
  work.file('gigs.json', JSON.stringify(offered));
  work.file('prices.csv', csv(prices()));
  const keyed = new Map<string, number>();
  for (const row of [
    ...paid.map((body) => businessRow('payout', body)),
    ...done.map((body) => businessRow('result', body)),
  ]) {
    keyed.set(row, (keyed.get(row) ?? 0) + 1);
  }
  // Each type comes first in a third of the rounds: kills come early more often than late.
  const files = ['gigs.json', 'payouts.csv', 'results.ndjson'];
  const turned = [...files.slice(seed % 3), ...files.slice(0, seed % 3)];
  const flags = ['--prices', 'prices.csv', '--base-url', url, '--yes', '--json', '--report', 'report.csv'];
  return {
    args: ['batch', 'import', ...turned, ...flags, '--concurrency', String(CONCURRENCY), '--timeout', SHORT],
    keyed,
    gigs: new Set(offered.map((body) => businessRow('gig', body))),
    amounts: {
      payout: paid.reduce((sum, { amount }) => sum + (amount as number), 0),
      gig: offered.reduce((sum, { tasks }) => sum + (tasks[0]?.base_price ?? 0), 0),
    },
  };
}

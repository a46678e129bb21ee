/** The input of every round: payouts, results and gigs in one run, and what it must come to. */
import { csv, gigs, ndjson, type PayoutRow, payouts, prices, results, type Row } from '../../support/builders.js';
import type { Workspace } from '../../support/cli.js';
import { businessRow } from '../../support/service.js';

const PAYOUTS = 24;
const RESULTS = 12;
const GIGS = 12;
/** Among the payouts: rows that the service refuses. */
const WRONG = 3;
export const RECORDS = PAYOUTS + RESULTS + GIGS;
export const CONCURRENCY = 4;

/** In the titles of the rows that the service refuses. */
export const REFUSED = 'Wrong';

export interface Input {
  /** Words after `gigwork`. */
  readonly args: string[];
  /** Business row → how often the files hold it: keyed rows are to be carried out so often. */
  readonly keyed: ReadonlyMap<string, number>;
  /** Rows that are refused until they are corrected. */
  readonly wrong: readonly PayoutRow[];
  /** Rows that no key protects: at most once. */
  readonly gigs: ReadonlySet<string>;
  /** Sums of the valid records. */
  readonly amounts: { readonly payout: number; readonly gig: number };
}

/** Seconds. The answer that is kept back from the process that is to be killed may be that of another beside it. */
const SHORT = '5';

export function writeInput(work: Workspace, seed: number, url: string): Input {
  const all = payouts(PAYOUTS - 1, seed);
  const wrong = all.slice(-WRONG).map((row) => ({ ...row, title: `${REFUSED} ${row.title}` }));
  const paid: Row[] = all.slice(0, -WRONG);
  // A row that stands there twice is two payments.
  paid.push(paid[3] as Row);
  const inFile = [...wrong, ...paid];
  const done = results(RESULTS, seed);
  const offered = gigs(GIGS, seed);
  work.file('payouts.csv', csv(inFile));
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
  const flags = [
    '--prices',
    'prices.csv',
    '--base-url',
    url,
    '--yes',
    '--json',
    '--report',
    'report.csv',
    '--rejects',
    'rejects',
  ];
  return {
    args: ['batch', 'import', ...turned, ...flags, '--concurrency', String(CONCURRENCY), '--timeout', SHORT],
    keyed,
    wrong,
    gigs: new Set(offered.map((body) => businessRow('gig', body))),
    amounts: {
      payout: inFile.reduce((sum, { amount }) => sum + (amount as number), 0),
      gig: offered.reduce((sum, { tasks }) => sum + (tasks[0]?.base_price ?? 0), 0),
    },
  };
}

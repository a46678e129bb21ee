/** Control totals: what the person knows of the file, compared with what was read. CONTRACT: `--expect-…`. */
import { compare, formatDecimal } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import type { ExpectedTotal } from '../options.js';

export interface ControlInput {
  /** Valid records. */
  readonly count: number;
  /** Over the valid records. */
  readonly totals: readonly TotalRow[];
  readonly digest: string | null;
}

/** What does not agree, a sentence each; empty when everything agrees. */
export function controlFaults(
  expected: {
    readonly expectCount: number | null;
    readonly expectTotal: readonly ExpectedTotal[];
    readonly expectDigest: string | null;
  },
  found: ControlInput,
): string[] {
  const faults: string[] = [];
  const { expectCount, expectDigest } = expected;
  if (expectCount !== null && expectCount !== found.count) {
    faults.push(`--expect-count says ${expectCount} valid records, the input has ${found.count}`);
  }
  const sums = sumByCurrency(found.totals);
  for (const total of expected.expectTotal) {
    const fault = totalFault(total, sums);
    if (fault !== null) faults.push(fault);
  }
  if (expectDigest !== null && expectDigest.toLowerCase() !== found.digest) {
    faults.push(
      `--expect-digest says ${expectDigest}, this run's digest is ${found.digest ?? 'not known, since there is no target'}: it is not the run that was approved`,
    );
  }
  return faults;
}

function totalFault(expected: ExpectedTotal, sums: readonly TotalRow[]): string | null {
  const said = `--expect-total ${expected.typed}`;
  const matching = sums.filter(
    (sum) =>
      (expected.type === null || sum.type === expected.type) &&
      (expected.currency === undefined || sum.currency === expected.currency),
  );
  if (matching.length > 1) {
    const names = matching.map(nameOf).join(', ');
    return `${said} fits several totals (${names}); name one, such as --expect-total ${nameOf(matching[0] as TotalRow)}=AMOUNT`;
  }
  const [sum] = matching;
  if (sum === undefined) {
    // An input without any total comes to zero. Where there are other totals, a missing total is a fault.
    if (sums.length === 0 && expected.amount.units === 0n) return null;
    const found = sums.map((each) => `${nameOf(each)} ${formatDecimal(each.amount)}`).join(', ');
    return `${said} fits no total; the input has ${found === '' ? 'no records' : found}`;
  }
  if (sum.unpriced > 0)
    return `${said} cannot be held against ${nameOf(sum)}: ${sum.unpriced} of its records have no known price`;
  if (compare(sum.amount, expected.amount) === 0) return null;
  return `${said}, but the input's total ${nameOf(sum)} is ${formatDecimal(sum.amount)}`;
}

function nameOf({ type, currency }: TotalRow): string {
  return `${type}/${currency ?? 'none'}`;
}

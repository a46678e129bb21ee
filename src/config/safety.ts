/** Safety flags → what the gate checks. */
import { UsageError } from '../errors.js';
import { DEFAULT_BATCH } from '../keys/key.js';
import { parseDecimal } from '../money/decimal.js';
import { RECORD_TYPES } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import type { Decisions } from '../ledger/payment.js';
import type { ExpectedTotal, SafetyOptions } from '../options.js';
import type { SafetyFlags } from './flags.js';
import { decimalNumber, readableName, wholeNumber } from './values.js';

const HOUR_MS = 3_600_000;

/** @throws UsageError */
export function safetyOptions(flags: SafetyFlags): Omit<SafetyOptions, 'approve' | 'approval' | 'requireApproval'> {
  const batchId = readableName('--batch-id', flags.batchId ?? DEFAULT_BATCH);
  const { expectDigest } = flags;
  if (expectDigest !== undefined && !/^[0-9a-f]{64}$/i.test(expectDigest)) {
    throw new UsageError('--expect-digest takes the 64 hexadecimal digits that a dry run prints');
  }
  return {
    dryRun: flags.dryRun === true || flags.approve !== undefined,
    expectCount: flags.expectCount === undefined ? null : wholeNumber('--expect-count', flags.expectCount, 0),
    expectTotals: (flags.expectTotal ?? []).map(expectedTotal),
    expectDigest: expectDigest ?? null,
    yes: flags.yes ?? false,
    batchId,
    batchNamed: flags.batchId !== undefined,
    keyColumns: keyColumns(flags.keyColumns),
    decisions: decisionsOf(flags),
    retryRejected: flags.retryRejected ?? false,
    skipInvalid: flags.skipInvalid ?? false,
    strict: flags.strict ?? false,
    resendUnknown: flags.resendUnknown ?? false,
    keyLifetimeMs:
      flags.keyLifetime === undefined ? null : decimalNumber('--key-lifetime', flags.keyLifetime, 0, 87_600) * HOUR_MS,
    stopAfter: flags.stopAfter === undefined ? null : wholeNumber('--stop-after', flags.stopAfter, 1),
  };
}

function decisionsOf({ skipCreated = false, skipSimilar = false, sendSimilar }: SafetyFlags): Decisions {
  if (skipSimilar && sendSimilar !== undefined)
    throw new UsageError('--skip-similar and --send-similar contradict each other; leave one out');
  const count = sendSimilar === undefined ? null : wholeNumber('--send-similar', sendSimilar, 0);
  return { skipCreated, skipSimilar, sendSimilar: count };
}

function keyColumns(text: string | undefined): string[] {
  if (text === undefined) return [];
  const columns = text.split(',').map((column) => column.trim());
  if (columns.includes('')) throw new UsageError('--key-columns takes names of fields, separated by commas');
  if (columns.includes('idempotency_key'))
    throw new UsageError('--key-columns: a record’s own idempotency_key is its key already');
  if (new Set(columns).size < columns.length) throw new UsageError('--key-columns names a field twice');
  return columns;
}

const EXPECTED = /^(?:(?:([a-z]+)\/)?([^=/]+)=|(?:([a-z]+)\/=?))?(-?\d+(?:\.\d+)?)$/;

/** `[TYPE/][CUR|none]=AMOUNT`, or just an amount. */
function expectedTotal(typed: string): ExpectedTotal {
  const match = EXPECTED.exec(typed);
  const type = match?.[1] ?? match?.[3] ?? null;
  const amount = match?.[4];
  if (amount === undefined || (type !== null && !RECORD_TYPES.includes(type as RecordType))) {
    throw new UsageError(
      `--expect-total takes [TYPE/][CURRENCY|none]=AMOUNT, such as EUR=1200.50 or payout/none=900; found ${JSON.stringify(typed)}`,
    );
  }
  const currency = match?.[2];
  return {
    type: type as RecordType | null,
    currency: currency === undefined ? undefined : currency === 'none' ? null : currency,
    amount: parseDecimal(amount),
    typed,
  };
}

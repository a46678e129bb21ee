/** The checks and the key of one record without a call: by the code that prepares a call's records. */
import { PassThrough } from 'node:stream';
import { inputOptions } from '../config/input-options.js';
import { parseName } from '../config/parsers.js';
import { NO_SETTINGS } from '../config/resolve.js';
import { UsageError } from '../errors.js';
import { requireField } from '../input/columns.js';
import { JsonBinder } from '../input/json.js';
import { parseJson } from '../input/json-parser.js';
import { FileFault, faultIssue } from '../input/raw-record.js';
import { newFileInfo, type ReadOptions } from '../input/read-options.js';
import { RECORDS_PATH } from '../input/source.js';
import { timeZoneName } from '../input/time-zone.js';
import { DEFAULT_BATCH } from '../keys/key.js';
import type { InputOptions } from '../options.js';
import { AmountWarnings } from '../prepare/amount-warnings.js';
import { openInputs } from '../prepare/inputs.js';
import { knownPrices } from '../prepare/prices.js';
import { RecordValidator, type ValidatedRow } from '../prepare/validator.js';
import { errorText } from '../records/issue.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import { RECORD_TYPES, type RecordType } from '../records/types.js';
import { processWorld, worldOf } from '../world.js';
import { recordJson } from './record-stream.js';
import type { IssueEvent } from './event-types.js';

/** What is found in a record, without a place. */
export interface RecordIssue {
  readonly severity: IssueEvent['severity'];
  readonly code: IssueEvent['code'];
  /** Dot path, such as `tasks.0.title`; null if it is about the whole record. */
  readonly field: string | null;
  /** What was found, what is expected and what to do. */
  readonly message: string;
  /** As it was read, cut at 200 characters. */
  readonly value: string | null;
}

/** How the times of a record are read. */
export interface RecordOptions {
  /** Time zone of timestamps that are texts without an offset, such as `Europe/Berlin`. */
  readonly timeZone?: string | undefined;
}

/** What a computed key depends on besides the record. */
export interface KeyOptions extends RecordOptions {
  /** Default: `default`. */
  readonly batchId?: string | undefined;
  /** Fields that identify the record: its key is computed from these alone. */
  readonly columns?: readonly string[] | undefined;
  /** From 1: the position among the identical records of its input. Default: 1. */
  readonly ordinal?: number | undefined;
}

/** The settings of a call without options. */
const { input, readOptions } = ((): { readonly input: InputOptions; readonly readOptions: ReadOptions } => {
  const nothing = new PassThrough();
  const world = worldOf({ ...processWorld(), stdin: nothing, stdout: nothing, stderr: nothing });
  const options = inputOptions({ files: [RECORDS_PATH], type: null, settings: NO_SETTINGS, fields: {} });
  const unheard = (): string => '';
  const inputs = openInputs(options, world, unheard, new AbortController().signal, false, unheard);
  return { input: options, readOptions: inputs.readOptions };
})();

/** All that is found in a record by itself: nothing that needs other records or the journal. @throws UsageError */
export function validate(type: RecordType, record: object, options: RecordOptions = {}): RecordIssue[] {
  requireRecordType(type);
  const { findings } = checkAlone(type, record, options, { ...input, keyColumns: [] });
  return findings.map(({ severity, code, field, message, value }) => ({ severity, code, field, message, value }));
}

/**
 * The key of a record: its own, or the one that a call would compute.
 * @throws UsageError for a record that is not valid, and for one that corrects a rejected payment: its key depends on
 *   that payment
 */
export function keyOfRecord(type: RecordType, record: object, options: KeyOptions = {}): string {
  const { batchId = DEFAULT_BATCH, columns = [], ordinal = 1 } = options;
  parseName('batchId', batchId);
  if (!Number.isSafeInteger(ordinal) || ordinal < 1)
    throw new UsageError(`ordinal takes a whole number, 1 or more; found ${ordinal}`);
  requireRecordType(type);
  for (const path of columns) requireField(path, [RECORD_SCHEMAS[type]], `columns ${path}`);
  // What an option allows has a key, too.
  const rules = { ...input, allowNegative: true, allowTotalRow: true, keyColumns: columns };
  const { findings, content, isCorrection } = checkAlone(type, record, options, rules);
  if (content === null) throw new UsageError(`the record is not valid: ${errorText(findings)}`);
  if (isCorrection)
    throw new UsageError('the record has a gigwork_key: its key depends on the rejected payment that it corrects');
  return content.keyOf(batchId, columns.length > 0 ? 1 : ordinal).text;
}

function requireRecordType(type: RecordType): void {
  if (!RECORD_TYPES.includes(type))
    throw new UsageError(`the type of a record is ${RECORD_TYPES.join(', ')}; found ${JSON.stringify(type)}`);
}

interface CheckedRecord extends ValidatedRow {
  readonly isCorrection: boolean;
}

function checkAlone(
  type: RecordType,
  record: object,
  { timeZone }: RecordOptions,
  allowed: InputOptions & { readonly keyColumns: readonly string[] },
): CheckedRecord {
  const zone = timeZone === undefined ? null : timeZoneName('timeZone', timeZone);
  const text = recordJson(record, 1);
  // A new one for each record: it remembers names.
  const naming = { ...readOptions.naming, met: new Set<string>() };
  const style = { ...readOptions.style, timeZone: zone };
  try {
    const binder = new JsonBinder({ ...readOptions, type, naming, style }, newFileInfo(RECORDS_PATH));
    const { value, findings, typed } = parseJson(text, '', 0, binder.fieldOf);
    const raw = binder.read({ value, findings, typed, text, line: null }, 1);
    const rules = { ...allowed, now: processWorld().now(), prices: knownPrices(new Map()) };
    const schema = RECORD_SCHEMAS[type];
    const checked = new AmountWarnings(rules).check(raw, schema, new RecordValidator(rules).check(raw, schema));
    return { ...checked, isCorrection: raw.replaces !== undefined };
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    return { findings: [faultIssue(cause, RECORDS_PATH)], content: null, isCorrection: false };
  }
}

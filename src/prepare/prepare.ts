/** PREPARE: every record is read, checked, priced and keyed, and stored with its exact body. Nothing is sent. */
import type { FilteredRow } from '../input/filtered-rows.js';
import type { RawRecord } from '../input/raw-record.js';
import type { FileInfo, OpenedFile } from '../input/read-options.js';
import { overrideFinding } from '../input/overrides.js';
import { faultIssue, FileFault } from '../input/raw-record.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import type { RecordType } from '../records/types.js';
import { capHeapGrowth, tuneYoungGeneration } from '../util/v8-heap.js';
import { AmountWarnings, MISSING_CURRENCY } from './amount-warnings.js';
import { CorrectionResolver } from './corrections.js';
import { keepSubjects, storedInvalid } from './drafts.js';
import { checkInputsRead } from './input-checks.js';
import { filteredAmount, reportFiltered } from './filtered-amounts.js';
import { InputIssues } from './input-issues.js';
import type { Inputs } from './inputs.js';
import type { PrepareContext } from './prepare-context.js';
import type { PreparedRecords } from './prepared-records.js';
import { readPrices } from './prices.js';
import { RecordAdder } from './record-adder.js';
import { findSimilarRows, SharedReference, similarRowIssues } from './similar-rows.js';
import { RecordValidator, type ValidatedRow, type ValidationRules } from './validator.js';

/** From this many records on, memory matters more than time. */
const MANY = 100_000;

/** If no batch was named, a correction is looked for among this many records. */
const LOOKED_AT = 2000;

/** Chunks that are read before signals are handled, and readers waited for: it costs as much as checking ten records. */
const CHUNKS_AT_ONCE = 8;

/** Under `--strict`. */
const SIMILAR = 'This row looks like another row';

/** Warnings that are reported before waiting for the reader. */
const WARNINGS_AT_ONCE = 100;

/** @throws UsageError for a file that cannot be read or whose type is unclear, and for a flag that fits no file */
export async function prepareInputs(inputs: Inputs, context: PrepareContext): Promise<PreparedRecords> {
  if (context.world.ownsProcess) tuneYoungGeneration();
  const { options, readOptions, setFields } = inputs;
  const { keyColumns, now, store } = context;
  const prices = await readPrices(options.prices, readOptions, now, {
    onIssue: context.onOuterIssue,
    onPassedOver: context.onTasksWithoutId,
  });
  const files = inputs.files.map(({ info }) => info);
  const issues = new InputIssues(files, context.strict, setFields, context.onIssue);
  const preparer = new BatchPreparer(context, issues, { ...options, now, prices, keyColumns, setFields });
  const { adder, corrections } = preparer;
  const { entries, index, bodies, replaces } = adder;
  preparer.type = options.type ?? 'payout';
  for (const [i, file] of inputs.files.entries()) await preparer.read(i, file);
  const similar = findSimilarRows({ entries, files }, adder.payees, adder.identical);
  for (const issue of similarRowIssues({ entries, files }, similar)) issues.report(issue);
  if (context.strict) for (const row of similar) entries.invalidate(row, SIMILAR);
  await adder.flushDrafts();
  if (store !== null && context.skipInvalid) await keepSubjects(adder, storedInvalid(entries), store.journal);
  readOptions.stop.throwIfAborted();
  checkInputsRead(options, files, readOptions.naming.met, keyColumns);
  return {
    entries,
    batchId: corrections.batchId,
    index,
    files,
    readings: inputs.files.map((file) => file.rereadInfo()),
    faulty: issues.faulty,
    bodies,
    replaces,
    pruned: new Set(),
    references: adder.references,
    drafts: store?.preparation ?? null,
  };
}

class BatchPreparer {
  readonly adder: RecordAdder;
  readonly corrections: CorrectionResolver;
  /** Of the records that are being read. Invalid ones may come before the first one that shows it. */
  type: RecordType = 'payout';
  private readonly context: PrepareContext;
  private readonly issues: InputIssues;
  private readonly rules: ValidationRules;
  private readonly validator: RecordValidator;

  constructor(context: PrepareContext, issues: InputIssues, rules: ValidationRules) {
    this.context = context;
    this.issues = issues;
    this.rules = rules;
    this.validator = new RecordValidator(rules);
    this.corrections = new CorrectionResolver(context.lookup, context.batchId, context.world.platform);
    this.adder = new RecordAdder(issues, context);
  }

  async read(number: number, file: OpenedFile): Promise<void> {
    const { corrections, issues, adder } = this;
    const { entries } = adder;
    const { info } = file;
    const warnings = new AmountWarnings(this.rules);
    const first = entries.length;
    adder.reference = new SharedReference();
    let held: RawRecord[] = [];
    let fault: FileFault | null = null;
    let chunks = 0;
    try {
      for await (const chunk of file.chunks((row) => this.addFiltered(row, info))) {
        this.type = info.type ?? this.type;
        await corrections.lookUp(chunk, this.type);
        held.push(...chunk);
        // No key can be computed before the batch is known.
        if (!corrections.hasBatch && held.length < LOOKED_AT) continue;
        await this.addChunk(number, held, warnings);
        held = [];
        if (entries.length > MANY && this.context.world.ownsProcess) capHeapGrowth();
        if (chunks++ % CHUNKS_AT_ONCE === 0) await this.context.onChunk(entries.length);
      }
    } catch (cause) {
      if (!(cause instanceof FileFault)) throw cause;
      fault = cause;
    }
    if (held.length > 0) await this.addChunk(number, held, warnings);
    if (fault !== null) issues.report(faultIssue(fault, info.path));
    info.reference = adder.reference.shared;
    issues.endFile(info);
    if (warnings.hasCurrency) await this.warnOfNoCurrency(first);
    issues.reportDropped(info);
    issues.reportNameDoubt(info);
    for (const override of info.overrides?.list(true) ?? []) {
      const { line } = override.first;
      this.context.onOuterIssue({ ...overrideFinding(override), file: info.path, record: null, line });
    }
  }

  private addFiltered(row: FilteredRow, info: FileInfo): void {
    const { prices, now } = this.rules;
    const kind = RECORD_SCHEMAS[info.type ?? this.type];
    const amount = filteredAmount(row, kind, prices, now);
    if (amount !== null) info.filtered?.addAmount(row.rule, kind.type, amount);
    reportFiltered(row, info.path, this.context.onOuterIssue);
  }

  /** Each step is done for all records, so its data stays in the processor's cache: a twelfth of a dry run's time. */
  private async addChunk(file: number, chunk: readonly RawRecord[], warnings: AmountWarnings): Promise<void> {
    const { corrections, validator, issues } = this;
    const schema = RECORD_SCHEMAS[this.type];
    corrections.decideBatch();
    const checked: ValidatedRow[] = [];
    for (const raw of chunk) {
      const found = warnings.check(raw, schema, validator.check(raw, schema));
      checked.push(issues.judge(corrections.isAny ? corrections.asCorrectionOf(raw, found) : found, raw));
    }
    issues.seeIds(chunk, schema);
    await this.adder.add(file, chunk, checked, schema, corrections.batchId);
  }

  /** @param first entry of the file that was read */
  private async warnOfNoCurrency(first: number): Promise<void> {
    const { context } = this;
    const { entries } = this.adder;
    let ahead = 0;
    for (let index = first; index < entries.length; index++) {
      if (!entries.isValid(index) || entries.groupOf(index).currency !== null) continue;
      // There may be a million of them, so this waits for slow readers.
      if (++ahead % WARNINGS_AT_ONCE === 0) await context.onChunk(entries.length);
      this.issues.reportAt(MISSING_CURRENCY, entries.placeOf(index));
      if (context.strict) entries.invalidate(index, MISSING_CURRENCY.message);
    }
  }
}

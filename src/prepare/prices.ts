/** Base prices of gig tasks, in cents: from `--prices`, or from a column of the result files. */
import { type Decimal, compare, decimalOf, formatDecimal, parseDecimal } from '../money/decimal.js';
import { checkRecord } from '../records/check.js';
import { type Finding, type Issue, error, excerpt, warning } from '../records/issue.js';
import { id, inputSchema, number, strictObject } from '../records/schema.js';
import { inTermsOfFile } from '../input/columns.js';
import { faultIssue, FileFault, type RawContent, type RawRecord } from '../input/raw-record.js';
import { GIG_KEY_COLUMN, TASK_COLUMN } from '../input/result-columns.js';
import { unescapeFormula } from '../input/rows.js';
import { isBlank } from '../records/misleading-text.js';
import type { ReadOptions } from '../input/read-options.js';
import { openInputFile } from '../input/open-file.js';

const PRICE = inputSchema(
  strictObject({
    gig_task_id: id('ID of the gig task', { example: 'tsk_20b4', need: 'Every price needs its task' }),
    base_price: number('reward for completing the task, in cents', {
      example: 250,
      need: 'Every task needs a base price',
    }),
  }),
);

export interface Prices {
  /** The price of a task, or null; findings go to `report`. */
  priceOf(task: string, own: string | undefined, report: (finding: Finding) => void): Decimal | null;
}

/** Who is told of a price list. */
export interface PriceReport {
  /** Gets its findings. */
  readonly onIssue: (issue: Issue) => void;
  /** How many tasks of a task list have no id, and so no price; called only if there are some. */
  readonly onPassedOver: (path: string, tasks: number) => void;
}

/** Reads the price list, if there is one. @throws UsageError when it cannot be read */
export async function readPrices(
  path: string | null,
  options: ReadOptions,
  now: number,
  report: PriceReport,
): Promise<Prices> {
  const listed = path === null ? new Map<string, Decimal>() : await readList(path, options, now, report);
  return knownPrices(listed);
}

/** @param listed the prices of the list, by task */
export function knownPrices(listed: ReadonlyMap<string, Decimal>): Prices {
  const met = new Map(listed);
  return {
    priceOf: (task, own, found) => {
      // A price in another row does not count for this one: a file's total must not depend on the order of its rows.
      const price = own === undefined ? (listed.get(task) ?? null) : parseDecimal(own);
      if (price === null) {
        const message = `There is no price for the task ${excerpt(task)} in this record or in --prices, so no total includes it. It will be sent. To count it, add the price to --prices, or a base_price to the record. A price in another record does not count`;
        found(warning('unpriced', 'base_price', message, task));
        return null;
      }
      const conflict = learn(met, task, price);
      // Nobody can tell which of the two is right, so no flag skips one of them: the total would depend on their order.
      if (own !== undefined && conflict !== null) found({ ...conflict, fault: true });
      // Reported for each result that uses it: that result is worth zero or less.
      if (price.units <= 0n) {
        const text = formatDecimal(price);
        const sign = price.units === 0n ? 'zero' : 'negative';
        found(warning('not-positive', 'base_price', `The base price is ${sign} (${text})`, text));
      }
      return price;
    },
  };
}

async function readList(
  path: string,
  options: ReadOptions,
  now: number,
  { onIssue, onPassedOver }: PriceReport,
): Promise<Map<string, Decimal>> {
  const listed = new Map<string, Decimal>();
  const file = openInputFile(path, {
    ...options,
    format: null,
    headerLine: null,
    sheet: null,
    profileSheet: null,
    only: [],
    knownValues: [],
    naming: { map: new Map(), ignore: new Set(), ignoreOthers: true, met: new Set() },
    assignments: [],
    template: null,
    shape: PRICE,
    onUnrecognisedColumns: () => undefined,
  });
  let passedOver = 0;
  try {
    for await (const chunk of file.chunks()) {
      const isTaskList = [GIG_KEY_COLUMN, TASK_COLUMN].every((name) => file.info.dropped.has(name));
      for (const raw of chunk) {
        const { record, line } = raw;
        const content = isTaskList ? readTaskLine(raw) : raw.read();
        if (isTaskList && lacksId(content)) {
          passedOver++;
          continue;
        }
        readPrice(content, isTaskList, listed, now, (finding) =>
          onIssue({ ...inTermsOfFile(finding, raw.columns, () => false), file: path, record, line }),
        );
      }
    }
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    onIssue(faultIssue(cause, path));
  }
  if (passedOver > 0) onPassedOver(path, passedOver);
  return listed;
}

/**
 * A task list has its prices as gigwork writes them, whatever `--decimal` says of the results: as the person's own
 * notation, 1.125 may be a thousand times as much. A spreadsheet may have rewritten it, so any other price is read as
 * declared.
 */
function readTaskLine(raw: RawRecord): RawContent {
  const content = raw.read();
  const column = raw.columns?.find(({ path }) => path === 'base_price');
  const cell = column === undefined ? '' : (raw.cells?.[column.index] ?? '');
  if (content.input === null || !WRITTEN_PRICE.test(cell)) return content;
  const unreadable = new Set(content.unreadable);
  unreadable.delete('base_price');
  return {
    input: { ...content.input, base_price: Number(cell) },
    findings: content.findings.filter(({ field }) => field !== 'base_price'),
    unreadable,
  };
}

const WRITTEN_PRICE = /^-?(?:0|[1-9]\d{0,14})(?:\.\d*[1-9])?$/;

/** A line of a task whose id the service's answer did not show. */
function lacksId({ input, unreadable }: RawContent): boolean {
  const task = input?.['gig_task_id'] ?? null;
  return input !== null && unreadable?.has('gig_task_id') !== true && (task === null || isBlank(task));
}

/** @param isTaskList gigwork wrote it, with an apostrophe before an id that a spreadsheet would run as a formula */
function readPrice(
  { input, findings, unreadable }: RawContent,
  isTaskList: boolean,
  listed: Map<string, Decimal>,
  now: number,
  report: (finding: Finding) => void,
): void {
  findings.forEach(report);
  if (input === null) return;
  const { gig_task_id: task, base_price: price } = checkRecord(PRICE, input, { now, report, unreadable });
  // A value that was refused while it was read is not a price: for example a number that no double can represent.
  if (findings.length > 0 || typeof task !== 'string' || typeof price !== 'number') return;
  const conflict = learn(listed, isTaskList ? unescapeFormula(task) : task, decimalOf(price));
  if (conflict !== null) report(conflict);
}

/** Two prices for one task are an error, wherever they are: one of them is wrong, and so is a total. */
function learn(known: Map<string, Decimal>, task: string, price: Decimal): Finding | null {
  const earlier = known.get(task);
  if (earlier === undefined) known.set(task, price);
  if (earlier === undefined || compare(earlier, price) === 0) return null;
  const a = formatDecimal(earlier);
  const b = formatDecimal(price);
  const message = `The task ${excerpt(task)} has two prices: ${a} and ${b}. Remove the wrong one`;
  return error('price-conflict', 'base_price', message, b);
}

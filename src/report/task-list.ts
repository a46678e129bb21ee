/** The task list: a line for each task of the gigs that were created. CONTRACT: "Files it writes". */
import { UsageError } from '../errors.js';
import { GIG_KEY_COLUMN, TASK_COLUMN } from '../input/result-columns.js';
import type { ResponseRules } from '../options.js';
import { type GigTask, gigTasks, type TaskPlaces, taskPlacesIn } from './gig-tasks.js';
import type { RecordReport } from './record-report.js';
import { csvLine } from './row-tables.js';
import type { WrittenCell, WrittenKind } from './written-cell.js';

/** What became of a task list, for the sentences about it. */
export interface TaskListFacts {
  /** Where the settings expect tasks and ids. */
  readonly rules: ResponseRules;
  readonly tasks: number;
  /** Tasks without an id, and their gigs. */
  readonly withoutId: number;
  readonly gigsWithoutId: number;
  /** Gigs whose content is not kept any more. */
  readonly pruned: number;
  /** Where the first answer that lacks an id has tasks; null for none. */
  readonly places: TaskPlaces | null;
}

export interface TaskList {
  /** The file; complete when the records are. @throws JournalError */
  readonly pieces: (records: AsyncIterable<RecordReport>) => AsyncIterable<string | Uint8Array>;
  /** Of the pieces so far. */
  readonly facts: () => TaskListFacts;
}

interface TaskLine extends GigTask {
  readonly gig: RecordReport;
  /** UNIX timestamp. */
  readonly startAt: number;
}

const COLUMNS: readonly (readonly [name: string, cellOf: (line: TaskLine) => WrittenCell])[] = [
  [GIG_KEY_COLUMN, ({ gig }) => gig.key ?? ''],
  ['gig_id', ({ gig }) => gig.id ?? ''],
  ['gig_title', ({ gig }) => gig.title ?? ''],
  ['start_at', ({ startAt }) => ({ kind: 'time', seconds: startAt })],
  [TASK_COLUMN, ({ title }) => title],
  ['gig_task_id', ({ id }) => id ?? ''],
  ['base_price', ({ basePrice }) => ({ kind: 'number', text: basePrice, sign: null })],
];

const KINDS: ReadonlyMap<string, WrittenKind> = new Map<string, WrittenKind>([
  ['start_at', 'time'],
  ['base_price', 'number'],
]);

type TaskListFormat = (rows: Rows) => AsyncIterable<string | Uint8Array>;

type Rows = AsyncIterable<readonly WrittenCell[]>;

const FORMATS: ReadonlyMap<string, TaskListFormat> = new Map<string, TaskListFormat>([
  ['.csv', taskCsv],
  ['.xlsx', taskSheet],
]);

/** @param path its extension names the format. @throws UsageError for another extension */
export function createTaskList(path: string, rules: ResponseRules): TaskList {
  const format = FORMATS.get(/\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '');
  if (format === undefined)
    throw new UsageError(`--task-list ${path}: the name must end in ${[...FORMATS.keys()].join(' or ')}`);
  let facts: TaskListFacts = { rules, tasks: 0, withoutId: 0, gigsWithoutId: 0, pruned: 0, places: null };
  const rowsOf = async function* (records: AsyncIterable<RecordReport>): Rows {
    yield COLUMNS.map(([name]) => name);
    for await (const gig of records) {
      if (!isCreatedGig(gig)) continue;
      const lines = taskLines(gig, rules);
      facts = withGig(facts, gig, lines);
      for (const line of lines) yield COLUMNS.map(([, cellOf]) => cellOf(line));
    }
  };
  return { pieces: (records) => format(rowsOf(records)), facts: () => facts };
}

/** By its own payment: a record that was left out or corrected stands for another gig, which has its own record. */
function isCreatedGig({ type, status, outcome }: RecordReport): boolean {
  return type === 'gig' && (status === 'created' || status === 'already_created') && outcome?.state === 'created';
}

function taskLines(gig: RecordReport, rules: ResponseRules): TaskLine[] {
  if (gig.body === null) return [];
  const { start_at: startAt } = JSON.parse(gig.body) as { readonly start_at: number };
  const tasks = gigTasks(gig.body, gig.outcome?.response ?? null, rules);
  return tasks.map(({ title, basePrice, id }) => ({ gig, startAt, title, basePrice, id }));
}

function withGig(facts: TaskListFacts, { body, outcome }: RecordReport, lines: readonly TaskLine[]): TaskListFacts {
  const withoutId = lines.filter(({ id }) => id === null).length;
  const response = outcome?.response ?? null;
  const isFirst = withoutId > 0 && facts.places === null && body !== null && response !== null;
  return {
    rules: facts.rules,
    tasks: facts.tasks + lines.length,
    withoutId: facts.withoutId + withoutId,
    gigsWithoutId: facts.gigsWithoutId + (withoutId > 0 ? 1 : 0),
    pruned: facts.pruned + (body === null ? 1 : 0),
    places: isFirst ? taskPlacesIn(body, response) : facts.places,
  };
}

async function* taskCsv(rows: Rows): AsyncIterable<string> {
  for await (const cells of rows) yield csvLine(cells, ',', '\r\n');
}

async function* taskSheet(rows: Rows): AsyncIterable<Uint8Array> {
  const { writeXlsx } = await import('./xlsx-writer.js');
  yield* writeXlsx({ name: 'Tasks', frozenRows: 1, columns: COLUMNS.map(([name]) => KINDS.get(name) ?? 'text') }, rows);
}

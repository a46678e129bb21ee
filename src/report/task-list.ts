/** The task list: a line for each task of the gigs that were created. CONTRACT: "Files it writes". */
import { GIG_KEY_COLUMN, TASK_COLUMN } from '../input/result-columns.js';
import type { ResponseRules } from '../options.js';
import { type GigTask, gigTasks, type TaskPlaces, taskPlacesIn } from './gig-tasks.js';
import type { RecordReport } from './record-report.js';
import { csvTable, type ReportColumn, type FilePieces, formatNamed, xlsxTable } from './table-formats.js';

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
  readonly pieces: (records: AsyncIterable<RecordReport>) => FilePieces;
  /** Of the pieces so far. */
  readonly facts: () => TaskListFacts;
}

interface TaskLine extends GigTask {
  readonly gig: RecordReport;
  /** UNIX timestamp. */
  readonly startAt: number;
}

const COLUMNS: readonly ReportColumn<TaskLine>[] = [
  { name: GIG_KEY_COLUMN, cell: ({ gig }) => gig.key },
  { name: 'gig_id', cell: ({ gig }) => gig.id },
  { name: 'gig_title', cell: ({ gig }) => gig.title },
  // Text in a workbook too: a date cell names no time zone.
  { name: 'start_at', cell: ({ startAt }) => isoStart(startAt) },
  { name: TASK_COLUMN, cell: ({ title }) => title },
  { name: 'gig_task_id', cell: ({ id }) => id },
  {
    name: 'base_price',
    cell: ({ basePrice }) => basePrice,
    typed: { kind: 'number', cell: ({ basePrice }) => ({ kind: 'number', text: basePrice, sign: null }) },
  },
];

/** ISO 8601 in UTC; the number itself where no date has it. @param startAt UNIX timestamp */
function isoStart(startAt: number): string {
  const date = new Date(startAt * 1000);
  return Number.isNaN(date.getTime()) ? String(startAt) : date.toISOString().replace('.000Z', 'Z');
}

type TaskListFormat = (lines: AsyncIterable<TaskLine>) => FilePieces;

const FORMATS: Readonly<Record<string, TaskListFormat>> = {
  '.csv': (lines) => csvTable(COLUMNS, lines),
  '.xlsx': (lines) => xlsxTable('Tasks', COLUMNS, lines),
};

/** @param path its extension names the format. @throws UsageError for another extension */
export function createTaskList(path: string, rules: ResponseRules): TaskList {
  const format = formatNamed('--task-list', path, FORMATS);
  let facts: TaskListFacts = { rules, tasks: 0, withoutId: 0, gigsWithoutId: 0, pruned: 0, places: null };
  const linesOf = async function* (records: AsyncIterable<RecordReport>): AsyncIterable<TaskLine> {
    for await (const gig of records) {
      if (!isCreatedGig(gig)) continue;
      const lines = taskLines(gig, rules);
      facts = withGig(facts, gig, lines);
      yield* lines;
    }
  };
  return { pieces: (records) => format(linesOf(records)), facts: () => facts };
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

/** The task list: a line for each task of the gigs that were created. CONTRACT: "Files it writes". */
import { GIG_KEY_COLUMN, TASK_COLUMN } from '../input/result-columns.js';
import type { ResponseRules } from '../options.js';
import { type GigTask, gigTasks, type TaskPlaces, taskPlacesIn } from './gig-tasks.js';
import type { RecordReport } from './record-report.js';
import { csvTable, type ReportColumn, type FilePieces, formatNamed, xlsxTable } from './table-formats.js';

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

/** A task list while it is written, and then what became of it. */
export class TaskList {
  readonly path: string;
  /** Where the settings expect tasks and ids. */
  readonly rules: ResponseRules;
  tasks = 0;
  /** Tasks without an id, and their gigs. */
  withoutId = 0;
  gigsWithoutId = 0;
  /** The part of these that were recorded as created by hand or by an export: there is no answer of the service. */
  settledTasks = 0;
  settledGigs = 0;
  /** Gigs whose content is not kept any more. */
  pruned = 0;
  /** Where the first answer that lacks an id has tasks; null for none. */
  places: TaskPlaces | null = null;
  private readonly format: TaskListFormat;

  /** @param path as typed; its extension names the format. @throws UsageError for another extension */
  constructor(path: string, rules: ResponseRules) {
    this.path = path;
    this.rules = rules;
    this.format = formatNamed('--task-list', path, FORMATS);
  }

  /** The file. @throws JournalError */
  pieces(records: AsyncIterable<RecordReport>): FilePieces {
    return this.format(this.linesOf(records));
  }

  private async *linesOf(records: AsyncIterable<RecordReport>): AsyncIterable<TaskLine> {
    for await (const gig of records) {
      if (!isCreatedGig(gig)) continue;
      const lines = taskLines(gig, this.rules);
      this.count(gig, lines);
      yield* lines;
    }
  }

  private count({ body, outcome }: RecordReport, lines: readonly TaskLine[]): void {
    const withoutId = lines.filter(({ id }) => id === null).length;
    this.tasks += lines.length;
    if (body === null) this.pruned++;
    if (withoutId === 0) return;
    this.withoutId += withoutId;
    this.gigsWithoutId++;
    // An answer always has a status.
    if ((outcome?.httpStatus ?? null) === null) {
      this.settledTasks += withoutId;
      this.settledGigs++;
      return;
    }
    const response = outcome?.response ?? null;
    if (body !== null && response !== null) this.places ??= taskPlacesIn(body, response);
  }
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

/** Reads exports of the service: their rows with the columns that are compared, and what cannot be read. */
import { UsageError } from '../errors.js';
import { assignedFields, inTermsOfFile } from '../input/columns.js';
import { fieldBySynonym } from '../input/column-synonyms.js';
import { openInputFile } from '../input/open-file.js';
import { faultIssue, FileFault, type RawContent, type RawRecord } from '../input/raw-record.js';
import type { FileInfo, ReadOptions } from '../input/read-options.js';
import { type Decimal, decimalOf } from '../money/decimal.js';
import type { InputOptions } from '../options.js';
import { checkInput, checkInputsRead } from '../prepare/input-checks.js';
import { checkRecord } from '../records/check.js';
import { fieldAt } from '../records/fields.js';
import type { Finding, Issue } from '../records/issue.js';
import { foldReference } from '../records/fold.js';
import { didYouMean } from '../records/nearest.js';
import { LISTED_PAYMENT, type ListedPayment } from '../records/service-list.js';
import { shellQuote } from '../util/shell-quote.js';

/** A row of an export; null for an empty cell. */
export interface ExportRow {
  /** Position of its file. */
  readonly file: number;
  /** From 1 in each file. */
  readonly record: number;
  readonly line: number | null;
  readonly key: string | null;
  readonly id: string | null;
  readonly status: string | null;
  readonly userId: string | null;
  readonly amount: Decimal | null;
  readonly currency: string | null;
  readonly title: string | null;
  /** UNIX timestamp. */
  readonly startAt: number | null;
}

export interface ServiceExport {
  /** In the order of the files and their rows. */
  readonly rows: readonly ExportRow[];
  /** The fields that any of the files has. */
  readonly columns: ReadonlySet<string>;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

const FIELD_NAMES = LISTED_PAYMENT.fields.map(({ name }) => name);
/** Those that are compared, and their usual names in other languages. */
const COMPARED = ['user_id', 'amount', 'currency'];

/**
 * Checks what the flags say of the input, as far as that needs no reading.
 * @throws UsageError for a field that an export does not have, and for a missing file
 */
export async function checkExportInput(input: InputOptions, cwd: string): Promise<void> {
  for (const [name, path] of input.map) requireListedField(path, `--map ${name}=${path}`);
  for (const { path } of input.assignments) requireListedField(path, `--set ${path}`);
  await checkInput({ ...input, map: new Map(), assignments: [] }, [], cwd);
}

function requireListedField(path: string, said: string): void {
  if (fieldAt(LISTED_PAYMENT.fields, path) !== null) return;
  throw new UsageError(
    `${said}: "${path}" is not compared with an export. Its columns are ${FIELD_NAMES.join(', ')}.${didYouMean(path, FIELD_NAMES)}`,
  );
}

/**
 * @param options how files are read; their columns are those of an export here
 * @param now milliseconds since 1970
 * @param report gets what cannot be read: then the rows are not complete
 * @throws UsageError
 */
export async function readExports(
  input: InputOptions,
  options: ReadOptions,
  now: number,
  report: (issue: Issue) => void,
): Promise<ServiceExport> {
  const { map, ignoreColumns: ignore, assignments } = input;
  const met = new Set<string>();
  const reading: ReadOptions = {
    ...options,
    shape: LISTED_PAYMENT,
    naming: { map, ignore, ignoreOthers: true, met },
    onUnrecognisedColumns: () => undefined,
  };
  const rows: ExportRow[] = [];
  const columns = new Set(assignedFields(assignments));
  const infos: FileInfo[] = [];
  for (const [file, path] of input.files.entries()) {
    const opened = openInputFile(path, reading);
    infos.push(opened.info);
    try {
      for await (const chunk of opened.chunks())
        for (const raw of chunk) {
          const row = readListedRow(raw, path, now, report);
          if (row === null) continue;
          // Of a table, the header says it.
          if (raw.columns === undefined) for (const name of Object.keys(row)) columns.add(name);
          rows.push(exportRow(raw, file, row));
        }
    } catch (cause) {
      if (!(cause instanceof FileFault)) throw cause;
      report(faultIssue(cause, path));
    }
    for (const name of opened.info.fields ?? []) if (FIELD_NAMES.includes(name)) columns.add(name);
  }
  checkInputsRead({ ...input, assignments: [] }, infos, met, []);
  if (!input.ignoreOtherColumns) refuseAlikeColumns(namesMet(met, infos), columns, input, options.platform);
  return { rows, columns, files: infos.map(({ path, sha256 }) => ({ path, sha256 })) };
}

/** The names of columns, and of members of JSON. */
function namesMet(met: ReadonlySet<string>, infos: readonly FileInfo[]): ReadonlySet<string> {
  return new Set([...met, ...infos.flatMap(({ dropped }) => [...dropped.keys()])]);
}

/**
 * Other columns are ignored, but not one that is meant to be compared: without its status, a payment that failed there
 * would count as created.
 * @param met the names in the files
 * @throws UsageError
 */
function refuseAlikeColumns(
  met: ReadonlySet<string>,
  columns: ReadonlySet<string>,
  { map, ignoreColumns }: InputOptions,
  platform: NodeJS.Platform,
): void {
  for (const name of met) {
    if (map.has(name) || ignoreColumns.has(name) || FIELD_NAMES.includes(name)) continue;
    const field = FIELD_NAMES.find((each) => !columns.has(each) && isNameOf(each, name));
    if (field === undefined) continue;
    const [mapped, ignored] = [`${name}=${field}`, name].map((value) => shellQuote(value, platform));
    throw new UsageError(
      `the column "${name}" is not compared. If it is the ${field}, say --map ${mapped}; if not, say --ignore-column ${ignored}`,
    );
  }
}

/** Folded names of a column that says what became of a payment, also in other languages than English. */
const STATUS_NAME =
  /^state$|status|statut|zustand|^[eé]tat$|estado|^stato$|^stav$|^outcome$|^result$|^ergebnis$|^r[eé]sultat$|error|fehler|fail|storn|cancel/;

/** Folded names of a column that has something of the payee, but not the ID. */
const NO_ID_NAME = /name|iban|konto|account|mail|wallet/;

/** `User ID` for `user_id`, `Betrag` for `amount`. Services also call a status their state, or the status of something. */
function isNameOf(field: string, name: string): boolean {
  const folded = foldReference(name);
  if (folded === foldReference(field)) return true;
  if (field === 'status') return STATUS_NAME.test(folded);
  if (field === 'user_id' && NO_ID_NAME.test(folded)) return false;
  return COMPARED.includes(field) && fieldBySynonym(name, 'payout')?.field === field;
}

/** Null for a row that cannot be read. */
function readListedRow(
  raw: RawRecord,
  path: string,
  now: number,
  report: (issue: Issue) => void,
): ListedPayment | null {
  const { record, line } = raw;
  const { input, findings, unreadable, typed } = withTextId(raw.read());
  let isReadable = true;
  const told = (finding: Finding): void => {
    // A list may have what was paid back; and what is only doubtful decides nothing, as long as it is equal.
    if (finding.severity !== 'error' || finding.code === 'not-positive') return;
    isReadable = false;
    report({ ...inTermsOfFile(finding, raw.columns, () => false), file: path, record, line });
  };
  findings.forEach(told);
  if (input === null) return null;
  const row = checkRecord(LISTED_PAYMENT, input, { now, report: told, unreadable, typed });
  return isReadable ? row : null;
}

/** The ids in a list of JSON may be numbers. */
function withTextId(content: RawContent): RawContent {
  const { input, typed } = content;
  const value = input?.['id'];
  if (input === null || typeof value !== 'number') return content;
  return { ...content, input: { ...input, id: typed?.get('id') ?? String(value) } };
}

function exportRow({ record, line }: RawRecord, file: number, row: ListedPayment): ExportRow {
  return {
    file,
    record,
    line,
    key: row.idempotency_key ?? null,
    id: row.id ?? null,
    status: row.status ?? null,
    userId: row.user_id ?? null,
    amount: row.amount === undefined ? null : decimalOf(row.amount),
    currency: row.currency ?? null,
    title: row.title ?? null,
    startAt: row.start_at ?? null,
  };
}

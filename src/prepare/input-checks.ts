/** Flags and settings about the input that are wrong: what shows before it is read, and what only reading shows. */
import { UsageError } from '../errors.js';
import { isColumnNumber } from '../input/column-places.js';
import { assignedFields, requireField } from '../input/columns.js';
import { compileTemplate, type RecordTemplate } from '../input/template.js';
import type { FileInfo } from '../input/read-options.js';
import { isStdin, sizeOf } from '../input/source.js';
import type { InputOptions } from '../options.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import type { RecordSchema } from '../records/schema.js';
import { didYouMean } from '../records/nearest.js';

/**
 * Checks what flags and settings say of the input, as far as that needs no reading.
 * @throws UsageError for a field that no record has, a missing file, or standard input named twice
 */
export async function checkInput(input: InputOptions, keyColumns: readonly string[], cwd: string): Promise<void> {
  const { files, map, mapMustMatch, prices } = input;
  const all = Object.values(RECORD_SCHEMAS);
  const schemas = input.type === null ? all : [RECORD_SCHEMAS[input.type]];
  for (const [name, path] of map) {
    const isFlag = mapMustMatch.includes(name);
    // Settings serve all commands.
    requireField(path, isFlag ? schemas : all, `${isFlag ? '--map' : 'map'} ${name}=${path}`, true);
  }
  checkSet(input, schemas);
  for (const path of keyColumns) requireField(path, schemas, `--key-columns ${path}`);
  refuseStdinTwice(input, cwd);
  for (const path of files) await sizeOf(path, cwd);
  templateOf(input);
  if (prices !== null) await sizeOf(prices, cwd, `--prices ${prices}`);
}

/**
 * To be called when everything is read.
 * @param met the names of columns that the files have
 * @throws UsageError for a name on the command line that no file has, and for equal inputs
 */
export function checkInputsRead(
  options: InputOptions,
  files: readonly FileInfo[],
  met: ReadonlySet<string>,
  keyColumns: readonly string[],
): void {
  refuseEqualFiles(files);
  checkNames(options, met);
  const types = new Set(files.map(({ type }) => type).filter((type) => type !== null));
  const schemas = Array.from(types, (type) => RECORD_SCHEMAS[type]);
  if (schemas.length > 0) checkSet(options, schemas);
  checkKeyHeaders(options, files, keyColumns);
}

/** @throws UsageError for a text that is not a template */
export function templateOf({ template, type, assignments }: InputOptions): RecordTemplate | null {
  return template === null ? null : compileTemplate(template, type, assignedFields(assignments));
}

/** @param schemas of the records, as far as they are known. Settings serve all commands. */
function checkSet({ assignments }: InputOptions, schemas: readonly RecordSchema[]): void {
  for (const { path, optional } of assignments)
    requireField(path, optional === true ? Object.values(RECORD_SCHEMAS) : schemas, `--set ${path}`);
}

function refuseStdinTwice({ files, prices }: InputOptions, cwd: string): void {
  const paths = prices === null ? files : [...files, prices];
  if (paths.filter((path) => isStdin(path, cwd)).length < 2) return;
  const remedy = prices !== null && isStdin(prices, cwd) ? 'name a file with --prices' : 'name it once';
  throw new UsageError(`standard input can be read only once; ${remedy}`);
}

/** Sending the same bytes twice in one run is never meant. A hash is empty if a fault ended the reading. */
function refuseEqualFiles(infos: readonly FileInfo[]): void {
  const seen = new Map<string, string>();
  for (const { path, sha256 } of infos) {
    const other = sha256 === '' ? undefined : seen.get(sha256);
    if (other !== undefined) throw new UsageError(`${other} and ${path} are the same, byte for byte; name it once`);
    seen.set(sha256, path);
  }
}

/** Columns on the command line must be in some file. An input without any column, e.g. an empty one, is not checked. */
function checkNames({ mapMustMatch, map, ignoreMustMatch }: InputOptions, met: ReadonlySet<string>): void {
  if (met.size === 0) return;
  const named = [
    ...mapMustMatch.map((name) => [name, `--map ${name}=${map.get(name)}`] as const),
    ...ignoreMustMatch.map((name) => [name, `--ignore-column ${name}`] as const),
  ];
  for (const [name, flag] of named) {
    if (met.has(name)) continue;
    const remedy = isColumnNumber(name)
      ? ' Columns of CSV and workbooks are counted from #1'
      : didYouMean(
          name,
          Array.from(met).filter((each) => !isColumnNumber(each)),
        );
    throw new UsageError(`${flag}: no file has a column "${name}".${remedy}`);
  }
}

/** When all files are CSV, their headers show that a key column is missing from every record. */
function checkKeyHeaders(input: InputOptions, infos: readonly FileInfo[], keyColumns: readonly string[]): void {
  const headers = infos.map(({ fields }) => fields);
  if (headers.length === 0 || headers.includes(null)) return;
  const given = [...headers.flatMap((fields) => fields ?? []), ...input.assignments.map(({ path }) => path)];
  for (const path of keyColumns) {
    const has = given.some((name) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`));
    if (!has) throw new UsageError(`--key-columns ${path}: the file has no such column.${didYouMean(path, given)}`);
  }
}

/** Opens the sheet of a workbook that is to be read. CONTRACT: `--sheet`. */
import { posix } from 'node:path';
import { UsageError } from '../../errors.js';
import { didYouMean } from '../../records/nearest.js';
import { foldSheetName } from '../profile-sheet.js';
import { FileFault } from '../raw-record.js';
import { damaged, openPackage, type Package } from './package.js';
import { type CellRange, SheetReader, type SheetRow } from './sheet.js';
import { decodeEscapes, readStrings } from './shared-parts.js';
import { readStyles } from './styles.js';
import { type Attributes, isTrue, readXml } from './xml.js';

export interface OpenedSheet {
  readonly name: string;
  /** Rows in order. @throws FileFault */
  readonly rows: AsyncIterable<SheetRow[]>;
  /** Known with the first row. @param index from 0 */
  readonly isColumnHidden: (index: number) => boolean;
  /** Ranges of merged cells; complete after the last row. */
  readonly merges: readonly CellRange[];
  /** Ranges that a condition may strike out; complete after the last row. */
  readonly struckByRules: readonly CellRange[];
  /** The other visible sheets with a table. */
  readonly openOthers: () => readonly OpenedSheet[];
}

/**
 * @param file for messages
 * @param wanted value of `--sheet`, or null
 * @param stop ends the reading, which then throws the signal's reason
 * @returns null for a file without bytes
 * @throws FileFault for a file that is not a workbook; UsageError if it is unclear which sheet to read
 */
export async function openSheet(
  chunks: AsyncIterable<Buffer>,
  file: string,
  wanted: string | null,
  stop?: AbortSignal,
): Promise<OpenedSheet | null> {
  const pack = await openPackage(chunks, stop);
  if (pack === null) return null;
  const { sheets, from1904, isUncomputed, strings, styles } = await readWorkbook(pack);
  const chosen = chooseSheet(sheets, wanted, file);
  const { cells, strikingRules } = await readStyles(pack, styles);
  const context = { from1904, isUncomputed, strings: await readStrings(pack, strings), styles: cells, strikingRules };
  const hasPart = ({ part }: SheetEntry): boolean => part !== null && pack.part(part) !== null;
  const open = ({ name, part }: SheetEntry): OpenedSheet => {
    const text = part === null ? null : pack.part(part);
    if (part === null || text === null) throw damaged(`the sheet ${JSON.stringify(name)} is missing`);
    const reader = new SheetReader(part, context);
    return {
      name,
      merges: reader.merges,
      struckByRules: reader.struckByRules,
      rows: reader.rows(text),
      isColumnHidden: (index) => reader.isColumnHidden(index),
      openOthers: () =>
        visibleTables(sheets)
          .filter((entry) => entry.name !== name && hasPart(entry))
          .map(open),
    };
  };
  return open(chosen);
}

/** The visible sheets with a table. @throws FileFault */
export async function sheetNames(chunks: AsyncIterable<Buffer>): Promise<string[]> {
  const pack = await openPackage(chunks);
  const { sheets } = pack === null ? { sheets: [] } : await readWorkbook(pack);
  return visibleTables(sheets).map(({ name }) => name);
}

function visibleTables(sheets: readonly SheetEntry[]): readonly SheetEntry[] {
  return sheets.filter(({ isVisible, part }) => isVisible && part !== null);
}

interface SheetEntry {
  readonly name: string;
  readonly isVisible: boolean;
  /** Null for a sheet without cells, such as a chart. */
  readonly part: string | null;
}

interface Workbook {
  /** In the order of the tabs, from the left. */
  readonly sheets: readonly SheetEntry[];
  /** Days are counted from 1904-01-01, as once on the Macintosh. */
  readonly from1904: boolean;
  /** Written by a program that does not compute formulas: spreadsheets compute all of them when they open the file. */
  readonly isUncomputed: boolean;
  readonly strings: string | null;
  readonly styles: string | null;
}

/** @throws FileFault if the archive is not a supported workbook */
async function readWorkbook(pack: Package): Promise<Workbook> {
  const main = relatedPart(await relationshipsOf(pack, ''), 'officeDocument');
  const text = main === null ? null : pack.part(main);
  if (main === null || text === null || !/\.xml$/i.test(main) || /^(?:word|ppt|visio)\//i.test(main))
    throw noWorkbook();
  const parts = await relationshipsOf(pack, main);
  const sheets: SheetEntry[] = [];
  let from1904 = false;
  let isUncomputed = false;
  await readXml(main, 'workbook', text, {
    open: (element, attributes) => {
      if (element === 'workbookPr') from1904 = isTrue(attributes['date1904']);
      else if (element === 'calcPr') isUncomputed = isTrue(attributes['fullCalcOnLoad']);
      else if (element === 'sheet') sheets.push(sheetEntry(attributes, parts));
    },
  });
  if (sheets.length === 0) throw damaged('it has no sheet');
  const strings = relatedPart(parts, 'sharedStrings');
  const styles = relatedPart(parts, 'styles');
  return { sheets, from1904, isUncomputed, strings, styles };
}

function sheetEntry(attributes: Attributes, parts: Relationships): SheetEntry {
  // The prefix of the relationship's id is the writer's choice.
  const id = Object.keys(attributes).find((name) => /^[^:]+:id$/.test(name));
  const relationship = id === undefined ? undefined : parts.get(attributes[id] ?? '');
  const { name, state = 'visible' } = attributes;
  if (name === undefined || relationship === undefined) throw damaged('a sheet of its list is missing');
  const { type, target } = relationship;
  return {
    name: decodeEscapes(name),
    isVisible: state === 'visible',
    part: type === 'worksheet' ? target : null,
  };
}

/**
 * Parts refer to each other by ids.
 * @property type the last step of the type's address: `worksheet`, `styles`
 * @property target name of the part
 */
type Relationships = ReadonlyMap<string, { readonly type: string; readonly target: string }>;

/** @param part empty for the package itself. @throws FileFault */
async function relationshipsOf(pack: Package, part: string): Promise<Relationships> {
  const folder = posix.dirname(part);
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const found = new Map<string, { type: string; target: string }>();
  await readXml(name, 'Relationships', pack.part(name), {
    open: (element, { Id, Type, Target, TargetMode }) => {
      if (element !== 'Relationship' || TargetMode === 'External') return;
      if (Id === undefined || Type === undefined || Target === undefined) return;
      // Some programs write backslashes. Steps up end at the package's top.
      const target = posix.resolve('/', folder, Target.replaceAll('\\', '/')).slice(1);
      found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target });
    },
  });
  return found;
}

function relatedPart(parts: Relationships, wanted: string): string | null {
  return [...parts.values()].find(({ type }) => type === wanted)?.target ?? null;
}

/** A zip archive may be another document of Office, of OpenDocument or Numbers, or a binary workbook. */
function noWorkbook(): FileFault {
  const message =
    'this is a zip archive and no workbook (.xlsx): save a document of another kind as "Excel Workbook (.xlsx)", or its sheet as "CSV UTF-8"; unpack anything else, and name the files in it';
  return new FileFault('bad-encoding', null, message);
}

/**
 * @param wanted a name or a number as the person wrote it; null for the only visible sheet
 * @throws UsageError if it is unclear which sheet to read, or the sheet is hidden
 */
function chooseSheet(sheets: readonly SheetEntry[], wanted: string | null, file: string): SheetEntry {
  const tabs = sheets.filter(({ isVisible }) => isVisible);
  const tables = visibleTables(sheets);
  const found = wanted === null ? tables[0] : findSheet(sheets, tabs, wanted);
  const refuse = (what: string): UsageError => new UsageError(`${file}: ${what}`);
  if (wanted === null && tables.length > 1)
    throw refuse(`the workbook has ${tables.length} sheets; say which with --sheet: ${sheetList(tabs)}`);
  if (found === undefined && wanted === null)
    throw refuse('the workbook has no sheet that is visible: show the one that is meant');
  if (found === undefined) {
    const names = tabs.map(({ name }) => name);
    const near = didYouMean(wanted ?? '', names);
    throw refuse(`there is no sheet ${JSON.stringify(wanted)}.${near} It has ${sheetList(tabs)}`);
  }
  const quoted = JSON.stringify(found.name);
  if (!found.isVisible)
    throw refuse(`the sheet ${quoted} is hidden: show it in the workbook, so that everybody sees what is read`);
  if (found.part === null) throw refuse(`the sheet ${quoted} is a chart, and holds no table`);
  return found;
}

/** A name that looks like a number is a name first. Numbers count only visible tabs. */
function findSheet(sheets: readonly SheetEntry[], tabs: readonly SheetEntry[], wanted: string): SheetEntry | undefined {
  return (
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => foldSheetName(name) === foldSheetName(wanted)) ??
    (/^[1-9]\d{0,4}$/.test(wanted) ? tabs[Number(wanted) - 1] : undefined)
  );
}

const MOST_SHEETS_SHOWN = 20;

function sheetList(tabs: readonly SheetEntry[]): string {
  const shown = tabs.slice(0, MOST_SHEETS_SHOWN).map(({ name }, i) => `${i + 1} ${JSON.stringify(name)}`);
  return shown.join(', ') + (tabs.length > MOST_SHEETS_SHOWN ? ` and ${tabs.length - MOST_SHEETS_SHOWN} more` : '');
}

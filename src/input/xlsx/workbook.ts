/** A workbook's list of sheets, and where its tables of texts and formats are. */
import { decodeEscapes } from './strings.js';
import { damaged, type Package } from './package.js';
import { type Relationship, relationshipsOf } from './relationships.js';
import { FileFault } from '../raw.js';
import { isTrue, readXml } from './xml.js';

export interface SheetEntry {
  readonly name: string;
  readonly isVisible: boolean;
  /** Null for what is no table of cells, such as a chart. */
  readonly part: string | null;
}

export interface Workbook {
  /** As the tabs stand, from the left. */
  readonly sheets: readonly SheetEntry[];
  /** Days are counted from 1904-01-01, as once on the Macintosh. */
  readonly from1904: boolean;
  /** A program that computes nothing wrote it: whoever opens it computes all formulas. */
  readonly isUncomputed: boolean;
  readonly strings: string | null;
  readonly styles: string | null;
}

const MOST_SHEETS = 10_000;

/** @throws FileFault when the archive is no workbook that is read */
export async function readWorkbook(pack: Package): Promise<Workbook> {
  const top = await relationshipsOf(pack, '');
  const main = [...(top?.values() ?? [])].find(({ type }) => type === 'officeDocument')?.target;
  const text = main === undefined ? null : pack.part(main);
  if (main === undefined || text === null) throw await noWorkbook(pack);
  if (!/\.xml$/i.test(main)) throw notRead('a binary workbook (.xlsb)');
  if (/^(?:word|ppt|visio)\//i.test(main)) throw notRead('another document of Office');
  const parts = (await relationshipsOf(pack, main)) ?? new Map<string, Relationship>();
  const of = (wanted: string): string | null => [...parts.values()].find(({ type }) => type === wanted)?.target ?? null;
  const sheets: SheetEntry[] = [];
  let from1904 = false;
  let isUncomputed = false;
  await readXml(main, 'workbook', text, {
    open: (element, attributes) => {
      if (element === 'workbookPr') from1904 = isTrue(attributes['date1904']);
      else if (element === 'calcPr') isUncomputed = isTrue(attributes['fullCalcOnLoad']);
      else if (element === 'sheet' && sheets.push(sheetEntry(attributes, parts)) > MOST_SHEETS)
        throw damaged(`it has more than ${MOST_SHEETS} sheets`);
    },
  });
  if (sheets.length === 0) throw damaged('it has no sheet');
  return { sheets, from1904, isUncomputed, strings: of('sharedStrings'), styles: of('styles') };
}

function sheetEntry(
  attributes: Readonly<Record<string, string | undefined>>,
  parts: ReadonlyMap<string, Relationship>,
): SheetEntry {
  // The prefix of the relationship's id is the writer's choice.
  const id = Object.keys(attributes).find((name) => /^[^:]+:id$/.test(name));
  const relationship = id === undefined ? undefined : parts.get(attributes[id] ?? '');
  const { name, state = 'visible' } = attributes;
  if (name === undefined || relationship === undefined) throw damaged('a sheet of its list is missing');
  return {
    name: decodeEscapes(name),
    isVisible: state === 'visible',
    part: relationship.type === 'worksheet' ? relationship.target : null,
  };
}

function notRead(what: string): FileFault {
  return new FileFault(
    'bad-encoding',
    null,
    `this is no workbook that is read but ${what}: save it as "Excel Workbook (.xlsx)", or save the sheet as "CSV UTF-8"`,
  );
}

async function noWorkbook(pack: Package): Promise<FileFault> {
  let type = '';
  for await (const piece of pack.part('mimetype') ?? []) type += piece.slice(0, 200);
  if (type.includes('opendocument.spreadsheet')) return notRead('an OpenDocument spreadsheet (.ods)');
  if (pack.part('Index/Document.iwa') !== null) return notRead('a document of Numbers');
  return new FileFault(
    'bad-encoding',
    null,
    'this is a zip archive and no workbook: unpack it, and name the files in it',
  );
}

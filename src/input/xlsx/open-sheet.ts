/** A workbook's bytes → the rows of one sheet. */
import { FileFault } from '../raw.js';
import { chooseSheet } from './choose-sheet.js';
import { damaged, MOST_UNPACKED, openPackage, protectedFile, tooLarge } from './package.js';
import { type Merge, readSheet, type SheetReading } from './sheet.js';
import { readStrings } from './strings.js';
import { readStyles } from './styles.js';
import { readWorkbook } from './workbook.js';

export interface OpenedSheet extends SheetReading {
  readonly name: string;
  /** Ranges of merged cells; complete after the last row. */
  readonly merges: readonly Merge[];
}

const MOST_MERGES = 100_000;

/**
 * @param file for messages
 * @param wanted what `--sheet` says, or null
 * @param stop ends the reading, which throws the signal's reason then
 * @returns null for a file without bytes
 * @throws FileFault for what is no workbook; UsageError where it is not clear which sheet is meant
 */
export async function openSheet(
  chunks: AsyncIterable<Buffer>,
  file: string,
  wanted: string | null,
  stop?: AbortSignal,
): Promise<OpenedSheet | null> {
  const bytes = await bytesOf(chunks);
  if (bytes.length === 0) return null;
  refuseOthers(bytes);
  const pack = await openPackage(bytes, stop);
  const { sheets, from1904, isUncomputed, strings, styles } = await readWorkbook(pack);
  const { name, part } = chooseSheet(sheets, wanted, file);
  const text = part === null ? null : pack.part(part);
  if (part === null || text === null) throw damaged(`the sheet ${JSON.stringify(name)} is missing`);
  const context = {
    ...{ from1904, isUncomputed },
    strings: await readStrings(pack, strings),
    formats: await readStyles(pack, styles),
  };
  const merges: Merge[] = [];
  const merged = (merge: Merge): void => {
    if (merges.push(merge) > MOST_MERGES) throw damaged(`it merges cells at more than ${MOST_MERGES} places`);
  };
  return { ...readSheet(part, text, context, merged), name, merges };
}

/** A zip archive has its table of contents at its end, so that it has to be there whole. */
async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size > MOST_UNPACKED) throw tooLarge();
  }
  return Buffer.concat(parts);
}

const ZIP = 'PK\x03\x04';
/** Old workbooks; and new ones with a password, inside. */
const OLE = '\xd0\xcf\x11\xe0';
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

function refuseOthers(bytes: Buffer): void {
  const signature = bytes.subarray(0, ZIP.length).toString('latin1');
  if (signature === ZIP) return;
  if (signature === OLE && bytes.includes(ENCRYPTED)) throw protectedFile();
  const message =
    signature === OLE
      ? 'this is an old Excel workbook (.xls): in Excel: Save As, "Excel Workbook (.xlsx)" or "CSV UTF-8"'
      : 'this is no workbook (.xlsx): if it holds text, say with --format what it is: csv, json or ndjson';
  throw new FileFault('bad-encoding', null, message);
}

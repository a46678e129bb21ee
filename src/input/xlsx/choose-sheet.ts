/** Which sheet of a workbook is read. CONTRACT: `--sheet`. */
import { UsageError } from '../../errors.js';
import { didYouMean } from '../../records/nearest.js';
import type { SheetEntry } from './workbook.js';

const MOST_NAMES = 20;

/**
 * @param file for messages
 * @param wanted a name or a number as the person wrote it; null for the only visible sheet
 * @throws UsageError where it is not clear which one is meant, or a person would not see it
 */
export function chooseSheet(sheets: readonly SheetEntry[], wanted: string | null, file: string): SheetEntry {
  const tabs = sheets.filter(({ isVisible }) => isVisible);
  const found = wanted === null ? onlyOne(tabs, file) : named(sheets, tabs, wanted, file);
  if (found.part === null) throw new UsageError(`${file}: the sheet ${quoted(found)} is a chart, and holds no table`);
  return found;
}

function onlyOne(tabs: readonly SheetEntry[], file: string): SheetEntry {
  const tables = tabs.filter(({ part }) => part !== null);
  const [only] = tables;
  if (only !== undefined && tables.length === 1) return only;
  if (only === undefined)
    throw new UsageError(`${file}: the workbook has no sheet that is visible: show the one that is meant`);
  throw new UsageError(`${file}: the workbook has ${tables.length} sheets; say which with --sheet: ${namesOf(tabs)}`);
}

/** A name that looks like a number is a name first. Tabs are counted as they are seen: hidden ones do not count. */
function named(sheets: readonly SheetEntry[], tabs: readonly SheetEntry[], wanted: string, file: string): SheetEntry {
  const found =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => folded(name) === folded(wanted)) ??
    (/^[1-9]\d{0,4}$/.test(wanted) ? tabs[Number(wanted) - 1] : undefined);
  if (found === undefined) {
    const near = didYouMean(
      wanted,
      tabs.map(({ name }) => name),
    );
    throw new UsageError(`${file}: there is no sheet ${JSON.stringify(wanted)}.${near} It has ${namesOf(tabs)}`);
  }
  if (found.isVisible) return found;
  throw new UsageError(
    `${file}: the sheet ${quoted(found)} is hidden: show it in the workbook, so that everybody sees what is read`,
  );
}

/** Spreadsheets let no two sheets differ by letter case alone. */
function folded(name: string): string {
  return name.trim().toLowerCase();
}

function quoted({ name }: SheetEntry): string {
  return JSON.stringify(name);
}

function namesOf(tabs: readonly SheetEntry[]): string {
  const more = tabs.length > MOST_NAMES ? ` and ${tabs.length - MOST_NAMES} more` : '';
  return (
    tabs
      .slice(0, MOST_NAMES)
      .map((tab, i) => `${i + 1} ${quoted(tab)}`)
      .join(', ') + more
  );
}

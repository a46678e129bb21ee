import type { ZipEntry } from './zip.js';
/**
 * What a cell holds: a text (shared), a number, true or false, nothing; or its XML, part by part.
 * `f` a formula, `v` the stored value (null for none), `t` its type, `format` a number format's code or built-in number.
 */
export type CellSpec =
  | string
  | number
  | boolean
  | null
  | {
      readonly v?: string | number | null;
      readonly t?: string;
      readonly f?: string;
      readonly format?: string | number;
      /** What stands in the cell instead of all of the above. */
      readonly xml?: string;
    };
export interface SheetSpec {
  readonly name: string;
  readonly state?: 'visible' | 'hidden' | 'veryHidden';
  /** By row and column from the first; or the whole content of `sheetData`. */
  readonly rows: readonly (readonly CellSpec[])[] | string;
  /** Attributes of rows, by their number from 1: ` hidden="1"`. */
  readonly rowAttributes?: Readonly<Record<number, string>>;
  /** XML before `sheetData`, such as `cols`; and after it. */
  readonly before?: string;
  readonly after?: string;
  readonly merges?: readonly string[];
  /** Rows and cells do not say where they stand. */
  readonly isBare?: boolean;
  readonly isChart?: boolean;
}
export interface WorkbookSpec {
  readonly sheets: readonly SheetSpec[];
  readonly from1904?: boolean;
  /** XML at the end of the list of sheets. */
  readonly more?: string;
  /** Changes the parts before they are packed. */
  readonly change?: (parts: Map<string, string>) => void;
  /** Changes the entries of the archive. */
  readonly entries?: (entries: ZipEntry[]) => ZipEntry[];
}
/** A workbook with one sheet. */
export declare function sheet(rows: SheetSpec['rows'], spec?: Partial<SheetSpec>): Buffer;
/** With everything in it that a test wants to be odd. */
export declare function workbook(spec: WorkbookSpec): Buffer;
/** The parts of a workbook by their names. */
export declare function partsOf(spec: WorkbookSpec): Map<string, string>;
/** A `t` element. */
export declare function textXml(text: string): string;

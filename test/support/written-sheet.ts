/** A workbook that the program has written, by its XML. */
import { Readable } from 'node:stream';
import { openPackage } from '../../src/input/xlsx/package.js';

async function partOf(bytes: Buffer, name: string): Promise<string> {
  const pack = await openPackage(Readable.from([bytes]));
  let text = '';
  for await (const piece of pack?.part(name) ?? []) text += piece;
  return text;
}

/** The XML of its table. */
export function writtenXml(bytes: Buffer): Promise<string> {
  return partOf(bytes, 'xl/worksheets/sheet1.xml');
}

/** Its rows: texts, `12.5 as 0.00` for a number, `46327 as yyyy-mm-dd` for a day. Empty cells in between are left out. */
export async function writtenRows(bytes: Buffer): Promise<string[][]> {
  const styles = await partOf(bytes, 'xl/styles.xml');
  const codes = new Map(
    [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code!]),
  );
  for (const [id, code] of [
    ['0', 'General'],
    ['1', '0'],
    ['2', '0.00'],
    ['49', '@'],
  ] as const)
    codes.set(id, code);
  const formats = [...styles.matchAll(/<xf numFmtId="(\d+)"[^>]*applyNumberFormat/g)].map(([, id]) => codes.get(id)!);
  const xml = await writtenXml(bytes);
  return [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c r="[A-Z]+\d+" s="(\d+)"(?: t="inlineStr"><is><t [^>]*>(.*?)<\/t>|><v>([^<]*)<)/gs)].map(
      ([, style, text, number]) => text ?? `${number} as ${formats[Number(style)]!.replaceAll('\\', '')}`,
    ),
  );
}

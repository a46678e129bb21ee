/**
 * Texts of records that no journal has: the bodies of a dry run that shows them, and the readable part of invalid
 * records. There may be millions, so full pages are deflated: bodies of one file differ in few characters.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type SplitJson, joinAroundMember, splitBodyAt } from '../keys/canonical.js';
import { KEY_FIELD } from '../keys/key.js';
import { type Body, RECORD_INFO, type RecordType, subjectFields } from '../records/types.js';
import { sentText } from './valid-record.js';
import type { RecordTable } from './record-table.js';

/** Bodies on a page: so few that garbage of pages is collected soon. */
const BODIES_PER_PAGE = 128;
/** Fast rather than small: bodies are alike, and a small window costs least to set up for each page. */
const DEFLATING = { level: 1, windowBits: 12 };
/** JSON texts contain neither: they escape control characters. */
const BETWEEN = '\0';
const AROUND_KEY = '\x01';

export class BodyCache {
  private readonly deflated: (Uint8Array | undefined)[] = [];
  private page: string[] = [];
  private number = 0;
  private readonly late = new Map<number, SplitJson>();
  /** The page that was read last. */
  private read: { readonly number: number; readonly texts: readonly string[] } | null = null;

  /** Keeps a body without its key, which the entry has. To be called with increasing numbers of entries. */
  add(index: number, { before, after }: SplitJson): void {
    const number = Math.floor(index / BODIES_PER_PAGE);
    if (number !== this.number) this.deflate(number);
    this.page[index % BODIES_PER_PAGE] = `${before}${AROUND_KEY}${after}`;
  }

  /** Keeps the body, or a part of it, after others were kept. */
  addLate(index: number, body: SplitJson): void {
    this.late.set(index, body);
  }

  /** Null if none was kept. */
  at(index: number): SplitJson | null {
    const late = this.late.get(index);
    if (late !== undefined) return late;
    const text = this.texts(Math.floor(index / BODIES_PER_PAGE))[index % BODIES_PER_PAGE] ?? '';
    if (text === '') return null;
    const middle = text.indexOf(AROUND_KEY);
    return { before: text.slice(0, middle), after: text.slice(middle + 1) };
  }

  private texts(number: number): readonly string[] {
    if (number === this.number) return this.page;
    if (this.read?.number !== number) {
      const deflated = this.deflated[number];
      const text = deflated === undefined ? '' : inflateRawSync(deflated).toString('utf8');
      this.read = { number, texts: text.split(BETWEEN) };
    }
    return this.read.texts;
  }

  private deflate(next: number): void {
    // A copy, because zlib returns a view of a larger buffer.
    if (this.page.length > 0)
      this.deflated[this.number] = new Uint8Array(deflateRawSync(this.page.join(BETWEEN), DEFLATING));
    this.page = [];
    this.number = next;
  }
}

export interface Kept {
  readonly entries: RecordTable;
  readonly bodies: BodyCache;
}

/** The fields of an invalid record by which a person recognises it, as far as they can be read. */
export function subjectPart(input: Body, type: string): SplitJson {
  return splitBodyAt(subjectFields(input, type as RecordType), KEY_FIELD);
}

/** The body of a valid record as it is sent, or a readable part of it; null if it is not kept. */
export function keptBody({ entries, bodies }: Kept, index: number): string | null {
  const body = bodies.at(index);
  if (body === null) return null;
  if (!entries.isValid(index)) return joinAroundMember(body, KEY_FIELD, null);
  return sentText(RECORD_INFO[entries.groupOf(index).type as RecordType], body, entries.keyText(index));
}

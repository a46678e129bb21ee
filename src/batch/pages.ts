/** What is kept of millions of records grows by pages: no list is ever copied to make room for the next record. */

const PAGE_BITS = 14;
/** Records on a page. */
export const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;

/** Which page an entry is on. */
export function pageOf(index: number): number {
  return index >> PAGE_BITS;
}

/** Its place there. */
export function placeOnPage(index: number): number {
  return index & PAGE_MASK;
}

/** The numbers of a page, whole and below 2^32. Most are small: two bytes each, and two more once one is not. */
export class Numbers {
  private readonly low = new Uint16Array(PAGE_SIZE);
  private high: Uint16Array | null = null;

  at(place: number): number {
    const low = this.low[place] as number;
    return this.high === null ? low : (this.high[place] as number) * 0x10000 + low;
  }

  set(place: number, value: number): void {
    this.low[place] = value;
    if (value > 0xffff) this.high ??= new Uint16Array(PAGE_SIZE);
    if (this.high !== null) this.high[place] = value >>> 16;
  }
}

/** The value of a 1 in the upper 32 bits. */
const HIGH = 2 ** 32;

/** The same for integers of either sign up to 2^53. */
export class Integers {
  private readonly low = new Uint32Array(PAGE_SIZE);
  private high: Int32Array | null = null;

  at(place: number): number {
    const low = this.low[place] as number;
    return this.high === null ? low : (this.high[place] as number) * HIGH + low;
  }

  set(place: number, value: number): void {
    const high = Math.floor(value / HIGH);
    this.low[place] = value - high * HIGH;
    if (high !== 0) this.high ??= new Int32Array(PAGE_SIZE);
    if (this.high !== null) this.high[place] = high;
  }
}

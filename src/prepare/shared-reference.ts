/** The reference that all records of a file share, such as a project: it says nothing about a single record. */

/** Two records with one reference may well be the same payment twice. */
const FEWEST = 3;

export class SharedReference {
  private count = 0;
  private first: number | null = null;
  private isShared = true;

  /** To be called for each record of the file. @param reference hash, or null */
  add(reference: number | null): void {
    if (this.count++ === 0) this.first = reference;
    else if (reference !== this.first) this.isShared = false;
  }

  /** Null if there is none. */
  get shared(): number | null {
    return this.isShared && this.count >= FEWEST ? this.first : null;
  }
}

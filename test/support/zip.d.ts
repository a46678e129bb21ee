export interface ZipEntry {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Kept as it is instead of deflated. */
  readonly stored?: boolean;
  /** What the archive says of it, where that is not the truth. */
  readonly declaredSize?: number;
  readonly declaredSum?: number;
  /** Says that it is encrypted. */
  readonly encrypted?: boolean;
}
export declare function zip(entries: readonly ZipEntry[]): Buffer;

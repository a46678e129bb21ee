/** Full path of a Chromium that is installed; null where there is none. */
export function chromiumPath(): string | null;

/** @param path of a Chromium */
export function startChromium(path: string): Promise<Browser>;

export interface Browser {
  open(html: string): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenPage {
  /** The value of an expression in the page. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** As it is printed, or on a screen, so many CSS pixels wide. */
  show(medium: 'print' | 'screen', width: number): Promise<void>;
  /** Prints it on the paper that the page asks for. @param ids elements whose pages are asked for */
  print(ids: readonly string[]): Promise<Printed>;
  /** A part of it as PNG, in CSS pixels. */
  picture(part: { x: number; y: number; width: number; height: number }): Promise<Buffer>;
}

export interface Printed {
  readonly pages: number;
  /** The page, from 1, on which the element with this id begins. */
  pageOf(id: string): number | undefined;
}

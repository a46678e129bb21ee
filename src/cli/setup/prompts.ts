/** What a person can be asked. */

/** The person has stopped: by an answer, or by a key or a signal that interrupts. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly isInterrupt: boolean;
  constructor(isInterrupt = false) {
    super('stopped');
    this.isInterrupt = isInterrupt;
  }
}

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  /** Shown beside it while it is the one that Enter takes. */
  readonly hint?: string | undefined;
}

/** Every question throws {@link Stopped}. Text from files may be handed in as it is. */
export interface Prompts {
  say(text: string): void;
  /** Lines that keep their form: they are cut where the terminal ends. */
  show(title: string, lines: readonly string[]): void;
  choose<T>(question: string, choices: readonly Choice<T>[], initial: T): Promise<T>;
  yes(question: string): Promise<boolean>;
  /** @param check gives what is wrong with the text, or null */
  type(question: string, initial: string, check: (text: string) => string | null): Promise<string>;
}

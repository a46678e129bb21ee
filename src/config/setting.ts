/** What a setting is: a row of the table in `setting-table.ts`. */

/** A secret as text, or where it is to be found. */
export type SecretText = string | { readonly env: string } | { readonly file: string };

/** What the config file takes under a key, by the word for it. `config-schema.ts` checks it. */
export interface KeyTypes {
  readonly text: string;
  readonly secret: SecretText;
  readonly 'on or off': boolean;
  readonly 'above 0': number;
  readonly 'from 0': number;
  readonly 'from 1': number;
  /** One of the setting's words. */
  readonly words: string;
  readonly sheet: string | number;
  readonly texts: readonly string[];
  readonly 'table of texts': Readonly<Record<string, string>>;
  readonly 'table of secrets': Readonly<Record<string, SecretText>>;
  readonly 'table of values': Readonly<Record<string, unknown>>;
  readonly response: { readonly require?: readonly string[]; readonly id?: string; readonly empty?: boolean };
}

export interface Setting {
  /** As help shows it. Without a value, it is a switch. None: only other sources can set it. */
  readonly flag?: `--${string}`;
  /** A flag that decides what is paid is given `once`; a repeatable one `often`; of any other, the last one counts. */
  readonly given?: 'once' | 'often';
  readonly env?: `GIGWORK_${string}`;
  /** The config file and its profiles have a key of the setting's name, which takes this. */
  readonly key?: keyof KeyTypes;
  /** The only words that it takes; where there is `parse` too, the ones that completion offers. */
  readonly words?: readonly string[];
  /** What is written → the value. @param name where it is written, for the message. @throws UsageError */
  readonly parse?: (name: string, written: never) => unknown;
  /** Where nothing is said. Without one: false for a switch, an empty list for what is given often, else null. */
  readonly default?: string | number | boolean;
  readonly help: string;
  /** Help shows it where there are too many flags to show all. */
  readonly everyday?: true;
  /**
   * The printed command that continues repeats it. A `place` is named wherever it comes from: a variable may not be set
   * where the command is pasted. A `file` and a `way` to send are repeated as they were typed. Secrets are hidden in a
   * `way` alone: a place or a file with a part hidden would be another one.
   */
  readonly continues?: 'place' | 'file' | 'way';
  /** `config show` has a row of it. Where nothing is said: what a variable or the config file can set. */
  readonly shown?: boolean;
}

/** What the table of settings says of one setting, and the builders of its rows. */
import type { RecordType } from '../records/types.js';
import { parseChoice, parseSwitch } from './parsers.js';

/** A secret as text, or the place where it is kept. */
export type SecretText =
  string | { readonly env: string } | { readonly file: string } | { readonly command: readonly string[] };

/** For each kind of setting, what commander returns for its flag, and what the config file has under its key. */
export interface SettingKinds {
  readonly toggle: { readonly typed: boolean; readonly written: boolean };
  readonly text: { readonly typed: string; readonly written: string };
  readonly choice: { readonly typed: string; readonly written: string };
  readonly number: { readonly typed: string; readonly written: number };
  readonly sheet: { readonly typed: string; readonly written: string | number };
  readonly secret: { readonly typed: string; readonly written: SecretText };
  readonly list: { readonly typed: readonly string[]; readonly written: readonly string[] };
  readonly conditions: { readonly typed: readonly string[]; readonly written: string | readonly string[] };
  readonly texts: { readonly typed: readonly string[]; readonly written: Readonly<Record<string, string>> };
  readonly secrets: { readonly typed: readonly string[]; readonly written: Readonly<Record<string, SecretText>> };
  readonly values: { readonly typed: readonly string[]; readonly written: Readonly<Record<string, unknown>> };
  readonly lists: {
    readonly typed: readonly string[];
    readonly written: Readonly<Record<string, readonly string[]>>;
  };
  readonly response: { readonly typed: never; readonly written: Readonly<Record<string, unknown>> };
}

export type SettingKind = keyof SettingKinds;

type FlagText = `--${string}`;

/** @param name where the value is written, for the message. @throws UsageError */
type Parse<Value> = (name: string, written: never) => Value;

/** What a row may say, whatever the kind of its setting. */
interface RowOptions {
  /**
   * How often the flag may be typed. `once` for flags that decide what is paid; `repeated` for those that add up. For
   * any other, the last one counts.
   */
  readonly occurs?: 'once' | 'repeated';
  readonly env?: `GIGWORK_${string}`;
  /** The config file and its profiles may have it, under the setting's name. */
  readonly key?: true;
  readonly help: string;
  /** The same for gigs, which have no key, and pay nobody. */
  readonly gigHelp?: string;
  /**
   * The types of records for which it means something; default: all. One script may serve all types, so the others take
   * it too, and do not show it.
   */
  readonly types?: readonly RecordType[];
  /** Of the input: it says what becomes of the rows that are found, and not how they are found. */
  readonly ofRecords?: true;
  /** A run that is resumed has it from the call that began it. */
  readonly ofFirstCall?: true;
  /** Help shows it even if there are too many flags to show all: for all types, or for these. */
  readonly common?: true | readonly RecordType[];
  /**
   * A printed command repeats it. A `location` is named whatever its source: a variable may not be set where the command
   * is pasted. The others are repeated if they were typed, a `file` with its full path. Secrets are hidden only in what
   * is repeated `as typed`: with a hidden part, a location or a file would be another one.
   */
  readonly inFollowUp?: 'location' | 'file' | 'as typed';
  /** `config show` has a row for it. Default: settings that a variable or the config file can set. */
  readonly shown?: boolean;
}

type ListKind = 'list' | 'conditions' | 'texts' | 'secrets' | 'values' | 'lists';

/** A row of the table. */
export interface Setting<Value = unknown, Kind extends SettingKind = SettingKind> extends RowOptions {
  readonly kind: Kind;
  /** As help shows it. Null: only other sources can set it. */
  readonly flag: FlagText | null;
  /** The only words that a choice takes; for any other kind, the ones that completion offers. */
  readonly words: readonly string[];
  /** Converts the written value; each one of a repeated flag. */
  readonly parse: Parse<unknown>;
  /** The value if no source sets one. */
  readonly default: Value;
}

/** The builders of the table's rows: each takes the flag as help shows it, and what the row says besides. */
export const setting = {
  /** A switch: off unless it is set. */
  toggle(flag: FlagText | null, row: RowOptions & { readonly default?: boolean }): Setting<boolean, 'toggle'> {
    return { kind: 'toggle', flag, words: [], parse: parseSwitch, ...row, default: row.default ?? false };
  },

  /** @param row `parse` gives the value; without it, the value is the text */
  text<Value = string>(
    flag: FlagText,
    row: RowOptions & { readonly parse?: Parse<Value>; readonly words?: readonly string[] },
  ): Setting<Value | null, 'text'> {
    return { kind: 'text', flag, words: [], parse: asWritten, ...row, default: null };
  },

  /** One of a few words. */
  choice<const Word extends string, Default extends Word | null = null>(
    flag: FlagText,
    words: readonly Word[],
    row: RowOptions & { readonly default?: Default },
  ): Setting<Word | Default, 'choice'> {
    const parse = (name: string, written: string): Word => parseChoice(name, written, words);
    return { kind: 'choice', flag, words, parse, ...row, default: row.default ?? (null as Default) };
  },

  number<Default extends number | null = null>(
    flag: FlagText,
    row: RowOptions & { readonly parse: Parse<number>; readonly default?: Default },
  ): Setting<number | Default, 'number'> {
    return { kind: 'number', flag, words: [], ...row, default: row.default ?? (null as Default) };
  },

  /** The name or number of a sheet, as text. */
  sheet(flag: FlagText, row: RowOptions & { readonly parse: Parse<string> }): Setting<string | null, 'sheet'> {
    return { kind: 'sheet', flag, words: [], ...row, default: null };
  },

  secret<Value extends SecretText = SecretText>(
    flag: FlagText | null,
    row: RowOptions,
  ): Setting<Value | null, 'secret'> {
    return { kind: 'secret', flag, words: [], parse: asWritten, ...row, default: null };
  },

  /** A flag that may be repeated. @param kind how the config file has it: as a list, or as a table */
  list<Kind extends ListKind, Value = string>(
    kind: Kind,
    flag: FlagText | null,
    row: RowOptions & { readonly parse?: Parse<Value> },
  ): Setting<readonly Value[], Kind> {
    return { kind, flag, words: [], parse: asWritten, ...row, occurs: 'repeated', default: [] };
  },

  /** The rules for answers, which only the config file has. */
  response(row: RowOptions): Setting<null, 'response'> {
    return { kind: 'response', flag: null, words: [], parse: asWritten, ...row, default: null };
  },
};

function asWritten(_name: string, written: unknown): unknown {
  return written;
}

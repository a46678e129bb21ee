/** The records of an input, each with its key. CONTRACT: "A record's key is". */
import type { Decisions } from './history.js';
import { canonical, computedKey } from './keys.js';
import type { Row } from './rows.js';

export interface Rules extends Decisions {
  readonly batch: string;
  readonly batchNamed: boolean;
  readonly keyColumns: readonly string[];
  readonly skipInvalid: boolean;
  readonly strict: boolean;
  readonly retryRejected: boolean;
  readonly resendUnknown: boolean;
  readonly keyLifetimeHours: number;
  readonly expectCount: number | null;
}

/** A record of the input, with its key. */
export interface Entry {
  readonly file: string;
  readonly record: number;
  readonly row: Row;
  readonly content: string;
  /** Null for one that is invalid whatever the history says. */
  readonly key: string | null;
  readonly body: string;
  readonly identifies: boolean;
}

/** Gives the records of the files their keys. CONTRACT: "A record's key is". */
export function entriesOf(
  files: readonly { name: string; rows: readonly Row[] }[],
  { batch, keyColumns, strict }: Rules,
): Entry[] {
  const entries = files.flatMap(({ name, rows }) => {
    const ordinals = new Map<string, number>();
    return rows.map((row, i): Entry => {
      const content = `${row.type} ${canonical(row.fields)}`;
      const ordinal = (ordinals.get(content) ?? 0) + (row.ownKey === null && row.isValid ? 1 : 0);
      ordinals.set(content, ordinal);
      const columns = Object.fromEntries(keyColumns.map((column) => [column, row.fields[column] ?? null]));
      const isIdentical = row.ownKey === null && keyColumns.length === 0 && ordinal > 1;
      const isValid =
        row.isValid &&
        (row.ownKey !== null || Object.values(columns).every((value) => value !== null)) &&
        // Warnings that are about the record are errors.
        !(strict && (isIdentical || row.type === 'result'));
      const key =
        row.ownKey ??
        (keyColumns.length > 0
          ? computedKey(batch, row.type, 'columns', columns, 1)
          : computedKey(batch, row.type, 'content', row.fields, ordinal));
      const sent = row.type === 'gig' ? row.fields : { ...row.fields, idempotency_key: key };
      return {
        ...{ file: name, record: i + 1, row, content },
        key: isValid ? key : null,
        body: canonical(sent),
        identifies: row.ownKey !== null || keyColumns.length > 0,
      };
    });
  });
  const times = (of: (entry: Entry) => string | null): Map<string | null, number> => {
    const counts = new Map<string | null, number>();
    for (const entry of entries) counts.set(of(entry), (counts.get(of(entry)) ?? 0) + 1);
    return counts;
  };
  // An invalid record's own key counts too.
  const keys = times(({ key, row }) => row.ownKey ?? key);
  const replaced = times(({ row }) => row.replaces);
  return entries.map((entry) => {
    const twice =
      keys.get(entry.row.ownKey ?? entry.key) !== 1 ||
      (entry.row.replaces !== null && replaced.get(entry.row.replaces) !== 1);
    return twice ? { ...entry, key: null } : entry;
  });
}

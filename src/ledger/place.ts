/** Where a ledger is kept. */

export type JournalPlace =
  /** In a folder of this machine; null in a dry run that finds no place for one. */
  { readonly kind: 'file'; readonly folder: string | null } | PostgresqlPlace;

/** In a database that several machines share. */
export interface PostgresqlPlace {
  readonly kind: 'postgresql';
  /** The one that can be written is used. */
  readonly servers: readonly ServerAddress[];
  readonly user: string;
  readonly database: string;
  /** Null where it is to be found in the password file, or none is needed. */
  readonly password: string | null;
  readonly schema: string;
  readonly tls: PostgresqlTls;
  /** How the program is called in the server's list of sessions. */
  readonly applicationName: string;
  /** How long a connection may take, milliseconds. */
  readonly connectMs: number;
  /** As people name it: without the password. */
  readonly shown: string;
}

export interface ServerAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
}

/** As PostgreSQL's own programs read `sslmode`. Files by their paths; null where none is named. */
export interface PostgresqlTls {
  readonly mode: 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';
  readonly rootCert: string | null;
  readonly cert: string | null;
  readonly key: string | null;
  /** Of the key. */
  readonly password: string | null;
}

/** A folder of this machine. */
export interface FolderPlace {
  readonly kind: 'file';
  readonly folder: string;
}

/** As `--journal` takes it, without a password. */
export function placeUrl(place: JournalPlace): string {
  return place.kind === 'file' ? `sqlite:${place.folder ?? ''}` : place.shown;
}

/** How the place is called in messages. */
export function placeName(place: JournalPlace): string | null {
  return place.kind === 'file' ? place.folder : place.shown;
}

/** The place of a journal. */

export type JournalLocation =
  /** In a folder of this machine; null in a dry run that finds no place for one. */
  { readonly kind: 'file'; readonly folder: string | null } | PostgresqlPlace;

/** In a database that several machines share. */
export interface PostgresqlPlace {
  readonly kind: 'postgresql';
  /** The program uses the first one that can be written. */
  readonly servers: readonly ServerAddress[];
  readonly user: string;
  readonly database: string;
  /** Null if it comes from the password file or none is needed. */
  readonly password: string | null;
  readonly schema: string;
  readonly tls: PostgresqlTls;
  /** The program's name in the server's list of sessions. */
  readonly applicationName: string;
  /** Time limit for connecting, milliseconds. */
  readonly connectMs: number;
  /** For people: without the password. */
  readonly shown: string;
}

export interface ServerAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
}

/** As PostgreSQL's programs read `sslmode`. Files by their paths; null if none is named. */
export interface PostgresqlTls {
  readonly mode: 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';
  readonly rootCert: string | null;
  readonly cert: string | null;
  readonly key: string | null;
  /** Of the key. */
  readonly password: string | null;
}

export interface FolderPlace {
  readonly kind: 'file';
  readonly folder: string;
}

/** As `--journal` takes it, without a password. */
export function placeUrl(place: JournalLocation): string {
  return place.kind === 'file' ? `sqlite:${place.folder ?? ''}` : place.shown;
}

/** For messages. */
export function placeName(place: JournalLocation): string | null {
  return place.kind === 'file' ? place.folder : place.shown;
}

/** Credentials that another program may change while a run is sending: after a 401 they are read again. */
import { UsageError } from '../errors.js';
import type { SendOptions } from '../options.js';
import type { Client } from './http/client.js';

export interface CredentialSource {
  readonly headers: SendOptions['headers'];
  /** Null if nothing changes them. */
  readonly readAgain: SendOptions['readAgain'];
}

export class Credentials {
  private readonly client: Client;
  private readonly readAgain: SendOptions['readAgain'];
  private readonly stop: AbortSignal;
  private headers: string;
  /** Number of changes. Senders remember it with each request, because the answer may come after a change. */
  private changes = 0;
  /** An answer other than 401 has come since the last reading: only then may reading again help. */
  private mayRead = true;
  private reading: Promise<void> | null = null;
  private why: string | null = null;

  constructor(client: Client, { headers, readAgain }: CredentialSource, stop: AbortSignal) {
    this.client = client;
    this.readAgain = readAgain;
    this.headers = JSON.stringify(headers);
    this.stop = stop;
  }

  get current(): number {
    return this.changes;
  }

  /** Why they could not be read again; null if they could, or nobody tried. */
  get failure(): string | null {
    return this.why;
  }

  /** The service accepted the credentials of `sentWith`. */
  accepted(sentWith: number): void {
    if (sentWith === this.changes) this.mayRead = true;
  }

  /** The service refused the credentials of `sentWith`. Returns whether there are other ones by now. */
  async refused(sentWith: number): Promise<boolean> {
    if (sentWith === this.changes && this.readAgain !== null && this.mayRead) {
      this.mayRead = false;
      this.reading = this.read(this.readAgain);
    }
    await this.reading;
    return sentWith !== this.changes;
  }

  private async read(readAgain: NonNullable<SendOptions['readAgain']>): Promise<void> {
    try {
      const headers = await readAgain(this.stop);
      const text = JSON.stringify(headers);
      if (text === this.headers) return;
      this.headers = text;
      this.client.useHeaders(headers);
      this.changes++;
    } catch (cause) {
      if (!(cause instanceof UsageError)) throw cause;
      this.why = cause.message;
    }
  }
}

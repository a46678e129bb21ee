import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * What the way to the database does:
 * - `open`: passes everything on
 * - `swallow`: passes nothing on any more, and says nothing of it; connections stay
 * - `deaf`: passes on what the client says, and swallows the answers
 * - `closed`: refuses new connections
 * - a number: passes everything on, so many milliseconds late
 */
export type Manner = 'open' | 'swallow' | 'deaf' | 'closed' | number;

export interface CutProxy {
  readonly port: number;
  manner(next: Manner): void;
  /** New connections lead to another port. */
  redirect(to: number): void;
  /** Cuts all connections. */
  drop(): void;
  /** Ends the side of the client of all connections, and leaves that of the server open. */
  halfClose(): void;
  /** Called with what the client says, before it is passed on; null for nobody. */
  listener(heard: ((text: string) => void) | null): void;
  close(): Promise<void>;
}

/** A way to a port of this machine that can be cut. */
export async function startCutProxy(first: number): Promise<CutProxy> {
  let to = first;
  let now: Manner = 'open';
  let tell: ((text: string) => void) | null = null;
  const pairs = new Set<readonly [client: Socket, server: Socket]>();
  const pass = (from: Socket, into: Socket, isAnswer: boolean): void => {
    from.on('data', (bytes) => {
      if (!isAnswer) tell?.(bytes.toString('latin1'));
      if (now === 'swallow' || (now === 'deaf' && isAnswer)) return;
      if (typeof now === 'number') setTimeout(() => into.writable && into.write(bytes), now);
      else if (into.writable) into.write(bytes);
    });
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (now === 'closed') return void client.destroy();
    const onward = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true });
    const pair = [client, onward] as const;
    pairs.add(pair);
    for (const [one, other] of [pair, [onward, client] as const]) {
      one.on('error', () => undefined);
      one.on('end', () => now !== 'swallow' && other.end());
      one.on('close', () => now !== 'swallow' && other.destroy());
    }
    pass(client, onward, false);
    pass(onward, client, true);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    manner: (next) => (now = next),
    redirect: (next) => (to = next),
    drop,
    halfClose: () => {
      for (const [client] of pairs) client.end();
    },
    listener: (heard) => (tell = heard),
    close: async () => {
      server.close();
      drop();
      await once(server, 'close');
    },
  };
}

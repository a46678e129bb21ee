import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, openClient } from '../../../../src/delivery/http/client.js';

/** A client that is closed when the test is over. */
export async function testClient(baseUrl: string, over: Partial<ClientOptions> = {}): Promise<Client> {
  const client = await openClient({
    baseUrl,
    headers: {},
    timeoutMs: 3e4,
    concurrency: 4,
    tls: {},
    proxy: null,
    monotonic: () => performance.now(),
    sent: () => undefined,
    ...over,
  });
  onTestFinished(() => client.close());
  return client;
}

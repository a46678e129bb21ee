/**
 * Ports for servers that come and go.
 *
 * The system gives any free port to whoever asks for port 0, so the port of a server that has just stopped may answer
 * again, for another test. These lie below the ports that the system gives away, and each worker has its own.
 */
import { createServer } from 'node:net';

const FIRST = 10_000;
const PER_WORKER = 2_500;
const WORKERS = 8;

const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS;
/** Where this worker begins among its ports: two runs of the tests at once seldom meet. */
let next = Math.floor(Math.random() * PER_WORKER);

/** A port of 127.0.0.1 that nothing listens on, and that no other test of this run is given. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + worker * PER_WORKER + (next++ % PER_WORKER);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

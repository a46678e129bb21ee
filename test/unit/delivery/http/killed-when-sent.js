// @ts-check
// Posts one record and kills itself at the moment at which the client says that the bytes have been handed over.
import { openClient } from '../../../../dist/delivery/http/client.js';

const [baseUrl = '', body = ''] = process.argv.slice(2);
const client = await openClient({
  baseUrl,
  headers: {},
  timeoutMs: 30_000,
  concurrency: 1,
  tls: {},
  proxy: null,
  monotonic: () => performance.now(),
  sent: () => process.kill(process.pid, 'SIGKILL'),
});
await client.post('/api/v2/payouts', body, false);

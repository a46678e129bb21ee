// @ts-check
// The service as a process of its own: settings as JSON in the first argument, then one JSON command a line on
// standard input, one JSON answer a line on standard output. It ends with its standard input, so it outlives no test.
import { createInterface } from 'node:readline';
import { startService } from './service.js';
/** @import { Reply, Service } from './service.js' */
/** @import { ServiceCommand } from './service-process.js' */

/** @type {Reply[]} */
let script = [];
/** @type {Reply | undefined} */
let otherwise;

/** @param {Service} service @param {ServiceCommand} command @returns {Promise<unknown>} */
async function obey(service, command) {
  switch (command.do) {
    case 'script':
      script = [...command.replies];
      otherwise = command.otherwise;
      // Without a script there is no responder, and the service is at its fastest.
      service.responder(script.length > 0 || otherwise ? () => script.shift() ?? otherwise : undefined);
      return null;
    case 'requests':
      return service.requests;
    case 'ledger':
      return { requestCount: service.requestCount, executions: [...service.executions] };
    case 'refuse':
      return service.refuse();
    case 'accept':
      return service.accept();
  }
}

/** @param {unknown} value */
function print(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

const service = await startService(JSON.parse(process.argv[2] ?? '{}'));
print({ url: service.url, port: service.port });
for await (const line of createInterface({ input: process.stdin })) {
  print({ result: (await obey(service, JSON.parse(line))) ?? null });
}
await service.close();

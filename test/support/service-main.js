// @ts-check
// The service as a process of its own: settings as JSON in the first argument, then one JSON command a line on
// standard input, one JSON answer a line on standard output. It ends with its standard input, so it outlives no test.
import { createInterface } from 'node:readline';
import { startService } from './service.js';
/** @import { Reply, Service } from './service.js' */
/** @import { KillMoment, ServiceCommand } from './service-process.js' */

/** @type {Reply[]} */
let script = [];
/** @type {Reply | undefined} */
let otherwise;
/** @type {{ when: KillMoment, countdown: number } | undefined} */
let kill;
/** @type {(pid: number) => void} */
let name = () => {};
/** @type {Promise<number>} */
let victim = Promise.resolve(0);

/** Kills the client at one moment of this request, whatever the client is doing then.
 * @param {KillMoment} when @returns {Promise<Reply>} */
async function killing(when) {
  kill = undefined;
  const pid = await victim;
  if (when === 'arrived') {
    process.kill(pid, 'SIGKILL');
    return { fault: 'hang' };
  }
  // The reply is carried out in this turn of the event loop, so the kill comes after it.
  setImmediate(() => process.kill(pid, 'SIGKILL'));
  return when === 'carried-out' ? { fault: 'hang', execute: true } : { default: true };
}

/** @returns {Reply | undefined | Promise<Reply>} */
function respond() {
  if (kill && --kill.countdown === 0) return killing(kill.when);
  return script.shift() ?? otherwise;
}

/** @param {Service} service @param {ServiceCommand} command @returns {Promise<unknown>} */
async function obey(service, command) {
  switch (command.do) {
    case 'script':
      script = [...command.replies];
      otherwise = command.otherwise;
      // Without a script there is no responder, and the service is at its fastest.
      service.responder(script.length > 0 || otherwise ? respond : undefined);
      return null;
    case 'kill':
      kill = { when: command.when, countdown: command.nth };
      victim = new Promise((resolve) => (name = resolve));
      service.responder(respond);
      return null;
    case 'victim':
      name(command.pid);
      return null;
    case 'spare':
      kill = undefined;
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

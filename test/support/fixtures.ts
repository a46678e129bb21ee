import { onTestFinished } from 'vitest';
import { startServiceProcess, type ServiceProcess } from './service-process.js';
import { startService, type Service, type ServiceOptions, type ServiceSettings } from './service.js';

/** A service that closes when the test that called this is over; an error in its responder then fails the test. */
export async function testService(options?: ServiceOptions): Promise<Service> {
  const service = await startService(options);
  onTestFinished(() => service.close());
  return service;
}

/** The same in a process of its own. */
export async function testServiceProcess(settings?: ServiceSettings): Promise<ServiceProcess> {
  const service = await startServiceProcess(settings);
  onTestFinished(() => service.close());
  return service;
}

import { onTestFinished } from 'vitest';
import { startService, type Service, type ServiceOptions } from './service.js';

/** A service that closes when the test that called this is over; an error in its responder then fails the test. */
export async function testService(options?: ServiceOptions): Promise<Service> {
  const service = await startService(options);
  onTestFinished(() => service.close());
  return service;
}

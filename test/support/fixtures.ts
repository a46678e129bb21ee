import { onTestFinished } from 'vitest';
import { csv, payouts } from './builders.js';
import { CONFIG, type Content, type Workspace, workspaceWith } from './cli.js';
import { startService, type Service, type ServiceOptions } from './service.js';

/** A service that closes when the test that called this is over; an error in its responder then fails the test. */
export async function testService(options?: ServiceOptions): Promise<Service> {
  const service = await startService(options);
  onTestFinished(() => service.close());
  return service;
}

/** A workspace with payouts in `p.csv`, and a config file that says this. */
export function paying(n = 1, config: Content = {}): Workspace {
  return workspaceWith({ 'p.csv': csv(payouts(n)), [CONFIG]: config });
}

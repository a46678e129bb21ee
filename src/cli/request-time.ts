/** How long the service may still be at the last request of a run that is over. */
import { settingValue, type SettingSources } from '../config/resolve.js';
import type { Run } from '../journal/payment.js';

/** Milliseconds, by the settings of now, or of the call that has sent it. */
export function longestRequestMs({ inputCall }: Run, settings: SettingSources): number {
  const [, then = '0'] = inputCall.options.find(([flag]) => flag === '--timeout') ?? [];
  return Math.max(settingValue('timeout', settings), Number(then)) * 1000;
}

/** What is sent in tests of the review, and the question that it ends with. */
import type { Service } from './service.js';

export const PAID = [
  { user_id: 'u1', amount: 1200.5, title: 'Bonus', cost_center_key: 'PP-1', currency: 'EUR' },
  { user_id: 'u2', amount: 34.05, title: 'Bonus', cost_center_key: 'PP-1', currency: 'EUR' },
  { user_id: 'u3', amount: 310, title: 'Bonus', cost_center_key: 'PP-2', currency: 'EUR' },
];
export const SWISS = { user_id: 'u4', amount: 75, title: 'Bonus', cost_center_key: 'PP-2', currency: 'CHF' };

/** All of {@link PAID}. */
export const THREE = '3 payouts, 1,544.55 EUR in all';

/** The question itself names what goes where. @param what count and total */
export function question(service: Service, what: string, batch = 'default'): string {
  const typed = what.startsWith('1 ') ? 'its amount' : 'their total';
  return `To send ${what}, to ${service.url}, batch ${batch}, type ${typed} (Enter stops): `;
}

export function create(service: Service, ...more: string[]): string[] {
  return ['payout', 'create', 'pay.csv', '--base-url', service.url, ...more];
}

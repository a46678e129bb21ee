/** Flags by chance: mostly none or one, sometimes many, sometimes nonsense. */
import type { Chance } from './chance.js';

const VALUES: Readonly<Record<string, readonly string[]>> = {
  '--decimal': ['point', 'comma', 'dot'],
  '--date-format': ['ymd', 'dmy', 'mdy'],
  '--header-line': ['1', '2', '3', '99', '0', '1e3'],
  '--encoding': ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'latin1'],
  '--delimiter': [',', ';', 'tab', '|', 'x'],
  '--format': ['csv', 'json', 'ndjson'],
  '--map': [
    'title=description',
    'Betrag=amount',
    'user_id=reference_id',
    '__proto__=title',
    'a=b',
    'title=cost_center_data.company',
    'x=tasks.0.title',
    '#1=user_id',
    '#2=amount',
  ],
  '--ignore-column': ['currency', '__proto__', 'description', 'nothing', '#3'],
  '--set': [
    'title=Set title',
    'amount=12.5',
    'amount=1.234',
    'currency=EUR',
    'cost_center_key==1+1',
    'cost_center_data.inhouse=yes',
    'tasks.0.base_price=5',
    'tasks=[{"title":"T","base_price":1}]',
    'filter_query={"a":{"$in":[1]}}',
    'description=',
    '__proto__.x=1',
    'constructor=1',
  ],
  '--key-columns': ['user_id', 'user_id,title', 'cost_center_data.customer_id', '__proto__', 'title,nothing'],
  '--type': ['gig', 'result', 'payout'],
  '--batch-id': ['2026-11', ''],
  '--expect-count': ['5', '0'],
  '--expect-total': ['100', 'EUR=1.200,50', 'EUR=100', 'none=5'],
  '--expect-digest': ['0'.repeat(64)],
};
const SWITCHES = [
  '--currency-signs',
  '--negate',
  '--ignore-other-columns',
  '--pad-short-rows',
  '--trim',
  '--skip-invalid',
  '--strict',
  '--allow-empty',
  '--explain',
  '--quiet',
  '--debug',
];

export function flagsOf(chance: Chance): string[] {
  const count = chance.hits(0.65) ? 0 : 1 + chance.below(chance.hits(0.8) ? 2 : 6);
  return Array.from({ length: count }, () => {
    if (chance.hits(0.35)) return [chance.pick(SWITCHES)];
    const name = chance.pick(Object.keys(VALUES));
    return [name, chance.pick(VALUES[name]!)];
  }).flat();
}

/** Records without fault, of every type and with every field, as one might find them in files. */
import type { RecordType } from '../../src/records/types.js';
import type { Chance } from './chance.js';

/** Written down once more: nothing here is the program's. */
export const TYPES = ['payout', 'result', 'gig'] as const satisfies readonly RecordType[];

export type Json = Record<string, unknown>;

const TEXTS = [
  'Bonus October',
  'Fahrtkosten Köln',
  'Zürich – “left” and ‘right’',
  'say "yes", please; or | not',
  'two\nlines',
  'CR\rLF\r\nmixed',
  'tab\there',
  "O'Neill",
  '=1+1',
  '@SUM(A1)',
  '-5',
  '+49 30 1234',
  "'=quoted",
  '00123',
  '1E5',
  'null',
  'true',
  '日本語 😀',
  'שלום',
  ' a ',
  '\\u0041 \\n',
  '{"a":1}',
  '[',
  '#comment',
  'ﬁ½',
  'é',
] as const;
const IDS = ['usr_1', '00123', 'a-b', 'Ü1', '1E5', 'x.y', 'PP-7', '-7', 'id with space', '0'] as const;
const AMOUNTS = [0.5, 1, 12.5, 99, 100, 1200, 1234567.89, 0.1, 250, 3, 1e15, 123456789012] as const;
const DATES = ['2026-11-01', '2026-02-28', '2028-02-29', '2026-12-31'] as const;
const QUERIES: readonly Json[] = [
  {},
  { city: { $in: ['Berlin', 'Köln'] } },
  { $or: [{ a: 1 }, { 'b.c': { $not: { $gt: 5 } } }] },
  { name: 'x', n: null, deep: { $exists: true } },
];

/** A field in so many of the records, with a value. */
type Fields = readonly (readonly [name: string, share: number, value: (chance: Chance) => unknown])[];

const text = (chance: Chance): unknown => chance.pick(TEXTS);
const id = (chance: Chance): unknown => `${chance.pick(IDS)}${chance.hits(0.5) ? chance.below(1000) : ''}`;

const COST_CENTER: Fields = [
  ['currency', 0.5, (chance) => chance.pick(['EUR', 'CHF', 'XYZ'])],
  ['description', 0.4, text],
  ['idempotency_key', 0.2, (chance) => `own-${chance.below(1e9)}`],
];

const FIELDS: Readonly<Record<RecordType, Fields>> = {
  payout: [
    ['user_id', 1, id],
    ['amount', 1, (chance) => chance.pick(AMOUNTS)],
    ['title', 1, text],
    ['billing_date', 0.5, (chance) => chance.pick(DATES)],
    ['reference_id', 0.3, id],
    ['reference_type', 0.3, text],
    ...COST_CENTER,
  ],
  result: [
    ['gig_task_id', 1, id],
    ['user_id', 1, id],
    ['title', 1, text],
    ['quantity', 1, (chance) => chance.pick(AMOUNTS)],
    ['multiplier', 0.5, (chance) => chance.pick(['1', '1.0', '0.5', '9.9999', '0', '1.250'])],
    ['delivery_date', 0.5, (chance) => chance.pick(DATES)],
    ...COST_CENTER,
  ],
  gig: [
    ['title', 1, text],
    ['description', 1, text],
    ['url', 1, () => 'https://gigs.example/1?a=1&b="2"'],
    ['start_at', 1, (chance) => 1_790_000_000 + chance.below(1e6)],
    ['end_at', 1, (chance) => 1_792_000_000 + chance.below(1e6)],
    ['filter_query', 1, (chance) => chance.pick(QUERIES)],
    ['sort_query', 0.3, () => ({ rating: -1, 'a.b': 1 })],
    ['notification_payload', 0.3, (chance) => ({ text: text(chance), list: [1, null, 'x'], nested: { deep: true } })],
    ['invitation_notification_topic', 0.3, (chance) => chance.pick(['new-gigs', 'a,b', 'news'])],
    ['seats_min', 0.3, () => 1],
    ['seats_max', 0.3, () => 4],
    ['tasks', 0.7, (chance) => [{ title: text(chance), base_price: chance.pick([100, 1500.5, 9]) }]],
    ['partner_options', 0.3, (chance) => ({ extra_mile: chance.hits(0.5) })],
  ],
};

function costCenterData(chance: Chance): Json {
  const byProject = chance.hits(0.5);
  return {
    legal_entity: text(chance),
    inhouse: chance.pick(['Yes', 'No', 'YES', 'no']),
    ...(byProject ? { partner_project_code: id(chance) } : { customer_id: id(chance), company: text(chance) }),
  };
}

export function recordOf(type: RecordType, chance: Chance): Json {
  const fields = FIELDS[type].filter(([, share]) => chance.hits(share));
  const record: Json = Object.fromEntries(fields.map(([name, , value]) => [name, value(chance)]));
  if (type === 'gig') return record;
  if (chance.hits(0.6)) record['cost_center_key'] = id(chance);
  else record['cost_center_data'] = costCenterData(chance);
  return record;
}

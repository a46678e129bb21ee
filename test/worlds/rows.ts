/** Records by chance, from a pool so small that they repeat, resemble and correct each other all the time. */
import type { Chance } from '../fuzz/chance.js';
import type { Json } from './keys.js';
import { inOtherOrder } from './likeness.js';
import { BAD } from './service.js';

export type RecordType = 'gig' | 'result' | 'payout';

/** A record as a person means it. */
export interface Row {
  readonly type: RecordType;
  /** What is sent, without a key; of a row in a file, what it has. */
  readonly fields: Readonly<Record<string, Json>>;
  /** Its own idempotency_key. */
  readonly ownKey: string | null;
  /** Its cell gigwork_key: the key of the rejected payment that it replaces. */
  readonly replaces: string | null;
  readonly isValid: boolean;
}

/** Two of these together are more than any of them, so that no row is taken for a sum. */
const AMOUNTS = [101, 103, 107, 110.5, 105] as const;
/** The second reads as the first. */
const TITLES = ['Bonus', 'bo nus', 'Wage'] as const;

const OWN_KEYS = ['own-1', 'own-2', 'own-3', 'own-4', '00777'] as const;

export function anyRow(type: RecordType, chance: Chance): Row {
  const make = { payout: payoutFields, result: resultFields, gig: gigFields }[type];
  const isValid = !chance.hits(0.02);
  const fields = make(chance);
  return {
    type,
    fields: isValid ? fields : { ...fields, title: ' ' },
    ownKey: chance.hits(0.25) ? chance.pick(OWN_KEYS) : null,
    replaces: null,
    isValid,
  };
}

function maybe(name: string, values: readonly Json[], chance: Chance): Record<string, Json> {
  return chance.hits(0.35) ? { [name]: chance.pick(values) } : {};
}

function payoutFields(chance: Chance): Record<string, Json> {
  return {
    user_id: chance.pick(['u1', 'u2', '00123']),
    title: chance.pick(TITLES),
    amount: chance.hits(0.08) ? BAD : chance.pick(AMOUNTS),
    cost_center_key: 'PP-1',
    ...maybe('reference_id', ['R1', 'R2'], chance),
    ...maybe('billing_date', ['2026-11-01', '2026-12-01'], chance),
  };
}

function resultFields(chance: Chance): Record<string, Json> {
  return {
    gig_task_id: chance.pick(['t1', 't2']),
    user_id: chance.pick(['u1', 'u2']),
    title: chance.pick(TITLES),
    quantity: chance.hits(0.08) ? BAD : chance.pick([1, 2.5]),
    cost_center_key: 'PP-1',
    ...maybe('delivery_date', ['2026-11-01', '2026-12-01'], chance),
  };
}

const START = Date.UTC(2026, 11, 1) / 1000;

function gigFields(chance: Chance): Record<string, Json> {
  const start = START + chance.below(2) * 3600;
  return {
    title: chance.pick(TITLES),
    description: chance.hits(0.08) ? `bad ${BAD}` : chance.pick(['indoors', 'outdoors']),
    url: 'https://gigs.example/1',
    start_at: start,
    end_at: start + 7200,
    invitation_mode: 'manual',
    filter_query: { city: 'Berlin' },
  };
}

/** As somebody would change it who has noticed a mistake in it, or corrects what was refused. */
export function edited(row: Row, chance: Chance): Row {
  const { type, fields } = row;
  const fresh = { payout: payoutFields, result: resultFields, gig: gigFields }[type](chance);
  const names = {
    payout: ['amount', 'reference_id', 'title', 'user_id'],
    result: ['quantity', 'title'],
    gig: ['description'],
  }[type];
  const name = chance.pick(names);
  const value = JSON.stringify(fields[name] ?? null).includes(String(BAD)) ? corrected(name) : fresh[name];
  const { [name]: _gone, ...others } = fields;
  return { ...row, fields: value === undefined ? others : { ...others, [name]: value } };
}

/** A value that the service takes, whatever it was. */
function corrected(name: string): Json {
  return name === 'description' ? 'indoors' : name === 'quantity' ? 3 : 109;
}

/** The same record, in other letters, and with other marks in its reference and key. */
export function respelt(row: Row, chance: Chance): Row {
  const { fields, ownKey, type } = row;
  const otherCase = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());
  const otherMarks = (text: string): string =>
    chance.pick([
      otherCase(text),
      text.replace('-', ' '),
      text.replace(/(?<=\D)-?(?=\d)/, chance.pick(['-', ' ', '.'])),
    ]);
  const changes: Record<string, (text: string) => string> = {
    user_id: (text) => (chance.hits(0.5) ? otherCase(text) : text.replace(/^0+/, '')),
    title: otherCase,
    reference_id: otherMarks,
    gig_task_id: otherCase,
    billing_date: (date) => (chance.hits(0.3) ? inOtherOrder(date) : date),
  };
  const all = Object.entries(fields).map(([name, value]): [string, Json] => {
    const change = changes[name];
    return [name, change === undefined || chance.hits(0.5) ? value : change(value as string)];
  });
  // Gigs have no user who would hold near keys together.
  const key = ownKey === null || type === 'gig' || chance.hits(0.5) ? ownKey : otherMarks(ownKey).replace(/^0+/, '');
  return { ...row, fields: Object.fromEntries(all), ownKey: key };
}

export function retitled(row: Row, name: string): Row {
  return { ...row, fields: { ...row.fields, title: `${row.fields['title'] as string} ${name}` } };
}

/** What the service refuses is corrected; a record that it refused by chance may stay as it is. */
export function mended(row: Row, chance: Chance): Row {
  if (!row.isValid) return row;
  const name = { payout: 'amount', result: 'quantity', gig: 'description' }[row.type];
  if (JSON.stringify(row.fields[name] ?? null).includes(String(BAD)))
    return { ...row, fields: { ...row.fields, [name]: corrected(name) } };
  return chance.hits(0.5) ? edited(row, chance) : row;
}

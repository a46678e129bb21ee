export type Row = Readonly<Record<string, unknown>>;

export type PayoutRow = { user_id: string; amount: number; title: string; cost_center_key: string };

export type ResultRow = {
  gig_task_id: string;
  user_id: string;
  title: string;
  quantity: number;
  multiplier: string;
  cost_center_key: string;
};

export type GigRow = {
  title: string;
  description: string;
  url: string;
  start_at: number;
  end_at: number;
  invitation_mode: 'auto' | 'manual';
  filter_query: Row;
  tasks: { title: string; base_price: number }[];
};

export type PriceRow = { gig_task_id: string; base_price: number };

const DAY_SECONDS = 86_400;
const TASKS = 5;

/** A random number generator (mulberry32): the same seed gives the same numbers from 0 to below 1, everywhere. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number from `least` to `most`, both included. */
function between(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

function rows<T>(n: number, seed: number, row: (number: number, random: () => number) => T): T[] {
  const random = seededRandom(seed);
  return Array.from({ length: n }, (_, index) => row(index + 1, random));
}

/** `n` different payouts without fault or doubt; whole amounts, so that a test may sum them with `+`. */
export function payouts(n: number, seed = 1): PayoutRow[] {
  return rows(n, seed, (number, random) => ({
    user_id: `u${number}`,
    amount: between(random, 100, 99_999),
    title: `Bonus ${number}`,
    cost_center_key: `PP-${between(random, 1, 3)}`,
  }));
}

/** `n` different results of the tasks that `prices()` prices. */
export function results(n: number, seed = 1): ResultRow[] {
  return rows(n, seed, (number, random) => ({
    gig_task_id: `t${between(random, 1, TASKS)}`,
    user_id: `u${number}`,
    title: `Result ${number}`,
    quantity: between(random, 1, 20),
    multiplier: ['1.0', '1.25', '0.5'][between(random, 0, 2)]!,
    cost_center_key: `PP-${between(random, 1, 3)}`,
  }));
}

/** The base price of each task of `results()`, in cents. */
export function prices(): PriceRow[] {
  return Array.from({ length: TASKS }, (_, index) => ({ gig_task_id: `t${index + 1}`, base_price: 100 * (index + 1) }));
}

/** Midnight UTC a week after `now` (milliseconds), in seconds: the same all day, and never a distant date. */
function nextWeek(now: number): number {
  return (Math.floor(now / 1_000 / DAY_SECONDS) + 7) * DAY_SECONDS;
}

/** `n` different gigs without fault or doubt, of four hours each, from `startAt` (UNIX seconds) on. */
export function gigs(n: number, seed = 1, startAt = nextWeek(Date.now())): GigRow[] {
  return rows(n, seed, (number, random) => ({
    title: `Gig ${number}`,
    description: `What to do in gig ${number}`,
    url: `https://gigs.example/gig/${number}`,
    start_at: startAt + (number % 24) * 3_600,
    end_at: startAt + (number % 24) * 3_600 + 14_400,
    invitation_mode: 'manual',
    filter_query: { city: { $in: ['Berlin', 'Hamburg'] } },
    tasks: [{ title: `Task of gig ${number}`, base_price: between(random, 100, 9_999) }],
  }));
}

export interface CsvOptions {
  delimiter?: string;
  lineEnd?: string;
  /** Which columns, in which order; default: all, in order of their first appearance. */
  columns?: readonly string[];
  /** Start with a byte order mark. */
  bom?: boolean;
  quoteAll?: boolean;
  /** Lines before the header, such as a title or `sep=;`. */
  before?: readonly string[];
  /** Default true: the last line has a line end too. */
  finalLineEnd?: boolean;
}

/** Fields that stand in a cell as JSON text; other objects are spread over dot paths. */
const JSON_CELLS = new Set(['filter_query', 'sort_query', 'notification_payload']);

function flatten(row: Row, prefix = ''): Map<string, string> {
  const cells = new Map<string, string>();
  for (const [name, value] of Object.entries(row)) {
    const path = `${prefix}${name}`;
    if (value === undefined || value === null) continue;
    if (typeof value === 'string') cells.set(path, value);
    else if (typeof value !== 'object') cells.set(path, JSON.stringify(value));
    else if (Array.isArray(value) || JSON_CELLS.has(path)) cells.set(path, JSON.stringify(value));
    else for (const [inner, cell] of flatten(value as Row, `${path}.`)) cells.set(inner, cell);
  }
  return cells;
}

/** Rows as CSV after RFC 4180, with a header; nested fields by dot path, arrays and queries as JSON text. */
export function csv(records: readonly Row[], options: CsvOptions = {}): string {
  const { delimiter = ',', lineEnd = '\n', bom = false, quoteAll = false, before = [], finalLineEnd = true } = options;
  const flat = records.map((record) => flatten(record));
  const columns = options.columns ?? [...new Set(flat.flatMap((cells) => [...cells.keys()]))];
  const special = ['"', '\r', '\n', delimiter];
  const cell = (text: string): string =>
    quoteAll || special.some((mark) => text.includes(mark)) ? `"${text.replaceAll('"', '""')}"` : text;
  const line = (texts: readonly string[]): string => texts.map(cell).join(delimiter);
  const table = flat.map((cells) => line(columns.map((column) => cells.get(column) ?? '')));
  return `${bom ? '\uFEFF' : ''}${[...before, line(columns), ...table].join(lineEnd)}${finalLineEnd ? lineEnd : ''}`;
}

/** Rows as NDJSON, one object a line. */
export function ndjson(records: readonly Row[], lineEnd = '\n'): string {
  return records.map((record) => `${JSON.stringify(record)}${lineEnd}`).join('');
}

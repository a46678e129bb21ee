/** The service of a world: what it was asked, what it carried out, and what the client can know of it. */
import { type Reply, type SeenRequest, type Service, startService } from '../support/service.js';
import type { Chance } from '../fuzz/chance.js';
import { canonical, type Json } from './keys.js';
import type { Clock } from './program.js';

/** How a request is answered. `…-done`: it was carried out all the same. */
export type Answer =
  | 'created'
  | 'refused'
  | 'conflict'
  | 'lost'
  | 'lost-done'
  | 'failed'
  | 'failed-done'
  | 'redirected'
  | 'redirected-done'
  | 'moved'
  | 'garbled'
  | 'garbled-done'
  | 'unauthorized'
  | 'missing'
  | 'busy';

export interface Asked {
  readonly type: 'gig' | 'result' | 'payout';
  /** The record's own key as it was sent; null for gigs. */
  readonly key: string | null;
  /** Canonical, without the key: the business row. */
  readonly content: string;
  readonly answer: Answer;
  readonly at: number;
}

/** What is likely in a call; shares from 0 to 1. */
export type Weather = Partial<Record<Answer, number>>;

export interface WorldService {
  readonly url: string;
  /** All requests of the present call, in order. */
  readonly asked: readonly Asked[];
  /** Business row → how often it was carried out. */
  readonly done: ReadonlyMap<string, number>;
  /** How often a key was carried out under an address; gigs come without one. */
  timesUnder(address: string, type: Asked['type'], key: string): number;
  /** Forgets the requests so far, and takes another weather from now on. */
  begin(weather: Weather): void;
  close(): Promise<void>;
}

/** How long the service remembers a key, milliseconds: what the program trusts it to when nobody says otherwise. */
const REMEMBERS = 24 * 3_600_000;
/** How long a request takes, milliseconds. */
const TAKES = 40;
/** A record with this in it is refused whenever it comes. */
export const BAD = 666;

const REPLIES: Readonly<Record<Answer, Reply>> = {
  created: { default: true },
  refused: { status: 422, body: '{"error":"not like this"}' },
  conflict: { status: 409 },
  lost: { fault: 'reset-before' },
  'lost-done': { fault: 'reset-before' },
  failed: { status: 503 },
  'failed-done': { status: 500 },
  redirected: { status: 303, headers: { location: '/elsewhere' } },
  'redirected-done': { status: 303, headers: { location: '/elsewhere' } },
  moved: { status: 308, headers: { location: '/elsewhere' } },
  garbled: { status: 200, body: '<html></html>', execute: false },
  'garbled-done': { status: 200, body: '<html></html>', execute: false },
  unauthorized: { status: 401 },
  missing: { status: 404 },
  busy: { status: 429 },
};

/** What it never carries out. */
function refusedAs(answer: Answer): Answer {
  if (answer === 'created') return 'refused';
  return answer.endsWith('-done') ? (answer.slice(0, -'-done'.length) as Answer) : answer;
}

const TYPES = { '/api/v2/gigs': 'gig', '/api/v2/gig_results': 'result', '/api/v2/payouts': 'payout' } as const;

export async function startWorldService(clock: Clock, chance: Chance): Promise<WorldService> {
  const asked: Asked[] = [];
  const done = new Map<string, number>();
  const doneUnder = new Map<string, number>();
  const remembered = new Map<string, { text: string; at: number }>();
  let weather: Weather = {};

  const drawn = (): Answer => {
    for (const [answer, share] of Object.entries(weather)) if (chance.hits(share)) return answer as Answer;
    return 'created';
  };

  const answerTo = (address: string, type: Asked['type'], body: Record<string, Json>, text: string): Asked => {
    const { idempotency_key: key = null, ...row } = body;
    const content = `${type} ${canonical(row)}`;
    const named = typeof key === 'string' ? `${address} ${type} ${key}` : null;
    const known = named === null ? undefined : remembered.get(named);
    const isKnown = known !== undefined && clock.now - known.at < REMEMBERS;
    let answer = drawn();
    if (isKnown && known.text !== text) answer = 'conflict';
    else if (!isKnown && content.includes(String(BAD))) answer = refusedAs(answer);
    if ((answer === 'created' || answer.endsWith('-done')) && !isKnown) {
      done.set(content, (done.get(content) ?? 0) + 1);
      if (named !== null) {
        remembered.set(named, { text, at: clock.now });
        doneUnder.set(named, (doneUnder.get(named) ?? 0) + 1);
      }
    }
    return { type, key: typeof key === 'string' ? key : null, content, answer, at: clock.now };
  };

  const respond = ({ path, headers, json, body }: SeenRequest): Reply => {
    clock.now += TAKES;
    const at = path.indexOf('/api/');
    const type = TYPES[path.slice(at) as keyof typeof TYPES];
    const one = answerTo(`http://${headers.host}${path.slice(0, at)}`, type, json as Record<string, Json>, body);
    asked.push(one);
    const reply = REPLIES[one.answer];
    return 'default' in reply
      ? { status: 201, body: JSON.stringify({ ...(json as object), id: `x${asked.length}` }) }
      : reply;
  };

  const service: Service = await startService({ respond, record: false, keyMemory: false });
  return {
    url: service.url,
    asked,
    done,
    timesUnder: (address, type, key) => doneUnder.get(`${address} ${type} ${key}`) ?? 0,
    begin: (next) => {
      asked.length = 0;
      weather = next;
    },
    close: () => service.close(),
  };
}

/** What is under way at this moment: the open claims, and the runs that live calls send. */
import type { Known } from '../claiming.js';
import type { Context } from './context.js';
import { CREATED } from '../codes.js';

export interface OpenClaim {
  readonly id: number;
  /** Row number of its process. */
  readonly process: number;
  readonly name: string | null;
  readonly run: number;
  readonly first: number;
  readonly last: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Asks for each process once. */
export function rememberedLiveness(context: Context): (name: string | null) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    if (name === null) return false;
    let alive = known.get(name);
    if (alive === undefined) known.set(name, (alive = context.isAlive(name)));
    return alive;
  };
}

export function openClaims({ sql }: Context): OpenClaim[] {
  type Cells = [number, number, string | null, number, number, number, number];
  const select = sql(
    'SELECT c.id, c.process, p.name, c.run, c.first, c.last, c.at FROM claim c LEFT JOIN process p ON p.id = c.process',
  );
  return (select.all() as Cells[]).map(([id, process, name, run, first, last, at]) => {
    return { id, process, name, run, first, last, at };
  });
}

/** The open claim that covers a payment and has not settled it yet; the oldest one. */
export function claimOn({ id, state, stamp }: Known, claims: readonly OpenClaim[]): OpenClaim | undefined {
  if (state === CREATED) return undefined;
  return claims.find((claim) => id >= claim.first && id <= claim.last && (stamp ?? 0) < claim.id);
}

/** Numbers of the runs that live calls send. */
export function liveRuns({ sql }: Context, isAlive: (name: string | null) => boolean): Set<number> {
  const rows = sql('SELECT d.run, p.name FROM delivery d LEFT JOIN process p ON p.id = d.process').all();
  return new Set((rows as [number, string | null][]).filter(([, name]) => isAlive(name)).map(([run]) => run));
}

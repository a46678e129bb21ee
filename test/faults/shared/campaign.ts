/** The fault campaign on the shared journal: rounds of chance, until so many faults were done. */
import { startServer } from '../../support/postgresql.js';
import { type FaultName, FAULTS, playRound } from './table.js';

export interface CampaignOptions {
  readonly seed: number;
  /** How many are done at least. */
  readonly faults: number;
  readonly print: (line: string) => void;
}

/** Faults of one round, and tables at a time. Each table has a server of its own, since it may end it. */
const FAULTS_OF_A_ROUND = 12;
const TABLES = 2;

/** Plays it and prints a table. Gives whether the promise was kept in every round. */
export async function campaign({ seed, faults, print }: CampaignOptions): Promise<boolean> {
  const done = new Map<FaultName, number>();
  const sum = (): number => [...done.values()].reduce((all, count) => all + count, 0);
  let rounds = 0;
  let broken = 0;
  const play = async (): Promise<void> => {
    const server = await startServer();
    while (sum() < faults) {
      const own = seed * 100_003 + ++rounds;
      const round = await playRound({ seed: own, server, faults: FAULTS_OF_A_ROUND });
      if (process.env['TELL_ROUNDS'] !== undefined) print(`round ${own}: ${JSON.stringify([...round.done])}`);
      for (const [name, count] of round.done) done.set(name, (done.get(name) ?? 0) + count);
      if (round.problems.length === 0) continue;
      broken++;
      print(`broken: seed ${own}\n  ${round.problems.join('\n  ')}`);
    }
    await server.end();
  };
  await Promise.all(Array.from({ length: TABLES }, play));
  for (const name of FAULTS) print(`${name.padEnd(24)}${String(done.get(name) ?? 0).padStart(8)}`);
  print(`${rounds} rounds with ${sum()} faults, seed ${seed}: ${broken} broken`);
  return broken === 0;
}

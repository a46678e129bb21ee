/** The campaign of worlds: whatever is played in them, nobody is paid twice and nobody is silently not paid. */
import { playWorld } from './world.js';

export interface CampaignOptions {
  readonly seed: number;
  readonly worlds: number;
  /** The one world to repeat; null for all. */
  readonly only: number | null;
  readonly print: (line: string) => void;
}

/** What went wrong in a world, for people. */
export function complaint(seed: number, number: number, problems: readonly string[], log: readonly string[]): string {
  return [
    `broken: seed ${seed}, world ${number}; to repeat it: npm run worlds -- --seed ${seed} --only ${number}`,
    ...log,
    ...problems.slice(0, 8).map((problem) => `  !! ${problem}`),
  ].join('\n');
}

/** Plays the campaign and prints what went wrong. Gives whether nothing did. */
export async function campaign({ seed, worlds, only, print }: CampaignOptions): Promise<boolean> {
  let [broken, calls] = [0, 0];
  for (let number = only ?? 1; number <= (only ?? worlds); number++) {
    const played = await playWorld(seed, number);
    calls += played.calls;
    if (played.problems.length === 0) continue;
    broken++;
    print(complaint(seed, number, played.problems, played.log));
  }
  print(`${only === null ? worlds : 1} worlds, seed ${seed}, ${calls} calls with files: ${broken} broken`);
  return broken === 0;
}

/** A campaign: many worlds, or years of a clerk, each from a seed alone; it prints those that broke a promise. */
export interface CampaignOptions {
  readonly seed: number;
  readonly worlds: number;
  /** The one world to repeat; null for all. */
  readonly only: number | null;
  readonly print: (line: string) => void;
}

export interface Outcome {
  /** Calls, or papers. */
  readonly size: number;
  readonly problems: readonly string[];
  /** What was done, to be read by a person. */
  readonly log: readonly string[];
}

/** What went wrong in a world, for people. */
export function complaint(name: string, seed: number, number: number, { problems, log }: Outcome): string {
  return [
    `broken: seed ${seed}, world ${number}; to repeat it: npm run ${name} -- --seed ${seed} --only ${number}`,
    ...log,
    ...problems.slice(0, 8).map((problem) => `  !! ${problem}`),
  ].join('\n');
}

/** Plays it and prints what went wrong. Gives whether nothing did. */
export async function playAll(
  name: string,
  { seed, worlds, only, print }: CampaignOptions,
  play: (seed: number, number: number) => Promise<Outcome>,
): Promise<boolean> {
  let broken = 0;
  let size = 0;
  for (let number = only ?? 1; number <= (only ?? worlds); number++) {
    const outcome = await play(seed, number);
    size += outcome.size;
    if (outcome.problems.length === 0) continue;
    broken++;
    print(complaint(name, seed, number, outcome));
  }
  print(`${only === null ? worlds : 1} ${name}, seed ${seed}, ${size} files: ${broken} broken`);
  return broken === 0;
}

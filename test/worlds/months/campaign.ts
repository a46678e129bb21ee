/** Years of a clerk who does what she is told: at the end of each, everybody is paid exactly what was due. */
import type { CampaignOptions } from '../campaign.js';
import { liveYear } from './year.js';

/** Plays the years and prints what went wrong. Gives whether nothing did. */
export async function campaign({ seed, worlds, only, print }: CampaignOptions): Promise<boolean> {
  let [broken, papers] = [0, 0];
  for (let number = only ?? 1; number <= (only ?? worlds); number++) {
    const lived = await liveYear(seed, number);
    papers += lived.papers;
    if (lived.problems.length === 0) continue;
    broken++;
    const head = `broken: seed ${seed}, world ${number}; to repeat it: npm run months -- --seed ${seed} --only ${number}`;
    print([head, ...lived.log, ...lived.problems.slice(0, 8).map((problem) => `  !! ${problem}`)].join('\n'));
  }
  print(`${only === null ? worlds : 1} years, seed ${seed}, ${papers} papers: ${broken} broken`);
  return broken === 0;
}

/**
 * How often a business row may be paid at most, from what people said alone: no keys, no states, no history of the
 * program. CONTRACT: "Nobody is paid twice".
 */
import type { Entry } from './history.js';
import type { WorldService } from './service.js';
import type { Rules } from './words.js';

export interface Bound {
  /** A call with files, before it is made. @param batch that it is for, with its host */
  expect(entries: readonly Pick<Entry, 'content' | 'row'>[], batch: string, rules: Rules): void;
  /** A person takes the risk with whatever has lost its protection, or has another record beside a similar one. */
  risk(rules: Rules): void;
  check(service: WorldService, say: (problem: string) => void): void;
}

export function newBound(): Bound {
  /** Business row and batch → the most that one input had of it. */
  const most = new Map<string, Map<string, number>>();
  /** Business row → the rejected payments that it corrects, which are others' places. */
  const corrections = new Map<string, Set<string>>();
  let risks = 0;
  return {
    expect: (entries, batch, rules) => {
      const counts = new Map<string, number>();
      for (const { content, row } of entries) {
        const { replaces } = row;
        counts.set(content, (counts.get(content) ?? 0) + 1);
        if (replaces !== null)
          corrections.set(content, (corrections.get(content) ?? new Set()).add(`${batch} ${replaces}`));
      }
      // The columns decide what is one record, whatever else was imported.
      const name = `${batch} ${rules.keyColumns.join()}`;
      for (const [content, count] of counts) {
        const batches = most.get(content) ?? new Map<string, number>();
        most.set(content, batches.set(name, Math.max(batches.get(name) ?? 0, count)));
      }
    },
    risk: ({ sendSimilar, resendUnknown }) => {
      risks += (sendSimilar ?? 0) + (resendUnknown ? 100 : 0);
    },
    check: ({ done }, say) => {
      for (const [content, times] of done) {
        const batches = [...(most.get(content)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
        const all = batches + (corrections.get(content)?.size ?? 0) + risks;
        if (times > all) say(`paid ${times} times, and people asked for ${all} at most: ${content}`);
      }
    },
  };
}

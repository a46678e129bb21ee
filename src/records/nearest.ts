/** "Did you mean …?" */

/** Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`. */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

const LONGEST_NAME = 60;

/** Removes differences in case, spaces, hyphens and underscores. */
function foldedName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '');
}

/** The candidate that `name` most likely means; null if each needs more edits than a third of the longer name. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  if (name.length > LONGEST_NAME) return null;
  let found: string | null = null;
  let smallest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const given = foldedName(name);
    const meant = foldedName(candidate);
    const edits = distance(given, meant);
    if (edits <= Math.max(1, Math.floor(Math.max(given.length, meant.length) / 3)) && edits < smallest) {
      smallest = edits;
      found = candidate;
    }
  }
  return found;
}

/** ` Did you mean "x"?`, or empty. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const found = nearest(name, candidates);
  return found === null ? '' : ` Did you mean "${found}"?`;
}

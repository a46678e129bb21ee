/** Lists of the items with the same key, in the order of their first ones. @param keyOf null for an item of no list */
export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string | number | null): Item[][] {
  const groups = new Map<string | number, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

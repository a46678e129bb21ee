/** A value is computed once for each object, such as a list of fields. For what every record needs. */
export function cachedBy<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = compute(key)));
    return found;
  };
}

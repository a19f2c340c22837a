import { setImmediate as endOfTurn } from 'node:timers/promises';

/** One call of `findAll` for all lookups of a turn. It starts after the last one, so no result is older than its request. */
export function batchPerTick<K, V>(
  findAll: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  keysMax = Infinity,
) {
  let batch: { readonly keys: Set<K>; readonly values: Promise<ReadonlyMap<K, V>> } | undefined;
  const begin = () => {
    const keys = new Set<K>();
    const values = endOfTurn().then(() => {
      batch = undefined;
      return findAll([...keys]);
    });
    return { keys, values };
  };
  return async (key: K): Promise<V | undefined> => {
    if (!batch || batch.keys.size >= keysMax) batch = begin();
    batch.keys.add(key);
    return (await batch.values).get(key);
  };
}

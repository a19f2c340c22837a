import { setImmediate as endOfTurn } from 'node:timers/promises';

/**
 * Combines all lookups of one turn of the event loop into one call of `findAll`, with at most `keysMax`
 * keys. The call starts after the last request, so a result is never older than its request.
 */
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

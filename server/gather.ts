import { setImmediate as endOfTurn } from 'node:timers/promises';

/**
 * Looks up all keys that are asked for in one turn of the event loop at once. Each is looked up after it was asked for,
 * so what is found is never older than the question. `atOnceMax` is how many.
 */
export function gather<K, V>(
  findAll: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  atOnceMax = Infinity,
) {
  let turn: { readonly keys: Set<K>; readonly found: Promise<ReadonlyMap<K, V>> } | undefined;
  const begin = () => {
    const keys = new Set<K>();
    const found = endOfTurn().then(() => {
      turn = undefined;
      return findAll([...keys]);
    });
    return { keys, found };
  };
  return async (key: K): Promise<V | undefined> => {
    if (!turn || turn.keys.size >= atOnceMax) turn = begin();
    turn.keys.add(key);
    return (await turn.found).get(key);
  };
}

import { setImmediate as endOfTurn } from 'node:timers/promises';

/**
 * Combines all lookups of one turn of the event loop into one call of `findAll`, with at most `atOnceMax`
 * keys. The call starts after the last request, so a result is never older than its request.
 */
export function batchPerTick<K, V>(
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

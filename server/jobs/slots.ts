type Work<Item> = {
  readonly atOnce: number;
  /** Takes at most `limit` items that nobody else works on. */
  readonly claim: (limit: number) => Promise<readonly Item[]>;
  readonly work: (item: Item) => Promise<unknown>;
  readonly onFault: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/** A slot that becomes free takes the next item at once, so a slow item holds up no other. */
export function openSlots<Item>({ atOnce, claim, work, onFault, signal }: Work<Item>) {
  const occupied = new Set<Promise<void>>();
  let free = atOnce;
  let isClaiming = false;
  let isWanted = false;

  const occupy = (item: Item) => {
    free -= 1;
    const slot = work(item)
      .catch(onFault)
      .then(() => {
        free += 1;
        return fill();
      })
      .finally(() => occupied.delete(slot));
    occupied.add(slot);
  };

  const mayClaim = () => isWanted && free > 0 && !signal.aborted;
  /** Claims items for the free slots and does not wait for their work. A call during a claim makes it claim again. */
  const fill = async (): Promise<void> => {
    isWanted = true;
    if (isClaiming) return;
    isClaiming = true;
    try {
      while (mayClaim()) {
        isWanted = false;
        for (const item of await claim(free)) occupy(item);
      }
    } catch (error) {
      onFault(error);
    } finally {
      isClaiming = false;
    }
  };

  const drain = async () => {
    while (occupied.size > 0) await Promise.all(occupied);
  };
  return { fill, drain };
}

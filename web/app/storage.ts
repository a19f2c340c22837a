/** Keeps one text under a name in the browser; where it keeps nothing for us, we go on without. */
export function kept(area: () => Storage, name: string) {
  const key = `portico-${name}`;
  return {
    read: (): string | null => {
      try {
        return area().getItem(key);
      } catch {
        return null;
      }
    },
    keep: (value: string | undefined) => {
      try {
        if (value !== undefined) area().setItem(key, value);
      } catch {
        // A full or locked store only costs the memory.
      }
    },
  };
}

/** The page to land on next time. */
export const rememberedSegment = kept(() => localStorage, 'segment');
/** When the status check last failed, in milliseconds. */
export const statusFailure = kept(() => sessionStorage, 'status-failure');

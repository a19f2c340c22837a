/** Keeps one text under a name in the browser; where it keeps nothing for us, we go on without. */
export function kept(area: () => Storage, name: string) {
  const key = `portico-${name}`;
  const attempt = <T>(act: (store: Storage) => T): T | null => {
    try {
      return act(area());
    } catch {
      // A full or locked store only costs the memory.
      return null;
    }
  };
  return {
    read: () => attempt((store) => store.getItem(key)),
    keep: (value: string | undefined) =>
      void (value !== undefined && attempt((store) => store.setItem(key, value))),
    forget: () => void attempt((store) => store.removeItem(key)),
  };
}

export type Kept = ReturnType<typeof kept>;

// What one public page leaves for the next, in this tab only.

/** The address that waits for its confirmation. */
export const pendingEmail = kept(() => sessionStorage, 'pending-email');
/** The address typed on the login page, for those who go on to the forgotten password or to a closed account. */
export const typedEmail = kept(() => sessionStorage, 'typed-email');
/** What the login page says once to whose session ended while they were at work. */
export const sessionEnded = kept(() => sessionStorage, 'session-ended');
/** That a new password was just chosen; the login page says so once. */
export const passwordUpdated = kept(() => sessionStorage, 'password-updated');

import { WIRE_NAME } from '#contract/limits.ts';
/** Keeps one text under a name in the browser's storage. Without storage it silently keeps nothing. */
export function storedText(area: () => Storage, name: string) {
  const key = `${WIRE_NAME}-${name}`;
  const attempt = <T>(act: (store: Storage) => T): T | null => {
    try {
      return act(area());
    } catch {
      // The store is full or blocked.
      return null;
    }
  };
  return {
    key,
    read: () => attempt((store) => store.getItem(key)),
    keep: (value: string | undefined) =>
      void (value !== undefined && attempt((store) => store.setItem(key, value))),
    forget: () => void attempt((store) => store.removeItem(key)),
  };
}

export type StoredText = ReturnType<typeof storedText>;

/**
 * The signed-in person and their organizations, written by the last tab that opened or signed out. Other tabs
 * get an event for each change.
 */
export const standing = storedText(() => localStorage, 'standing');
/** Tells the other tabs that nobody is signed in any more, and forgets what was typed in this one. */
export const tellSignedOut = () => {
  standing.keep('');
  keptDrafts.forget();
};

// Notes from one public page to the next, in this tab only.

/** The address that waits for confirmation. */
export const pendingEmail = storedText(() => sessionStorage, 'pending-email');
/**
 * The address typed on the login page, for the pages about a forgotten password or a closed account; or the one
 * that an application expects.
 */
export const typedEmail = storedText(() => sessionStorage, 'typed-email');
/** The message that the login page shows once after a session ended during work. */
export const sessionEnded = storedText(() => sessionStorage, 'session-ended');
/** A new password was just chosen. The login page says so once. */
export const passwordUpdated = storedText(() => sessionStorage, 'password-updated');
/** The person has just signed in by password. The area then may offer a passkey, once. */
export const passwordSignIn = storedText(() => sessionStorage, 'password-sign-in');
/** The forms that the person was filling in when their session ended. */
export const keptDrafts = storedText(() => sessionStorage, 'drafts');

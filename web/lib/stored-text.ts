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

/** Written by the last tab that opened or signed out. Other tabs get an event for each change. */
export const standing = storedText(() => localStorage, 'standing');
export const tellSignedOut = () => {
  standing.keep('');
  keptDrafts.forget();
};

// Notes from one public page to the next, in this tab only.

export const pendingEmail = storedText(() => sessionStorage, 'pending-email');
/** Typed on the login page, or expected by an application; for later pages about the account. */
export const typedEmail = storedText(() => sessionStorage, 'typed-email');
export const sessionEnded = storedText(() => sessionStorage, 'session-ended');
export const passwordUpdated = storedText(() => sessionStorage, 'password-updated');
/** The person has just signed in by password. The area then may offer a passkey, once. */
export const passwordSignIn = storedText(() => sessionStorage, 'password-sign-in');
export const keptDrafts = storedText(() => sessionStorage, 'drafts');

/** Why another page led to `/`, which shows it once. */
export const whyLeft = storedText(() => sessionStorage, 'why-left');
/** A message that outlives a full load; the next page of the area shows it once. */
export const nextMessage = storedText(() => sessionStorage, 'said');

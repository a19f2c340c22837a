const key = 'portico-pending-email';

/** Keeps the address that waits for its confirmation, for this tab only. */
export function keepPendingEmail(email: string) {
  try {
    sessionStorage.setItem(key, email);
  } catch {
    // Storage may be switched off: the next page then asks for the address.
  }
}

/** The address that waits for its confirmation, when this tab knows it. */
export function pendingEmail(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

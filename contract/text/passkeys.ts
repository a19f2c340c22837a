/** Passkeys, on My Profile and at sign-in. */
export const passkeyText = {
  unnamed: 'Passkey',
  noHostName: 'Passkeys need a host name. Open the portal by its name, not by its IP address.',
} as const;

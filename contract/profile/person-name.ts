/** A person's name in one line, or their address if they have no name yet. */
export const personName = (first: string, last: string, email: string | null): string =>
  `${first} ${last}`.trim() || (email ?? '');

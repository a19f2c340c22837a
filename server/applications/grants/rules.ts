import type { GrantId } from '#contract/applications/registration.ts';

/** The grant of a family of tokens: the id before the first dot. */
export const grantIn = (family: string | undefined): GrantId | undefined => {
  const id = Number(family?.split('.', 1)[0]);
  return Number.isSafeInteger(id) && id > 0 ? (id as GrantId) : undefined;
};

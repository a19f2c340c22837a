import { SECOND_STEPS } from '#contract/sign-in/calls.ts';

/** Anyone may have written the query, so only the form of a masked address is accepted. */
export function askedContact(search: string): string | undefined {
  const contact = new URLSearchParams(search).get('contact') ?? '';
  return /^[a-z0-9!#$%&'*+/=?^_`{|}~-]?•••@[\p{L}\p{M}\p{N}.-]{1,253}$/u.test(contact) ? contact : undefined;
}

export function askedWays(search: string) {
  const names = new URLSearchParams(search).get('ways')?.split(' ') ?? [];
  return SECOND_STEPS.filter((way) => names.includes(way));
}

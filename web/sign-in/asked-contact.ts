/**
 * The masked address of a code that was mailed on another way in, such as Facebook, which leads here for it. Anyone
 * may have written the address bar, so nothing passes but what a masked address looks like.
 */
export function askedContact(search: string): string | undefined {
  const contact = new URLSearchParams(search).get('contact') ?? '';
  return /^[a-z0-9!#$%&'*+/=?^_`{|}~-]?•••@[a-z0-9.-]{1,253}$/.test(contact) ? contact : undefined;
}

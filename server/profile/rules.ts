import { refuse, type Refusal } from '#contract/errors.ts';
import type { Input } from '#contract/endpoint.ts';
import type { profile } from '#contract/profile/calls.ts';
import { fieldText } from '#words/field.ts';
import { serverFieldText } from '#words/server-field.ts';

type Change = Input<typeof profile.update>;
export type ProfileChange = Omit<Change, 'firstName' | 'email' | 'contactNumber'> & { firstName: string };
type ContactChange = Pick<Change, 'email' | 'contactNumber'>;

/** PUT /user is two calls in one: the profile (with a first name) or the contact data, never both. */
export function partOf({
  firstName,
  email,
  contactNumber,
  ...rest
}: Change): { profile: ProfileChange } | { contact: ContactChange } | Refusal<'invalid_input'> {
  const contactFields = { email, contact_number: contactNumber };
  const contacts = Object.entries(contactFields).filter(([, value]) => value !== undefined);
  const { orgId: _, ...others } = rest;
  const isProfile = firstName !== undefined || Object.values(others).some((value) => value !== undefined);
  if (contacts.length === 0)
    return firstName === undefined
      ? refuse('invalid_input', { fields: { first_name: fieldText.required } })
      : { profile: { ...rest, firstName } };
  if (isProfile)
    return refuse('invalid_input', {
      fields: Object.fromEntries(contacts.map(([name]) => [name, serverFieldText.unknownField])),
    });
  return { contact: { email, contactNumber } };
}

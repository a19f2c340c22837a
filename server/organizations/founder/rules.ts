import type { Input } from '#contract/endpoint.ts';
import type { organizations } from '#contract/organizations.ts';

type Details = { readonly last_name: string; readonly contact_number: string };
type DetailsInput = Pick<
  Input<typeof organizations.create>,
  'firstName' | 'lastName' | 'country' | 'contactNumber'
>;
/** The person's own details from onboarding. Omitted ones keep their values. */
export const detailsOf = (given: DetailsInput, before: Details) => ({
  first_name: given.firstName,
  last_name: given.lastName ?? before.last_name,
  country: given.country,
  contact_number: given.contactNumber ?? before.contact_number,
});

import type { Input } from '#contract/endpoint.ts';
import type { organizations } from '#contract/organizations/calls.ts';

type Details = { readonly last_name: string; readonly contact_number: string };
type DetailsInput = Pick<
  Input<typeof organizations.create>,
  'firstName' | 'lastName' | 'country' | 'contactNumber'
>;
export const detailsOf = (input: DetailsInput, before: Details) => ({
  first_name: input.firstName,
  last_name: input.lastName ?? before.last_name,
  country: input.country,
  contact_number: input.contactNumber ?? before.contact_number,
});

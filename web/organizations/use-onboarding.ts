import { countryOfZone } from '#contract/profile/countries.ts';
import { plainAddress } from '#contract/split-by-bytes/field-parts.ts';
import { organizations } from '#contract/organizations/calls.ts';
import { fieldText } from '#words/field.ts';
import type { User } from '#contract/profile/user.ts';
import { useForm } from '#web/lib/form.ts';
import { browserTimeZone } from '#web/public-pages/time-zone.ts';

/** Leaves out empty fields: only the first name and the country are required. */
const withoutEmpty = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));

export function useOnboarding(user: User, onCreated: (urlName: string) => void | Promise<void>) {
  return useForm(organizations.create, {
    initial: {
      firstName: user.firstName,
      lastName: user.lastName,
      country: user.country ?? countryOfZone(browserTimeZone()),
      contactNumber: user.contactNumber,
      name: '',
      employeeCount: '',
      email: '',
    },
    toInput: withoutEmpty,
    rules: ({ email }) =>
      user.email === null && plainAddress(email) === '' ? { email: fieldText.required } : {},
    beside: { email_id_exist: 'email' },
    onDone: ({ urlName }) => onCreated(urlName),
  });
}
export type OnboardingForm = ReturnType<typeof useOnboarding>;

import type { CountryCode } from 'libphonenumber-js/max';
import { countries } from '#contract/profile/countries.ts';

const codes = new Map(countries.map(({ name, code }) => [name, code]));

/** A typed number in E.164. Without a country code it gets that of the person's country; null if it is invalid. */
export async function internationalPhone(typed: string, countryName: string | null): Promise<string | null> {
  if (typed === '') return null;
  // Its tables are loaded at the first number.
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  const code = codes.get(countryName ?? '') as CountryCode | undefined;
  const number = parsePhoneNumberFromString(typed, code);
  return number?.isValid() ? number.number : null;
}

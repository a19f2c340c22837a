import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { countries } from '#contract/countries.ts';

const codes = new Map(countries.map(({ name, code }) => [name, code]));

/** A typed number in E.164, by the person's country if it has no country code. Null if it is no number. */
export function internationalPhone(typed: string, countryName: string | null): string | null {
  const code = codes.get(countryName ?? '') as CountryCode | undefined;
  const number = parsePhoneNumberFromString(typed, code);
  return number?.isValid() ? number.number : null;
}

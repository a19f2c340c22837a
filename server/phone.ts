import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { countries } from '#contract/countries.ts';

const codes = new Map(countries.map(({ name, code }) => [name, code]));

/** A number as typed in E.164, read as one of the person's country where it names none; null where it is no number. */
export function internationalPhone(typed: string, countryName: string | null): string | null {
  const code = codes.get(countryName ?? '') as CountryCode | undefined;
  const number = parsePhoneNumberFromString(typed, code);
  return number?.isValid() ? number.number : null;
}

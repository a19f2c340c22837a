import { countries } from '#contract/profile/countries.ts';
import { spokenLanguage } from '#words/language.ts';

const names = new Intl.DisplayNames(spokenLanguage.locale, { type: 'region' });
const labelOf = (code: string, name: string) =>
  spokenLanguage.locale.startsWith('en') ? name : (names.of(code) ?? name);

/** Short names that people type instead of a country's name or code. */
const shortNames: Readonly<Record<string, string>> = { AE: 'UAE', GB: 'UK', US: 'USA' };

/** Countries by their names in the language of the page. Their values are English, as the wire has them. */
export const countryOptions = countries
  .map(({ code, name }) => ({
    value: name,
    label: labelOf(code, name),
    alsoFoundBy: [name, code, shortNames[code] ?? code],
  }))
  .toSorted((a, b) => a.label.localeCompare(b.label, spokenLanguage.locale));

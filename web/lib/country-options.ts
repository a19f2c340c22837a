import { countries } from '#contract/profile/countries.ts';
import { countriesText } from '#words/countries.ts';
import { spokenLanguage } from '#words/language.ts';

/** Countries by their names in the language of the page. Their values are English, as the wire has them. */
export const countryOptions = countries
  .map(({ name }) => ({ value: name, label: countriesText.nameOf(name) }))
  .toSorted((a, b) => a.label.localeCompare(b.label, spokenLanguage.locale));

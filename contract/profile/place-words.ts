import { SOURCE_LANGUAGE } from '#contract/languages.ts';
import { nameList } from '#contract/list-words.ts';
import { countriesText } from '#words/countries.ts';
import { spokenLanguage } from '#words/language.ts';

/** A stored place such as "Stockholm, Sweden", with the country's name in the language. Cities keep theirs. */
export function placeWords(place: string): string {
  if (spokenLanguage.tag === SOURCE_LANGUAGE) return place;
  const at = place.lastIndexOf(', ');
  if (at < 0) return countriesText.nameOf(place);
  return nameList([place.slice(0, at), countriesText.nameOf(place.slice(at + 2))]);
}

/** Chinese, Japanese and Korean letters at the start, as CLDR decides it. Katakana alone writes foreign names. */
const familyFirst = /^\P{L}*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u;

/** Whether a family name in these letters comes first, whoever reads it. */
export const isFamilyFirst = (family: string): boolean => familyFirst.test(family);

export const personName = (first: string, last: string, email: string | null): string =>
  (isFamilyFirst(last) ? `${last} ${first}` : `${first} ${last}`).trim() || (email ?? '');

import unhomoglyph from 'unhomoglyph';
import { inLatin } from '#contract/roles/look-alike-letters.ts';

/** Digits and signs that look like letters. */
const letters = new Map(Object.entries({ 3: 'e', 4: 'a', 5: 's', '@': 'a', $: 's' }));

/** The skeleton of letters and digits (UTS 39), without case, separators and accents; I, l and 1 are one sign. */
function looksOf(name: string): string[] {
  const plain = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // Some letters look alike in one case only, and a sign may also be a separator.
  const cases = [plain, plain.toLowerCase(), plain.toUpperCase()];
  return [
    ...cases,
    ...cases.map((form) => form.replace(/[345@$]/g, (sign) => letters.get(sign) ?? sign)),
  ].map((form) =>
    skeleton(skeleton(inLatin(form)).toLowerCase())
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      .replace(/l/g, 'i'),
  );
}
const skeleton = (text: string) => unhomoglyph(text.normalize('NFD')).normalize('NFD');

export function looksLike(name: string, others: readonly string[]): boolean {
  const looks = new Set(others.flatMap(looksOf));
  return looksOf(name).some((look) => looks.has(look));
}

// Apart from the other parts of fields, which the first page of sign-up carries.

/**
 * What is drawn as nothing or as a gap: spaces, characters that only steer others, fillers of letters (Hangul, Khmer) and the
 * empty Braille cell. A name is more than these, and names are compared without them.
 */
export const BLANK = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** Of those what no name needs: only spaces, the two that join letters, and marks that choose between two looks stay. */
export const HIDDEN =
  /(?![\u200C\u200D])[\p{Cc}\p{Cf}\u2028\u2029\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/u;

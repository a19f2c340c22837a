// Kept apart from `field-parts.ts`, so that the first view of sign-up stays small.

/** Spaces, format characters, fillers and the empty Braille cell. Comparing names ignores these. */
export const BLANK = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** The blank characters that no name needs. Spaces, the two joiners and variation selectors stay allowed. */
export const HIDDEN =
  /(?![\u200C\u200D])[\p{Cc}\p{Cf}\u2028\u2029\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/u;

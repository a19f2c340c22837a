/** The first letters of the first and the last word, in capitals: "Maya Lindqvist" gives "ML". */
export function initials(fullName: string): string {
  const words = fullName.trim().split(/\s+/u);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends
    .map((word) => /^./u.exec(word ?? '')?.[0] ?? '')
    .join('')
    .toLocaleUpperCase('en');
}

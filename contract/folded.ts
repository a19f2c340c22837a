const letters = 'øłđðħıςىیةکٱ';
const plain = 'olddhiσييهكا';
const ligatures: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe' };

/** Without case, accents and vowel signs, as `folded` does it in the database. */
export const fold = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036F\u0640\u064B-\u0655\u0670]/g, '')
    .replace(/[’‘ʼ]/g, "'")
    .replace(/[øłđðħıςىیةکٱ]/g, (letter) => plain[letters.indexOf(letter)] ?? letter)
    .replace(/[ßæœ]/g, (letter) => ligatures[letter] ?? letter);

/** About 49,000 passwords from breaches (zxcvbn-ts, MIT), loaded at the first use. */
let common: Promise<ReadonlySet<string>> | undefined;
async function readCommon() {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String));
}

const graphemes = new Intl.Segmenter('en');

/** Drops invisible characters and outer blanks, because they do not make a password harder to guess. */
const bare = (password: string) =>
  password
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[\s\p{Cc}\u2800]+|[\s\p{Cc}\u2800]+$/gu, '');

/** Whether the password is on the list of common and breached ones, regardless of case, width and outer blanks. */
export const isCommonPassword = async (password: string): Promise<boolean> =>
  (await (common ??= readCommon())).has(bare(password));

/** Whether the password repeats one or two characters, as `aaaaaaaa` and `12121212` do, or is all blank. */
export function isRepeated(password: string): boolean {
  const characters = Array.from(graphemes.segment(bare(password)), ({ segment }) => segment);
  return characters.every((character, at) => character === characters[at % 2]);
}

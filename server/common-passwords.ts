/** About 49,000 passwords from breaches, most common first (zxcvbn-ts, MIT); offline. Read once somebody chooses a password. */
let common: Promise<ReadonlySet<string>> | undefined;
async function readCommon() {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String));
}

/** Whether the password stands on the list of common and breached ones, whatever its case or width. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= readCommon();
  return (await common).has(password.normalize('NFKC').toLowerCase());
}

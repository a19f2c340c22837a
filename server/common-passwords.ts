import { dictionary } from '@zxcvbn-ts/language-common';

/** About 49,000 passwords from breaches, most common first (zxcvbn-ts, MIT); offline. */
const common = new Set(dictionary['passwords-common'].map(String));

/** Whether the password stands on the list of common and breached ones, whatever its case or width. */
export const isCommonPassword = (password: string) => common.has(password.normalize('NFKC').toLowerCase());

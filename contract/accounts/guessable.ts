import { PRODUCT_NAME } from '#contract/limits.ts';
import { product } from '#contract/product.ts';

const letters = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Whether a password is little more than the person's name, a part of their address, or the portal's name. */
export function isGuessable(
  password: string,
  person: { email: string | null; names: readonly string[] },
): boolean {
  const [local = '', domain = ''] = (person.email ?? '').split('@');
  const words = [PRODUCT_NAME, product.name, local, domain.split('.')[0] ?? '', ...person.names].map(letters);
  const plain = letters(password);
  return words.some(
    (word) => word.length >= 4 && plain.replaceAll(word, '').length < 4 && plain.includes(word),
  );
}

import { expect, test } from 'vitest';
import { isCommonPassword, isRepeated } from './common-passwords.ts';

const common =
  'password 12345678 123456789 qwertyuiop iloveyou sunshine princess football PASSWORD PassWord QWERTYUIOP';

test.each([
  ...common.split(' '),
  'ｐａｓｓｗｏｒｄ',
  '１２３４５６７８',
  ' password',
  'Password  ',
  '\tpassword\n',
  '\u3000password\u00A0',
  '\u200Bpass\u00ADword\uFEFF',
  '\u2800password',
])('%j is common (A8)', async (password) => {
  expect(await isCommonPassword(password)).toBe(true);
});

const rare =
  'correct horse battery staple|tidal-lantern-41|passwordé||constructor|__proto__|🙂🙂🙂🙂|.password|pass word tidal';

test.each(rare.split('|'))('%j is not common', async (password) => {
  expect(await isCommonPassword(password)).toBe(false);
});

test.each([
  ...'aaaaaaaa|aAaAaAaA|ａaａaａaａa|--------|        |  aaaaaaaa '.split('|'),
  'a\u200Baaa\u200Baaaa',
  '\u200B'.repeat(8),
  '🙂'.repeat(20),
  '🇸🇪'.repeat(8),
  'x\u0302'.repeat(8),
  '\u0000'.repeat(8),
  ...'abababab|12121212|aBAbabab|121212121|a a a a a|🙂🙃🙂🙃🙂🙃🙂🙃'.split('|'),
  '🇸🇪🇳🇴'.repeat(4),
])('%j repeats one or two characters (A8)', (password) => {
  expect(isRepeated(password)).toBe(true);
});

test.each(['aaaaaaab', 'abababac', 'abcabcabc', 'abbabbabb', '🙂🙃🙂🙃🙂🙃🙃'])(
  '%j does not repeat one or two characters',
  (password) => {
    expect(isRepeated(password)).toBe(false);
  },
);

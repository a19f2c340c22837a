import { expect, test } from 'vitest';
import { isCommonPassword } from '#server/common-passwords.ts';

const common =
  'password 12345678 123456789 qwertyuiop iloveyou sunshine princess football PASSWORD PassWord QWERTYUIOP';

test.each([...common.split(' '), 'ｐａｓｓｗｏｒｄ', '１２３４５６７８'])(
  '%s is common',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  },
);

const rare =
  'correct horse battery staple|tidal-lantern-41|password | password|passwordé||constructor|__proto__|🙂🙂🙂🙂';

test.each(rare.split('|'))('%j is not', async (password) => {
  expect(await isCommonPassword(password)).toBe(false);
});

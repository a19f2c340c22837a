import { expect, test } from 'vitest';
import { ADMIN, SUPER_ADMIN } from '#contract/roles/calls.ts';
import { looksLike } from './look-alikes.ts';

test.each([
  ...'Super Admin|ADMIN|SuperAdmin|Super-Admin|super_admin|S u p e r A d m i n'.split('|'),
  ...'Super ꓮdmin|ᎪⅮМІΝ|Аdmіn|ΑDΜΙΝ|Adrnin|AdmIn|Admln|𝒜𝒹𝓂𝒾𝓃|Ⓐⓓⓜⓘⓝ|Ａｄｍｉｎ'.split('|'),
  'Ad\u200Dmin',
  ...'Admín|★ Super Admin ★|Super·Admin.|Ѕuреr Аdmіn|αdμιν|ᴀdmin|ꜱᴜᴘᴇʀ ᴀᴅᴍɪɴ'.split('|'),
  ...'5uper Admin|Sup3r 4dm1n|$uper @dmin|Admin $|αԁmiν'.split('|'),
])('%j looks like a built-in role', (name) => {
  expect(looksLike(name, [SUPER_ADMIN, ADMIN])).toBe(true);
});

test.each([
  ...'Administrator|Sales Admin|Admins|Supervisor|Admin 5|Admin 3|Super|Administration'.split('|'),
  ...'Модератор|Διαχειριστής|管理者|Adm|Odmin|★'.split('|'),
])('%j does not look like one', (name) => {
  expect(looksLike(name, [SUPER_ADMIN, ADMIN])).toBe(false);
});

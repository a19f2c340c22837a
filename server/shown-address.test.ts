import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { withShownAddresses } from './shown-address.ts';

const stored = (domain: string) => `ann@${domainToASCII(domain)}`;

test.each([
  'münchen.de',
  'straße.de',
  'smørrebrød.dk',
  'łódź.pl',
  'việt.vn',
  'mail.bücher.example',
  'пример.рф',
  'пример.com',
  'почта.россия-1.рф',
  'ορφέας.gr',
  'παράδειγμα.ελ',
  'دامنه.ایران',
  'דוגמה.co.il',
  'उदाहरण.भारत',
  'ไทยดี.ไทย',
  '例え.jp',
  'ラーメン食べたい.jp',
  '例子.中国',
  '한국漢字.kr',
  'сор.рф',
])('%s is shown in Unicode', (domain) => {
  expect(stored(domain)).toContain('xn--');
  expect(withShownAddresses(stored(domain))).toBe(`ann@${domain}`);
});

test.each([
  ['another script between Latin letters', 'gооgle.com'],
  ['Latin letters between others', 'приmер.рф'],
  ['two scripts', 'пρ.example'],
  ['look-alikes of Latin letters only', 'аррӏе.com'],
  ['look-alikes in a subdomain', 'аррӏе.mail.example'],
  ['Greek look-alikes', 'ικον.com'],
  ['a dotless i', 'gıthub.com'],
  ['a Latin alpha', 'ɑpple.com'],
  ['several marks on one letter', 'a\u0324\u0331.example'],
  ['digits of another script', '१२३.example'],
  ['a dead script', 'ᚠᚢᚦ.example'],
  ['Cherokee', 'ꭰꭱꭲ.example'],
])('%s stays in ASCII (A15)', (_what, domain) => {
  expect(stored(domain)).toContain('xn--');
  expect(withShownAddresses(stored(domain))).toBe(stored(domain));
});

test.each([
  'ann@xn--a.example',
  'ann@xn--zzzzzzz99999.example',
  'ann@xn--',
  'xn--bcher-kva.example',
  'ann@b.example',
])('%s does not change', (text) => {
  expect(withShownAddresses(text)).toBe(text);
});

test('every address in a text is shown in Unicode, masked ones too', () => {
  expect(withShownAddresses('From a•••@xn--bcher-kva.test to <b@m.xn--bcher-kva.test>, c@d.test.')).toBe(
    'From a•••@bücher.test to <b@m.bücher.test>, c@d.test.',
  );
});

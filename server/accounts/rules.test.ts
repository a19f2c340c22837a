import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Refusal } from '#contract/errors.ts';
import { email as emailField } from '#contract/fields.ts';
import { fieldText } from '#words/field.ts';
import { blockOf, canonicalEmail, emailOrRefusal } from './rules.ts';

describe('canonicalEmail', () => {
  test.each([
    ['ann@example.com', 'ann@example.com'],
    ['Ann.O@Example.COM', 'ann.o@example.com'],
    ['ANN+Tag@EXAMPLE.com', 'ann+tag@example.com'],
    ["o'neil@example.com", "o'neil@example.com"],
    ['ann@münchen.de', 'ann@xn--mnchen-3ya.de'],
    ['ann@MÜNCHEN.de', 'ann@xn--mnchen-3ya.de'],
    ['ann@mu\u0308nchen.de', 'ann@xn--mnchen-3ya.de'],
    ['ann@XN--MNCHEN-3YA.de', 'ann@xn--mnchen-3ya.de'],
    ['ann@straße.de', 'ann@xn--strae-oqa.de'],
    ['ann@пример.рф', 'ann@xn--e1afmkfd.xn--p1ai'],
    ['ann@ＥＸＡＭＰＬＥ.com', 'ann@example.com'],
    ['ann@example.ｃｏｍ', 'ann@example.com'],
    // A dotless i is another letter, so this is another domain.
    ['ann@gıthub.com', 'ann@xn--gthub-n4a.com'],
    [`a@${'b'.repeat(249)}.co`, `a@${'b'.repeat(249)}.co`],
  ])('of %j is %j', (typed, canonical) => {
    expect(canonicalEmail(typed)).toBe(canonical);
  });

  const withoutCanonicalForm = {
    'no domain with a dot': '|ann|@example.com|ann@|ann@localhost|ann@example.com.|ann@.com|ann@a.c|ann@a.1c',
    'an IP address': 'ann@127.0.0.1|ann@0x7f.1|ann@2130706433|ann@１２７.0.0.1|ann@[::1]|ann@[127.0.0.1]',
    'more than a domain':
      'ann@example.com:25|ann@example.com/x|ann@example.com?x|ann@example.com#x|ann@ex%61mple.com',
    'spaces and invisible characters':
      'ann@exam ple.com|ann@exam\tple.com|ann@example.com\n|ann@exa\u00ADmple.com|ann@exa\u200Bmple.com',
    'other characters': 'ann@a_b.com|ann@a.com\u0000|ann@example。com|ann@a<b.com|ann@a,b.com',
    'a local part over 64': `${'a'.repeat(65)}@b.co`,
    // The second address is short as typed and too long as ASCII.
    'more than 254 characters': `a@${'b'.repeat(250)}.co|a@${'ü'.repeat(240)}.example`,
  };
  test.each(
    Object.entries(withoutCanonicalForm).flatMap(([kind, list]) =>
      list.split('|').map((typed) => [kind, typed] as const),
    ),
  )('%s: %j has no canonical form', (_, typed) => {
    expect(canonicalEmail(typed)).toBeUndefined();
  });

  const local = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,10}(\.[A-Za-z0-9]{1,5})?$/);
  const label = fc.stringMatching(/^[a-zA-Z0-9äÖßéñ李пｅＫ]{1,8}$/);
  const address = fc
    .tuple(local, label, fc.constantFrom('com', 'DE', 'рф', 'ｃｏｍ'))
    .map(([a, b, c]) => `${a}@${b}.${c}`);

  test('is idempotent, is plain ASCII, and passes the field unchanged', () => {
    fc.assert(
      fc.property(address, (typed) => {
        const canonical = canonicalEmail(typed);
        fc.pre(canonical !== undefined);
        expect(canonicalEmail(canonical)).toBe(canonical);
        expect(canonical).toMatch(/^[!-~]+$/);
        expect(canonical).toBe(canonical.toLowerCase());
        expect(z.decode(emailField, canonical)).toBe(canonical);
      }),
    );
  });

  test('does not depend on case', () => {
    fc.assert(
      fc.property(address, (typed) => {
        fc.pre(!typed.includes('ß'));
        expect(canonicalEmail(typed.toUpperCase())).toBe(canonicalEmail(typed));
      }),
    );
  });

  test('the refusal names the field as the wire does', () => {
    expect(emailOrRefusal('Ann@Example.com', 'emailId')).toBe('ann@example.com');
    expect(emailOrRefusal('ann@127.0.0.1', 'emailId')).toEqual(
      new Refusal('invalid_input', { fields: { emailId: fieldText.email } }),
    );
  });
});

describe('blockOf', () => {
  const [earlier, later] = [new Date('2026-01-02T00:00:00Z'), new Date('2026-03-01T00:00:00Z')];
  test.each([
    [{ deletion_due_at: null, restricted_until: null }, undefined],
    [
      { deletion_due_at: later, restricted_until: null },
      { reason: 'deactivated', until: later },
    ],
    [
      { deletion_due_at: null, restricted_until: earlier },
      { reason: 'restricted', until: earlier },
    ],
    [
      { deletion_due_at: later, restricted_until: earlier },
      { reason: 'deactivated', until: later },
    ],
  ] as const)('of %j is %j', (state, detail) => {
    expect(blockOf(state)).toEqual(detail && new Refusal('account_is_disable', detail));
  });
});

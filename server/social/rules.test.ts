import { describe, expect, test } from 'vitest';
import { refuse } from '#contract/errors.ts';
import type { UserId } from '#contract/wire.ts';
import { courseOf, failureOf, saysSecondStep, type Situation, vouchedBy } from '#server/social/rules.ts';

const [me, other] = [1 as UserId, 2 as UserId];

test.each<[Situation['linkTo'], Situation['owner'], Situation['addressOf'], ReturnType<typeof courseOf>]>([
  // A visit that began signed in links, regardless of the address.
  [me, undefined, 'nobody', 'link'],
  [me, undefined, 'somebody', 'link'],
  [me, undefined, 'somebody invited', 'link'],
  [me, me, 'nobody', 'link'],
  [me, me, 'somebody', 'link'],
  [me, other, 'nobody', 'linkedElsewhere'],
  [me, other, 'somebody', 'linkedElsewhere'],
  // A known identity opens its account, regardless of the address.
  [undefined, me, 'nobody', 'sign in'],
  [undefined, me, 'somebody', 'sign in'],
  [undefined, me, 'somebody invited', 'sign in'],
  // An unknown identity gets a new account, unless the address has one.
  [undefined, undefined, 'nobody', 'create'],
  [undefined, undefined, 'somebody', 'accountExists'],
  [undefined, undefined, 'somebody invited', 'invited'],
])('link to %o, identity of %o, address of %s → %s', (linkTo, owner, addressOf, course) => {
  expect(courseOf({ linkTo, owner, addressOf })).toBe(course);
});

describe('the claims of a provider', () => {
  test.each([
    [{ sub: '10769150350006150715113082367' }, '10769150350006150715113082367'],
    [{ id: '1001' }, '1001'],
    [{ id: 1001 }, '1001'],
    [{ sub: 'own', id: 'other' }, 'own'],
  ])('%o have a subject', (answer, subject) => {
    expect(vouchedBy(answer)?.subject).toBe(subject);
  });

  const noNames = ['', ' ', 'a b', 'a\0', 'ü', 'x'.repeat(256), null, {}, [], 1.5, Number.NaN, 2 ** 53, true];
  const noAnswers = [undefined, null, 'text', 7, true, [], ['sub'], {}];
  test.each([...noAnswers, ...noNames.map((sub) => ({ sub }))])('%o have no subject', (answer) => {
    expect(vouchedBy(answer)).toBeUndefined();
  });

  test.each([
    [true, 'maya@northwind.example'],
    [false, undefined],
    ['true', undefined],
    [1, undefined],
    [null, undefined],
    [undefined, undefined],
  ])('an address with email_verified %o counts only if that is true', (email_verified, verifiedEmail) => {
    const answer = { sub: 'x', email: 'maya@northwind.example', email_verified };
    expect(vouchedBy(answer)?.verifiedEmail).toBe(verifiedEmail);
  });

  test.each([
    [{ given_name: 'Maya', family_name: 'Lind' }, ['Maya', 'Lind']],
    [{ first_name: 'Ida', last_name: 'Berg' }, ['Ida', 'Berg']],
    [{ name: 'Teller' }, ['Teller', '']],
    [{ name: 'Maya Lind', given_name: 'Maya' }, ['Maya', '']],
    [{}, ['', '']],
    [{ given_name: "Shay O'Neill" }, ['Shay O’Neill', '']],
    [{ given_name: '<b>"Maya"</b>' }, ['b Maya /b', '']],
    [{ given_name: 'Ma\r\nBcc: x' }, ['Ma Bcc: x', '']],
    [{ given_name: '\u202eayaM' }, ['ayaM', '']],
    [{ given_name: 'x'.repeat(100_000) }, ['x'.repeat(80), '']],
    [{ given_name: 7, family_name: ['Lind'] }, ['', '']],
  ])('the names of %o are cleaned', (names, [firstName, lastName]) => {
    expect(vouchedBy({ sub: 'x', ...names })).toMatchObject({ firstName, lastName });
  });
});

test.each([
  [{ amr: ['mfa'] }, true],
  [{ amr: ['pwd', 'mfa'] }, true],
  [{ amr: ['hwk'] }, true],
  [{ amr: ['swk'] }, true],
  [{ amr: ['pwd', 'otp'] }, true],
  [{ amr: ['pwd', 'sms'] }, true],
  [{ acr: 'https://refeds.org/profile/mfa' }, true],
  [{ amr: ['pwd'], acr: 'phr' }, true],
  [{ amr: ['pwd'] }, false],
  [{ amr: ['otp'] }, false],
  [{ amr: ['fpt'] }, false],
  [{ amr: [] }, false],
  [{ amr: 'mfa' }, false],
  [{ amr: { 0: 'mfa', length: 1 } }, false],
  [{ amr: [['mfa']] }, false],
  [{ acr: '1' }, false],
  [{ acr: ['phr'] }, false],
  [{ amr: null, acr: null }, false],
  [{}, false],
  [undefined, false],
])('the signed claims %o tell of a second step: %s', (claims, answer) => {
  expect(saysSecondStep(claims)).toBe(answer);
});

test.each([
  [refuse('account_is_disable', { reason: 'deactivated' }), 'deactivated'],
  [refuse('account_is_disable', { reason: 'restricted' }), 'restricted'],
  [refuse('account_not_confirmed'), 'notConfirmed'],
  [refuse('too_many_requests', { limit: 'signInsHour' }), 'tooMany'],
  [refuse('email_id_exist'), 'accountExists'],
] as const)('%o is reported as %s', (refusal, failure) => {
  expect(failureOf(refusal)).toBe(failure);
});

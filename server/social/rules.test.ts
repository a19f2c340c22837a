import { bareIssuer } from '#contract/company-sign-in/issuer.ts';
import { describe, expect, test } from 'vitest';
import { refuse } from '#contract/errors.ts';
import type { UserId } from '#contract/wire.ts';
import { readConfig, WrongEnvironment } from '#server/config.ts';
import { courseOf, failureOf, saysSecondStep, type Situation, vouchedBy } from './rules.ts';

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
  expect(courseOf({ linkTo, caller: linkTo, owner, addressOf })).toBe(course);
});

test.each([
  [me, 'stays'],
  [other, 'sign in'],
] as const)('my identity, in a browser where %o signed in meanwhile → %s', (caller, course) => {
  expect(courseOf({ linkTo: undefined, caller, owner: me, addressOf: 'nobody' })).toBe(course);
});

describe('the claims of a provider', () => {
  test.each([
    [{ sub: '10769150350006150715113082367' }, '10769150350006150715113082367'],
    [{ id: '1001' }, '1001'],
    [{ id: 1001 }, '1001'],
    [{ sub: 'own', id: 'other' }, 'own'],
    [{ sub: 'CN=Ann Lee,OU=Staff' }, 'CN=Ann Lee,OU=Staff'],
  ])('%o have a subject', (answer, subject) => {
    expect(vouchedBy(answer)?.subject).toBe(subject);
  });

  const noNames = [
    '',
    ' ',
    ' a',
    'a ',
    'a\0',
    'ü',
    'x'.repeat(256),
    null,
    {},
    [],
    1.5,
    Number.NaN,
    2 ** 53,
    true,
  ];
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
    [{ name: 'Ada Lovelace' }, ['Ada', 'Lovelace']],
    [{ name: 'Odell, Fiona' }, ['Fiona', 'Odell']],
    [{ name: 'Hopper, Grace (IT)' }, ['Grace', 'Hopper']],
    [{ name: 'Sammy Davis, Jr.' }, ['Sammy Davis, Jr.', '']],
    [{ name: 'Lind, Maya, Sales' }, ['Lind, Maya, Sales', '']],
    [{ name: 'Ludwig van Beethoven' }, ['Ludwig van Beethoven', '']],
    [{ name: '山田 花子' }, ['山田 花子', '']],
    [{ name: ', Maya' }, [', Maya', '']],
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
  ['https://acme.example', 'https://acme.example'],
  ['https://ACME.example/', 'https://acme.example'],
  ['https://acme.example/realms/One/', 'https://acme.example/realms/One'],
  ['https://acme.example/.well-known/openid-configuration', 'https://acme.example'],
  ['', ''],
])('the issuer %j is %j without what people write too much', (typed, bare) => {
  expect(bareIssuer(typed)).toBe(bare);
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

function settingsOf(environment: Record<string, string>) {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof WrongEnvironment) return error.problems;
    throw error;
  }
}
const pair = (name: string) => ({ [`${name}_CLIENT_ID`]: 'an-id', [`${name}_CLIENT_SECRET`]: 'a-secret' });
const three = (name: string, origin = 'https://id.example') => ({
  [`${name}_AUTHORIZE_URL`]: `${origin}/authorize`,
  [`${name}_TOKEN_URL`]: `${origin}/token`,
  [`${name}_USERINFO_URL`]: `${origin}/me?fields=id`,
});

test('without settings there is no provider and no Google button', () => {
  expect(settingsOf({})).toMatchObject({ facebook: null, google: null, googleLogin: false });
});

test('id and secret alone select the real providers', () => {
  const config = { clientId: 'an-id', clientSecret: 'a-secret' };
  expect(settingsOf({ ...pair('FACEBOOK'), ...pair('GOOGLE'), GOOGLE_LOGIN: '1' })).toMatchObject({
    facebook: {
      ...config,
      at: {
        authorize: new URL('https://www.facebook.com/v25.0/dialog/oauth'),
        token: new URL('https://graph.facebook.com/v25.0/oauth/access_token'),
        userInfo: new URL('https://graph.facebook.com/v25.0/me?fields=id,email,first_name,last_name'),
      },
    },
    google: { ...config, at: { issuer: new URL('https://accounts.google.com') } },
    googleLogin: true,
  });
});

describe.each(['FACEBOOK', 'GOOGLE'] as const)('%s', (name) => {
  const key = name.toLowerCase();
  test.each([
    'https://id.example/realm',
    'http://localhost:4000',
    'http://127.0.0.1:4000',
    'http://[::1]:4000',
  ])('accepts the issuer %s', (issuer) => {
    expect(settingsOf({ ...pair(name), [`${name}_ISSUER`]: issuer })).toMatchObject({
      [key]: { at: { issuer: new URL(issuer) } },
    });
  });

  test('accepts three addresses', () => {
    expect(settingsOf({ ...pair(name), ...three(name) })).toMatchObject({
      [key]: { at: { token: new URL('https://id.example/token') } },
    });
  });

  test.each<[what: string, environment: Record<string, string>, lines: string[]]>([
    [
      'an id without its secret',
      { [`${name}_CLIENT_ID`]: 'an-id' },
      [`${name}_CLIENT_SECRET: got "", takes the secret of ${name}_CLIENT_ID`],
    ],
    [
      'a secret without its id',
      { [`${name}_CLIENT_SECRET`]: 'a-secret' },
      [`${name}_CLIENT_ID: got "", takes the id that ${name}_CLIENT_SECRET is for`],
    ],
    [
      'one address of three',
      { [`${name}_TOKEN_URL`]: 'https://id.example/token' },
      [
        `${name}_AUTHORIZE_URL: got "", takes a URL when another ${name}_…_URL is set`,
        `${name}_USERINFO_URL: got "", takes a URL when another ${name}_…_URL is set`,
      ],
    ],
    [
      'an issuer and addresses',
      { [`${name}_ISSUER`]: 'https://id.example', ...three(name) },
      [`${name}_ISSUER: got "https://id.example/", takes nothing beside ${name}_…_URL`],
    ],
    [
      'plain http',
      { [`${name}_ISSUER`]: 'http://id.example' },
      [`${name}_ISSUER: got "http://id.example", takes an https URL (plain http is for loopback only)`],
    ],
    [
      'a wrong address',
      { ...three(name), [`${name}_TOKEN_URL`]: 'ftp://id.example' },
      [`${name}_TOKEN_URL: got "ftp://id.example", takes a URL that starts with http:// or https://`],
    ],
    [
      'a user in it',
      { [`${name}_ISSUER`]: 'https://user:word@id.example' },
      [`${name}_ISSUER: got "…@id.example", takes a URL without user or fragment`],
    ],
  ])('refuses %s', (_what, environment, lines) => {
    expect(settingsOf(environment)).toEqual(lines);
  });
});

test.each(['yes', 'true', '2'])('GOOGLE_LOGIN refuses %s', (value) => {
  expect(settingsOf({ GOOGLE_LOGIN: value })).toEqual([`GOOGLE_LOGIN: got "${value}", takes 0 or 1`]);
});
